#!/usr/bin/env bats
# shellcheck disable=SC2002,SC2012,SC2016,SC2030,SC2031,SC2086,SC2094,SC2119
# -u: events whose meta.id was seen before go.
load helper

# event ID TEXT
event() {
    printf '{"type":"x","data":"%s","meta":{"at":"1","id":"%s"}}\n' "${2-}" "$1"
}

@test "the first of an id stays, whatever the others hold" {
    { event a 1; event b 2; event a 3; event c 4; event b 5; event a 6; } >in
    tool 0 -u in
    has out "$(event a 1)" "$(event b 2)" "$(event c 4)"
    says '6 events, 0 changed, 3 dropped, 0 without id;'
    tool 0 in
    cmp out in
}

@test "events without an id always stay, even if they are equal" {
    cat >in <<'END'
{"type":"x"}
{"type":"x"}
{"type":"x","meta":{}}
{"type":"x","meta":{"id":1}}
{"type":"x","meta":{"id":1}}
{"type":"x","meta":{"id":null}}
{"type":"x","meta":"id"}
{"type":"x","id":"a"}
{"type":"x","id":"a"}
{"type":"x","data":{"meta":{"id":"a"}}}
END
    tool 0 -u in
    cmp out in
    says '0 dropped, 10 without id;'
}

@test "ids are compared as text; the last of a repeated one counts" {
    { event a 1; event '\u0061' 2; event A 3; event 'a ' 4; event 'a\u0000' 5; } >in
    tool 0 -u in
    has out "$(event a 1)" "$(event A 3)" "$(event 'a ' 4)" "$(event 'a\u0000' 5)"
    cat >in <<'END'
{"type":"x","meta":{"id":"a","id":"b"}}
{"type":"x","meta":{"id":"c"},"meta":{"id":"a"}}
{"type":"x","meta":{"id":"b"}}
END
    tool 0 -u in
    has out '{"type":"x","meta":{"id":"a","id":"b"}}' '{"type":"x","meta":{"id":"c"},"meta":{"id":"a"}}'
}

@test "over the whole input, files and standard input alike" {
    { event a; event b; } >one
    { event b; event c; } >two
    tool 0 -u one two - one <two
    has out "$(event a)" "$(event b)" "$(event c)"
    mkdir d
    cp one two d
    tool 0 -u -o d/to d/one d/two
    has d/to "$(event a)" "$(event b)" "$(event c)"
    tool 0 -u -i d/one d/two
    cmp d/one one
    cmp d/two two
}

@test "before -c: what is dropped neither joins nor parts" {
    of() { new "$2" | sed "s/}\$/,\"meta\":{\"id\":\"$1\"}}/"; }
    { of 1 a; of 2 b; of 1 a; of 3 c; } >in
    tool 0 -uc in
    has out "$(of 3 abc)"
    says '1 dropped, 0 without id;'
}

@test "a replayed legacy append is no restart" {
    of() { old "$2" "$3" | sed "s/}\$/,\"meta\":{\"id\":\"$1\"}}/"; }
    { of 1 a a; of 2 b ab; of 1 a a; of 3 c abc; } >in
    tool 0 -u in
    lines_of out 3
    not grep -q warning err
}

@test "a bad line is bad even if its id was seen, and gives no id" {
    { event a; printf '{"type":"message.appended","data":1,"meta":{"id":"b"}}\n'; event b; } >in
    tool 1 -uk in
    has out "$(event a)" "$(event b)"
    { event a; printf '{"type":"message.appended","data":1,"meta":{"id":"a"}}\n'; } >in
    tool 1 -uk in
    says '[bad-data]'
}

@test "many ids" {
    seq 1 30000 | sed 's/.*/{"type":"x","meta":{"id":"evt_&"}}/' >in
    tool 0 -u in in
    cmp out in
}

@test "-g: an id counts within its session" {
    of() { event "$1" "$3" | sed "s/}\$/,\"s\":$2}/"; }
    { of a 1 x; of a 2 y; of a 1 z; event a n; event a m; } >in
    tool 0 -u -g s in
    has out "$(of a 1 x)" "$(of a 2 y)" "$(event a n)"
}
