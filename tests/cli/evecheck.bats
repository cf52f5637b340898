#!/usr/bin/env bats
# evecheck: what it finds at the prompt, and what its options make of it.
load helper

STREAMS=$BATS_TEST_DIRNAME/../streams

# check STATUS ARGUMENT...: runs evecheck with its streams in the files out and err.
check() {
    local wanted=$1 status=0
    shift
    evecheck "$@" >out 2>err || status=$?
    [ "$status" -eq "$wanted" ] && return
    printf 'evecheck %s: status %d, wanted %d\n' "$*" "$status" "$wanted"
    head -c 2000 out err
    return 1
}

# found RULE...: exactly these rules were found, each as often as it is given, whatever the order.
found() {
    diff <(if [ $# -gt 0 ]; then printf '%s\n' "$@" | sort; fi) \
        <(sed -n 's/^evecheck: .*\[\([a-z0-9-]*\)\]$/\1/p' out | sort)
}

@test "-q prints nothing but what went wrong with the run, and --help says so" {
    run -0 bash -c 'evecheck --help | tr -s " \n" " "'
    [[ $output == *'-q, --quiet no findings, closing line or progress; the exit status says it all'* ]]
    echo '{x' >bad.ndjson
    run -1 evecheck -q bad.ndjson
    [ -z "$output" ]
    run -2 evecheck -q bad.ndjson no-such.ndjson
    [[ $output == *no-such.ndjson* ]]
}

@test "recorded streams: no error and no warning, declared or not" {
    for file in "$STREAMS"/v2*.ndjson; do
        name=${file##*/v}
        check 0 --strict "$file"
        check 0 --strict --from="${name%%-*}" "$file"
    done
    for file in "$STREAMS"/*.rawhttp; do
        check 0 --strict -f http "$file"
    done
}

@test "crash recordings have notes, and nothing else" {
    for file in "$STREAMS"/*-crash.ndjson; do
        check 0 "$file"
        found restart restart restart
        run -1 grep -E ': (warning|error): ' out
    done
}

@test "what evenorm writes is as clean as its input" {
    for file in "$STREAMS"/v2*.ndjson; do
        evenorm -q "$file" >norm
        evenorm -qc "$file" >joined
        check 0 --strict --from=26 norm --disable=retired-type
        check 0 --strict --from=26 joined --disable=retired-type
    done
}

@test "a stream from standard input, several files, and one that is missing" {
    check 0 <"$STREAMS/v26-tool.ndjson"
    grep -q '1 file, 33 events: 0 errors, 0 warnings, 0 notes$' err
    grep -v message.completed "$STREAMS/v26-text.ndjson" >bad.ndjson
    check 0 bad.ndjson "$STREAMS/v26-tool.ndjson"
    found block-open
    check 2 bad.ndjson missing.ndjson "$STREAMS/v26-tool.ndjson"
    grep -q 'missing.ndjson: error: cannot open' err
    found block-open
    check 1 --strict bad.ndjson
}

@test "an altered text: where, and what is expected there" {
    sed 's/"messageDelta":"Hel"/"messageDelta":"HeI"/' "$STREAMS/v26-cancel-tool.ndjson" >bad.ndjson
    check 1 bad.ndjson
    found text-diverged block-open
    grep -q '^evecheck: bad.ndjson:30:[0-9]*: error: the completed text has 12 units, its 5 appends have 12; they part at unit 2: completed "llo world.", appended "Ilo world." \[text-diverged\]$' out
}

@test "it goes on after bad lines, and --max-errors ends it" {
    { head -n 5 "$STREAMS/v26-tool.ndjson"; printf '{"a":\nnull\n7\n'; tail -n +6 "$STREAMS/v26-tool.ndjson"; } >bad
    check 1 bad
    found json-syntax not-object not-object
    check 1 --max-errors=2 bad
    found json-syntax not-object
    check 1 --max-errors=2 bad bad
    found json-syntax not-object
    check 1 -k bad
    found json-syntax not-object not-object
    check 1 --disable=not-object --severity=json-syntax=error bad
    found json-syntax
    check 0 --disable=not-object --severity=json-syntax=warning bad
    check 1 --max-line=100 "$STREAMS/v26-schema.ndjson"
    grep -q 'line-too-long' out
}

@test "levels: --severity, --disable, --no-retries; the last one counts" {
    file=$STREAMS/v26-retry.ndjson
    check 0 --strict "$file"
    found retry
    check 1 --no-retries "$file"
    grep -q ': error: .*\[retry\]$' out
    check 1 --no-retries "$STREAMS/v24-retry.ndjson"
    found restart restart
    check 0 --no-retries --severity=retry=warning "$file"
    grep -q ': warning: .*\[retry\]$' out
    check 1 --strict --no-retries --severity=retry=warning "$file"
    check 0 --strict --disable=retry "$file"
    found
    check 0 --strict --disable=retry --severity=retry=note "$file"
    found retry
    check 0 --strict --severity=retry=off "$file"
    found
    # what is explained is a note, unless its rule is given a level
    check 1 --severity=block-open=error "$STREAMS/v26-turns.ndjson"
}

@test "usage errors" {
    for bad in --severity=retry --severity=retry=fatal --severity=none=error --severity==error \
        --disable=none --disable= --explain=none --format=xml --start-index=x --start-index=-1 \
        --ignore=a --exact-chunks; do
        check 2 "$bad" "$STREAMS/v26-tool.ndjson"
        grep -q "Try 'evecheck --help'" err
        [ ! -s out ]
    done
}

@test "a stream joined midway" {
    tail -n +8 "$STREAMS/v26-tool.ndjson" >part
    check 0 part
    found starts-midway
    check 1 --strict part
    check 0 --strict --start-index=6 part
    found
    tail -n +8 "$STREAMS/v24-text.ndjson" >part
    check 0 --strict --start-index=6 part
    evecheck --start-index=1000 --format=json "$STREAMS/v26-retry.ndjson" 2>err >out
    [ "$(jq -r .event out)" = 1017 ]
}

@test "sessions in one log, told apart by a member" {
    for name in retry tool text; do
        sed "s/^{/{\"session_id\":\"$name\",/" "$STREAMS/v26-$name.ndjson" | grep session_id >"$name"
    done
    paste -d '\n' retry tool text | grep . >log
    check 1 log
    check 0 --strict -g session_id log
    found retry
}

@test "versions: what the declared one does not have" {
    check 0 --from=25 "$STREAMS/v26-subagent.ndjson"
    found unknown-type unknown-type unknown-type unknown-type
    grep -q ': version 25 does not have the type "agent.started" \[unknown-type\]$' out
    check 0 --from=26 "$STREAMS/v25-subagent.ndjson"
    found retired-type retired-type
    grep -q ': version 26 no longer has the type "subagent.called" \[retired-type\]$' out
    check 1 --from=23 "$STREAMS/v24-tool.ndjson"
    grep -q unsupported-event out
    check 1 --from=26 "$STREAMS/v24-tool.ndjson"
    grep -q legacy-field out
}

@test "an append that a live stream delivers late: one note" {
    file=$STREAMS/v26-text.ndjson
    last=$(grep -n '"message.appended"' "$file" | tail -n 1 | cut -d : -f 1)
    awk -v n="$last" 'NR == n { late = $0; next } { print } /"message.completed"/ { print late }' "$file" >live
    check 0 --strict live
    found late
    # within its text it is a fault
    first=$(grep -n '"message.appended"' "$file" | head -n 1 | cut -d : -f 1)
    awk -v n="$first" 'NR == n { late = $0; next } { print } NR == n + 1 { print late }' "$file" >swapped
    check 1 swapped
    found id-order text-diverged
}

@test "any append delivered after the event that completed its text: one note, in legacy streams, too" {
    for file in "$STREAMS"/v2[146]-{reason,text,tool}.ndjson; do
        [ -e "$file" ] || continue
        # late.N: line N comes after the next event that completes a text or requests a call
        awk '{ line[NR] = $0 }
            function ends(i) { return line[i] ~ /"type":"(message.completed|reasoning.completed|actions.requested)"/ }
            END {
                for (k = 1; k <= NR; k++) {
                    if (line[k] !~ /Delta":"[^"]/)
                        continue
                    for (end = k; !ends(end); end++)
                        ;
                    name = "late." ++n
                    for (i = 1; i <= NR; i++) {
                        if (i != k)
                            print line[i] >name
                        if (i == end)
                            print line[k] >name
                    }
                    close(name)
                }
            }' "$file"
        check 0 --strict late.*
        n=$(find . -name 'late.*' | wc -l)
        [ "$n" -gt 5 ]
        [ "$(grep -c '\[late\]$' out)" -eq "$n" ]
        [ "$(grep -c '^evecheck: ' out)" -eq "$n" ]
        rm late.*
    done
}

@test "a replay is a note, and the texts stay what they are" {
    { head -n 20 "$STREAMS/v26-text.ndjson"; tail -n +11 "$STREAMS/v26-text.ndjson"; } >again
    check 0 --strict again
    found replay
}

@test "-q prints nothing; the status says it all" {
    printf 'x\n' >bad
    check 1 -q bad
    [ ! -s out ] && [ ! -s err ]
    check 2 -q bad missing
    [ ! -s out ] && [ -s err ]
}

@test "-o: replaced at the end; left alone if an input cannot be read" {
    printf 'old\n' >report
    check 1 -o report --format=json <<<x
    [ ! -s out ]
    [ "$(jq -r .rule report)" = json-syntax ]
    printf 'old\n' >report
    check 2 -o report "$STREAMS/v26-tool.ndjson" missing
    [ "$(cat report)" = old ]
    grep -q 'report: error: left as it is' err
}

@test "findings come as the stream does" {
    mkfifo pipe
    evecheck --format=json <pipe >out 2>err &
    exec 7>pipe
    printf 'x\n' >&7
    for ((i = 0; i < 500; i++)); do
        [ ! -s out ] || break
        sleep 0.01
    done
    [ "$(jq -r .rule out)" = json-syntax ]
    exec 7>&-
    wait $! || [ $? -eq 1 ]
}

@test "any read size finds the same" {
    sed 's/"messageDelta":"Hel"/"messageDelta":"HeI"/' "$STREAMS/v26-turns.ndjson" >bad.ndjson
    check 1 bad.ndjson
    cp out wanted
    EVETOOLS_TEST_READ=1 check 1 bad.ndjson
    cmp out wanted
    EVETOOLS_TEST_PLAIN=1 check 1 bad.ndjson
    cmp out wanted
}

@test "what is known of a shape finds the same as the plain way" {
    # no fault, faults in members of every line, a coordinate that changes within a text, doubled lines
    for edit in '' 's/"data":{/"data":{"x":1,"x":2,/' 's/"stepIndex":/"stepindex":/' \
        '9~3s/"sequence":0/"sequence":5/' '7~2s/"turnId":"turn_0"/"turnId":"turn_1"/' '8~5p' \
        '6~7s/"id":"evt_./"id":"evt_0/; 9~4d'; do
        rm -rf edited
        mkdir edited
        cp "$STREAMS"/*.ndjson edited
        sed -s -i "$edit" edited/*
        evecheck --format=json edited/* >fast 2>/dev/null || [ $? -eq 1 ]
        EVETOOLS_TEST_PLAIN=1 evecheck --format=json edited/* >plain 2>/dev/null || [ $? -eq 1 ]
        cmp fast plain
    done
}

@test "a lost only append of a tool input is told where another call of the tool has some" {
    evenorm -q -c "$STREAMS/v26-tool-parallel.ndjson" >joined
    grep -v '"callId":"call_p1".*input.appended' joined >lost
    [ "$(wc -l <lost)" -lt "$(wc -l <joined)" ]
    check 1 --strict lost
    found block-open input-differs
    # write_note is called once: its input may have come at once, which is a note
    grep -v '"callId":"call_p3".*input.appended' joined >other
    [ "$(wc -l <other)" -lt "$(wc -l <joined)" ]
    check 0 --strict other
    found block-open input-differs
    check 1 --severity=input-differs=error other
    grep -q 'though calls of other tools in this turn have some \[input-differs\]$' out
    # nothing is known where no call has any
    grep -v input.appended joined >none
    check 0 --strict --disable=block-open none
    found
}

@test "coordinates that disagree are told" {
    for edit in '12s/"sequence":0/"sequence":99/' '12s/"toolName":"get_weather"/"toolName":"x"/' \
        '23s/"stepIndex":0/"stepIndex":9/' '23s/"toolName":"get_weather"/"toolName":"x"/'; do
        sed "$edit" "$STREAMS/v26-tool.ndjson" >edited
        run ! cmp -s edited "$STREAMS/v26-tool.ndjson"
        check 1 --strict edited
        found coordinate-differs
    done
}

@test "a lost result is told though its callId is used again" {
    grep . "$STREAMS/v26-approve.ndjson" | sed 24d >lost
    check 1 --strict lost
    found request-open
    grep -q '^evecheck: lost:17: warning: ' out
    grep . "$STREAMS/v24-approve.ndjson" | sed 27d >lost
    check 1 --strict lost
    found request-open
    grep -q '^evecheck: lost:18: warning: ' out
}

@test "a lost step.failed is told" {
    grep -v '"step.failed"' "$STREAMS/v26-fail-recoverable.ndjson" >lost
    check 1 --strict lost
    found order block-open
}

@test "any line that cannot be read: one error, and no warning about what it may have been" {
    for file in "$STREAMS"/v2*.ndjson; do
        rm -f line.*
        n=$(wc -l <"$file")
        # of long streams a part, but by make check-full all
        step=$((n > 150 && ! ${FULL:-0} ? 7 : 1))
        awk -v step="$step" '{ line[NR] = $0 }
            END {
                for (k = 1; k <= NR; k += step) {
                    for (i = 1; i <= NR; i++)
                        print (i == k ? "{bad" : line[i]) >("line." k)
                    close("line." k)
                }
            }' "$file"
        check 1 line.*
        [ "$(grep -c ': error: .*\[json-syntax\]$' out)" -eq $(((n + step - 1) / step)) ]
        run -1 grep -E ': (error|warning): ' <(grep -v json-syntax out)
    done
    head -c 3000 "$STREAMS/v26-tool.ndjson" >cut
    check 1 cut
    found truncated
}

@test "a stream without any event is told, a missing file is not" {
    check 1 --strict <<<''
    found starts-midway
    grep -q '^evecheck: <stdin>: warning: the stream has no event at all ' out
    check 0 --strict --start-index=1 <<<''
    check 2 --strict missing
    found
}

@test "standard input is read only once" {
    for args in '--golden=- -' '--golden=-' '--expect=- -' '- -' '--expect=- --golden=- x'; do
        # shellcheck disable=SC2086
        check 2 $args <"$STREAMS/v26-tool.ndjson"
        grep -q 'standard input can be read only once' err
        [ ! -s out ]
    done
}

@test "the golden stream and the expectation are never the output" {
    cp "$STREAMS/v26-tool.ndjson" golden
    evecheck -q --write-expect golden >expect
    cp expect wanted
    ln -s golden link
    for to in golden ./golden link; do
        check 2 --golden=golden -o "$to" "$STREAMS/v26-tool.ndjson"
        grep -q 'golden: error: input file is also the output' err
    done
    check 2 --expect=expect -o expect golden
    check 2 --golden=- -o golden "$STREAMS/v26-tool.ndjson" <golden
    run -2 bash -c 'evecheck --golden=golden "$1" >>golden' - "$STREAMS/v26-tool.ndjson"
    run -2 bash -c 'evecheck --expect=expect "$1" >>expect' - "$STREAMS/v26-tool.ndjson"
    cmp golden "$STREAMS/v26-tool.ndjson"
    cmp expect wanted
    check 0 --golden=golden --expect=expect -o other golden
}

@test "many open texts cost what they are" {
    awk 'BEGIN {
        print "{\"type\":\"session.started\",\"data\":{}}"
        for (i = 0; i < 50000; i++)
            printf "{\"type\":\"message.appended\",\"data\":{\"sequence\":0,\"stepIndex\":0,\"turnId\":\"t%d\",\"messageDelta\":\"a\"}}\n", i
        for (i = 0; i < 50000; i++)
            printf "{\"type\":\"turn.completed\",\"data\":{\"sequence\":0,\"turnId\":\"u%d\"}}\n", i
    }' >many
    status=0
    timeout 15 evecheck -q many || status=$?
    [ "$status" -eq 0 ]
}

@test "rules: list, explanations, man page and completions name the same" {
    evecheck --list-rules >rules
    [ "$(wc -l <rules)" -ge 45 ]
    while read -r rule level summary; do
        evecheck --explain="$rule" >text
        [ "$(head -n 1 text)" = "$rule ($level): $summary" ]
        [ "$(wc -l <text)" -ge 3 ]
    done <rules
    cut -d ' ' -f 1 rules >names
    evecheck --dump-options | awk -F '\t' '$2 == "disable" || $2 == "explain" { print $4 }' >words
    [ "$(wc -l <words)" -eq 2 ]
    while read -r line; do
        diff names <(tr ' ' '\n' <<<"$line")
    done <words
    sed -n '/^\.Ss Rules/,/^\.El/s/^\.It Sy \([a-z0-9-]*\) Pq \([a-z]*\)$/\1 \2/p' \
        "$ROOT/man/evecheck.1" | diff <(awk '{ print $1, $2 }' rules) -
    sed -n '/^\.Ss Rules/,/^\.El/p' "$ROOT/man/evecheck.1" | grep -v '^\.' | grep -A 99 '^a line is' |
        sed 's/\\(ha/^/g' | diff <(sed 's/^[a-z0-9-]* *[a-z]* *//' rules) -
}
