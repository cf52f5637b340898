#!/usr/bin/env bats
# shellcheck disable=SC2002,SC2012,SC2016,SC2030,SC2031,SC2086,SC2094,SC2119
# Bad input: rule, place, status; what was good before it is out, what was bad never is.
load helper

good='{"type":"x"}'

# bad RULE LINE [FROM]: the second line of a file is LINE, with an @ where the error must be shown.
bad() {
    local before=${2%%@*}
    printf '%s\n%s\n%s\n' "$good" "$before${2#*@}" "$good" >in
    tool 1 -f "${3-auto}" in
    has out "$good"
    grep -qE "^evenorm: in:2:$((${#before} + 1)): error: .+ \[$1\]\$" err || { cat in err; return 1; }
    tool 1 -k -f "${3-auto}" in
    has out "$good" "$good"
    [ "$(grep -c 'error:' err)" -eq 1 ]
}

m='{"type":"message.appended","data":'

@test "json-syntax" {
    bad json-syntax '@bad'
    bad json-syntax '{"type":"x"}@{"type":"y"}'
    bad json-syntax '{"type":"x"@]'
    bad json-syntax '{"type":"x","a":0@1}'
    bad json-syntax '{"type":"x","a":@+1}'
    bad json-syntax '{"type":"x","a":1.@}'
    bad json-syntax '{"type":"x","a":[1,@]}'
    bad json-syntax '{"type":"x",@}'
    bad json-syntax '{"type":"x","a":@NaN}'
    bad json-syntax "{@'type':1}"
    bad json-syntax '{"type":"x","a":"@	"}'
    bad json-syntax $'{"type":"x"}@\x0c'
    bad json-syntax $' \t{"type":"x"}\t@x'
    bad json-syntax $'{"type":"x",@\xc2\xa0"a":1}'
}

@test "json-syntax: escapes" {
    for escape in '\x' '\u12G4' '\u12' '\U0041'; do
        printf '{"type":"x","a":"%s"}\n' "$escape" >in
        tool 1 in
        has out
        says 'in:1:' '[json-syntax]'
    done
}

@test "json-utf8, with the place of the byte" {
    bad json-utf8 $'{"type":"x","a":"é@\xff"}'
    bad json-utf8 $'{"type":"x","a":"@\xc0\xaf"}'
    bad json-utf8 $'{"type":"x","a":"@\xed\xa0\x80"}'
    bad json-utf8 $'{"type":"x","a":"@\xf4\x90\x80\x80"}'
    bad json-utf8 $'{"type":"x","a":"@\x80"}'
    bad json-utf8 $'{"type":"x","a":"@\xe2\x82"}'
}

@test "json-depth: 10,000 is fine, one more is not, a million is no trouble" {
    nest() {
        printf '{"type":"x","a":'
        head -c "$1" /dev/zero | tr '\0' '['
        head -c "$1" /dev/zero | tr '\0' ']'
        printf '}\n'
    }
    nest 9999 >in
    tool 0 in
    cmp out in
    nest 10000 >in
    tool 1 in
    has out
    says "in:1:$((16 + 10000)): error:" '[json-depth]'
    nest 1000000 >in
    (ulimit -s 256 && tool 1 in)
    has out
    says '[json-depth]'
}

@test "line-too-long" {
    bad_line='{"type":"yz"}'
    printf '%s\n%s\n%s\n' "$good" "$bad_line" "$good" >in
    tool 1 --max-line=12 in
    has out "$good"
    says 'evenorm: in:2:13: error:' '[line-too-long]'
    tool 1 -k --max-line=12 in
    has out "$good" "$good"
    tool 0 --max-line=13 in
    cmp out in
    tool 0 --max-line=1K in
    cmp out in
    tool 1 --max-line=12 <<<"$bad_line"
    printf '%s' "$bad_line" >in
    tool 1 --max-line=12 in
    says 'in:1:13: error:' '[line-too-long]'
}

@test "truncated: every way to cut the last line, and json-syntax if it has its end" {
    line='{"type":"é","a":[-1.5e-7,true,null,"\u00e9\\"],"data":{"b":{}}}'
    LC_ALL=C
    for ((i = 1; i < ${#line}; i++)); do
        { printf '%s\n' "$good"; printf '%s' "${line:0:i}"; } >short
        tool 1 short
        has out "$good"
        says 'short:2:' '[truncated]'
        printf '\n' >>short
        tool 1 short
        has out "$good"
        grep -qE '\[json-(syntax|utf8)\]' err || { cat short err; return 1; }
    done
    printf '%s' "$line" >short
    tool 0 short
    has out "$line"
}

@test "truncated: the place is where the line stops; other faults keep their rule" {
    printf '%s\n{"type":"x"' "$good" >short
    tool 1 short
    says 'evenorm: short:2:12: error:' '[truncated]'
    printf '{"type":nope' >short
    tool 1 short
    says 'short:1:10: error:' '[json-syntax]'
    printf '{"type":"x"}}' >short
    tool 1 short
    says 'short:1:13: error:' '[json-syntax]'
}

@test "not-object" {
    for value in '[]' '"type"' 0 null true '[{"type":"x"}]'; do bad not-object "@$value"; done
    bad not-object $'  @[1]'
}

@test "type-missing" {
    bad type-missing '@{}'
    bad type-missing '@{"data":{"type":"x"}}'
    bad type-missing '{"type":@null}'
    bad type-missing '{"type":@1,"data":{}}'
    bad type-missing '{"type":"x","type":@[]}'
    bad type-missing '@{"Type":"x"}'
}

@test "newer-format" {
    bad newer-format '@{"facts":[]}'
    bad newer-format '@{"progress":{"a":1},"id":1}'
    says 'version 27'
    printf '{"type":"x","facts":[],"progress":1}\n' >in
    tool 0 in
    cmp out in
}

@test "bad-data" {
    bad bad-data "$m@5}"
    bad bad-data "$m@null}"
    bad bad-data "$m@[]}" 24
    bad bad-data '@{"type":"reasoning.appended"}'
    bad bad-data '{"type":"actions.requested","data":{"actions":@{}}}'
    bad bad-data '{"type":"actions.requested","data":{"actions":[{},@1]}}'
    bad bad-data '{"type":"actions.requested","data":@"x"}'
    bad bad-data '{"type":"actions.requested","data":{"actions":[{"kind":"load-skill","input":@"x"}]}}'
    bad bad-data "$m@5}" 21
}

@test "bad-delta" {
    bad bad-delta "$m{\"messageDelta\":@1,\"messageSoFar\":\"1\"}}"
    bad bad-delta "$m@{\"messageSoFar\":\"1\"}}"
    bad bad-delta "$m{\"messageDelta\":@null}}" 26
    bad bad-delta "$m{\"messageDelta\":\"a\",\"messageDelta\":@0}}" 26
}

@test "bad-snapshot" {
    bad bad-snapshot "$m{\"messageDelta\":\"a\",\"messageSoFar\":@null}}"
    bad bad-snapshot "$m@{\"messageDelta\":\"a\"}}" 22
    bad bad-snapshot '{"type":"reasoning.appended","data":{"reasoningDelta":"","reasoningSoFar":@[]}}' 23
}

@test "snapshot-mismatch" {
    bad snapshot-mismatch "$m{\"messageDelta\":\"b\",\"messageSoFar\":@\"ba\"}}"
    bad snapshot-mismatch "$m{\"messageDelta\":\"ab\",\"messageSoFar\":@\"b\"}}" 21
    bad snapshot-mismatch "$m{\"messageDelta\":\"\\ud83d\",\"messageSoFar\":@\"😀\"}}" 24
    { old '\ude00' '😀'; old '\u0041' 'A'; old '' ''; } >in
    tool 0 in
    has out "$(new '\ude00')" "$(new '\u0041')" "$(new '')"
}

@test "bad-offset" {
    a='{"type":"action.input.appended","data":{"inputTextDelta":"a"'
    for offset in -1 0.5 '"0"' null 9007199254740992 1e16 1e-1 -1e-400 '[]'; do
        bad bad-offset "$a,\"inputTextOffset\":@$offset}}"
    done
    bad bad-offset '{"type":"action.input.appended","data":@{"inputTextDelta":"a"}}' 24
    for offset in 0 -0 5.0 1e2 9007199254740991 9.007199254740991e15 0e999999999999; do
        printf '%s,"inputTextOffset":%s}}\n' "$a" "$offset" >in
        tool 0 -f 24 in
        has out "$a}}"
    done
}

@test "legacy-field" {
    bad legacy-field "$m{\"messageDelta\":\"a\",\"messageSoFar\":@\"a\"}}" 25
    bad legacy-field "$m{\"messageSoFar\":@null,\"messageDelta\":\"a\"}}" 26
    bad legacy-field "$m{\"messageDelta\":\"a\",\"messageOffset\":@0}}"
    bad legacy-field '{"type":"action.input.appended","data":{"inputTextDelta":"a","inputTextOffset":@0}}' 26
}

@test "unsupported-event" {
    bad unsupported-event '{"type":@"action.input.appended","data":{"inputTextDelta":"a","inputTextOffset":0}}' 21
    bad unsupported-event '{"type":@"action.input.appended","data":{}}' 23
}

@test "the order of checks" {
    bad bad-data '{"type":"action.input.appended","data":@1}' 21
    bad unsupported-event '{"type":@"action.input.appended","data":{"inputTextDelta":1}}' 22
    bad bad-delta "$m{\"messageDelta\":@1,\"messageSoFar\":2}}" 24
    bad bad-snapshot "$m{\"messageDelta\":\"a\",\"messageSoFar\":@2,\"messageOffset\":1}}" 24
    bad bad-delta "$m{\"messageDelta\":@1,\"messageSoFar\":\"2\"}}" 26
    bad json-syntax "$m{\"messageDelta\":1}}@}"
}

@test "NUL ends neither line nor file" {
    printf '%s\n{"type":"\0"}\n%s\n' "$good" "$good" >in
    tool 1 -k in
    has out "$good" "$good"
    says 'in:2:10: error:' '[json-syntax]'
    printf '%s\0\n%s\n' "$good" "$good" >in
    tool 1 -k in
    has out "$good"
    says 'in:1:13: error:' '[json-syntax]'
    printf '\0\0%s\n%s\n' "$good" "$good" >in
    tool 1 -k in
    has out "$good"
    says 'in:1:1: error:' '[json-syntax]'
}

@test "a bare CR does not part events" {
    printf '%s\r%s\n%s\n' "$good" "$good" "$good" >in
    tool 1 -k in
    has out "$good"
    says 'in:1:14: error:' '[json-syntax]'
    printf '%s\r' "$good" "$good" >in
    tool 1 in
    has out
    says 'in:1:14: error:'
    printf '%s\r\r' "$good" >in
    tool 0 in
    has out "$good"
}

# foreign NAME TEXT: a file that is something else is refused in its first line, in words; also in
# place, where it stays.
foreign() {
    tool 1 "$1"
    has out
    grep -qE "^evenorm: $1:1:[0-9]+: error: .*$2.* \[(json-syntax|json-utf8|truncated|type-missing)\]\$" err ||
        { cat err; return 1; }
    cp "$1" copy
    tool 1 -i "$1"
    cmp "$1" copy
}

@test "what is not NDJSON at all is called by its name" {
    printf '%s\n' "$good" >in
    printf 'BZh91AY&SY' >bz2
    foreign bz2 bzip2
    printf '\xfd7zXZ\0' >xz
    foreign xz 'xz -dc'
    for code in UTF-16 UTF-16LE UTF-16BE; do
        iconv -f UTF-8 -t $code in >utf16
        foreign utf16 UTF-16
    done
    printf 'data: %s\n\n' "$good" >sse
    foreign sse server-sent
    printf 'event: message\ndata: %s\n\n' "$good" >sse
    foreign sse server-sent
    printf '<!DOCTYPE html>\n<html><body>502 Bad Gateway</body></html>\n' >html
    foreign html HTML
    printf '{"error":"no such session","code":404}\n' >json
    foreign json 'no such session'
    printf '{"error":{"message":"too many requests"}}' >json
    foreign json 'too many requests'
    printf 'HTTP/1.1 200 OK\r\nx-eve-stream-version: 24\r\n\r\n' >http
    foreign http HTTP
}

@test "the default stops at the first bad event, also before the next file" {
    samples
    tool 1 bad old
    cmp out <(new a)
    says 'bad:2:1: error:' '[json-syntax]'
    says 'evenorm: 1 event, 1 changed, 1 bad;'
}

@test "-k reports each bad line and goes on, through all files" {
    samples
    tool 1 -k bad old bad
    cmp out <(new a; new b; cat new; new a; new b)
    grep -c 'bad:2:1: error:' err >count
    has count 2
    says '7 events, 6 changed, 2 bad;'
    tool 0 -k old
    cmp out new
}

@test "--max-errors ends the run, over all files" {
    samples
    tool 1 -k --max-errors=1 bad old
    cmp out <(new a)
    tool 1 -k --max-errors=2 bad bad old
    cmp out <(new a; new b; new a)
    tool 1 -k --max-errors=3 bad bad old
    cmp out <(new a; new b; new a; new b; cat new)
    [ "$(grep -c error: err)" -eq 2 ]
    printf 'bad\n' >only
    tool 1 -k --max-errors=1 only only only
    [ "$(grep -c error: err)" -eq 1 ]
}

@test "a missing file or a directory among good ones: the others are done, status 2" {
    samples
    mkdir folder
    tool 2 old missing old
    cmp out <(cat new new)
    says 'evenorm: missing: error:' 'No such file'
    tool 2 old folder old
    cmp out <(cat new new)
    says 'evenorm: folder: error:' 'Is a directory'
    tool 2 -k bad missing
    cmp out <(new a; new b)
    tool 2 '' old
    cmp out new
    tool 2 missing bad old
    cmp out <(new a)
}

@test "names in messages: control bytes escaped, so that a message is one line" {
    for name in $'a\nb' $'c\033[31m' 'd e' '%s%n' 'f:1' ; do
        printf 'bad\n' >"$name"
        tool 1 -q -- "$name"
        lines_of err 1
        not grep -q $'\033' err
    done
    tool 1 -q 'd e'
    says 'evenorm: d e:1:1: error:'
    tool 1 -q $'a\nb'
    not grep -q '^b' err
    says 'a\x0ab:1:1: error:'
    printf '{"error":"\\u001b[31m\\nred\033"}\n' >json
    tool 1 -q json
    lines_of err 1
    not grep -q $'\033' err
    printf '{"error":"\\u001b[31m\\nred"}\n' >json
    tool 1 -q json
    lines_of err 1
    not grep -q $'\033' err
}
