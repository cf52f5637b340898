// Holds eveaccum -a messages against the published package's default message reducer on generated
// sessions:  node messages.mjs PACKAGE EVEACCUM FOLDER LINES SEED
// An event at which the package throws changes nothing there; ours has to refuse it. Prints the number
// of lines and of sessions that differ, with a few of them as short as can be; exits 1 if there are any.
// Two differences are wanted, and counted:
// - JavaScript makes text or a number of any value, so a turnId that is an object is the turn "[object
//   Object]". Ours refuses more of what is harmed, and an event that asks twice for one call, where only
//   the second time is wrong. Whatever ours refuses is left out for the package, too.
// - Rows of a database have no meta; the package throws at a message.received without one.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { conversationMaker } from "./conversations.mjs";

const [packageFolder, eveaccum, folder, wanted, seed] = process.argv.slice(2);
const { normalizePersistedMessageStreamEvent } = await import(`${packageFolder}/dist/src/protocol/message-version.js`);
const { defaultMessageReducer } = await import(`${packageFolder}/dist/src/client/message-reducer.js`);
const reducer = defaultMessageReducer();

const isEvent = (event) => typeof event?.type === "string"; // else refused, whatever the package makes of it

// What the package makes of the events, but for those numbered in `without`.
function theirs(events, without = new Set()) {
    const bad = [];
    let state = reducer.initial();
    events.forEach(({ line }, i) => {
        const event = JSON.parse(line);
        if (without.has(i + 1)) return;
        try {
            if (!isEvent(event)) throw Error("no event");
            if (event.type === "message.received") event.meta ??= {};
            const next = reducer.reduce(state, normalizePersistedMessageStreamEvent(event));
            JSON.stringify(next.messages);
            state = next;
        } catch {
            bad.push(i + 1);
        }
    });
    return { bad, messages: JSON.parse(JSON.stringify(state.messages)) };
}

// Two of the actions or requests are for the same call.
function asksTwice(event) {
    const list = event.data?.actions ?? event.data?.requests;
    const calls = Array.isArray(list) ? list.map((x) => x?.callId ?? x?.action?.callId) : [];
    return new Set(calls).size < calls.length;
}

function ours(events) {
    writeFileSync(`${folder}/session`, events.map(({ line }) => line + "\n").join(""));
    const run = spawnSync(eveaccum, ["-q", "-k", "-a", "messages", `${folder}/session`], { maxBuffer: 1 << 28 });
    if (run.status !== 0 && run.status !== 1) throw Error(`eveaccum: status ${run.status} ${run.signal} ${run.stderr}`);
    const bad = [...run.stderr.toString("latin1").matchAll(/:(\d+):\d+: error: /g)].map(([, number]) => Number(number));
    return { bad, messages: run.stdout.length === 0 ? [] : JSON.parse(run.stdout.toString()).messages };
}

// Ours and theirs, the same or not, and how many events only ours refused.
function compare(events) {
    const our = ours(events);
    const mayBe = our.bad.filter((number) => {
        const { line, harmed } = events[number - 1];
        return harmed || asksTwice(JSON.parse(line));
    });
    const their = theirs(events, new Set(mayBe));
    const stricter = mayBe.length - theirs(events).bad.length;
    const same = isDeepStrictEqual(our.messages, their.messages) && isDeepStrictEqual(our.bad, [...mayBe, ...their.bad].sort((a, b) => a - b));
    return { our, their, same, stricter: Math.max(stricter, 0) };
}

// As few of the events as still differ.
function fewest(events) {
    for (let i = 0; i < events.length; ) {
        const fewer = events.filter((_, at) => at !== i);
        if (fewer.length > 0 && !compare(fewer).same) events = fewer;
        else i++;
    }
    return events;
}

const make = conversationMaker(Number(seed));
let lines = 0;
let sessions = 0;
let different = 0;
let refused = 0;
let stricter = 0;
while (lines < Number(wanted)) {
    const session = make();
    const result = compare(session);
    lines += session.length;
    sessions++;
    refused += result.our.bad.length;
    stricter += result.stricter;
    if (!result.same && ++different <= 5) {
        const few = fewest(session);
        const { our, their } = compare(few);
        console.log(`${few.map(({ line }) => line).join("\n")}\n  ours:   ${JSON.stringify(our)}\n  theirs: ${JSON.stringify(their)}`);
    }
}
console.log(`${lines} events in ${sessions} sessions, ${refused} refused, ${stricter} of them by ours alone, ${different} sessions differ`);
process.exit(different > 0 ? 1 : 0);
