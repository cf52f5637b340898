#!/usr/bin/env bats
# shellcheck disable=SC2002,SC2012,SC2016,SC2030,SC2031,SC2086,SC2094,SC2119
# --check, --rejects, and what does not go together.
load helper

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    samples
    mkdir d
}

# clash ARGUMENT...: refused with status 2 before anything is read or made.
clash() {
    tool 2 "$@"
    has out
    [ -s err ]
    cmp d/a old
    holds d a
    not test -e rejects
}

@test "--check names the files that would change, one a line, and writes nothing" {
    cp old d/a
    cp new d/b
    cp old 'd/c c'
    tool 1 --check d/a d/b 'd/c c'
    has out d/a 'd/c c'
    cmp d/a old
    holds d a b 'c c'
    tool 0 --check d/b
    has out
    tool 0 --check d/b d/b
    has out
    tool 1 --check - <old
    has out '<stdin>'
    tool 0 --check <new
    has out
    tool 1 --check -q d/a
    has err
    has out d/a
}

@test "--check: transport alone is no change" {
    { printf '\n\xef\xbb\xbf \t{"type":"x"}\t \r\n\r\n{"$eve":1}\n'; printf '{"type":"x"}'; } >in
    tool 0 --check in
    has out
    : >in
    tool 0 --check in
    has out
}

@test "--check: a join, a drop, a name for a skill each are one" {
    { new a; new b; } >in
    tool 0 --check in
    tool 1 --check -c in
    has out in
    printf '{"type":"x","meta":{"id":"a"}}\n%.0s' 1 2 >in
    tool 0 --check in
    tool 1 --check -u in
    has out in
    printf '{"type":"actions.requested","data":{"actions":[{"kind":"load-skill","input":{}}]}}\n' >in
    tool 0 --check -t 25 in
    tool 1 --check in
    has out in
}

@test "--check: bad data and failures" {
    tool 1 --check bad old
    has out old
    says 'bad:2:1: error:'
    tool 2 --check missing old d
    has out old
    says 'missing: error:' 'd: error:'
    printf 'bad\n{"type":"x"}\n' >in
    tool 1 --check -k in
    has out
    tool 1 --check -k --max-errors=1 in old
    has out
}

@test "--rejects takes the bad lines byte for byte" {
    {
        old a a
        printf 'bad\n \t{"type":\r\n'
        printf '\xff\xfe\0{"\n'
        printf '\n{"type":"x"}\n[1]\n'
        printf '{"type":"cut'
    } >in
    tool 1 --rejects=rejects in
    has out "$(new a)" '{"type":"x"}'
    printf 'bad\n \t{"type":\r\n\xff\xfe\0{"\n[1]\n{"type":"cut\n' >want
    cmp rejects want
    [ "$(grep -c 'error:' err)" -eq 5 ]
}

@test "--rejects takes a line longer than --max-line whole" {
    long=$(head -c 300000 /dev/zero | tr '\0' x)
    printf '%s\n{"type":"x"}\n%s' "$long" "$long" >in
    for bytes in 65536 100 7; do
        rm -f rejects
        EVETOOLS_TEST_READ=$bytes tool 1 --rejects=rejects --max-line=100 in
        has out '{"type":"x"}'
        has rejects "$long" "$long"
        says 'in:1:101: error:' 'in:3:101: error:' '[line-too-long]'
    done
}

@test "--rejects: in place the rest is rewritten; nothing of the file is lost" {
    cp bad d/bad
    cp old d/a
    tool 1 -i.bak --rejects=rejects d/bad d/a
    cmp d/bad <(new a; new b)
    cmp d/bad.bak bad
    cmp d/a new
    has rejects bad
    not grep -q 'left as it is' err
    { new a; printf 'bad\n'; } >d/only
    rm rejects
    tool 1 -i --rejects=rejects d/only
    cmp d/only <(new a)
    has rejects bad
}

@test "--rejects: what stops the file keeps it" {
    cp bad d/bad
    tool 1 -i --rejects=rejects --max-errors=1 d/bad
    cmp d/bad bad
    holds d bad
    tool 2 -i --rejects=/dev/full d/bad
    cmp d/bad bad
    holds d bad
}

@test "--rejects makes its file at the start, even if nothing is bad" {
    tool 0 --rejects=rejects old
    cmp out new
    has rejects
    tool 0 --rejects=rejects old
    (umask 027 && tool 0 --rejects=mode old)
    [ "$(stat -c %a mode)" = 640 ]
    rm rejects
    tool 1 -k --rejects=rejects bad bad
    has rejects bad bad
}

@test "--rejects never is an input, the output, or a file that holds something" {
    cp old d/a
    printf 'precious\n' >precious
    for name in d/a ./d/a d/../d/a; do
        tool 2 "--rejects=$name" d/a
        has out
        cmp d/a old
        tool 2 -i "--rejects=$name" d/a
        cmp d/a old
    done
    ln -s d/a link
    tool 2 --rejects=link d/a
    cmp d/a old
    : >empty
    tool 2 --rejects=empty empty
    tool 2 -o d/to --rejects=d/to d/a
    tool 2 -o d/to --rejects=./d/to d/a
    : >d/to
    tool 2 -o d/to --rejects=d/to d/a
    rm d/to
    tool 2 --rejects=precious old
    has out
    has precious precious
    tool 2 --rejects=missing/rejects old
    has out
    tool 2 --rejects=d old
    has out
    holds d a
    ln -s nowhere dangling
    tool 2 --rejects=dangling old
    not test -e nowhere
}

@test "--rejects and standard output or input as one file" {
    cp bad d/a
    status=0
    evenorm --rejects=d/to bad >d/to 2>err || status=$?
    status_is "$status" 2 'evenorm --rejects=to >to'
    : >d/in
    status=0
    evenorm --rejects=d/in <d/in >out 2>err || status=$?
    status_is "$status" 2 'evenorm --rejects=in <in'
}

@test "clashes" {
    cp old d/a
    clash -i -o d/to d/a
    clash -i --check d/a
    clash -i -f http d/a
    clash -f http -i d/a
    clash -i -
    clash -i d/a - d/a
    clash -i
    clash --check --rejects=rejects d/a
    clash --check -o d/to d/a
    clash -i.bak --check -o d/to --rejects=rejects d/a
    tool 0 -i -f auto d/a
    cmp d/a new
}


@test "a list of file names on a terminal cannot move its cursor; in a pipe it has the names" {
    local name=$'a\e[2Jb\302\233c\nd'
    old a a >"$name"
    tool 1 -q --check "$name"
    printf '%s\n' "$name" | cmp - out
    terminal screen "evenorm -q --check $(printf %q "$name") || :"
    grep -F 'a\x1b[2Jb\xc2\x9bc\x0ad' screen
}
