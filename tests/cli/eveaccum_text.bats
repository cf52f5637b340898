#!/usr/bin/env bats
# shellcheck disable=SC2016,SC2030,SC2031,SC2094
# eveaccum -a text: what a person reads.
load helper
load accum

@test "who speaks, tool calls, unfinished texts" {
    accum 0 -q -a text --reasoning "$STREAMS/v24-cancel-tool.ndjson"
    has out '> [[slow-tool#mx3q4yex]] go' '' 'Writing a long note.' '' \
        '* write_note {"title":"big","body":"xxxxxx [interrupted]' '' \
        '> [[short#mx3q4yex]] after cancel' '' 'Hello world.'
    accum 0 -q -a text --reasoning "$STREAMS/v26-reason.ndjson"
    grep -F '| First: "quote" and back\slash.' out
    accum 0 -q -a text "$STREAMS/v26-reason.ndjson"
    not grep '^|' out
}

@test "in a pipe NUL is NUL, a lone half is U+FFFD, -0 ends each text with NUL" {
    printf '{"type":"message.completed","data":{"message":"a\\u0000\\ud83d\\n"}}\n' >in
    printf '{"type":"message.received","data":{"message":"x\\ny"}}\n' >>in
    accum 0 -q -a text in
    printf 'a\0\357\277\275\n\n\n> x\n> y\n' | cmp - out
    accum 0 -q -a text -0 in
    printf 'a\0\357\277\275\n\0> x\n> y\0' | cmp - out
}

@test "--final: the last answer of each turn, else its result" {
    accum 0 -q -a text --final "$STREAMS/v26-tool.ndjson"
    has out 'It is 21.5°C in Zürich 🏔️.'
    for v in 24 26; do
        accum 0 -q -a text --final "$STREAMS/v$v-schema.ndjson"
        has out '{"color":"blue","n":3}'
    done
}

@test "--final: results that come late, turns that go on, texts that were cleared" {
    said() { printf '{"type":"message.completed","data":{"turnId":"%s","message":%s,"finishReason":"%s"}}\n' "$@"; }
    result() { printf '{"type":"result.completed","data":{"turnId":"%s","result":%s}}\n' "$@"; }
    ends() { printf '{"type":"turn.%s","data":{"turnId":"%s"}}\n' "$@"; }
    { said a '"1"' stop; said a null stop; said a '"2"' tool-calls; ends completed a; result a 3; } >in
    accum 0 -q -a text --final in
    has out 1
    { said a '"2"' tool-calls; ends failed a; result a '{"x": 1e400}'; result a 4; } >in
    accum 0 -q -a text --final in
    has out '{"x": 1e400}'
    { result a 0; said a '"1"' length; said b '"2"' stop; ends cancelled b; } >in
    accum 0 -q -a text --final -0 in
    printf '2\0001\0' | cmp - out
}

@test "on a terminal: headings, and nothing that moves the cursor" {
    printf '{"type":"message.completed","data":{"turnId":"t\\u001b","message":"a\\u001b[2J\\u009b\\tb\\r\\nc"}}\n' >in
    printf '{"type":"actions.requested","data":{"turnId":"t\\u001b","actions":[{"toolName":"n","input":{"a":"\302\233"}}]}}\n' >>in
    terminal screen 'TERM=dumb eveaccum -q -a text in'
    tr -d '\r' <screen >out
    has out '--- t\x1b ---' '' 'a\x1b[2J\xc2\x9b	b\x0d' 'c' '' '* n {"a":"\xc2\x9b"}'
}
