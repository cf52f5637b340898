// Sessions that eve itself writes: its own code makes events of what models and tools do, which is made
// by chance. evecheck has to find no error in them, and no warning.
//
//     node sessions.mjs PACKAGE EVECHECK FOLDER EVENTS SEED
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { chance } from "./random.mjs";

const [eve, evecheck, folder, events, seed] = process.argv.slice(2);
const random = chance(Number(seed));
const oneIn = random.one;

// What writes events imports the AI SDK by the way, and calls nothing of it.
function standIn() {
    const sdk = join(eve, "node_modules", "ai");
    const functions = ["asSchema", "convertDataContentToBase64String", "createGateway", "experimental_decide",
        "experimental_toolCaller", "gateway", "isStepCount", "jsonSchema", "registerTelemetry", "streamText", "tool",
        "wrapLanguageModel"];
    const classes = ["RetryError", "ToolLoopAgent", "TypeValidationError", "MockLanguageModelV3", "MockLanguageModelV4"];
    mkdirSync(sdk, { recursive: true });
    writeFileSync(join(sdk, "package.json"), '{"name":"ai","type":"module","exports":{".":"./ai.js","./test":"./ai.js"}}');
    writeFileSync(join(sdk, "ai.js"), [
        ...functions.map((name) => `export function ${name}(x) { return x; }`),
        ...classes.map((name) => `export class ${name} extends Error { static isInstance() { return false; } }`),
    ].join("\n"));
}

standIn();
const load = (path) => import(join(resolve(eve), "dist/src", path));
const { emitStreamContent } = await load("harness/emission.js");
const machine = await load("harness/session-machine/transitions.js");
const { turnPosition } = await load("harness/session-machine/view.js");
const { foldSession, initialSessionProjection } = await load("protocol/session-projection.js");
const protocol = await load("protocol/message.js");

const words = ["Hel", "lo ", "a", "the ", "🏔️", "\ud83d", "\ude00", "ü", "\n", "  ", '"q"', "\\", "{", '{"a":1}', "}", "\u0000",
    "東京", ". ", "", "x", "\u2028", "\ufeff"];
const tools = ["get", "put", "list", "web"]; // the last one is run by the provider
const word = () => random.pick(words);
const value = (depth = 0) => random.pick([
    () => random.below(100), word, () => null, () => 1.5,
    () => (depth < 2 ? { [word()]: value(depth + 1) } : true),
    () => (depth < 2 ? [value(depth + 1)] : false),
])();

function pieces(text) {
    const list = oneIn(10) ? [""] : [];
    for (let i = 0; i < text.length;) {
        const n = 1 + random.below(6);
        list.push(text.slice(i, i + n));
        i += n;
    }
    return list;
}

// One call: what the model streams of it, and what comes of it.
function callParts(session) {
    const toolName = random.pick(tools);
    const providerExecuted = toolName === "web" || undefined;
    const input = { city: value(), [word()]: value() };
    const harm = oneIn(12) ? random.pick(["unreadable", "no object"]) : "";
    const text = harm === "" ? JSON.stringify(input) : harm === "no object" ? "[1]" : "{";
    const call = { toolCallId: "call", toolName, providerExecuted };
    const asked = session.streams
        ? [{ type: "tool-input-start", id: "call", toolName, providerExecuted },
            ...pieces(text).map((delta) => ({ type: "tool-input-delta", id: "call", delta })),
            { type: "tool-input-end", id: "call" }]
        : [];
    asked.push({ ...call, type: "tool-call", input: harm === "no object" ? [1] : input, invalid: harm === "unreadable" || undefined });
    const answers = [];
    for (let i = oneIn(5) ? random.below(4) : 0; i > 0 && !providerExecuted && harm === ""; i--) {
        answers.push({ ...call, type: "tool-result", preliminary: true, input, output: value() });
    }
    if (harm === "" || providerExecuted) {
        answers.push(oneIn(6) || harm !== "" ? { ...call, type: "tool-error", input, error: new Error("no " + word()) }
            : { ...call, type: "tool-result", input, output: value() });
    }
    return { asked, answers };
}

const named = (part, id) => ("toolCallId" in part ? { ...part, toolCallId: id } : "id" in part ? { ...part, id } : part);

// What a model call streams; `fresh` gives the calls ids of an attempt.
function script(session) {
    const parts = [];
    const last = [];
    let calls = 0;
    for (let i = random.below(5); i > 0; i--) {
        const kind = random.below(3);
        for (let n = 1 + random.below(5); kind < 2 && n > 0; n--) {
            parts.push({ type: kind === 0 ? "reasoning-delta" : "text-delta", id: "text", text: word() });
        }
        if (kind === 2) {
            const { asked, answers } = callParts(session);
            const call = calls++;
            parts.push(...asked.map((part) => ({ call, part })));
            (oneIn(2) ? parts : last).push(...answers.map((part) => ({ call, part })));
        }
    }
    const finishReason = random.pick(calls > 0 ? ["tool-calls", "stop"] : ["stop", "stop", "length", "content-filter", "error"]);
    const all = [...parts, ...last, { type: "finish-step", finishReason }];
    const fresh = (ids) => all.map((p) => ("part" in p ? named(p.part, (ids[p.call] ??= `call_${session.calls++}`)) : p));
    return { fresh, calls, finishReason };
}

class Cut extends Error {}

// The stream up to part `end`; there the provider fails, or the call is cut short.
async function* stream(parts, end, how, session) {
    for (const [i, part] of parts.entries()) {
        if (i >= end && how === "fails") {
            yield { type: "error", error: new Error("provider") };
            return;
        }
        if (i >= end && (how === "cancelled" || !session.answered)) {
            throw new Cut(how);
        }
        yield part;
    }
}

// A model call with its attempts: what became of it.
async function callModel(session) {
    const { fresh, calls, finishReason } = script(session);
    session.answered = false; // once it is, a message does not cut the call short
    for (let attempt = 0; ; attempt++) {
        const unsettled = new Map();
        const parts = fresh([]);
        const how = oneIn(8) ? "fails" : oneIn(20) ? "cancelled" : oneIn(20) ? "steered" : "ok";
        try {
            await emitStreamContent(session.emit, turnPosition(session.projection),
                stream(parts, how === "ok" ? parts.length : random.below(parts.length), how, session),
                { tools: new Map(tools.map((name) => [name, { name }])), excludedActionToolNames: new Set(session.hidden),
                    unsettledActionToolNames: unsettled });
            return { how: "ok", calls, finishReason };
        } catch (error) {
            if (error instanceof Cut) {
                return { how: error.message };
            }
            if (!/provider/.test(String(error?.message) + String(error?.cause?.message))) {
                throw error;
            }
            if (attempt === 2) {
                return { how: "failed" };
            }
            for (const [callId, toolName] of unsettled) {
                await session.apply(machine.discardAttempt(session.view(), { calls: [{ callId, toolName }] }));
            }
        }
    }
}

const failure = (session, code, terminal) =>
    session.apply(machine.fail(session.view(), { code, message: "x", terminal: terminal ? { sessionId: session.id } : undefined }));

// A limit is reached: someone is asked, and the turn waits.
async function reachLimit(session) {
    const at = turnPosition(session.projection);
    const place = { sequence: at.sequence, stepIndex: at.stepIndex, turnId: at.turnId };
    const requestId = `limit_${session.calls++}`;
    const action = { callId: "limit", input: {}, kind: "tool-call", toolName: "session_limit" };
    await session.emit(protocol.createInputRequestedEvent({ requests: [{ requestId, kind: "session-limit", prompt: "?", action }], ...place }));
    await session.apply(machine.hold(session.view(), { on: "input" }));
    await session.emit(protocol.createInputResolvedEvent({
        resolutions: [{ kind: "session-limit", outcome: "answered", requestId }], ...place }));
}

// One step. True: the turn is over.
async function step(session, last) {
    await session.apply(machine.startStep(session.view(), { modelId: oneIn(10) ? "other" : "model" }));
    if (oneIn(30)) {
        await reachLimit(session);
        return false;
    }
    const { how, calls, finishReason } = await callModel(session);
    if (how === "failed") {
        await failure(session, "MODEL_CALL_FAILED", oneIn(5));
        return true;
    }
    if (how === "cancelled") {
        await session.apply(machine.cancel(session.view()));
        return true;
    }
    const { sequence, stepIndex, turnId } = turnPosition(session.projection);
    await session.emit(protocol.createStepCompletedEvent({ sequence, stepIndex, turnId, finishReason: how === "steered" ? "other" : finishReason }));
    if (how === "steered") {
        await session.apply(machine.receive(session.view(), { message: "steered" }));
        return false;
    }
    if (oneIn(25)) {
        await failure(session, "OUTPUT_SCHEMA_NOT_FULFILLED", false);
        return true;
    }
    if (calls === 0 || last) {
        await session.apply(machine.finishTurn(session.view(), oneIn(10) ? { result: value() } : {}));
    }
    return calls === 0;
}

async function turn(session) {
    if (oneIn(30)) {
        return failure(session, "EVENT_HANDLER_FAILED", false);
    }
    await session.apply(machine.receive(session.view(), { message: word() + "?", runtime: { agentId: "a", eveVersion: "0" } }));
    if (oneIn(30)) {
        return failure(session, "MODEL_SELECTION_FAILED", oneIn(3));
    }
    for (let i = 0; i < 4; i++) {
        if (await step(session, i === 3)) {
            return undefined;
        }
    }
    return session.projection.activeTurnId !== undefined ? session.apply(machine.finishTurn(session.view(), {})) : undefined;
}

async function makeSession(id, out) {
    const session = { id, calls: 0, answered: false, streams: !oneIn(5), hidden: oneIn(5) ? ["list"] : [], projection: initialSessionProjection() };
    session.view = () => ({ projection: session.projection, turn: { suspended: [] }, relayedRequestIds: new Set(), signIns: [] });
    session.emit = async (event) => {
        const stamped = protocol.stampMessageStreamEvent(event);
        session.answered ||= event.type === "message.completed" || /^action\.(result|partial)$/.test(event.type) ||
            (event.type === "message.appended" && event.data.messageDelta !== "");
        session.projection = foldSession(session.projection, stamped);
        out.push(JSON.stringify({ ...stamped, session_id: id }));
    };
    session.apply = async ({ events: list }) => {
        for (const event of list) {
            await session.emit(event);
        }
    };
    for (let i = 1 + random.below(3); i > 0 && !session.projection.ended; i--) {
        await turn(session);
    }
}

const out = [];
let sessions = 0;
while (out.length < Number(events)) {
    await makeSession(`s${sessions++}`, out);
}
const file = join(folder, "sessions.ndjson");
writeFileSync(file, out.join("\n") + "\n");
const run = spawnSync(evecheck, ["-g", "session_id", "--from=26", "--format=json", file], { encoding: "utf8", maxBuffer: 1 << 30 });
const findings = run.stdout.split("\n").filter(Boolean).map((line) => JSON.parse(line));
const bad = findings.filter((f) => f.severity !== "note");
for (const f of bad.slice(0, 10)) {
    console.log(`${file}:${f.line}: ${f.severity}: ${f.message} [${f.rule}]`);
}
console.log(`sessions: ${sessions} with ${out.length} events, ${bad.length} errors and warnings, ${findings.length - bad.length} notes`);
process.exitCode = run.status === 0 && bad.length === 0 ? 0 : 1;
