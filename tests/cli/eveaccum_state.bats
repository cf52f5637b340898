#!/usr/bin/env bats
# shellcheck disable=SC2016,SC2030,SC2031,SC2086,SC2094
# eveaccum -S: runs that go on where the one before stopped. EVERY_SPLIT=1 tries every split point of
# every stream, which takes some minutes.
load helper
load accum

# splits FILE: line counts at which to cut it.
splits() {
    local lines
    lines=$(wc -l <"$1")
    if [ -n "${EVERY_SPLIT-}" ]; then seq 0 "$lines"; else seq $((lines / 3)) $((lines / 3 + 1)) "$lines"; fi
}

# whole MODE FILE: one run. parts MODE FIRST SECOND: two runs and a flush.
whole() { eveaccum -q -a $1 "$2" >want; }
parts() {
    rm -f state
    eveaccum -q -S state -a $1 "$2" >got
    eveaccum -q -S state -a $1 "$3" >>got
    eveaccum -q -S state -a $1 --flush >>got
}

@test "two runs and a flush print what one run prints" {
    for file in "$STREAMS"/*.ndjson; do
        for mode in blocks events text 'text --final'; do
            whole "$mode" "$file"
            for at in $(splits "$file"); do
                head -n "$at" "$file" >a
                tail -n +$((at + 1)) "$file" >b
                parts "$mode" a b
                cmp got want || { printf '%s at %d: %s\n' "$mode" "$at" "$file"; return 1; }
            done
        done
    done
}

@test "an overlap of up to 50 events changes nothing" {
    files=("$STREAMS"/v26-approve.ndjson "$STREAMS"/v24-turns.ndjson)
    [ -z "${EVERY_SPLIT-}" ] || files=("$STREAMS"/*.ndjson)
    for file in "${files[@]}"; do
        for mode in blocks events text; do
            whole "$mode" "$file"
            for at in $(splits "$file"); do
                backs='1 2 17 50'
                [ -z "${EVERY_SPLIT-}" ] || backs=$((at % 50 + 1))
                for back in $backs; do
                    [ "$back" -lt "$at" ] || continue
                    head -n "$at" "$file" >a
                    tail -n +$((at + 1 - back)) "$file" >b
                    parts "$mode" a b
                    cmp got want
                done
            done
        done
    done
}

@test "--start-index drops what was taken and refuses a gap" {
    file=$STREAMS/v26-tool.ndjson
    grep -v '^$' "$file" | sed 's/,"meta".*/}/' >in # no ids
    whole blocks in
    head -n 12 in >a
    for from in 0 3 11 12; do
        tail -n +$((from + 1)) in >b
        rm -f state
        eveaccum -q -S state --start-index=0 a >got
        eveaccum -q -S state --start-index=$from b >>got
        eveaccum -q -S state --flush >>got
        cmp got want
    done
    rm state
    eveaccum -q -S state a >got
    cp state before
    accum 2 -S state --start-index=13 b
    says 'events are missing'
    cmp state before
    accum 2 -S state b
    says 'the first event has no id'
    cmp state before
}

@test "a state that begins in the middle counts from there" {
    grep -v '^$' "$STREAMS/v26-tool.ndjson" >in
    tail -n +9 in >b
    accum 0 -q -S state --start-index=8 b
    grep '"callId":"call_w1".*"partial":true.*"firstEvent":8,"lastEvent":20}' out
    grep -q '"cursor":33,' state
}

@test "--flush closes what is open and keeps the cursor" {
    grep -v '^$' "$STREAMS/v26-tool.ndjson" | head -n 12 >in
    accum 0 -q -S state in
    lines_of out 1
    accum 0 -q -S state --flush
    grep '"state":"open"' out
    cp state before
    accum 0 -q -S state --flush
    [ ! -s out ]
    cmp state before
    grep -q '"cursor":12,' state
    grep -q '"blocks":\[\]' state
    accum 2 -S none --flush
    says 'there is no such state'
    not [ -e none ]
}

@test "with -u events of the run before are dropped too" {
    file=$STREAMS/v26-tool.ndjson
    head -n 15 "$file" >a
    { tail -n +16 "$file"; head -n 12 "$file"; } >b
    cat a b >all
    eveaccum -q -u all >want
    rm -f state
    { eveaccum -q -u -S state a; eveaccum -q -u -S state b; eveaccum -q -u -S state --flush; } >got
    cmp got want
}

@test "with -g every group goes on" {
    for s in one two; do
        grep -v '^$' "$STREAMS/v26-tool.ndjson" | sed "s/^{/{\"s\":\"$s\",/" >$s
    done
    paste -d '\n' one two >in
    eveaccum -q -g s in >want
    for at in 3 9 20 33; do
        rm -f state
        head -n $at in | eveaccum -q -g s -S state >got
        tail -n +$((at + 1)) in | eveaccum -q -g s -S state >>got
        cmp got want
    done
    accum 2 -S state -g t in
    accum 2 -S state in
}

@test "foreign, damaged and other states are refused and left alone" {
    file=$STREAMS/v26-tool.ndjson
    head -n 15 "$file" | eveaccum -q -S good >part
    for mode in '-a events' '-a text' '-g s' ; do
        cp good state
        accum 2 -S state $mode "$file"
        says 'state: error: was left by a run with another'
        cmp good state
    done
    size=$(wc -c <good)
    for n in 0 1 10 100 $((size / 2)) $((size - 2)); do
        head -c $n good >state
        accum 2 -S state "$file"
        says 'state: error: is '
        [ "$(wc -c <state)" -eq $n ]
        [ ! -s out ]
    done
    printf '{}' >state
    accum 2 -S state "$file"
    says 'is no state of eveaccum'
    sed 's/"schema":1/"schema":2/' good >state
    accum 2 -S state "$file"
    says 'another version'
    for change in 's/"cursor":14/"cursor":1.5/' 's/"cursor":14,//' 's/"ids":\[/"ids":[1,/' \
        's/"begun":false,"ids"/"begun":0,"ids"/' 's/"groups":/"group":/' 's/"blocks":/"blocked":/' \
        's/"answers":\[\]/"answers":[1]/' 's/"deltas":/"deltas":-/' 's/"starts":\[/"starts":[99999,/' \
        's/"type":"action.input.appended"/"type":"step.started"/'; do
        sed "$change" good >state
        not cmp -s state good
        accum 2 -S state "$file"
        says 'state: error: is damaged'
    done
    mkdir dir
    accum 2 -S dir "$file"
    mkfifo fifo
    accum 2 -S fifo "$file"
    accum 2 -S nowhere/state "$file"
}

@test "nothing is lost when the output cannot be written" {
    head -n 15 "$STREAMS/v26-tool.ndjson" | eveaccum -q -S state >part
    cp state before
    status=0
    tail -n +16 "$STREAMS/v26-tool.ndjson" | eveaccum -q -S state >/dev/full 2>err || status=$?
    [ $status -eq 2 ]
    cmp state before
}

@test "a bad event or a line cut off: the state knows what was taken" {
    file=$STREAMS/v26-tool.ndjson
    whole blocks "$file"
    head -c 3000 "$file" >a
    rm -f state
    accum 1 -q -S state a
    cp out got
    says '[truncated]'
    n=$(sed 's/.*"cursor":\([0-9]*\).*/\1/' state)
    grep -v '^$' "$file" | tail -n +$((n + 1)) | eveaccum -q -S state --start-index="$n" >>got
    cmp got want
}

@test "INT and TERM leave the state, and end the tool by the same signal" {
    for signal in INT TERM; do
        rm -f pipe state
        mkfifo pipe
        env --default-signal=INT eveaccum -q -S state <pipe >out &
        exec 7>pipe
        grep -v '^$' "$STREAMS/v26-tool.ndjson" | head -n 12 >&7
        printf '{"type":"cut' >&7
        waits grep -q '"completed"' out
        sleep 0.1
        kill -$signal $!
        status=0
        wait $! || status=$?
        exec 7>&-
        [ $status -eq $((128 + $(kill -l $signal))) ]
        grep -q '"cursor":12,' state
        grep -v '^$' "$STREAMS/v26-tool.ndjson" | tail -n +13 | eveaccum -q -S state >>out
        eveaccum -q "$STREAMS/v26-tool.ndjson" | cmp - out
        holds . err out pipe state 2>/dev/null || holds . out pipe state
    done
}

@test "while the input is quiet the state is saved every five seconds" {
    mkfifo pipe
    eveaccum -q -S state <pipe >out &
    exec 7>pipe
    grep -v '^$' "$STREAMS/v26-tool.ndjson" | head -n 12 >&7
    sleep 4
    not [ -e state ]
    waits grep -q '"cursor":12,' state
    kill -9 $!
    wait $! || true
    exec 7>&-
    grep -v '^$' "$STREAMS/v26-tool.ndjson" | tail -n +13 | eveaccum -q -S state >>out
    eveaccum -q "$STREAMS/v26-tool.ndjson" | cmp - out
}

@test "killed while it saves, the state is the old one or the new one" {
    file=$STREAMS/v26-turns.ndjson
    head -n 100 "$file" | eveaccum -q -S old >/dev/null
    cp old new
    tail -n +101 "$file" | eveaccum -q -S new >/dev/null
    killed=0
    for ((i = 0; i < ${KILLS-60}; i++)); do
        cp old state
        { tail -n +101 "$file" | eveaccum -q -S state >/dev/null & } 2>/dev/null
        sleep 0.00$((i % 10))
        kill -9 $! 2>/dev/null && killed=$((killed + 1))
        wait $! 2>/dev/null || true
        cmp -s state old || cmp state new
        rm -f .evetools-*
    done
    [ $killed -gt 0 ]
}

@test "the cursor counts what the server counts: bad and dropped events too, lines that are none not" {
    at() { printf ',"meta":{"id":"evt_%026d"}}\n' "$1"; }
    append() { printf '{"type":"message.appended","data":{"messageDelta":%s,"turnId":"t","stepIndex":0}' "$1"; at "$2"; }
    {
        printf '{"type":"step.started","data":{"turnId":"t","stepIndex":0}'; at 0
        append 7 1
        append '"a"' 2
        append '"b"' 3
        append '"a"' 2
        append '"c"' 5
        printf '{"type":"x","long":"%0300d"}\n' 0
        append '"d"' 7
        printf '{"type":"message.completed","data":{"message":"abcd","turnId":"t","stepIndex":0}'; at 8
    } >in
    accum 1 -q -k -u --max-line=200 in
    cp out want
    grep '"state":"completed","text":"abcd","deltas":4,"firstEvent":1,"lastEvent":5}' want
    total=$(wc -l <in)
    for ((n = 1; n < total; n++)); do
        rm -f state
        head -n $n in | eveaccum -q -k -u --max-line=200 -S state --start-index=0 >got 2>/dev/null || true
        grep -q "\"cursor\":$n," state
        for back in 0 1 4; do
            [ $back -le $n ] || continue
            cp state go
            cp got all
            tail -n +$((n - back + 1)) in | eveaccum -q -k -u --max-line=200 -S go --start-index=$((n - back)) >>all 2>/dev/null || true
            cmp all want
        done
    done
    # what a proxy says, and a line cut off, are no events
    { head -n 4 in; printf '<html>\n{"error":"gone"}\n{"type":"messa'; } | eveaccum -q -k -S none --start-index=0 2>err || true
    grep -q '"cursor":4,' none
}

@test "--flush alone goes on in the mode of the state; what it says must fit" {
    grep -v '^$' "$STREAMS/v26-tool.ndjson" >log
    sed 's/^{/{"s \\u00fc":1,/' log >grouped
    for mode in '-a blocks' '-a events' '-a text' '-a text --reasoning -0' '-a text --final'; do
        for at in 6 12 26; do
            rm -f state
            head -n $at log | eveaccum -q $mode -S state >got
            eveaccum -q -S state --flush >>got
            eveaccum -q $mode <(head -n $at log) | cmp - got
        done
    done
    rm state
    head -n 12 grouped | eveaccum -q -a text -g 's ü' -S state >got
    cp state before
    for wrong in '-a blocks' '-a text --final' '-a text -0' '-g t'; do
        accum 2 -S state --flush $wrong
        says 'was left by a run with another'
        [ ! -s out ]
        cmp state before
    done
    eveaccum -q -S state --flush >>got
    eveaccum -q -a text <(head -n 12 log) | cmp - got
    head -c 100 before >state
    accum 2 -S state --flush
    says 'is damaged'
}

@test "a state that cannot be written is noticed before anything is printed" {
    accum 2 -S nowhere/state "$STREAMS/v26-tool.ndjson"
    says 'nowhere/state: error: '
    [ ! -s out ]
    # also where there is one, but no room for another beside it
    if [ "$(id -u)" -eq 0 ]; then return; fi
    mkdir folder
    head -n 15 "$STREAMS/v26-tool.ndjson" | eveaccum -q -S folder/state >part
    chmod a-w folder
    accum 2 -S folder/state "$STREAMS/v26-tool.ndjson"
    chmod u+w folder
    [ ! -s out ]
}

@test "a first event without id: the input is named" {
    new a >in
    eveaccum -q -S state in
    accum 2 -S state in
    says 'eveaccum: in: error: the first event has no id'
    lines_of err 1
    status=0
    eveaccum -S state <in 2>err || status=$?
    [ $status -eq 2 ]
    says 'eveaccum: <stdin>: error: the first event has no id'
}
