# Makes an input of N lines, or of one line N times as long, of a KIND that could be much work.
function random(n) { state = state * 16807 % 2147483647; return int(state / 64) % n }
function event(type, data) {
    printf "{\"data\":{%s},\"type\":\"%s\",\"meta\":{\"at\":\"2026-10-20T01:04:11.912Z\",\"id\":\"evt_01KYJBZA88B4M9XN3RTC%06d\"}}\n",
        data, type, ++id
}
function where(turn, step) { return sprintf("\"sequence\":0,\"stepIndex\":%d,\"turnId\":\"turn_%d\"", step, turn) }
function delta(text, turn) { event("message.appended", "\"messageDelta\":\"" text "\"," where(turn, 0)) }
function old(text, sum, turn) {
    event("message.appended", "\"messageDelta\":\"" text "\",\"messageSoFar\":\"" sum "\"," where(turn, 0))
}
function many(text,   i, s) { s = ""; for (i = 0; i < N; i++) s = s text; return s }
function action(call) {
    return "{\"callId\":\"call_" call "\",\"input\":{},\"kind\":\"tool-call\",\"toolName\":\"t\"}"
}
BEGIN {
    state = 7
    if (KIND == "block") for (i = 0; i < N; i++) delta("word ", 0)
    if (KIND == "turns") for (k = 0; k < 2; k++) for (i = 0; i < N / 2; i++) delta("word ", i)
    if (KIND == "reversed") {
        for (i = 0; i < N / 2; i++) delta("word ", i)
        for (i = N / 2; i > 0; i--) event("turn.completed", "\"sequence\":0,\"turnId\":\"turn_" (i - 1) "\"")
    }
    if (KIND == "restarts") for (i = 0; i < N; i++) old(i, i, 0)
    if (KIND == "many-old") for (k = 0; k < 2; k++) for (i = 0; i < N / 2; i++) old("a", k ? "aa" : "a", i)
    if (KIND == "halves") for (i = 0; i < N; i++) delta(i % 2 ? "\\ude00" : "\\ud83d", 0)
    if (KIND == "shapes") for (i = 0; i < N; i++) event("message.appended", "\"messageDelta\":\"a\",\"x" i "\":1," where(0, 0))
    if (KIND == "random") for (i = 0; i < N; i++) delta("word ", random(2000))
    if (KIND == "bad") for (i = 0; i < N; i++) print "{\"type\":\"message.appended\",\"data\":{\"messageDelta\":" i
    if (KIND == "blank") for (i = 0; i < N; i++) print " "
    if (KIND == "long-line") delta(many("a longer piece of \\\"text\\\" \\u00e9"), 0)
    if (KIND == "members") event("x.y", many("\"a name\":[1.5,\"two\",{}],") "\"z\":0")
    if (KIND == "names") event("message.appended", many("\"messageDelta\":\"a\",\"messageSoFar\":\"a\",") where(0, 0))
    if (KIND == "deep") printf "{\"type\":\"x.y\",\"data\":%s1%s}\n", many("["), many("]")
    if (KIND == "calls") {
        for (i = 0; i < N / 3; i++) event("actions.requested", "\"actions\":[" action(i) "]," where(0, 0))
        for (i = N / 3; i > 0; i--)
            event("action.result", "\"result\":{\"callId\":\"call_" (i - 1) "\",\"kind\":\"tool-result\",\"output\":1,\"toolName\":\"t\"},\"status\":\"completed\"," where(0, 0))
    }
    if (KIND == "ids") for (i = 0; i < N; i++) { if (i % 2) id--; delta("word ", 0) }
    if (KIND == "steps") for (i = 0; i < N / 4; i++) {
        event("step.started", "\"modelId\":\"m\"," where(0, i))
        event("message.appended", "\"messageDelta\":\"a\"," where(0, i))
        event("message.completed", "\"finishReason\":\"stop\",\"message\":\"a\"," where(0, i))
        event("step.completed", "\"finishReason\":\"stop\"," where(0, i))
    }
}
