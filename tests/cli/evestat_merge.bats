#!/usr/bin/env bats
# shellcheck disable=SC2016,SC2094,SC2030,SC2031,SC2119
# --merge: reports added up.
load helper

# stats STATUS ARGUMENT...: runs evestat with its streams in the files out and err.
stats() {
    local wanted=$1 status=0
    shift
    evestat "$@" >out 2>err || status=$?
    status_is "$status" "$wanted" "evestat $*"
}

# report FILE...: what adds up of the report on the files, sorted as a merged one.
report() { evestat -k --format=json "$@" 2>/dev/null | evestat --merge --format=json; }

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    cp "$ROOT/tests/streams/v24-tool.ndjson" log
}

@test "one report merged is itself, but for what is left out" {
    evestat --format=json --by=step --as-if=24 log >whole
    stats 0 --merge --format=json whole
    lines_of out 1
    diff <(jq -S . out) <(jq -S 'def less: del(.largest, .by, .asIf); less | .files[] |= less' whole)
    cp out merged
    stats 0 --merge --format=json merged
    cmp out merged
    evestat --merge --format=json <merged | cmp - merged
}

@test "parts at every cut give one entry, in any order" {
    report - <log >want
    local count
    count=$(wc -l <log)
    for ((i = 0; i <= count; i++)); do
        head -n "$i" log | evestat --format=json
        tail -n "+$((i + 1))" log | evestat --format=json >>late
        cat late >>parts.$i
        rm late
    done >early
    for ((i = 0; i <= count; i++)); do
        sed -n "$((i + 1))p" early >>parts.$i
        stats 0 --merge --format=json parts.$i
        cmp out want
    done
}

@test "files keep their entries, sorted by name" {
    printf 'bad\n' >bad
    cp log b
    cp "$ROOT/tests/streams/v26-text.ndjson" a
    for file in log b bad a; do evestat --format=json "$file" 2>/dev/null || true; done >reports
    stats 1 --merge --format=json reports
    jq -c '.files | map(.file)' out >names
    has names '["a","b","bad","log"]'
    jq -e '.files[2] == {file: "bad", stopped: {line: 1, rule: "json-syntax"}}' out
    diff <(jq -S 'del(.largest, .files)' out) <(evestat --format=json log b a | jq -S 'del(.largest, .files)')
    evestat --format=json log bad b a 2>/dev/null >one || true
    stats 1 --merge --format=json one
    cp out want
    stats 1 --merge --format=json <(tac reports)
    cmp out want
    stats 1 --merge reports
    grep -q '^  bad  *stopped at line 1: json-syntax$' out
    not grep -q 'largest' out
    stats 1 --merge --format=csv reports
    [ "$(wc -l <out)" -eq 4 ]
}

@test "the status is that of one run over all" {
    { cat log; echo bad; } >in
    evestat -k --format=json in >reports 2>/dev/null || true
    stats 1 --merge --format=json reports
    has err
    : >empty
    stats 0 --merge --format=json empty
    jq -e '.files == [] and .saved.percent == null' out
}

@test "GNU parallel cuts a file into parts" {
    for i in 1 2 3 4 5 6; do cat "$ROOT/tests/streams/v24-turns.ndjson"; done >big
    HOME=$PWD parallel --will-cite -j 2 -a big --pipe-part --block 100k \
        evestat --format=json >reports
    [ "$(wc -l <reports)" -gt 3 ]
    stats 0 --merge --format=json reports
    evestat --format=json - <big | evestat --merge --format=json |
        diff <(jq -S 'del(.. | .restarts?)' out) <(jq -S 'del(.. | .restarts?)')
    jq -e '.files | length == 1' out
}

@test "a bad report: its input is left out, with -k only that report" {
    evestat --format=json log >good
    { cat good; echo '{"schema":1}'; cat good; } >mixed
    stats 1 --merge --format=json good mixed good
    jq -e '.events == 2 * 34' out
    says 'evestat: mixed:2:11: error:' '[bad-data]' 'mixed: error: left out of the sum'
    stats 1 -k --merge --format=json good mixed good
    jq -e '.events == 4 * 34' out
    stats 1 -k --max-errors=1 --merge --format=json mixed good
    jq -e '.events == 0' out
    stats 1 --merge --format=json log
    says 'log:2:1: error:' '[bad-data]'
    jq -c '.lines += 1' good >wrong
    stats 1 --merge --format=json wrong
    says 'not the sum of those of the files'
    jq -c '.files[0].bytes.in += 1 | .bytes.in += 1' good >wrong
    stats 1 --merge --format=json wrong
    says 'do not add up'
    stats 2 --merge --format=json good nothing
    jq -e '.events == 34' out
    says 'evestat: nothing: error: cannot open'
}

@test "-o stays as it was unless everything was read" {
    evestat --format=json log >good
    echo '{}' >bad
    echo before >report
    stats 1 --merge -o report good bad
    has report before
    stats 1 -k --merge -o report --format=json good bad
    jq -e '.events == 34' report
    echo before >report
    stats 2 -k --merge -o report good nothing
    has report before
    stats 0 --merge -o good --format=json good
    jq -e '.events == 34' good
}

@test "numbers over 2^53 stay exact" {
    local more=9007199254740993
    evestat --format=json log | sed "s/\"longestLine\":[0-9]*/\"longestLine\":$more/g
        s/\"transport\":[0-9]*/\"transport\":$more/g
        s/\"in\":[0-9]*/\"in\":$((more + 8010))/g" >report
    stats 0 --merge --format=json report
    grep -q "\"longestLine\":$more,.*\"longestLine\":$more," out
}

# wrong FILTER: the report good, changed by a filter of jq, is bad.
wrong() {
    jq -c "$1" good >changed
    not cmp -s good changed
    stats 1 --merge --format=json changed || { printf 'taken: %s\n' "$1"; return 1; }
    says '[bad-data]'
}

@test "figures that do not add up over the types, or are larger than the whole, are bad" {
    evestat --format=json log | jq -c . >good
    local path
    for path in .byType .files[0].byType; do
        wrong "$path = {}"
        wrong "${path}[\"turn.started\"].events += 1"
        wrong "del(${path}[\"turn.started\"])"
        wrong "$path.x = {events: 0, bytes: 0, removed: 0}"
    done
    # the same in the file and in the report
    local type='(.. | .byType? // empty)["action.input.appended"]'
    wrong "$type.events += 1"
    wrong "$type.bytes += 1"
    wrong "$type.bytes -= 1"
    wrong "$type.removed -= 1"
    wrong '(.. | .byType? // empty) = {}'
    wrong '(.. | .byType? // empty) |= with_entries(if .key == "step.started" then .key = "step.stopped" else . end)'
    wrong '(.. | .byType? // empty) |= (.["turn.started"].removed += 5 | .["message.appended"].removed -= 5)'
    wrong '(.. | .byType? // empty) |= (.["turn.started"].bytes += 500 | .["action.input.appended"].bytes -= 500)
        | (.. | .payload? // empty).messageSoFar += 1'
    wrong '(., .files[0]) |= (.events = 0 | .byType = {})'
    wrong '(., .files[0]).longestLine = .bytes.in + 1'
    wrong '(., .files[0]).lines = .events - 1'
    wrong '(., .files[0]).lines = .bytes.in + 1'
    wrong '(., .files[0]).turns += 1'
    wrong '(., .files[0]).restarts = .events'
    wrong '(., .files[0]).bytes |= (.bad += 1 | .in += 1)'
    wrong '(., .files[0]).bytes |= (.added += 100 | .in -= 100)'
    wrong '(., .files[0]).payload |= (.messageSoFar += 1 | .inputTextOffset -= 1)'
}

@test "a last LF that is missing, names of skills and bad lines add up" {
    local skill='{"type":"actions.requested","data":{"actions":[{"kind":"load-skill","input":{"skill":""}}]}}'
    printf '%s' "$skill" >a
    { cat log; printf 'bad\n%s\n\n%s' "$skill" '{"type":"a/\u0001\ud800"}'; } >b
    { old a a; old b ab; printf '{"type":""}'; } >c
    printf '\xef\xbb\xbf \n{"$eve":1}' >d
    evestat -k --format=json a b c d >good 2>/dev/null || true
    stats 1 --merge --format=json good
    for file in a b c d; do evestat -k --format=json - <$file 2>/dev/null || true; done >parts
    stats 1 --merge --format=json parts good
    grep -qF '"a/\u0001\ud800":{"events":2,' out
    sed 's/\\ud800//g' out | jq -e '(.files | length == 5) and .bytes.added == 2 * (11 + 10 + 1 + 1)'
    cp out merged
    stats 1 --merge --format=json merged
    cmp out merged
}
