// Holds evenorm against the published package on generated lines:
//   node lines.mjs PACKAGE EVENORM FOLDER LINES SEED
// For each line and each declared version: accepted or refused alike, by a rule that fits, and if
// accepted, with the same values, and to the byte but for what had to go. Prints the number of
// lines and of differences, those allowed (allowed.mjs) by name; exits 1 if there are others.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync, openSync, closeSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { allowed } from "./allowed.mjs";
import { lineMaker } from "./events.mjs";

const [packageFolder, evenorm, folder, wanted, seed] = process.argv.slice(2);
const version = await import(`${packageFolder}/dist/src/protocol/message-version.js`);
const modes = ["auto", "21", "22", "23", "24", "25", "26"];
const removed = {
    "message.appended": ["messageSoFar", "messageOffset"],
    "reasoning.appended": ["reasoningSoFar", "reasoningOffset"],
    "action.input.appended": ["inputTextOffset"],
};

// What the package says: { value, event } or { value, error }, where value is what JSON.parse made of it.
function theirs(bytes, mode) {
    let value;
    try {
        value = JSON.parse(bytes.toString().trim());
    } catch (error) {
        return { error: "json" };
    }
    const kept = structuredClone(value);
    try {
        const event = mode === "auto" ? version.normalizePersistedMessageStreamEvent(value) : version.normalizeMessageStreamEvent(mode, value);
        return { value: kept, event };
    } catch (error) {
        return { value: kept, error: error.message };
    }
}

// The rules of ours that fit a message of theirs.
const fitting = [
    [/^json$/, /^json-|^not-object|^type-missing/],
    [/^Invalid cumulative/, /^(snapshot-mismatch|bad-snapshot|bad-delta)$/],
    [/^Invalid .* append delta/, /^(bad-delta|bad-data)$/],
    [/^Invalid .* append shape/, /^legacy-field$/],
    [/^Invalid action input append offset/, /^(bad-offset|bad-delta|bad-data)$/],
    [/^Invalid action input append for/, /^(unsupported-event|bad-data)$/],
    [/./, /^(bad-|not-object|type-missing|unsupported-event)/], // something has no members
];
const fits = (error, rule) => fitting.find(([said]) => said.test(error))[1].test(rule);

// The event as it has to come out, as values: what the package keeps, and members it does not know.
function wantedValue(value, event) {
    const want = structuredClone(value);
    if (Object.hasOwn(removed, value.type)) {
        removed[value.type].forEach((name) => delete want.data[name]);
    }
    if (value.type === "actions.requested") {
        want.data = event.data;
    }
    return want;
}

// Nothing of ours is missing in theirs but members that nobody knows.
function holds(event, want) {
    return Object.entries(event).every(([name, v]) => v === undefined || isDeepStrictEqual(want[name], v) || (name === "data" &&
        Object.entries(v).every(([member, x]) => x === undefined || isDeepStrictEqual(want.data[member], x))));
}

// One piece was taken out, or one put in, and what is around it is as it was.
function onePiece(from, to) {
    const least = Math.min(from.length, to.length);
    let head = 0;
    let tail = 0;
    while (head < least && from[head] === to[head]) head++;
    while (tail < least - head && from[from.length - 1 - tail] === to[to.length - 1 - tail]) tail++;
    return head + tail === least;
}

// What stays as it is does so to the byte; where one thing changes, all around it does.
function sameBytes(value, want, from, to) {
    if (isDeepStrictEqual(value, want)) return from.equals(to);
    const changes = Object.hasOwn(removed, value.type)
        ? removed[value.type].filter((name) => name in value.data).length
        : value.data.actions.filter((a, i) => a.name !== want.data.actions[i].name).length;
    return changes !== 1 || onePiece(from, to);
}

const trimmed = (bytes) => Buffer.from(bytes.toString("latin1").replace(/^(\xef\xbb\xbf)?[ \t\r]*|[ \t\r]+$/g, ""), "latin1");

const counts = new Map();
let differences = 0;
function differs(mode, bytes, what) {
    if (++differences <= 20) {
        console.log(`-f ${mode}: ${what}\n  ${bytes.toString()}`);
    }
}

function compare(mode, bytes, twice, rule, out) {
    const their = theirs(bytes, mode);
    const accepts = their.error === undefined;
    if ((rule === undefined) !== accepts || (!accepts && !fits(their.error, rule))) {
        const c = { rule, accepts, bytes, value: their.value };
        const reason = allowed.find((a) => a.is(c));
        if (reason) {
            counts.set(reason.name, (counts.get(reason.name) ?? 0) + 1);
        } else {
            differs(mode, bytes, `ours: ${rule ?? "accepted"}, the package: ${their.error ?? "accepted"}`);
        }
        return;
    }
    if (!accepts) return;
    const want = wantedValue(their.value, their.event);
    if (!isDeepStrictEqual(JSON.parse(out.toString()), want) || !holds(their.event, want)) {
        differs(mode, bytes, `other values: ${out}`);
    } else if (!twice && !sameBytes(their.value, want, trimmed(bytes), out)) {
        differs(mode, bytes, `other bytes: ${out}`);
    }
}

function split(bytes) {
    const lines = [];
    for (let from = 0, to; (to = bytes.indexOf(10, from)) >= 0; from = to + 1) lines.push(bytes.subarray(from, to));
    return lines;
}

// The lines through evenorm: rules of those refused by number, and those accepted in turn.
function ours(mode, lines) {
    const [input, output, messages] = ["in", "out", "err"].map((name) => `${folder}/${name}`);
    writeFileSync(input, Buffer.concat(lines.flatMap((line) => [line, Buffer.from("\n")])));
    const fds = [openSync(output, "w"), openSync(messages, "w")];
    const run = spawnSync(evenorm, ["-k", "-f", mode, input], { stdio: ["ignore", ...fds] });
    fds.forEach(closeSync);
    if (run.status !== 0 && run.status !== 1) throw Error(`evenorm: status ${run.status} ${run.signal}`);
    const rules = new Map();
    for (const [, number, rule] of readFileSync(messages, "latin1").matchAll(/:(\d+):\d+: error: .*\[([a-z0-9-]+)\]$/gm)) rules.set(Number(number), rule);
    return { rules, accepted: split(readFileSync(output)) };
}

const BATCH = 20000;
let done = 0;
for (let batch = 0; done < Number(wanted); batch++) {
    const mode = modes[batch % modes.length];
    const make = lineMaker(Number(seed) + batch, mode);
    const made = Array.from({ length: Math.min(BATCH, wanted - done) }, make);
    const { rules, accepted } = ours(mode, made.map((line) => line.bytes));
    if (rules.size + accepted.length !== made.length) differs(mode, Buffer.alloc(0), `${made.length} lines, ${accepted.length} came out, ${rules.size} did not`);
    let next = 0;
    made.forEach(({ bytes, twice }, i) => {
        const rule = rules.get(i + 1);
        compare(mode, bytes, twice, rule, rule === undefined ? accepted[next++] : undefined);
    });
    done += made.length;
}
for (const [name, count] of [...counts].sort()) console.log(`allowed, ${name}: ${count}`);
for (const a of allowed) if (!counts.has(a.name) && done >= 100000) differs("-", Buffer.alloc(0), `allowed but not seen: ${a.name}`);
console.log(`${done} lines, ${differences} unexplained differences`);
process.exit(differences > 0 ? 1 : 0);
