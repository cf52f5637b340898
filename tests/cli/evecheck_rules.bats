#!/usr/bin/env bats
# The example in the explanation of each rule is one: evecheck finds that rule in it.
# Programs in single quotes are for jq; bats sets stderr.
# shellcheck disable=SC2016,SC2154
load helper

# example RULE: the example of an explanation, as it stands there
example() {
    evecheck --explain="$1" | sed -n 's/^    //p'
}

# events: the lines "TYPE MEMBERS" of an example as events, with the coordinates that are not given,
# behind what a stream begins with.
events() {
    local lines
    lines=$(cat)
    for type in session.started turn.started message.received step.started; do
        [[ $lines == "$type"* ]] && break
        echo "$type"
    done >all
    printf '%s\n' "$lines" >>all
    while read -r type members; do
        jq -nc --arg type "$type" --argjson members "${members:-null}" --arg n $((n += 1)) '
            {data: ({sequence: 0, stepIndex: 0, turnId: "turn_0", callId: "call_1", toolName: "x",
                     message: "", finishReason: "stop", status: "completed"} + $members), type: $type,
             meta: {at: "2026-10-20T01:04:11.912Z",
                    id: ("evt_01KYJBZA88B4M9XN3RTC5FD" + ("000" + $n)[-3:])}}'
    done <all
}

# The files that examples speak of.
files() {
    local streams=$BATS_TEST_DIRNAME/../streams
    cp "$streams/v24-tool.ndjson" log.ndjson
    cp log.ndjson good.ndjson
    cp "$streams/v24-text.ndjson" new.ndjson
    cp "$streams/v25-subagent.ndjson" .
}

# findings RULE: "LEVEL RULE" of what is found in its example
findings() {
    example "$1" >shown
    case $(head -n 1 shown) in
    *evecheck*) bash shown 2>&1 | grep -v '^ ' >text ;;
    "["* | "{"*) evecheck <shown >text 2>err ;;
    *) events <shown | evecheck >text 2>err ;;
    esac || true
    sed -n 's/^evecheck: .*: \(error\|warning\|note\): .* \[\([a-z0-9-]*\)\]$/\1 \2/p' text
}

@test "the example of each rule is found, by the rule and at its level" {
    files
    evecheck --list-rules | while read -r rule level _; do
        [ "$(example "$rule" | wc -l)" -ge 1 ] || { echo "$rule has no example"; return 1; }
        findings "$rule" >found
        grep -qx "$level $rule" found || { echo "$rule:"; cat shown text found; return 1; }
    done
}

@test "what the examples are put into has no finding" {
    files
    evecheck --strict log.ndjson good.ndjson new.ndjson v25-subagent.ndjson >out
    printf '%s\n' 'message.appended {"messageDelta":"Hello"}' 'message.completed {"message":"Hello"}' \
        step.completed turn.completed session.waiting | events | evecheck --strict >>out
    [ ! -s out ]
}
