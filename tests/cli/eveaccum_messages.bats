#!/usr/bin/env bats
# shellcheck disable=SC2016,SC2030,SC2031,SC2094
# eveaccum -a messages: what the conformance tests of the projection do not ask.
load helper
load accum

# steps COUNT: so many steps of one turn, each with a text that stays open.
steps() {
    awk -v n="$1" 'BEGIN {
        print "{\"type\":\"session.started\",\"data\":{}}"
        for (i = 0; i < n; i++) {
            at = "\"turnId\":\"t\",\"stepIndex\":" i ",\"sequence\":0"
            print "{\"type\":\"step.started\",\"data\":{" at "}}"
            print "{\"type\":\"message.appended\",\"data\":{\"messageDelta\":\"x" i "\"," at "}}"
        }
    }'
}

@test "texts that stay open in many steps of one turn cost no more each" {
    steps 50000 >in
    status=0
    timeout 20 eveaccum -q -a messages in >out || status=$?
    [ $status -eq 0 ]
    [ "$(grep -o '"state":"streaming"' out | wc -l)" -eq 50000 ]
}

@test "open texts are found and ended in any order" {
    {
        steps 4
        for step in 1 3 0; do
            printf '{"type":"message.appended","data":{"messageDelta":"+","turnId":"t","stepIndex":%d}}\n' $step
        done
        printf '{"type":"message.completed","data":{"message":"two","turnId":"t","stepIndex":2}}\n'
        printf '{"type":"step.completed","data":{"turnId":"t","stepIndex":1.0}}\n'
        printf '{"type":"message.appended","data":{"messageDelta":"new","turnId":"t","stepIndex":1}}\n'
        printf '{"type":"step.completed","data":{"turnId":"t","stepIndex":0}}\n'
    } >in
    accum 0 -q -a messages in
    sed 's/{"type":"step-start"},//g; s/},{/}\n{/g' out >parts
    for part in 'done 0 x0+' 'done 1 x1+' 'done 2 two' 'streaming 3 x3+' 'streaming 1 new'; do
        read -r state step text <<<"$part"
        grep -F "\"$text\"" parts | grep "\"state\":\"$state\"" | grep "\"stepIndex\":$step\b"
    done
    [ "$(grep -c '"type":"text"' parts)" -eq 5 ]
}
