#!/usr/bin/env bats
# evecheck --expect and --write-expect.
# Programs in single quotes are for other shells; bats sets the rest.
# shellcheck disable=SC2016,SC2154
load helper

STREAMS=$BATS_TEST_DIRNAME/../streams
TOOL=$STREAMS/v24-tool.ndjson

# expect STATUS MEMBERS [FILE]: what comes of {"schema":1,MEMBERS}; the findings to out
expect() {
    printf '{"schema":1%s}\n' "${2:+,$2}" >e.json
    run "-$1" bash -c 'evecheck --expect=e.json "$0" >all 2>err' "${3-$TOOL}"
    sed -n 's/^evecheck: [^ ]* error: \(.*\) \[expect\]$/\1/p' all >out
}

# refused MEMBERS COLUMN TEXT: not an expectation, and why
refused() {
    printf '{"schema":1,%s}' "$1" >e.json
    run -2 --separate-stderr evecheck --expect=e.json "$TOOL"
    [ "${stderr_lines[0]}" = "evecheck: e.json:1:$2: error: $3" ] || { echo "$stderr"; return 1; }
}

@test "an expectation without assertions always holds" {
    expect 0 ''
    [ ! -s out ]
}

@test "events: exact, ranges, all, none, and names spelled otherwise" {
    expect 0 '"events":{"step.started":2,"message.appended":{"min":5,"max":10},"x.y":0,"*":34,
        "turn.\u0073tarted":{"min":1},"session.waiting":{"max":1.0}}'
    expect 1 '"events":{"step.started":3,"message.appended":{"min":9},"x.y":1,"*":{"min":1,"max":33}}'
    cat >want <<'END'
events of type "step.started": expected 3, found 2
events of type "message.appended": expected at least 9, found 8
events of type "x.y": expected 1, found 0
events of type "*": expected 1 to 33, found 34
END
    cmp out want
}

@test "turns: status, final text and finish reasons" {
    expect 0 '"turns":{"turn_0":{"status":"completed","finishReasons":["tool-calls","st\u006fp"],
        "text":"It is 21.5\u00b0C in Z\u00fcrich \ud83c\udfd4\ufe0f."}}'
    expect 0 '"turns":{"turn_0":{"text":{"equals":"It is 21.5°C in Zürich 🏔️.","contains":"in Z","matches":"^It is [0-9.]+°C in .*\\.$"}}}'
    expect 1 '"turns":{"turn_0":{"status":"failed","text":"It is 21.5°C in Zürick.","finishReasons":["stop"]},"turn_1":{}}'
    cat >want <<'END'
turn "turn_0": expected the status "failed", found "completed"
turn "turn_0": expected the final text "It is 21.5°C in Zürick.", found "It is 21.5°C in Zürich 🏔️."
turn "turn_0": expected the finish reasons "["stop"]", found "["tool-calls","stop"]"
turn "turn_1": expected such a turn, found none
END
    cmp out want
    expect 1 '"turns":{"turn_0":{"text":{"contains":"Bern","matches":"^is"}}}'
    [ "$(wc -l <out)" -eq 2 ]
    grep -qF 'expected a final text that contains "Bern", found "It is' out
    grep -qF 'expected a final text that matches "^is", found "It is' out
    expect 1 '"turns":{"turn_0":{"text":null}}'
    grep -qF 'expected no final text, found "It is' out
}

@test "turns: where two long texts part is shown" {
    printf '%s\n' '{"type":"turn.started","data":{"turnId":"t"}}' \
        "{\"type\":\"message.completed\",\"data\":{\"turnId\":\"t\",\"message\":\"$(printf 'é%.0s' {1..300})x end\"}}" >a.ndjson
    expect 1 "\"turns\":{\"t\":{\"text\":\"$(printf 'é%.0s' {1..300})y end\"}}" a.ndjson
    grep -qE '\.\.\."(é)+y end", found \.\.\."(é)+x end"$' out
    iconv -f UTF-8 -t UTF-8 out >/dev/null
}

@test "turns: cancelled, failed, waiting, open, no text, and a result instead of text" {
    expect 0 '"turns":{"turn_0":{"status":"cancelled"}}' "$STREAMS/v24-cancel-tool.ndjson"
    expect 0 '"turns":{"turn_0":{"status":"failed"}}' "$STREAMS/v26-fail-recoverable.ndjson"
    turn='{"type":"turn.started","data":{"turnId":"t","sequence":0}}'
    echo "$turn" >open.ndjson
    expect 0 '"turns":{"t":{"status":"open","text":null,"finishReasons":[]}}' open.ndjson
    { echo "$turn"; echo '{"type":"turn.waiting","data":{"turnId":"t","sequence":0}}'; } >wait.ndjson
    expect 0 '"turns":{"t":{"status":"waiting"}}' wait.ndjson
    { cat wait.ndjson; echo '{"type":"step.started","data":{"turnId":"t","sequence":0,"stepIndex":0}}'; } >again.ndjson
    expect 0 '"turns":{"t":{"status":"open"}}' again.ndjson
    { echo "$turn"; echo '{"type":"result.completed","data":{"turnId":"t","stepIndex":0,"sequence":0,"result":{"n":1.0}}}'; } >result.ndjson
    expect 0 '"turns":{"t":{"text":"{\"n\":1.0}"}}' result.ndjson
    expect 1 '"turns":{"t":{"text":{"contains":"x"}}}' open.ndjson
    grep -qF ', found none' out
}

@test "tool calls: by name, in order, with part of the input" {
    expect 0 '"toolCalls":[{"name":"get_weather"}]'
    expect 0 '"toolCalls":[{"name":"get_weather","input":{"unit":"C"}}]'
    expect 0 '"toolCalls":[]'
    expect 1 '"toolCalls":[{"name":"get_weather","input":{"unit":"F"}},{"name":"other"}]'
    cat >want <<'END'
tool call 1: expected "get_weather" with "{"unit":"F"}", found "get_weather" with "{"city":"Zürich 🏔️","unit":"C"}"
tool call 2: expected "other", found "get_weather" with "{"city":"Zürich 🏔️","unit":"C"}" after the call before it
END
    cmp out want
    expect 1 '"toolCalls":[{"name":"get_weather"},{"name":"get_weather"}]'
    grep -qxF 'tool call 2: expected "get_weather", found none after the call before it' out
    call() { printf '{"callId":"%s","kind":"tool-call","toolName":"%s","input":%s}' "$1" "$2" "$3"; }
    printf '{"type":"actions.requested","data":{"turnId":"t","sequence":0,"stepIndex":0,"actions":[%s,%s,%s]}}\n' \
        "$(call 1 a '{"n":[1,{"x":1,"y":2}]}')" "$(call 2 b '{"n":9007199254740993}')" "$(call 3 a '{}')" >a.ndjson
    expect 0 '"toolCalls":[{"name":"a","input":{"n":[1,{"y":2.0}]}},{"name":"a"}]' a.ndjson
    expect 1 '"toolCalls":[{"name":"a","input":{"n":[1]}}]' a.ndjson
    expect 1 '"toolCalls":[{"name":"b","input":{"n":9007199254740992}}]' a.ndjson
    expect 1 '"toolCalls":[{"name":"b"},{"name":"a","input":{"n":[1,{}]}}]' a.ndjson
}

@test "order: types, with others between them" {
    expect 0 '"order":["session.started","step.started","step.started","session.waiting"]'
    expect 1 '"order":["step.started","step.started","step.started"]'
    grep -qxF 'order: expected "step.started" (number 3) after "step.started", found none' out
    expect 1 '"order":["x.y"]'
    grep -qxF 'order: expected "x.y" (number 1), found none' out
}

@test "bytes and versions" {
    expect 0 "\"bytes\":$(wc -c <"$TOOL"),\"versions\":[24]"
    expect 1 '"bytes":{"max":100},"versions":[25,26]'
    cat >want <<END
bytes: expected 0 to 100, found $(wc -c <"$TOOL")
version: expected 25, 26, found 24
END
    cmp out want
    for v in 21 22 23 24 25 26; do
        expect 0 "\"versions\":[$v]" "$STREAMS/v$v-tool.ndjson"
    done
    expect 1 '"versions":[21]' "$STREAMS/v25-tool.ndjson"
    grep -qE '^version: expected 21, found (25|25, 26)$' out
    { cat "$TOOL"; sed 1d "$STREAMS/v26-tool.ndjson"; } >mixed.ndjson
    expect 1 '"versions":[24,26]' mixed.ndjson
    grep -qF 'found events that no single version has' out
}

@test "noRetries" {
    expect 0 '"noRetries":true'
    expect 0 '"noRetries":false' "$STREAMS/v24-retry.ndjson"
    for v in 24 26; do
        expect 1 '"noRetries":true' "$STREAMS/v$v-retry.ndjson"
        grep -qE '^retries: expected none, found [1-9][0-9]*, the first in line [0-9]+$' out
    done
}

@test "it holds for each file by itself" {
    printf '{"schema":1,"events":{"session.started":1}}' >e.json
    evecheck --expect=e.json "$TOOL" "$TOOL" "$STREAMS/v26-tool.ndjson"
    printf '{"schema":1,"events":{"session.started":3}}' >e.json
    run -0 bash -c 'evecheck -k --format=json --expect=e.json "$0" "$0" 2>err | grep -c expect' "$TOOL"
    [ "${lines[0]}" = 2 ]
}

@test "findings have the place of the turn, and a level that can be chosen" {
    printf '{"schema":1,"turns":{"turn_0":{"status":"failed"}}}' >e.json
    run -0 bash -c 'evecheck --severity=expect=note --format=json --expect=e.json "$0" >out' "$TOOL"
    jq -e '.rule == "expect" and .severity == "note" and .line == 34 and .event == 32' out
    run -0 evecheck --disable=expect --expect=e.json "$TOOL"
}

@test "what is not known, not right or comes twice is refused with its place" {
    refused '"event":{}' 13 'no such member is known here'
    refused '"events":{"a":1,"\u0061":2}' 29 'this type comes twice'
    refused '"bytes":1,"bytes":1' 23 'this member comes twice'
    refused '"events":[]' 22 'an object is expected here'
    refused '"events":{"a":-1}' 27 'a whole number from 0 to 2^53-1 is expected here'
    refused '"events":{"a":1.5}' 27 'a whole number from 0 to 2^53-1 is expected here'
    refused '"events":{"a":"1"}' 27 'a number or {"min":N,"max":N} is expected here'
    refused '"events":{"a":{}}' 27 'min or max is missing'
    refused '"events":{"a":{"min":2,"max":1}}' 27 'min is over max'
    refused '"events":{"a":{"mim":2}}' 28 'no such member is known here'
    refused '"turns":{"t":{"state":"x"}}' 27 'no such member is known here'
    refused '"turns":{"t":{"status":"done"}}' 36 'completed, failed, cancelled, waiting or open is expected here'
    refused '"turns":{"t":{},"t":{}}' 29 'this turn comes twice'
    refused '"turns":{"t":{"text":1}}' 34 'a string, null or an object is expected here'
    refused '"turns":{"t":{"text":{}}}' 34 'equals, contains or matches is missing'
    refused '"turns":{"t":{"text":{"matches":"("}}}' 45 'this is no POSIX extended regular expression'
    refused '"turns":{"t":{"text":{"matches":"a\u0000"}}}' 45 'a pattern cannot hold a NUL'
    refused '"turns":{"t":{"finishReasons":["a",1]}}' 48 'an array of strings is expected here'
    refused '"toolCalls":[{"input":{}}]' 26 'name is missing'
    refused '"toolCalls":[{"name":"a","inputs":{}}]' 38 'no such member is known here'
    refused '"order":[1]' 22 'a string is expected here'
    refused '"versions":[]' 24 'a version is missing'
    refused '"versions":[24, 27]' 29 'a version from 21 to 26 is expected here'
    refused '"noRetries":1' 25 'true or false is expected here'
    printf '{"schema":2}' >e.json
    run -2 evecheck --expect=e.json "$TOOL"
    printf '{\n "bytes":1\n}' >e.json
    run -2 --separate-stderr evecheck --expect=e.json "$TOOL"
    [[ $stderr == *'"schema":1 is missing'* ]]
    printf '{"schema":1,\n  "bytes": x}' >e.json
    run -2 --separate-stderr evecheck --expect=e.json "$TOOL"
    [[ $stderr == *'e.json:2:12: error: '* ]]
    for text in '' '{"schema":1' '[]' '{"schema":1} x' $'{"schema":1,"\xff":1}'; do
        printf '%s' "$text" >e.json
        run -2 evecheck --expect=e.json "$TOOL"
    done
    run -2 evecheck --expect=nowhere.json "$TOOL"
    run -2 evecheck --expect=. "$TOOL"
}

@test "--write-expect: every recorded stream meets its own" {
    for file in "$STREAMS"/v2*.ndjson; do
        evecheck --write-expect "$file" >e.json
        evecheck --expect=e.json "$file" >out
        # jq knows no lone surrogates
        jq 'del(.versions)' e.json >f.json || { grep 'ud83d\|udc00' e.json && continue; }
        # chunks may change
        evenorm -qc "$file" >joined.ndjson
        evecheck --expect=f.json joined.ndjson >out
    done
}

@test "--write-expect: it notices what it is for" {
    evecheck --write-expect "$TOOL" >e.json
    sed 's/"finishReason":"stop"/"finishReason":"length"/' "$TOOL" >a.ndjson
    run -1 evecheck --expect=e.json a.ndjson
    sed 's/"unit":"C"},"kind"/"unit":"F"},"kind"/' "$TOOL" >a.ndjson
    run -1 evecheck --expect=e.json a.ndjson
    grep -v '"turn.completed"' "$TOOL" >a.ndjson
    run -1 evecheck --expect=e.json a.ndjson
    grep -qF '"noRetries": true' e.json
    evecheck --write-expect "$STREAMS/v26-retry.ndjson" >e.json
    run -1 grep -qF noRetries e.json
}

@test "--write-expect: from standard input, to a file, but not from a bad stream" {
    evecheck --write-expect -o e.json <"$TOOL"
    evecheck --expect=e.json "$TOOL"
    cp e.json before.json
    { cat "$TOOL"; echo 'not json'; } >bad.ndjson
    run -1 --separate-stderr evecheck --write-expect -o e.json bad.ndjson
    [[ $stderr == *'bad.ndjson:36:'*'[json-syntax]'* ]]
    cmp e.json before.json
    run -1 --separate-stderr evecheck --write-expect bad.ndjson
    [ -z "$output" ]
    run -2 evecheck --write-expect --format=json "$TOOL"
    run -2 evecheck --write-expect --expect=e.json "$TOOL"
    run -2 evecheck --write-expect --golden="$TOOL" "$TOOL"
    run -2 evecheck --write-expect "$TOOL" "$TOOL"
}

@test "groups: a turn of that name in each of them" {
    sed 's/^{/{"s":1,/' "$TOOL" >a.ndjson
    sed 's/^{/{"s":2,/; s/"turn.completed"/"turn.cancelled"/' "$TOOL" >>a.ndjson
    printf '{"schema":1,"turns":{"turn_0":{"status":"completed"}}}' >e.json
    run -0 bash -c 'evecheck --disable=id-reused --disable=replay -g s --format=json --expect=e.json a.ndjson 2>err | grep expect'
    [ "${#lines[@]}" -eq 1 ]
    [[ $output == *'\"cancelled\"'* ]]
}
