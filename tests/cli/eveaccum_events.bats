#!/usr/bin/env bats
# shellcheck disable=SC2016,SC2030,SC2031,SC2094
# eveaccum -a events: the log as version 24 wrote it.
load helper
load accum

@test "recorded v21 to v24 streams without a restart come back byte for byte" {
    for file in "$STREAMS"/v2[1-4]*.ndjson; do
        case $file in *-retry.ndjson | *-retry-same.ndjson) continue ;; esac
        evenorm -q "$file" | eveaccum -q -a events >out
        grep -v '^$' "$file" | cmp - out
    done
}

@test "a legacy log passes as it is" {
    for file in "$STREAMS"/v2[1-4]*.ndjson; do
        eveaccum -q -a events "$file" >out
        grep -v '^$' "$file" | cmp - out
    done
}

@test "what comes out is version 24 and normalizes to what went in" {
    for file in "$STREAMS"/v2[56]*.ndjson; do
        eveaccum -q -a events "$file" >out
        evenorm -q -f 24 -t 25 out >back
        grep -v '^$' "$file" | cmp - back
    done
}

@test "the text so far stands right after the delta, the rest stays" {
    cat >in <<'END'
{ "data" : { "x":1.0, "messageDelta" : "a\u002f\ud83d" , "turnId":"t" }, "z":[1e400], "type":"message.appended" }
{"data":{"turnId":"t","messageDelta":"\ude00"},"type":"message.appended"}
{"data":{"callId":"c","inputTextDelta":"\ud83d\ude00"},"type":"action.input.appended"}
{"data":{"callId":"c","inputTextDelta":"x"},"type":"action.input.appended"}
{"data":{"messageDelta":"b","messageSoFar":"\u0071b","turnId":"t"},"type":"message.appended"}
{"data":{"messageDelta":"c","turnId":"t"},"type":"message.appended"}
END
    accum 0 -q -a events in
    has out \
        '{ "data" : { "x":1.0, "messageDelta" : "a\u002f\ud83d","messageSoFar":"a/\ud83d" , "turnId":"t" }, "z":[1e400], "type":"message.appended" }' \
        '{"data":{"turnId":"t","messageDelta":"\ude00","messageSoFar":"a/😀"},"type":"message.appended"}' \
        '{"data":{"callId":"c","inputTextDelta":"\ud83d\ude00","inputTextOffset":0},"type":"action.input.appended"}' \
        '{"data":{"callId":"c","inputTextDelta":"x","inputTextOffset":2},"type":"action.input.appended"}' \
        '{"data":{"messageDelta":"b","messageSoFar":"\u0071b","turnId":"t"},"type":"message.appended"}' \
        '{"data":{"messageDelta":"c","messageSoFar":"qbc","turnId":"t"},"type":"message.appended"}'
}

@test "any read size gives the same events" {
    file=$STREAMS/v26-tool-parallel.ndjson
    eveaccum -q -a events "$file" >want
    for size in 1 7 4096; do
        EVETOOLS_TEST_READ=$size eveaccum -q -a events "$file" | cmp - want
    done
}
