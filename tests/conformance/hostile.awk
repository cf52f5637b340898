# Makes a stream of LINES events (awk -v LINES=N -v SEED=N) that is hard on whoever remembers the line
# before: open blocks of several turns, kinds and groups side by side, each in a spelling of its own,
# in both forms; restarts, halves of a pair, escapes, bad lines, other line ends.
function random(n) { state = state * 16807 % 2147483647; return int(state / 64) % n }
function delta(   n, s) {
    s = ""
    for (n = random(4); n >= 0; n--) s = s part[random(parts)]
    return random(40) == 0 ? s part[random(parts)] long : s
}
function joined(text, more) {
    # eve spells a pair that has met as one character
    if (text ~ /(^|[^\\])(\\\\)*\\ud83d$/ && more ~ /^\\ude00/)
        return substr(text, 1, length(text) - 6) "😀" substr(more, 7)
    return text more
}
function meta(   at, id) {
    at = sprintf("2026-11-%02dT%02d:%02d:%02d.%03dZ", 1 + random(28), random(24), random(60), random(60), random(1000))
    id = sprintf("evt_01M8%06d%016d", clock++, random(32768))
    if (random(60) == 0) id = "evt_\\u0041"
    if (random(60) == 0) at = "now"
    if (random(80) == 0) return "\"meta\":{\"id\":\"" id "\"}"
    return "\"meta\":{\"at\":\"" at "\",\"id\":\"" id "\"" (random(3) ? "" : ",\"deliveryIds\":[\"a-" random(2) "\"]") "}"
}
function event(b, data, type,   m, g) {
    m = random(50) ? meta() : "\"meta\":null"
    g = group[b] == "" ? "" : "\"g\":\"" group[b] "\","
    if (order[b] == 0) return "{" g "\"data\":{" data "},\"type\":\"" type "\"," m "}"
    if (order[b] == 1) return "{\"type\":\"" type "\"," g "\"data\":{" data "}," m "}"
    if (order[b] == 2) return "{" g "\"data\":{" data "}," m ",\"type\":\"" type "\"}"
    if (order[b] == 3) return "{ " g " \"type\" : \"" type "\" , " m ", \"data\" : { " data " } }"
    return "{" m "," g "\"data\":{" data "},\"type\":\"" type "\"}"
}
function open_block(b) {
    turn[b] = random(3); step[b] = random(2); kind[b] = kinds[random(3)]; group[b] = groups[random(3)]
    order[b] = random(5); old[b] = random(3); text[b] = ""; offset[b] = 0; calls++
}
function where(b) { return "\"sequence\":" turn[b] ",\"stepIndex\":" step[b] ",\"turnId\":\"turn_" turn[b] "\"" }
function append(b,   d, sum, form) {
    d = delta()
    form = random(40) ? old[b] : !old[b]
    if (random(60) == 0) { text[b] = ""; offset[b] = 0 }
    if (kind[b] == "input") {
        sum = form ? ",\"inputTextOffset\":" (random(50) ? offset[b] : offset[b] ".0") : ""
        offset[b] += length(d)
        return event(b, "\"callId\":\"c" b "\",\"inputTextDelta\":\"" d "\"" sum ",\"toolName\":\"t\"," where(b),
            "action.input.appended")
    }
    if (random(60) == 0 && text[b] ~ /^[a-y ]/) text[b] = "z" substr(text[b], 2) # as long, but another
    text[b] = joined(text[b], d)
    sum = random(200) ? text[b] : random(2) ? text[b] "\\u0041" : "other"
    sum = form ? ",\"" kind[b] "SoFar\":\"" sum "\"" : ""
    return event(b, "\"" kind[b] "Delta\":\"" d "\"" sum "," where(b), kind[b] ".appended")
}
function finish(b,   t) {
    t = kind[b] == "input" ? "step.completed" : kind[b] ".completed"
    return event(b, (kind[b] == "input" ? "" : "\"" kind[b] "\":\"" text[b] "\",") where(b), t)
}
BEGIN {
    state = SEED
    parts = split(" the| quarter|x||\\n|\\\\|\\\"|\\u0041|中文|é|😀|\\ud83d|\\ude00|\\/|\\u001b|{\"|, and so on and on and on", part, "|")
    part[0] = "a"; part[16] = "{\\\""
    for (i = 0; i < 12; i++) long = long " a longer piece of text"
    kinds[0] = "message"; kinds[1] = "reasoning"; kinds[2] = "input"
    groups[0] = ""; groups[1] = "a"; groups[2] = "b"
    for (b = 0; b < 8; b++) open_block(b)
    for (n = 0; n < LINES; n++) {
        if (random(5) != 0) b = random(8)
        what = random(100)
        if (what < 90) line = append(b)
        else if (what < 93) { line = finish(b); open_block(b) }
        else if (what == 93) line = event(b, where(b), random(2) ? "step.started" : "turn.completed")
        else if (what == 94) line = random(2) ? "" : "{\"$eve\":\"stream.lease-ended\",\"version\":1}"
        else if (what == 95) line = substr(append(b), 1, 20 + random(150))
        else if (what == 96) line = append(b) (random(2) ? "\r" : " \t")
        else if (what == 97) line = "\357\273\277" append(b)
        else if (what == 98) { line = append(b); sub(/Delta"/, "Delta\"  ", line) }
        else line = event(b, "\"messageDelta\":\"a\",\"messageDelta\":\"b\"," where(b), "message.appended")
        print line
    }
}
