// Lines that may be events: appends of every version, right and nearly right, skills without a name,
// types that nobody knows, all of them spelled by chance, some of them damaged. `twice`: two members
// of one object have the same name.
import { chance, speller, Raw, Members } from "./random.mjs";

const pieces = ["a", "Hello ", "world.", "\n", "\t", "\"", "\\", "/", "\u0000", "\u001f", "\u007f", "é", "ü", "中文", "\u2028", "\ufeff", "😀", "👩‍👩‍👧",
    "\ud83d", "\ude00", "\ud83d\ud83d", "n", "u0041", "41", "\\n", "\"}", "messageSoFar"];
const odd = [null, true, false, 0, -1, 1.5, "", "x", [], [1], {}, { a: 1 }, new Raw("1E400"), new Raw("9007199254740993"), new Raw("-0")];
const offsets = [0, 1, 5, 100, new Raw("5.0"), new Raw("1e2"), new Raw("-0"), new Raw("-0.0"), new Raw("9007199254740991"), new Raw("9007199254740992"),
    new Raw("9007199254740993"), new Raw("0.5"), new Raw("-1"), new Raw("1E400"), new Raw("1e-400"), new Raw("50e-1"), new Raw("9007199254740991.4"),
    new Raw("0.99999999999999999999"), new Raw("90071992547409910e-1"), new Raw("1e15"), new Raw("1e16"), "5", null, [0], true];
const types = ["session.started", "turn.started", "message.completed", "step.completed", "x.unknown", "", "message.appended ", "constructor", "__proto__"];

export function lineMaker(seed, mode) {
    const random = chance(seed);
    const text = () => Array.from({ length: random.below(5) }, () => random.pick(pieces)).join("");
    const legacy = mode === "auto" ? () => random.one(2) : () => (mode < "25" ? !random.one(10) : random.one(10));

    // The text so far: right, or nearly.
    const sum = (delta) => {
        const whole = text() + delta;
        if (!random.one(5)) return whole;
        return random.pick([
            () => whole + random.pick(pieces), () => whole.slice(0, -1), () => String(delta).slice(1), () => random.pick(odd),
            () => whole.slice(0, -1) + "x", () => text(), () => "", () => whole.toUpperCase(),
        ])();
    };
    const coordinates = () => [["sequence", random.below(3)], ["stepIndex", random.one(20) ? random.pick(odd) : random.below(3)], ["turnId", "turn_" + random.below(3)]];
    const appends = {
        message: (data, delta) => {
            data.push(["messageDelta", delta]);
            if (legacy()) data.push(["messageSoFar", sum(delta)]);
            if (random.one(30)) data.push(["messageOffset", random.pick(offsets)]);
        },
        reasoning: (data, delta) => {
            data.push(["reasoningDelta", delta]);
            if (legacy()) data.push(["reasoningSoFar", sum(delta)]);
            if (random.one(30)) data.push(["reasoningOffset", random.pick(offsets)]);
        },
        "action.input": (data, delta) => {
            data.push(["inputTextDelta", delta], ["callId", "call_" + random.below(3)], ["toolName", "weather"]);
            if (legacy()) data.push(["inputTextOffset", random.one(3) ? random.pick(offsets) : random.below(100)]);
        },
    };
    const append = () => {
        const kind = random.pick(Object.keys(appends));
        const data = [];
        const delta = random.one(25) ? random.pick(odd) : text();
        appends[kind](data, delta);
        if (random.one(15)) data.shift(); // the delta
        if (random.one(10)) data.push([random.pick(["x", "messageSoFa", "messageSoFar ", "inputTextOffset", "messageSoFar", "n"]), random.pick(odd)]);
        const names = data.map(([name]) => name);
        return { type: kind + ".appended", data: [...data, ...coordinates()], twice: new Set(names).size < names.length };
    };
    const action = () => {
        if (random.one(12)) return random.pick(odd);
        const a = { kind: random.pick(["load-skill", "load-skill", "tool-call", "x"]), callId: "call_" + random.below(3) };
        if (random.one(3)) a.name = random.one(3) ? random.pick(odd) : text();
        if (!random.one(8)) a.input = random.one(8) ? random.pick(odd) : random.one(2) ? { skill: random.one(4) ? random.pick(odd) : text() } : {};
        return a;
    };
    const requested = () => ({
        type: "actions.requested",
        data: [["actions", random.one(10) ? random.pick(odd) : Array.from({ length: random.below(4) }, action)], ...coordinates()],
    });
    const other = () => ({ type: random.pick(types), data: [...coordinates(), ["messageSoFar", text()], ["x", random.pick(odd)]] });

    // Members once more, with another value or the same; the last counts.
    const double = (members) => {
        const [name, value] = random.pick(members);
        members.splice(random.below(members.length + 1), 0, [name, random.one(2) ? value : random.pick(odd)]);
    };
    const event = () => {
        const made = random.below(10) < 6 ? append() : random.one(2) ? requested() : other();
        let twice = made.twice ?? false;
        if (random.one(25) && made.data.length > 0) {
            double(made.data);
            twice = true;
        }
        random.one(3) && random.shuffle(made.data);
        const members = [["data", random.one(40) ? random.pick(odd) : new Members(made.data)], ["type", random.one(60) ? random.pick(odd) : made.type]];
        if (!random.one(5)) members.push(["meta", { at: "2026-10-20T01:04:11.912Z", id: "evt_01KYJBZA88B4M9XN3RTC5FDGHJ" }]);
        if (random.one(10)) members.push(["session_id", random.pick(odd)]);
        if (random.one(50)) members.splice(random.below(members.length), 1);
        if (random.one(40)) {
            double(members);
            twice = true;
        }
        random.one(2) && random.shuffle(members);
        return { value: new Members(members), twice };
    };
    // A byte lost, added or another, the end cut off, or something around it.
    const damage = (bytes) => {
        const at = random.below(bytes.length);
        const byte = Buffer.from([random.pick([0x22, 0x2c, 0x5c, 0x7b, 0x7d, 0x80, 0xc0, 0xed, 0xff, 0x00, 0x20, 0x30, random.below(256)])]);
        const cut = random.pick([[at, at + 1], [at, at], [at, at + 1], [at, bytes.length], [0, at], [0, 0], [bytes.length, bytes.length]]);
        const put = random.pick([byte, byte, Buffer.alloc(0), Buffer.from(random.pick(["\u00a0", "\ufeff", "\v", "\u2028", "{}", ","]))]);
        return Buffer.concat([bytes.subarray(0, cut[0]), put, bytes.subarray(cut[1])]);
    };
    return () => {
        for (;;) {
            const { value, twice } = random.one(100) ? { value: random.pick(odd), twice: false } : event();
            let bytes = Buffer.from(speller(random, !random.one(3))(value));
            if (random.one(12)) bytes = damage(bytes);
            // Lines that end or vanish are of the transport, which other tests hold.
            if (!bytes.includes(10) && bytes.toString().trim() !== "" && !bytes.toString("latin1").includes("$eve")) return { bytes, twice };
        }
    };
}
