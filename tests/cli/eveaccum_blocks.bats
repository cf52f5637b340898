#!/usr/bin/env bats
# shellcheck disable=SC2016,SC2030,SC2031,SC2094
# eveaccum: records of blocks.
load helper
load accum

@test "a block, its members and their order" {
    accum 0 -q "$STREAMS/v26-tool.ndjson"
    has out \
        '{"type":"block","kind":"message","turnId":"turn_0","stepIndex":0,"sequence":0,"state":"completed","text":"Let me check the weather.","finishReason":"tool-calls","deltas":3,"firstEvent":4,"lastEvent":7}' \
        '{"type":"block","kind":"input","turnId":"turn_0","stepIndex":0,"sequence":0,"callId":"call_w1","toolName":"get_weather","state":"completed","text":"{\"city\":\"Zürich 🏔️\",\"unit\":\"C\"}","input":{"city":"Zürich 🏔️","unit":"C"},"deltas":12,"firstEvent":8,"lastEvent":20}' \
        '{"type":"block","kind":"message","turnId":"turn_0","stepIndex":1,"sequence":0,"state":"completed","text":"It is 21.5°C in Zürich 🏔️.","finishReason":"stop","deltas":5,"firstEvent":24,"lastEvent":29}'
    [ ! -s err ]
}

@test "every recorded stream: from event 0 on nothing is partial, diverged, late or open" {
    for file in "$STREAMS"/*.ndjson; do
        accum 0 -q "$file"
        not grep -E '"(partial|diverged|late)":|"state":"open"' out
    done
}

@test "normalized streams give the same completed texts" {
    for file in "$STREAMS"/v2[1-4]*.ndjson; do
        eveaccum -q "$file" | grep '"completed"' | texts >old
        evenorm -q "$file" | eveaccum -q | grep '"completed"' | texts >new
        cmp old new
    done
}

@test "v24 and v26 recordings of one script give the same final texts" {
    # What a user's message made of a turn that was still running differs by version.
    finals() {
        eveaccum -q -a text --final "$1" | grep -v '^word0 '
        eveaccum -q "$1" | grep '"kind":"message".*"finishReason":"tool-calls"' | texts
    }
    for file in "$STREAMS"/v26-*.ndjson; do
        other=${file/v26-/v24-}
        [ -e "$other" ] || continue
        cmp <(finals "$file") <(finals "$other")
    done
}

@test "retries show what was discarded" {
    accum 0 -q "$STREAMS/v26-retry-same.ndjson"
    grep -F '"text":"Hello there, this is the full answer.","finishReason":"stop","retried":true,"discarded":"Hello there, this is","deltas":8,' out
    accum 0 -q "$STREAMS/v24-retry-same.ndjson"
    grep -F '"state":"abandoned","text":"Hello there, this is",' out
    for v in 21 22 23 24; do
        accum 0 -q "$STREAMS/v$v-retry.ndjson"
        grep -F '"state":"abandoned","text":"The first attempt 🧨 says ",' out
        not grep '"retried"' out
    done
    for v in 25 26; do
        accum 0 -q "$STREAMS/v$v-retry.ndjson"
        grep -F '"retried":true,"discarded":"The first attempt 🧨 says ' out
    done
}

@test "crash recordings: the step that began again leaves an abandoned block" {
    for v in 24 26; do
        accum 0 -q "$STREAMS/v$v-crash.ndjson"
        grep '"kind":"message".*"state":"abandoned","text":"A0 A1 ' out
        grep '"kind":"message".*"state":"completed","text":"B0 B1 ' out
        not grep '"text":"A0.*B0' out
    done
}

@test "retried tool calls: what was left behind is no completed record" {
    accum 0 -q "$STREAMS/v24-retry-tool.ndjson"
    grep '"callId":"call_a0".*"state":"interrupted"' out
    accum 0 -q "$STREAMS/v26-retry-tool.ndjson"
    grep '"callId":"call_a0".*"state":"abandoned"' out
    for v in 24 26; do
        accum 0 -q "$STREAMS/v$v-retry-tool.ndjson"
        grep '"callId":"call_a1".*"state":"completed","text":"{\\"city' out
    done
}

@test "with -g interleaved sessions stay apart" {
    put() { grep -v '^$' "$STREAMS/$2" | sed "s/^{/{\"session_id\":\"$1\",/"; }
    put one v26-tool.ndjson >one
    put two v24-retry.ndjson >two
    put three v26-crash.ndjson >three
    paste -d '\n' one two three | grep -v '^$' >mixed
    accum 0 -q -g session_id mixed
    for s in one two three; do
        grep "\"session_id\":\"$s\"}\$" out | sed -E 's/,"deltas.*//' >got
        eveaccum -q -g session_id "$s" | sed -E 's/,"deltas.*//' >want
        cmp got want
        [ -s got ]
    done
    [ "$(grep -c . out)" -eq "$(cat one two three | eveaccum -q -g session_id | grep -c .)" ]
}

@test "bad, blank, control and dropped lines do not count" {
    {
        printf '\n{"$eve":"stream.lease-ended","version":1}\n'
        printf '{"type":"session.started","meta":{"id":"evt_1"}}\n'
        printf 'bad\n'
        printf '{"type":"session.started","meta":{"id":"evt_1"}}\n'
        new a
    } >in
    accum 1 -q -k -u in
    has out '{"type":"block","kind":"message","turnId":"t","stepIndex":0,"sequence":0,"state":"open","text":"a","deltas":1,"firstEvent":1,"lastEvent":1}'
    accum 1 -q -k -u --start-index=10 in
    grep '"firstEvent":11,' out
}

@test "each file is a stream of its own" {
    new a >a
    new b >b
    accum 0 a b
    [ "$(grep -c '"state":"open"' out)" -eq 2 ]
    says '2 events, 2 blocks; '
}

@test "a bad event stops its file; what was open before it is printed" {
    { new a; echo bad; new b; } >in
    new c >c
    accum 1 -q in c
    lines_of out 2
    grep '"text":"a"' out
    says 'in:2:1: error:'
}

@test "a record is out before the next event comes" {
    mkfifo pipe
    eveaccum -q <pipe >out &
    exec 7>pipe
    { new a; printf '{"type":"message.completed","data":{"message":"a","stepIndex":0,"turnId":"t"}}\n'; } >&7
    waits grep -q '"completed"' out
    exec 7>&-
    wait $!
}

@test "usage" {
    accum 2 -a nothing
    accum 2 --final in
    accum 2 -a events --reasoning in
    accum 2 -0 in
    accum 2 --flush
    accum 2 -S state --flush in
    accum 2 -S state one two
    accum 2 -S state -o out2 in
    accum 2 -S state -a messages in
    accum 2 --start-index=x in
    accum 2 --start-index=9007199254740992 in
    accum 0 --help
    grep -q -- '--start-index' out
}

# of NUMBER TURN STEP TYPE [MEMBERS]: an event with an id. call NUMBER TURN STEP DELTA, asks NUMBER TURN STEP: of call c.
of() {
    printf '{"type":"%s","data":{%s"turnId":"%s","stepIndex":%d,"sequence":0},"meta":{"id":"evt_%026d"}}\n' \
        "$4" "${5-}" "$2" "$3" "$1"
}
call() { of "$1" "$2" "$3" action.input.appended "\"callId\":\"c\",\"toolName\":\"tn\",\"inputTextDelta\":\"$4\","; }
asks() { of "$1" "$2" "$3" actions.requested '"actions":[{"kind":"tool-call","callId":"c","toolName":"tn","input":{}}],'; }

@test "a call that begins again after it diverged belongs to its own step and turn" {
    diverged() { of 0 "$1" 0 step.started; call 1 "$1" 0 x; asks 2 "$1" 0; }
    # its step ends it
    { diverged t0; of 3 t1 0 step.started; call 4 t1 0 {; of 5 t1 0 step.completed; of 6 t1 0 turn.cancelled; } >in
    accum 0 -q in
    lines_of out 2
    grep '"turnId":"t1",.*"state":"interrupted","text":"{","deltas":1,"firstEvent":4,"lastEvent":5}' out
    # the turn, the step, and the step once more, of the earlier block do not
    for ending in 't0 0 turn.completed' 't0 0 step.completed' 't1 0 step.completed' 't1 0 step.started'; do
        {
            diverged "${ending%% *}"
            of 3 t1 1 step.started
            call 4 t1 1 {
            # shellcheck disable=SC2086
            of 5 $ending
            call 6 t1 1 }
            asks 7 t1 1
        } >in
        accum 0 -q in
        lines_of out 2
        grep '"state":"completed","text":"{}","input":{},"deltas":2,"firstEvent":4,"lastEvent":7}' out
        for at in 3 4 5 6 7; do
            rm -f state
            head -n $at in | eveaccum -q -S state >got
            tail -n +$((at + 1)) in | eveaccum -q -S state >>got
            cmp got out
        done
    done
}

@test "an unnamed skill load has the name that evenorm gives it" {
    action() {
        printf '{"type":"actions.requested","data":{"actions":[{"kind":"load-skill","callId":"c%d",%s}],"turnId":"t","stepIndex":0}}\n' "$@"
    }
    {
        printf '{"type":"session.started"}\n'
        action 1 '"input":{"skill":"p\u0064f"}'
        action 2 '"input":{}'
        action 3 '"name":null,"input":{"skill":7}'
        action 4 '"name":"own","input":{"skill":"pdf"}'
    } >in
    accum 0 -q in
    grep '"callId":"c1","toolName":"p\\u0064f","state"' out
    grep '"callId":"c2","toolName":"load_skill","state"' out
    grep '"callId":"c3","toolName":"load_skill","state"' out
    grep '"callId":"c4","toolName":"own","state"' out
    evenorm -q in | eveaccum -q | cmp - out
    accum 0 -q -a text in
    grep -x '\* pdf {"skill":"p\\u0064f"}' out
    grep -x '\* load_skill {}' out
    accum 0 -q -a events in
    cmp out in
}
