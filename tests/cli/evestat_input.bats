#!/usr/bin/env bats
# shellcheck disable=SC2016,SC2030,SC2031,SC2119
# What evestat counts, whatever it reads.
load helper

# stats STATUS ARGUMENT...: runs evestat with its streams in the files out and err.
stats() {
    local wanted=$1 status=0
    shift
    evestat "$@" >out 2>err || status=$?
    status_is "$status" "$wanted" "evestat $*"
}

# figures FILTER...: each filter of jq holds for the report in out, and so do the identities.
figures() {
    local filter
    for filter in '.schema == 1' \
        '.bytes | .in == .deltaOnly + .removed + .transport + .bad - .added' \
        '.bytes.removed == ([.payload[]] | add)' \
        '.bytes.removed == ([.byType[].removed] | add // 0)' \
        '.events == ([.byType[].events] | add // 0)' "$@"; do
        jq -e "$filter" out >/dev/null && continue
        printf 'does not hold: %s\n' "$filter"
        cat out err
        return 1
    done
}

# exact FILE ARGUMENT...: bytes in and delta-only are those of the file and of evenorm.
exact() {
    local file=$1
    shift
    evenorm -q "$@" "$file" >plain 2>/dev/null || true
    figures ".bytes.in == $(wc -c <"$file")" ".bytes.deltaOnly == $(wc -c <plain)"
}

@test "nothing at all" {
    : >empty
    stats 0 --format=json empty
    figures '.events == 0 and .lines == 0 and .byType == {} and .largest == []' \
        '.saved == {percent: null, times: null}'
    exact empty
    printf '\n \r\n\t\n' >blank
    stats 0 --format=json blank
    figures '.lines == 3 and .bytes.transport == 6 and .longestLine == 2'
    exact blank
}

@test "transport: blank lines, control records, byte order mark, white space, no last LF" {
    printf '\n\xef\xbb\xbf \t%s\r\n{"$eve":"x"}\n  \n%s ' '{"type":"a"}' '{"type":"b"}' >in
    stats 0 --format=json in
    figures '.events == 2 and .lines == 5 and .bytes.added == 1' \
        '.byType.a == {events: 1, bytes: 13, removed: 0} and .byType.b.bytes == 13'
    exact in
}

@test "removed members: repeated, stray, spaced, in any place" {
    {
        printf '{"type":"message.appended","data":{"messageSoFar" : "x" , "messageDelta":"x"}}\n'
        printf '{"type":"message.appended","data":{"messageDelta":"x", "messageSoFar":"x" }}\n'
        printf '{"type":"message.appended","data":{"messageOffset":1,"messageSoFar":"y","messageDelta":"x","messageSoFar":"x"}}\n'
        printf '{"type":"reasoning.appended","data":{"reasoningDelta":"","reasoningSoFar":"r","reasoningOffset":0,"reasoningOffset":"a"}}\n'
        printf '{"type":"action.input.appended","data":{"inputTextOffset":1e2,"callId":"c","inputTextDelta":"x"}}\n'
    } >in
    stats 0 --format=json in
    figures '.payload.messageOffset == 18 and .payload.inputTextOffset == 22' \
        '.payload | (.messageSoFar > 0) and (.reasoningSoFar > 0) and (.reasoningOffset > 0)'
    exact in
}

@test "names of skill loads are added" {
    printf '{"type":"actions.requested","data":{"actions":[{"kind":"load-skill","input":{"skill":"s"}},{"kind":"load-skill","input":{}}]}}' >in
    stats 0 --format=json in
    figures '.blocks == 2 and .bytes.added == 11 + 20 + 1'
    exact in
}

@test "-k counts bad lines apart" {
    samples
    { cat bad; printf '{"type":1}\n\xff\n'; old c x; printf '{"type":"x"'; } >in
    stats 1 -k --format=json in
    figures '.badLines == 5 and .events == 2 and .lines == 7'
    exact in -k
    says 'in:2:1: error' 'in:7:12: error' '[truncated]' '[snapshot-mismatch]' '[type-missing]' '[json-utf8]'
    stats 1 -k --format=json --max-line=60 in
    figures '(.events == 0) and .longestLine == 115'
    exact in -k --max-line=60
}

@test "without -k a file stops at its first bad line and is left out of the total" {
    samples
    stats 1 --format=json old bad new
    figures '.files | map(.file) == ["old", "bad", "new"]' \
        '.files[1] == {file: "bad", stopped: {line: 2, rule: "json-syntax"}}' \
        '.events == 6 and .bytes.bad == 0' \
        ".bytes.in == $(cat old new | wc -c)" \
        '.bytes.removed == .files[0].bytes.removed' '.files[2].bytes.removed == 0'
    says 'bad:2:1: error'
    lines_of err 1
    stats 1 old bad new
    grep -q '^3 files, of which 1 is left out$' out
    grep -q '^  bad  stopped at line 2: json-syntax$' out
    stats 1 --format=csv --by=type old bad new
    not grep bad out
    stats 1 bad
    grep -q 'stopped at line 2: json-syntax' out
}

@test "--max-errors stops the run" {
    samples
    stats 1 -k --max-errors=1 --format=json old bad new
    figures '.files | map(.file) == ["old", "bad"]'
    stats 1 -k --max-errors=2 --format=json old bad new
    figures '.files | length == 3'
    stats 1 -k --max-errors=1 old bad new
    grep -q '^  new  *not read$' out
}

@test "a missing file among good ones: status 2, the others are counted" {
    samples
    mkdir folder
    stats 2 --format=json old nothing folder new
    figures '.files | map(.file) == ["old", "new"]' '.events == 6'
    says 'evestat: nothing: error: cannot open' 'evestat: folder: error'
    stats 2 old nothing
    grep -q '^  nothing  *not read$' out
}

@test "versions: declared ones are strict, all in one run" {
    samples
    stats 1 --format=json -f 26 old
    figures '.files[0].stopped.rule == "legacy-field"'
    stats 1 --format=json -f 21 "$ROOT/tests/streams/v24-tool.ndjson"
    figures '.files[0].stopped.rule == "unsupported-event"'
    stats 0 --format=json "$ROOT"/tests/streams/v2?-retry.ndjson
    figures '.restarts == 8' '.files | map(.restarts) == [2, 2, 2, 2, 0, 0]'
}

@test "-f http: heads and framing are transport" {
    cp "$ROOT/tests/streams/v24-tool.rawhttp" raw
    stats 0 --format=json -f http raw
    figures ".bytes.in == $(wc -c <raw)" '.events == 34 and .lines == 35' \
        ".bytes.deltaOnly == $(evenorm -q -f http raw | wc -c)"
    head -c -5 raw >"cut"
    stats 1 --format=json -f http cut
    figures '.files[0].stopped.rule == "truncated"'
    printf 'HTTP/1.1 500 no\r\n\r\n{"message":"sorry"}\n' >no
    stats 2 --format=json -f http no
    figures '.files == []'
    says 'status 500: sorry'
}

@test "figures do not depend on how the input is read" {
    local file=$ROOT/tests/streams/v24-tool-parallel.ndjson
    stats 0 --format=json --by=block --as-if=24 - <"$file"
    cp out whole
    EVETOOLS_TEST_READ=1 stats 0 --format=json --by=block --as-if=24 - <"$file"
    cmp out whole
    EVETOOLS_TEST_PLAIN=1 stats 0 --format=json --by=block --as-if=24 - <"$file"
    cmp out whole
    evestat --format=json --by=block --as-if=24 < <(cat "$file") >out
    cmp out whole
    evestat <"$file" >out
    grep -qx '<stdin>' out
}

@test "a line without end, a long line, a very deep one" {
    { printf '{"type":"x","a":"'; head -c 3000000 /dev/zero | tr '\0' a; printf '"}'; } >in
    stats 0 --format=json in
    figures '.longestLine == 3000019'
    exact in
    { printf '{"type":"x","a":'; head -c 20000 /dev/zero | tr '\0' '['; } >in
    stats 1 --format=json in
    figures '.files[0].stopped.rule == "json-depth"'
}

@test "-g keeps sessions apart" {
    for i in 1 2 3; do
        for s in a b; do
            printf '{"type":"message.appended","s":"%s","data":{"turnId":"t","messageDelta":"x","messageSoFar":"%s"}}\n' "$s" "$(printf "x%.0s" $(seq $i))"
        done
    done >in
    stats 0 --format=json -g s --by=turn in
    figures '.restarts == 0 and (.largest | length) == 2' '.largest[0].group == "a"' \
        '.by | map(.key) == ["a/t", "b/t"]' '.by[1].group == "b" and .by[1].events == 3'
    stats 0 --format=json --by=turn in
    figures '.restarts > 0 and (.largest | length) == 1' '.largest[0] | has("group") | not'
    evenorm -q -g s in >plain
    stats 0 --format=json -g s --as-if=24 plain
    figures ".asIf.bytes == $(wc -c <in)"
}

@test "--as-if=24 of texts that start again is longer, by what a retry repeats" {
    old a a >in
    old b b >>in
    evenorm -q in >plain
    stats 0 --format=json --as-if=24 plain
    figures ".asIf.bytes == $(wc -c <in) + 1"
    stats 0 --format=json --as-if=24 in
    figures ".asIf.bytes == $(wc -c <in)"
}
