#!/usr/bin/env bats
# shellcheck disable=SC2002,SC2012,SC2016,SC2030,SC2031,SC2086,SC2094,SC2119,SC2238
# What the declared version changes, and what is kept to the byte.
load helper

input='{"type":"action.input.appended","data":{"callId":"c","inputTextDelta":"x","inputTextOffset":0}}'
input_new='{"type":"action.input.appended","data":{"callId":"c","inputTextDelta":"x"}}'

@test "21 to 24 want the text so far, 25 and 26 refuse it, auto takes both" {
    old a a >legacy
    new a >delta
    for from in 21 22 23 24; do
        tool 0 -f $from legacy
        cmp out delta
        tool 1 -f $from delta
        has out
        says 'delta:1:' '[bad-snapshot]'
    done
    for from in 25 26; do
        tool 0 -f $from delta
        cmp out delta
        tool 1 -f $from legacy
        has out
        says 'legacy:1:' '[legacy-field]'
    done
    tool 0 -f auto legacy delta
    cmp out <(cat delta delta)
}

@test "tool input appends: unknown before 24, offset in 24, none from 25 on" {
    printf '%s\n' "$input" >legacy
    printf '%s\n' "$input_new" >delta
    for from in 21 22 23; do
        tool 1 -f $from legacy
        has out
        says '[unsupported-event]'
        tool 1 -f $from delta
        says '[unsupported-event]'
    done
    for from in 24 auto; do
        tool 0 -f $from legacy
        cmp out delta
    done
    tool 1 -f 24 delta
    says '[bad-offset]'
    for from in 25 26; do
        tool 1 -f $from legacy
        says '[legacy-field]'
        tool 0 -f $from delta
        cmp out delta
    done
}

@test "auto judges each event, whatever stands in one file" {
    printf '%s\n' "$(old a a)" "$(new b)" "$input" "$input_new" "$(old c c)" >in
    tool 0 in
    has out "$(new a)" "$(new b)" "$input_new" "$input_new" "$(new c)"
}

@test "a stray offset goes with the text so far, and is refused without it" {
    printf '{"data":{"reasoningOffset":1,"reasoningDelta":"a","reasoningSoFar":"a"},"type":"reasoning.appended"}\n' >in
    tool 0 in
    has out '{"data":{"reasoningDelta":"a"},"type":"reasoning.appended"}'
    printf '{"data":{"messageDelta":"a","messageOffset":1},"type":"message.appended"}\n' >in
    tool 1 in
    has out
    says '[legacy-field]'
}

@test "the same members elsewhere are nobody's business" {
    cat >in <<'END'
{"type":"message.completed","data":{"message":"m","messageSoFar":"x","inputTextOffset":1}}
{"type":"message.appended","data":{"messageDelta":"a","reasoningSoFar":"r","inputTextOffset":2,"in":{"messageSoFar":"s"}},"messageSoFar":"t"}
{"type":"not.known","data":{"messageDelta":"a","messageSoFar":"b"}}
{"type":"message.appended ","data":{"messageDelta":"a","messageSoFar":"b"}}
END
    tool 0 in
    cmp out in
}

@test "numbers, escapes, order, spacing and unknown members stay as they are" {
    cat >in <<'END'
{ "b" : [ 9007199254740993 , 1e400 , 1.0 , -0 , 1E+2 ] , "data" : { "x" : "\u0041\/\ud83d\u0000é" , "messageSoFar" : "\u0041" , "messageDelta" : "A" } , "type" : "message.\u0061ppended", "a":{"":{"":null}} }
{"type":"x","type":"y","type":"message.appended","data":{"messageSoFar":"z"},"data":{"messageDelta":"b","messageSoFar":"ab","messageSoFar":"b"}}
END
    tool 0 in
    cat >want <<'END'
{ "b" : [ 9007199254740993 , 1e400 , 1.0 , -0 , 1E+2 ] , "data" : { "x" : "\u0041\/\ud83d\u0000é" , "messageDelta" : "A" } , "type" : "message.\u0061ppended", "a":{"":{"":null}} }
{"type":"x","type":"y","type":"message.appended","data":{"messageSoFar":"z"},"data":{"messageDelta":"b"}}
END
    cmp out want
    tool 0 want
    cmp out want
}

@test "transport goes: blank lines, control records, white space, CRLF, byte order marks" {
    old a a >event
    new a >want
    bom=$'\xef\xbb\xbf'
    {
        printf '\n \t\r\n\r\n%s\n' "$bom"
        printf '{"$eve":"stream.lease-ended","version":1}\n{"$eve":1,"type":2}\n'
        printf '%s \t%s\t \r\n' "$bom" "$(cat event)"
        printf '%s' "$bom"
        cat event
        printf '\n\n'
    } >in
    tool 0 in
    cmp out <(cat want want)
    printf '{"$eve":1,"type":"x"}\n' >in
    tool 0 in
    cmp out in
}

@test "the last line may lack its end, the output never does" {
    printf '%s' "$(old a a)" >in
    tool 0 in
    cmp out <(new a)
    tool 0 in in
    cmp out <(new a; new a)
    printf '{"type":"x"}\n  ' >in
    tool 0 in
    has out '{"type":"x"}'
    : >in
    tool 0 in
    has out
}

@test "no state goes from one file to the next, but bytes and order are those of one stream" {
    samples
    tool 0 old /dev/null new old
    cmp out <(cat new new new)
}

@test "restarts are told with their number and the line of the first" {
    { old a a; old b ab; old c c; old d cd; old e e; old z z u; } >in
    tool 0 in
    says 'evenorm: in:3: warning: 2 texts start again' '[restart]'
    lines_of out 6
    head -n 3 in >one
    tool 0 one
    says 'one:3: warning: 1 text starts again'
    tool 0 one one
    grep -c 'one:3: warning: 1 text starts again' err >count
    has count 2
    { old a a; old b ab; old c abc; } >in
    tool 0 in
    not grep -q warning err
    input() { printf '{"type":"action.input.appended","data":{"callId":"c","inputTextDelta":"%s","inputTextOffset":%d}}\n' "$1" "$2"; }
    { input '' 0; input ab 0; input c 2; input d 0; } >in
    tool 0 in
    says 'in:4: warning: 1 text starts again'
    { input '' 0; input '' 0; input ab 0; } >in
    tool 0 in
    not grep -q warning err
}

@test "what ends a block keeps the next text from being a restart" {
    for end in '{"type":"message.completed","data":{"message":"a","sequence":0,"stepIndex":0,"turnId":"t"}}' \
        '{"type":"step.completed","data":{"sequence":0,"stepIndex":0,"turnId":"t"}}' \
        '{"type":"turn.cancelled","data":{"sequence":0,"turnId":"t"}}'; do
        { old a a; printf '%s\n' "$end"; old b b; } >in
        tool 0 in
        not grep -q warning err
    done
    { old a a; printf '{"type":"session.waiting","data":{}}\n'; old b b; } >in
    tool 0 in
    says 'in:3: warning: 1 text starts again'
}
