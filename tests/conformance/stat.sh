#!/usr/bin/env bash
# Holds evestat against recorded streams of every version. What has to come out is counted another
# way: with jq from the raw lines, and with evenorm and wc.
. "$(dirname "$0")/../env.sh"
. tests/tap.sh
got=$SCRATCH/got want=$SCRATCH/want

# All figures of a stream, counted from its lines as they stand ($restarts is given). In these streams
# no event is spaced and none lacks the name of a skill; a removed member is never the first. Halves of
# surrogate pairs are more than some versions of jq can read.
# shellcheck disable=SC2016
counted='
    def size: utf8bytelength;
    def member($type; $name; $pattern):
        if .event.type == $type then [.line | scan(",\"" + $name + "\":" + $pattern) | size] | add // 0
        else 0 end;
    def string: "\"(?:[^\"\\\\]|\\\\.)*\"";
    def payload: {
        messageSoFar: member("message.appended"; "messageSoFar"; string),
        reasoningSoFar: member("reasoning.appended"; "reasoningSoFar"; string),
        inputTextOffset: member("action.input.appended"; "inputTextOffset"; "[0-9]+"),
        messageOffset: 0, reasoningOffset: 0};
    def sum(f): reduce .[] as $x (0; . + ($x | f));
    [inputs] as $lines
    | [$lines[] | select(test("\\S")) | {line: ., event: (gsub("\\\\ud[89a-f][0-9a-f]{2}"; "?") | fromjson)} | select(.event.type)
        | . + {payload: payload, bytes: (.line | size + 1)}
        | . + {removed: ([.payload[]] | add)}]
    | sum(.removed) as $removed | (sum(.bytes) - $removed) as $deltaOnly
    | (group_by(.event.type) | map({key: .[0].event.type,
        value: {events: length, bytes: sum(.bytes), removed: sum(.removed)}}) | from_entries) as $byType
    | ([$lines[] | size + 1] | add) as $in
    | {restarts: $restarts, events: length, lines: ($lines | length),
        turns: sum(if .event.type == "turn.started" then 1 else 0 end),
        steps: sum(if .event.type == "step.started" then 1 else 0 end),
        blocks: sum(if .event.type == "message.completed" or .event.type == "reasoning.completed" then 1
            elif .event.type == "actions.requested" then .event.data.actions | length else 0 end),
        longestLine: ([$lines[] | size] | max), badLines: 0,
        bytes: {in: $in, deltaOnly: $deltaOnly, removed: $removed,
            transport: ($in - $deltaOnly - $removed), bad: 0, added: 0},
        payload: (map(.payload) | {messageSoFar: sum(.messageSoFar), reasoningSoFar: sum(.reasoningSoFar),
            inputTextOffset: sum(.inputTextOffset), messageOffset: 0, reasoningOffset: 0}),
        saved: {percent: (10000 * $removed / ($deltaOnly + $removed) + 0.5 | floor / 100),
            times: (100 * ($deltaOnly + $removed) / $deltaOnly + 0.5 | floor / 100)},
        byType: $byType}'

report() { "$BIN/evestat" --format=json "$@"; }

# figures FILE VERSION RESTARTS: all of them, by shape and with the version declared; the entry of the
# file is the same; what delta-only form takes is what evenorm writes.
figures() {
    jq -SRn --argjson restarts "$3" "$counted" "$1" >"$want" || return
    report -f "$2" "$1" | sed 's/^{"schema":1,"files":.*\],"events"/{"events"/; s/,"largest":.*/}/' >"$got.$2"
    report "$1" >"$got" || return
    sed 's/^{"schema":1,"files":\[{"file":"[^"]*",\(.*\)}\],\("events".*\)}$/\1\n\2/' "$got" >"$got.both"
    diff "$want" <(jq -S . "$got.$2") &&
        sed -n 's/,"largest":.*/}/; 2s/^/{/p' "$got.both" | cmp - "$got.$2" &&
        [ "$(sort -u "$got.both" | wc -l)" -eq 1 ] &&
        [ "$(jq .bytes.deltaOnly "$want")" -eq "$("$BIN/evenorm" -q "$1" | wc -c)" ]
}

# The bytes of --as-if.
as_if_bytes() { report "$@" | sed 's/.*"asIf":{"version":2[46],"bytes":\([0-9]*\)}.*/\1/'; }

# as_if FILE: what version 24 takes for its delta-only form is what it took, transport aside.
# shellcheck disable=SC2016
as_if() {
    local size
    size=$(LC_ALL=C sed '/^$/d; /^{"\$eve"/d' "$1" | wc -c)
    [ "$("$BIN/evenorm" -q "$1" | as_if_bytes --as-if=24)" -eq "$size" ] &&
        [ "$(as_if_bytes --as-if=24 "$1")" -eq "$size" ] &&
        [ "$(as_if_bytes --as-if=26 "$1")" -eq "$("$BIN/evenorm" -q "$1" | wc -c)" ]
}

# as_accum FILE: what version 24 takes is what eveaccum writes, of the stream and its normal form.
as_accum() {
    "$BIN/evenorm" -q "$1" >"$got.norm"
    [ "$(as_if_bytes --as-if=24 "$1")" -eq "$("$BIN/eveaccum" -q -a events "$1" | wc -c)" ] &&
        [ "$(as_if_bytes --as-if=24 "$got.norm")" -eq "$("$BIN/eveaccum" -q -a events "$got.norm" | wc -c)" ]
}

# mixed SEED: a stream of appends with and without their sums, joined anywhere, and of what ends them.
# shellcheck disable=SC2016
mixed() {
    awk -v seed="$1" '
        function below(n) { return int(rand() * n) }
        function event(type, data) {
            printf "{\"data\":{%s,\"sequence\":0,\"stepIndex\":%d,\"turnId\":\"t%d\"},\"type\":\"%s\"}\n",
                data, below(2), below(2), type
        }
        BEGIN {
            srand(seed)
            split("a|\\n|\\u0041|\\ud83d|\\ude00|\303\251|\360\237\230\200|\\u0000|", texts, "|")
            split("step.started|step.failed|turn.completed|session.waiting|message.completed|x", types, "|")
            for (i = 0; i < 400; i++) {
                kind = below(10)
                delta = texts[1 + below(9)] texts[1 + below(9)]
                text = below(2) ? delta : "b" delta
                offset = below(3) ? below(100000) : 0
                call = "\"callId\":\"c" below(2) "\""
                sum = ""
                if (kind < 4) {
                    if (below(3) == 0) sum = ",\"inputTextOffset\":" offset
                    event("action.input.appended", call ",\"inputTextDelta\":\"" delta "\"" sum)
                } else if (kind < 8) {
                    name = kind < 6 ? "message" : "reasoning"
                    if (below(3) == 0) sum = ",\"" name "SoFar\":\"" text "\""
                    event(name ".appended", "\"" name "Delta\":\"" delta "\"" sum)
                }
                else if (kind < 9)
                    event("actions.requested", "\"actions\":[{" call "}]")
                else if (below(2))
                    event(types[1 + below(6)], "\"message\":null")
            }
        }'
}

# random: the same of thirty mixed streams.
random() {
    local seed
    for ((seed = 1; seed <= 30; seed++)); do
        mixed "$seed" >"$got.mixed"
        if [ "$(wc -l <"$got.mixed")" -lt 300 ] || ! as_accum "$got.mixed"; then
            echo "# seed $seed"
            return 1
        fi
    done
}

point 'as if version 24 is what eveaccum writes, of streams that mix the forms' random
for stream in tests/streams/v*.ndjson; do
    name=$(basename "$stream" .ndjson)
    version=${name%%-*}
    version=${version#v}
    case $name in
    v2[1-4]-retry) wanted=2 ;;
    v24-retry-same) wanted=1 ;;
    *) wanted=0 ;;
    esac
    point "$name: every figure, counted with jq, and $wanted restarts" figures "$stream" "$version" "$wanted"
    point "$name: as if version 24 is what eveaccum writes" as_accum "$stream"
    if [ "$version" -eq 24 ] && [ "$wanted" -eq 0 ]; then
        point "$name: as if version 24" as_if "$stream"
    fi
done
tap_end
