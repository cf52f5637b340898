#!/usr/bin/env bash
# Holds evenorm against recorded streams of every version, tests/streams/vNN-NAME.ndjson. What has
# to come out is worked out another way: with jq by deleting members, with sed by deleting bytes.
. "$(dirname "$0")/../env.sh"
. tests/tap.sh
plain=$SCRATCH/plain out=$SCRATCH/out err=$SCRATCH/err

# What eve makes of a stream, as values: only events, appends without what is repeated, every skill
# with a name.
# shellcheck disable=SC2016
normal_form='
    select(type == "object" and (.type | type) == "string")
    | if .type == "message.appended" then del(.data.messageSoFar)
      elif .type == "reasoning.appended" then del(.data.reasoningSoFar)
      elif .type == "action.input.appended" then del(.data.inputTextOffset)
      elif .type == "actions.requested" then .data.actions |= map(
          if .kind == "load-skill" and (.name | type) != "string"
          then .name = (.input.skill | if type == "string" then . else "load_skill" end) else . end)
      else . end'

# The same joined: neighbours with the same coordinates. Knows no restarts.
# shellcheck disable=SC2016
joined='
    def key: [.type, .data.turnId, .data.stepIndex, .data.sequence, .data.callId];
    def field: {"message.appended": "messageDelta", "reasoning.appended": "reasoningDelta",
        "action.input.appended": "inputTextDelta"}[.type];
    reduce .[] as $e ([];
        if length > 0 and ($e | field) and (.[-1] | key) == ($e | key)
        then .[-1] as $last | ($e | field) as $f
            | .[-1] = ($e | .data[$f] = $last.data[$f] + $e.data[$f])
        else . + [$e] end) | .[]'

# The same as bytes: eve puts what goes behind the delta, and no event here is spaced or has a skill
# without a name.
# shellcheck disable=SC2016
by_hand() {
    LC_ALL=C sed -E '/^$/d; /^\{"\$eve"/d
        /"type":"message.appended"/ s/,"messageSoFar":"([^"\\]|\\.)*"//
        /"type":"reasoning.appended"/ s/,"reasoningSoFar":"([^"\\]|\\.)*"//
        /"type":"action.input.appended"/ s/,"inputTextOffset":[0-9]+//' "$1"
}

# norm ARGUMENT...: evenorm into the files out and err, status 0.
norm() {
    "$BIN/evenorm" "$@" >"$out" 2>"$err" || { cat "$err"; return 1; }
}

restarts() {
    local wanted=$1 said
    said=$(sed -n 's/.*: warning: \([0-9]*\) texts\{0,1\} starts\{0,1\} again .*\[restart\]$/\1/p' "$err")
    [ "${said:-0}" -eq "$wanted" ] && [ "$(grep -c warning "$err")" -eq "$((wanted > 0))" ] && return
    printf '%d restarts wanted\n' "$wanted"
    cat "$err"
    return 1
}

# stream FILE VERSION WANTED-RESTARTS
stream() {
    by_hand "$1" >"$plain"
    norm -f auto "$1" && cmp "$out" "$plain" && restarts "$3" &&
        norm -f "$2" "$1" && cmp "$out" "$plain" && restarts "$3" &&
        diff <(jq -cS "$normal_form" "$1") <(jq -cS . "$out") &&
        norm "$plain" && cmp "$out" "$plain" && restarts 0 &&
        norm -f 25 "$plain" && cmp "$out" "$plain" &&
        norm -f 26 "$plain" && cmp "$out" "$plain" &&
        norm -u "$1" && cmp "$out" "$plain"
}

# What -c makes of a stream whose restarts cannot be seen.
coalesced() {
    by_hand "$1" >"$plain"
    norm -c "$1" && diff <(jq -cSs "$joined" "$plain") <(jq -cS . "$out")
}

# response HEADERS BODY WANTED: a response with this head, as it came over the wire.
response() {
    cat "$1" "$2" >"$SCRATCH/response"
    by_hand "$3" >"$plain"
    norm -f http "$SCRATCH/response" && cmp "$out" "$plain" &&
        norm -f http - <"$SCRATCH/response" && cmp "$out" "$plain"
}

# Every stream at once, in reads of so many bytes.
reads() {
    norm -q tests/streams/*.ndjson && mv "$out" "$plain" &&
        EVETOOLS_TEST_READ=$1 norm -q tests/streams/*.ndjson && cmp "$out" "$plain" &&
        norm -cq tests/streams/*.ndjson && mv "$out" "$plain" &&
        EVETOOLS_TEST_READ=$1 norm -cq tests/streams/*.ndjson && cmp "$out" "$plain"
}

count=0
for file in tests/streams/v*.ndjson; do
    name=${file##*/} name=${name%.ndjson} version=${name:1:2} wanted=0
    count=$((count + 1))
    case $name in
    v2[1-4]-retry) wanted=2 ;;
    v24-retry-same) wanted=1 ;;
    esac
    point "$name" stream "$file" "$version" "$wanted"
    case $name in
    *-surrogate) ;; # jq knows no half of a pair
    v2[1-4]-retry | v24-retry-same) ;; # nor a restart
    *) point "$name, joined" coalesced "$file" ;;
    esac
done
point 'no stream is missing' [ "$count" -eq 56 ]
for head in tests/streams/*.headers; do
    body=${head%.headers}.ndjson
    point "${head##*/} before its stream" response "$head" "$body" "$body"
done
for raw in tests/streams/*.rawhttp; do
    point "${raw##*/}, with its chunks" response "$raw" /dev/null "${raw%.rawhttp}.ndjson"
done
for bytes in 1 2 3 7 4095; do
    point "all streams in reads of $bytes" reads $bytes
done
tap_end
