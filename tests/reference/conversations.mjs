// Sessions made by chance out of every event that the message reducer looks at. Turns, steps, calls,
// requests and tasks are few, so that events meet, repeat and contradict one another; now and then a
// member is missing or of another type: then the event is `harmed`.
import { chance, speller } from "./random.mjs";

const words = ["a", "Hello ", "world.", "\n", "\u0000", "é", "😀", "\ud83d", "\ude00", "{\"city\":", "\"Zürich\"}", " "];
const names = ["weather", "get_weather", "researchTopic", "load_skill", "a-b c", "Über", "task_stop", "", "x__y", "HTTPServer", "éclair", "mcp__srv__do_it"];
const odd = [null, true, 0, -1, 1.5, 7, "", "x", [], [1], {}, { a: 1 }];

export function conversationMaker(seed) {
    const random = chance(seed);
    const maybe = (n, make) => (random.one(n) ? make() : undefined);
    const text = () => Array.from({ length: random.below(4) }, () => random.pick(words)).join("");
    const value = () => random.pick([null, 1, true, text(), [1, "b"], { city: text(), n: [1, { a: null }] }, {}]);
    const name = () => random.pick(names);
    const turn = () => "turn_" + random.below(3);
    const step = () => random.pick([0, 0, 0, 1, 1, 2, 4]);
    const call = () => "call_" + random.below(4);
    const request = () => "req_" + random.below(3);
    const task = () => "task_" + random.below(2);
    const at = () => ({ sequence: random.below(3), stepIndex: step(), turnId: turn() });
    const error = () => ({ code: random.pick(["TOOL_EXECUTION_DENIED", "MODEL_CALL_ATTEMPT_RETRIED", "x", "TOOL_FAILED"]), message: text() });
    const action = () => {
        const kind = random.pick(["tool-call", "tool-call", "load-skill", "subagent-call", "remote-agent-call", "workflow-tool-call"]);
        const a = { callId: call(), input: value(), kind, toolName: name() };
        if (kind === "load-skill") a.input = random.pick([{ skill: name() }, {}, { skill: 5 }]);
        if (kind === "load-skill" ? random.one(2) : /agent/.test(kind)) a.name = name();
        if (kind === "subagent-call") a.subagentName = name();
        if (kind === "remote-agent-call") a.remoteAgentName = name();
        if (kind !== "load-skill" && random.one(8)) delete a.input;
        return a;
    };
    const result = () => {
        const kind = random.pick(["tool-result", "tool-result", "load-skill-result", "subagent-result"]);
        const r = { callId: call(), kind, output: value(), toolName: name() };
        if (kind === "load-skill-result") r.name = name();
        if (kind === "subagent-result") r.subagentName = name();
        if (random.one(4)) r.isError = random.one(2);
        return r;
    };
    const labels = () => maybe(3, () => Object.fromEntries([[call(), random.pick([{ label: text() }, { label: name() }, {}])]]));
    const listed = (make) => Array.from({ length: random.pick([0, 1, 1, 1, 2, 3]) }, make);
    const asked = () => ({
        action: action(), allowFreeform: maybe(2, () => random.one(2)), display: maybe(2, () => "confirmation"),
        kind: random.pick(["tool-approval", "tool-approval", "question"]), options: maybe(2, () => [{ id: "approve", label: "Approve" }]),
        prompt: text(), requestId: request(),
    });
    const outcome = () => random.pick(["approved", "denied", "cancelled", "expired", "answered"]);
    const response = () => random.pick([{ optionId: "approve", requestId: request() }, { text: text() }, {}, { text: text(), optionId: "deny" }]);
    const authorization = () => maybe(2, () => ({ displayName: maybe(2, name), url: maybe(2, () => "https://example.org/"), userCode: maybe(3, text) }));
    const part = () => (random.one(2) ? { type: "text", text: text() } : { type: "file", filename: maybe(2, name), mediaType: "image/png", size: maybe(2, () => 12), url: maybe(2, () => "https://example.org/x") });
    const makers = {
        "message.appended": () => [6, { messageDelta: text(), ...at() }],
        "reasoning.appended": () => [3, { reasoningDelta: text(), ...at() }],
        "action.input.appended": () => [5, { callId: call(), inputTextDelta: text(), toolName: name(), ...at() }],
        "message.completed": () => [3, { finishReason: "stop", message: random.one(5) ? null : text(), ...at() }],
        "reasoning.completed": () => [2, { reasoning: text(), ...at() }],
        "actions.requested": () => [5, { actions: listed(action), presentation: labels(), ...at() }],
        "action.result": () => [5, { result: result(), status: random.pick([undefined, "completed", "failed", "rejected"]), error: maybe(3, error), presentation: labels(), ...at() }],
        "action.partial": () => [3, { result: result(), presentation: labels(), ...at() }],
        "input.requested": () => [4, { requests: listed(asked), taskId: maybe(8, task), callId: maybe(8, call), ...at() }],
        "input.resolved": () => [3, { resolutions: listed(() => ({ kind: "tool-approval", outcome: outcome(), requestId: request(), response: maybe(2, response) })), ...at() }],
        "approval.candidate": () => [1, { candidateId: "c", outcome: random.pick(["pending", "approved"]), requestId: request(), ...at() }],
        "approval.settled": () => [2, { outcome: outcome(), requestId: request(), ...at() }],
        "authorization.required": () => [2, {
            name: name(), description: random.pick([text(), "Authorization required for " + name()]), attemptId: maybe(2, () => "try_" + random.below(2)),
            webhookUrl: maybe(3, () => "https://example.org/hook"), authorization: authorization(), ...at(),
        }],
        "authorization.completed": () => [2, { name: name(), outcome: random.pick(["authorized", "denied", "failed"]), reason: maybe(2, text), attemptId: maybe(2, () => "try_" + random.below(2)), authorization: authorization(), ...at() }],
        "task.started": () => [2, { callId: call(), kind: "agent", name: name(), taskId: task(), turnId: turn() }],
        "task.settled": () => [2, { callId: call(), kind: "agent", name: name(), taskId: task(), turnId: turn(), status: random.pick(["completed", "failed", "cancelled", "working"]), output: maybe(2, value), error: maybe(2, error) }],
        "message.received": () => [2, { message: text(), parts: maybe(2, () => listed(part)), sequence: random.below(3), turnId: turn() }],
        "result.completed": () => [1, { result: value(), ...at() }],
        "session.started": () => [1, {}],
        "turn.started": () => [2, { sequence: random.below(3), turnId: turn() }],
        "step.started": () => [3, at()],
        "step.completed": () => [2, at()],
        "step.failed": () => [1, at()],
        "turn.waiting": () => [1, at()],
        "turn.completed": () => [2, at()],
        "turn.cancelled": () => [1, at()],
        "turn.failed": () => [1, at()],
        "context.cleared": () => [1, at()],
        "session.waiting": () => [1, {}],
        "session.completed": () => [1, {}],
        "x.unknown": () => [1, value()],
    };
    const bag = Object.entries(makers).flatMap(([type, make]) => Array(make()[0]).fill(type));
    // Somewhere inside, a member goes or becomes another value.
    const harm = (v) => {
        const keys = v !== null && typeof v === "object" ? Object.keys(v) : [];
        if (keys.length === 0) return;
        const key = random.pick(keys);
        if (!random.one(3) && v[key] !== null && typeof v[key] === "object") harm(v[key]);
        else if (random.one(2)) Array.isArray(v) ? v.splice(key, 1) : delete v[key];
        else v[key] = random.pick(odd);
    };
    let count = 0;
    const event = () => {
        const type = random.pick(bag);
        const made = JSON.parse(JSON.stringify({ data: makers[type]()[1], type, meta: { at: "2026-10-20T01:04:11.912Z", id: "evt_" + String(count++).padStart(26, "0") } }));
        const harmed = random.one(25);
        if (harmed) harm(made);
        return { line: speller(random, random.one(4))(made), harmed };
    };
    return () => Array.from({ length: 1 + random.below(60) }, event);
}
