#!/usr/bin/env bats
# shellcheck disable=SC2002,SC2012,SC2016,SC2030,SC2031,SC2086,SC2094,SC2119
# -c: what is joined, what is not, and the bytes of what comes out.
load helper

# event DELTA MORE-DATA TOP: a delta-only append with free hand on everything but the delta.
event() {
    printf '{"type":"message.appended","data":{"messageDelta":"%s","sequence":0,"stepIndex":0,"turnId":"t"%s}%s}\n' \
        "$1" "${2-}" "${3-}"
}

# joined WANTED-LINE...: -c makes the file in into these lines.
joined() {
    tool 0 -c in
    has out "$@"
}

# apart: -c leaves the file in as it is.
apart() {
    tool 0 -c in
    cmp out in
}

@test "the last event of a run stays, with the raw bytes of all deltas" {
    {
        printf '{"data":{"messageDelta":"\\u0041","turnId":"t","sequence":0,"stepIndex":0},"type":"message.appended","meta":{"id":"1"}}\n'
        event '\/' '' ',"meta":{"id":"2"}'
        printf '{ "meta" : {"id":"3"}, "type":"message.appended", "data" : { "turnId":"t", "stepIndex":0,"sequence":0, "messageDelta" : "é\\n" } }\n'
    } >in
    joined '{ "meta" : {"id":"3"}, "type":"message.appended", "data" : { "turnId":"t", "stepIndex":0,"sequence":0, "messageDelta" : "\u0041\/é\n" } }'
    says '3 events, 0 changed, 2 joined;'
}

@test "halves of a surrogate pair that meet stay two escapes" {
    { event '\ud83d'; event '\ude00'; } >in
    joined "$(event '\ud83d\ude00')"
}

@test "empty deltas join; a run of one stays as it is" {
    { event ''; event a; event ''; } >in
    joined "$(event a)"
    event a >in
    apart
}

@test "legacy appends join after they are cut" {
    { old a a; old b ab; old c abc; } >in
    joined "$(new abc)"
    { old a a; new b; old c abc; } >in
    joined "$(new abc)"
    says '3 events, 2 changed, 2 joined;'
}

@test "reasoning and tool input join by their own coordinates" {
    input() { printf '{"type":"action.input.appended","data":{"callId":"%s","inputTextDelta":"%s","sequence":0,"stepIndex":0,"toolName":"n","turnId":"t"}}\n' "$1" "$2"; }
    reason() { printf '{"type":"reasoning.appended","data":{"reasoningDelta":"%s","sequence":0,"stepIndex":0,"turnId":"t"}}\n' "$1"; }
    { input 1 a; input 1 b; input 2 c; input 2 d; reason e; reason f; event g; event h; } >in
    joined "$(input 1 ab)" "$(input 2 cd)" "$(reason ef)" "$(event gh)"
    { input 1 a; input 2 b; input 1 c; } >in
    apart
}

@test "blank lines and control records do not part a run; other events do" {
    { event a; printf '\n  \n{"$eve":1}\n'; event b; } >in
    joined "$(event ab)"
    { event a; printf '{"type":"x"}\n'; event b; } >in
    apart
}

@test "a bad line parts a run" {
    { event a; printf 'bad\n'; event b; } >in
    tool 1 -ck in
    has out "$(event a)" "$(event b)"
    tool 1 -c in
    has out "$(event a)"
}

@test "the end of a file parts a run" {
    { event a; event b; } >in
    tool 0 -c in in
    has out "$(event ab)" "$(event ab)"
}

@test "other coordinates, other types and other members are not joined" {
    for other in '.turnId = "u"' '.stepIndex = 1' '.sequence = 1' '.turnId = null'; do
        { event a; event b | jq -c ".data$other"; } >in
        apart
    done
    { event a; event b ',"more":1'; event c ',"more":1'; } >in
    apart
    { event a '' ',"more":1'; event b '' ',"more":1'; } >in
    apart
    { event a ',"turnId":"t"'; event b; } >in
    apart
    printf '{"type":"message.appended","data":{"messageDelta":"a","turnId":"t"}}\n%.0s' 1 2 >in
    apart
    printf '{"type":"action.partial","data":{"callId":"c","sequence":0,"stepIndex":0,"turnId":"t"}}\n%.0s' 1 2 >in
    apart
}

@test "equal coordinates spelled another way are equal" {
    {
        event a
        printf '{"type":"message.\\u0061ppended","data":{"messageDelta":"b","sequence":0,"stepIndex":0,"turnId":"\\u0074"}}\n'
    } >in
    tool 0 -c in
    lines_of out 1
}

@test "a restart that legacy input shows parts a run" {
    { old a a; old b ab; old c c; old d cd; } >in
    joined "$(new ab)" "$(new cd)"
    says 'in:3: warning: 1 text starts again'
    tool 0 -cq in
    has out "$(new ab)" "$(new cd)"
    has err
}

@test "never beyond 65,536 UTF-16 units" {
    units() { head -c "$1" /dev/zero | tr '\0' "$2"; }
    { event "$(units 65000 a)"; event "$(units 536 b)"; event c; } >in
    joined "$(event "$(units 65000 a)$(units 536 b)")" "$(event c)"
    { event "$(units 65000 a)"; event "$(units 537 b)"; event c; } >in
    joined "$(event "$(units 65000 a)")" "$(event "$(units 537 b)c")"
    event "$(units 70000 a)" >in
    apart
    # One character beyond the basic plane is two units, an escape is one.
    pairs=$(units 32768 x | sed 's/x/😀/g')
    { event "$pairs"; event ''; event c; } >in
    joined "$(event "$pairs")" "$(event c)"
    { event "$(units 65535 a)"; event '\n'; event c; } >in
    joined "$(event "$(units 65535 a)\\n")" "$(event c)"
}

@test "-g keeps sessions apart, and joins within one" {
    of() { event "$1" '' ",\"s\":$2"; }
    { of a 1; of b 1; of c 2; of d 2; event e; of g 1; } >in
    apart
    tool 0 -c -g s in
    has out "$(of ab 1)" "$(of cd 2)" "$(event e)" "$(of g 1)"
    { of a 1; of b '"1"'; of c 1.0; } >in
    tool 0 -c -g s in
    cmp out in
    tool 0 -c --group-by=s in
    cmp out in
}

@test "-g keeps restarts apart" {
    of() { old "$1" "$2" | sed "s/}\$/,\"s\":$3}/"; }
    { of a a 1; of x x 2; of b ab 1; of y xy 2; } >in
    tool 0 in
    says 'warning:'
    tool 0 -g s in
    not grep -q warning err
    { of a a 1; of x x 2; of b b 1; of y y 2; } >in
    tool 0 -g s in
    says 'in:3: warning: 2 texts start again'
}
