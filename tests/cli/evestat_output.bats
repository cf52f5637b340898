#!/usr/bin/env bats
# shellcheck disable=SC2016,SC2094,SC2030,SC2031,SC2119
# What evestat writes, and where to.
load helper

# stats STATUS ARGUMENT...: runs evestat with its streams in the files out and err.
stats() {
    local wanted=$1 status=0
    shift
    evestat "$@" >out 2>err || status=$?
    status_is "$status" "$wanted" "evestat $*"
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    cp "$ROOT/tests/streams/v24-tool.ndjson" log
}

@test "JSON: one line, keys in their order" {
    stats 0 --format=json --as-if=24 --by=turn log
    lines_of out 1
    jq -c 'keys_unsorted' out >keys
    has keys '["schema","files","events","lines","turns","steps","blocks","restarts","longestLine","badLines","bytes","payload","saved","byType","asIf","largest","by"]'
    jq -c '.files[0] | keys_unsorted, (.bytes, .payload, .saved, .asIf, .largest[0], .by[0] | keys_unsorted)' out >keys
    has keys '["file","events","lines","turns","steps","blocks","restarts","longestLine","badLines","bytes","payload","saved","byType","asIf","largest","by"]' \
        '["in","deltaOnly","removed","transport","bad","added"]' \
        '["messageSoFar","reasoningSoFar","inputTextOffset","messageOffset","reasoningOffset"]' \
        '["percent","times"]' '["version","bytes"]' \
        '["kind","turnId","stepIndex","callId","events","bytes","removed"]' \
        '["key","events","bytes","removed","deltaOnly"]'
    jq -e '.byType | keys == keys_unsorted' out
    stats 0 --format=json log
    jq -e '(has("asIf") or has("by")) | not' out
    jq -e '(.largest | map(.bytes)) as $b | $b == ($b | sort | reverse)' out
}

@test "JSON: what stems from the stream stays as it is spelled there" {
    printf '{"type":"message.appended","data":{"turnId":"\\u0041\\"\xc3\xa9","stepIndex":1.50,"messageDelta":"x"}}\n' >in
    printf '{"type":"\\u0041 \\u0000","data":{"turnId":12345678901234567890123}}\n' >>in
    stats 0 --format=json --by=step in
    grep -qF '{"kind":"message","turnId":"\u0041\"é","stepIndex":1.50,"callId":null,"events":1' out
    grep -qF '"byType":{"A \u0000":{"events":1,' out
    grep -qF '{"key":"A\"é/1.50","turnId":"\u0041\"é","stepIndex":1.50,' out
    grep -qF '{"key":"12345678901234567890123","turnId":12345678901234567890123,"stepIndex":null,' out
    jq -e . out >/dev/null
}

@test "file names of any bytes" {
    local name=$'a\xff"\n\e[31m,b'
    cp log "$name"
    stats 0 --format=json "$name"
    jq -r '.files[0].file' out >name
    printf 'a\xef\xbf\xbd"\n\e[31m,b\n' | cmp name -
    stats 0 "$name"
    head -1 out >name
    has name 'a�"\x0a\x1b[31m,b'
    stats 0 --format=csv "$name"
    tail -n +2 out >line
    printf '"a\xef\xbf\xbd""\n\e[31m,b",,34,8010,558,7452\r\n' | cmp line -
}

@test "CSV: RFC 4180, a row a file" {
    cp log other
    stats 0 --format=csv log other
    printf '%s\r\n' file,key,events,bytes,removed,deltaOnly log,,34,8010,558,7452 other,,34,8010,558,7452 | cmp out -
    stats 0 --format=csv --by=file log
    printf '%s\r\n' file,key,events,bytes,removed,deltaOnly log,log,34,8010,558,7452 | cmp out -
    stats 0 --format=csv --by=block log
    printf '%s\r\n' file,key,events,bytes,removed,deltaOnly log,,13,2927,0,2927 \
        log,turn_0/0/message,3,665,103,562 log,turn_0/0/input/call_w1,13,3302,267,3035 \
        log,turn_0/1/message,5,1116,188,928 | cmp out -
}

@test "rows add up to the whole, in JSON and CSV" {
    local by
    for by in type turn step block file; do
        stats 0 --format=json --by=$by log "$ROOT/tests/streams/v24-turns.ndjson"
        jq -e '. as $all | .files + [.] | all(
            ([.by[].events] | add) == .events and ([.by[].removed] | add) == .bytes.removed and
            ([.by[].deltaOnly] | add) == .bytes.deltaOnly and
            ([.by[].bytes] | add) == .bytes.in - .bytes.transport)' out >/dev/null
        jq -r '.by[] | [.file // .key, .key // "", .events, .bytes, .removed, .deltaOnly] | join(",")' out >want
        stats 0 --format=csv --by=$by log "$ROOT/tests/streams/v24-turns.ndjson"
        tail -n +2 out | tr -d '\r' | diff want -
    done
}

@test "the table: as found, delta-only, difference, each removed member, types, blocks" {
    stats 0 log
    sed 10q out >top
    has top log '34 events, 35 lines, 1 turn, 2 steps, 3 blocks, 0 restarts' '' \
        'total         bytes' '  as found    8,010' '  delta-only  7,452' \
        '  difference    558  6.97 %  1.07 times' '' \
        'removed            bytes    share' '  messageSoFar       291  52.15 %'
    grep -q '^types of events  *as found  removed  events$' out
    grep -q '^  action.input.appended  *3,302  *267  *13$' out
    grep -q '^  turn_0/0/input/call_w1  *3,302  *267  *13$' out
    not grep -q $'\e' out
    stats 0 --color=always log
    grep -q $'\e\[32m  difference' out
    NO_COLOR=1 stats 0 log
    not grep -q $'\e' out
    stats 0 --as-if=24 log
    grep -qE '^  as version 24 +8,010 +1.07 times$' out
}

@test "the table of several files: most to save first" {
    cp "$ROOT/tests/streams/v24-text.ndjson" text
    cp "$ROOT/tests/streams/v26-tool.ndjson" new
    stats 0 new log text
    grep -A 3 '^files ' out | awk 'NR > 1 { print $1, $3 }' >order
    has order 'text 87,968' 'log 558' 'new 0'
    grep -q '^  text: turn_0/0/message ' out
    stats 0 --by=turn new log
    grep -q '^  log: turn_0 ' out
}

@test "the table fits a narrow terminal" {
    local width
    for width in 40 60 80; do
        terminal screen "stty cols $width; TERM=xterm evestat $ROOT/tests/streams/v24-t*.ndjson"
        tr -d '\r' <screen | sed 's/\x1b\[[0-9;]*m//g' >plain
        grep -q 'delta-only' plain
        awk -v width=$width 'length($0) > width { print; bad = 1 } END { exit bad }' plain
    done
    grep -q $'\e\[1mtotal' screen
}

@test "-o replaces the file in one step, or leaves it" {
    echo before >report
    stats 0 -o report --format=json log
    has out
    jq -e '.events == 34' report
    printf 'bad\n' >bad
    stats 1 -o report --format=json log bad
    jq -e '.files[1].stopped.line == 1' report
    cp report kept
    stats 2 -o report --format=json log nothing
    cmp report kept
    says 'report: error: left as it is'
    stats 2 -o /no/such/folder/report log
    stats 0 -o log --format=csv log
    grep -q '^log,,34,' log
    holds . bad err kept log out report
}

@test "standard output that is an input is refused" {
    local status=0
    evestat log >>log 2>err || status=$?
    status_is "$status" 2 'evestat log >>log'
    says 'input file is also the output'
    cmp log "$ROOT/tests/streams/v24-tool.ndjson"
}

@test "a full disk, a closed output, a closed pipe" {
    local format status
    for format in table json csv; do
        status=0
        evestat --format=$format log >/dev/full 2>err || status=$?
        status_is "$status" 2 'to a full disk'
        says 'standard output: error: cannot write: No space left on device'
        status=0
        evestat --format=$format log >&- 2>err || status=$?
        status_is "$status" 2 'to a closed output'
        says 'cannot write'
    done
    set -- "$ROOT"/tests/streams/*.ndjson
    evestat --by=block --format=json "$@" "$@" 2>err | true
    status=${PIPESTATUS[0]}
    status_is "$status" 141 'to a closed pipe'
    has err
}

@test "the plot: ASCII or Unicode by locale, of the size of the screen" {
    LC_ALL=C COLUMNS=60 LINES=15 stats 0 --plot log
    grep -qF '  * as found, 8,010 bytes' out
    grep -qF '  . delta-only, 7,452 bytes' out
    not grep -q '[^ -~]' out
    [ "$(sed -n '/ |/p' out | wc -l)" -eq 10 ]
    awk '/[|+]/ && length($0) > 60 || / $/ { print; bad = 1 } END { exit bad }' out
    grep -qE '^ +\+-{50}$' out
    LC_ALL=C.UTF-8 COLUMNS=60 LINES=15 stats 0 --plot log
    grep -q '⣠\|⡠\|⣀' out
    grep -qF 'upper line as found, 8,010 bytes' out
    LC_ALL=C stats 0 --plot --as-if=24 "$ROOT/tests/streams/v26-text.ndjson"
    grep -q '\* as version 24, ' out
    : >empty
    LC_ALL=C stats 0 --plot empty
    LC_ALL=C stats 1 --plot log <(echo bad)
    grep -qF '34 events' out
}

@test "what does not go together" {
    refused() {
        local status=0
        evestat "$@" >out 2>err </dev/null || status=$?
        status_is "$status" 2 "evestat $*"
        has out
        says "Try 'evestat --help'"
    }
    refused --merge -f 24 log
    refused --merge --from=auto log
    refused --merge --as-if=24 log
    refused --merge --by=type log
    refused --merge --plot log
    refused --merge -g session_id log
    refused --plot --format=json log
    refused --plot --format=csv log
    refused --format=xml log
    refused --by=session log
    refused --as-if=25 log
}

@test "--quiet, --line-buffered and --progress are taken" {
    stats 0 -q --line-buffered --progress=never log
    cp out want
    stats 0 log
    cmp out want
    has err
}

@test "CSV: control characters are escaped on a terminal, and raw in a pipe" {
    printf '{"type":"x","data":{"turnId":"a\\u001b[31m\\u007f\\u009b\\tb"}}\n' >in
    stats 0 --format=csv --by=turn in
    grep -qF $'in,a\e[31m\x7f\xc2\x9b\tb,1,' out
    terminal screen 'evestat --format=csv --by=turn in'
    grep -qF $'in,a\\x1b[31m\\x7f\\xc2\\x9b\tb,1,' screen
    cp in $'n\ea'
    terminal screen $'evestat --format=csv "n\ea"'
    grep -qF 'n\x1ba,,1,' screen
    stats 0 --format=csv -o report --by=turn in
    cmp report out || grep -qF $'a\e[31m' report
}

@test "keys tell rows apart: empty, missing and with slashes" {
    printf '{"type":%s}\n' '"x"' '"x","data":{"turnId":""}' '"x","data":{"turnId":"a/1"}' \
        '"x","data":{"turnId":"a","stepIndex":1}' '"x","data":{"stepIndex":1}' \
        '"x","data":{"turnId":"a"}' '"","data":{"turnId":"\"a"}' >in
    stats 0 --format=json --by=step in
    jq -c '.by | map(.key)' out >keys
    has keys '[null,"\"\"","\"a/1\"","a/1","/1","a","\"\\\"a\""]'
    jq -c '.by[] | select(.key == "a" or .key == "/1") | [.file, .turnId, .stepIndex]' out >keys
    has keys '["in",null,1]' '["in","a",null]'
    stats 0 --format=csv --by=step in
    tail -n +2 out | sed 's/^in,//; s/,1,[0-9]*,0,[0-9]*\r$//' >keys
    has keys '' '""""""' '"""a/1"""' a/1 /1 a '"""\""a"""'
    stats 0 --by=turn in
    grep -qE '^  ""  +34 ' out
    grep -qE '^  "" +[0-9]+ +0 +1$' out
    printf '{"type":"x","data":{"turnId":"t"}}\n{"type":"x","s":"t"}\n{"type":"x"}\n' >in
    stats 0 --format=json --by=turn -g s in
    jq -c '.by | map([.key, .group])' out >keys
    has keys '[["/t",null],["t","t"],[null,null]]'
}

@test "by block: events that are no appends are one row, without coordinates" {
    stats 0 --format=json --by=block log
    jq -e '.by[0] | .key == null and keys_unsorted == ["key", "file", "events", "bytes", "removed", "deltaOnly"]' out
    jq -e '[.by[] | select(has("turnId") | not)] | length == 1' out
    stats 0 --format=json --by=file log
    jq -e '.by == .files[0].by and (.by[0] | has("file") | not)' out
}

@test "largest blocks of one size come as they began" {
    local i
    for i in 11 10 12 13 14 15 16 17 18 19 20 21; do new a t$i; done >in
    { new a t22; new aa t20; } >>in
    stats 0 --format=json in
    jq -c '.largest | map(.turnId)' out >turns
    has turns '["t20","t11","t10","t12","t13","t14","t15","t16","t17","t18"]'
    { new a t14; new a t12; new b t12; new a t11; new b t14; new b t11; } >in
    cp in other
    for i in turn block; do
        stats 0 --format=json --by=$i in other
        jq -c '.largest | map(.turnId)' out >turns
        has turns '["t14","t12","t11","t14","t12","t11"]'
    done
}

@test "CSV has nothing of --as-if" {
    stats 0 --format=csv log
    cp out want
    stats 0 --format=csv --as-if=24 log
    cmp out want
}

@test "on a terminal JSON has escapes for DEL and U+0080 to U+009F, in a pipe the characters" {
    printf '{"type":"a\177b\302\233c","data":{"message":"\302\205"}}\n' >in
    terminal screen 'evestat --format=json in'
    grep -F '"byType":{"a\u007fb\u009bc":' screen
    terminal screen 'evenorm -q in'
    grep -F '{"type":"a\u007fb\u009bc","data":{"message":"\u0085"}}' screen
    terminal screen 'evenorm -q -o /dev/tty in'
    grep -F '"message":"\u0085"' screen
    "$BIN/evenorm" -q in | cmp - in
}
