#!/usr/bin/env bats
# shellcheck disable=SC2002,SC2012,SC2016,SC2030,SC2031,SC2086,SC2094,SC2119
# Live input, odd inputs, odd reads, odd surroundings: the bytes are the same.
load helper

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    samples
}

# open_live ARGUMENT...: evenorm with a pipe to it at 8 and one from it at 9.
open_live() {
    mkfifo to from
    evenorm "$@" <to >from 2>err 3>&- &
    exec 8>to 9<from
    live=$!
}

close_live() {
    exec 8>&-
    status=0
    cat <&9 >rest
    wait $live || status=$?
    exec 9<&-
}

# gets LINE: the next line is out, though no more goes in.
gets() {
    local line
    IFS= read -r -t 20 line <&9 || { printf 'nothing came\n'; return 1; }
    [ "$line" = "$1" ] || { printf 'came: %s\n' "$line"; return 1; }
}

@test "event N is out before event N+1 comes in" {
    open_live
    for ((i = 0; i < 20; i++)); do
        old "$i" "$i" >&8
        gets "$(new "$i")"
        printf '{"type":"x"}\n' >&8
        gets '{"type":"x"}'
    done
    printf '{"type":"y"}' >&8
    close_live
    [ "$status" -eq 0 ]
    has rest '{"type":"y"}'
}

@test "also in pieces, after blank lines, and with -u, -k, -f http" {
    open_live -u -k -f http
    printf 'HTTP/1.1 200 OK\r\nx-eve-stream-version: 24\r\n\r\n\n' >&8
    old a a | head -c 30 >&8
    sleep 0.05
    old a a | tail -c +31 >&8
    gets "$(new a)"
    printf 'bad\n\n' >&8
    waits grep -q 'error:' err
    printf '{"type":"x"}\n\n\n' >&8
    gets '{"type":"x"}'
    close_live
    [ "$status" -eq 1 ]
    has rest
}

@test "chunks are out as they come" {
    open_live -f http
    printf 'HTTP/1.1 200 OK\r\nx-eve-stream-version: 24\r\ntransfer-encoding: chunked\r\n\r\n1\r\n\n\r\n' >&8
    printf 'd\r\n{"type":"x"}\n\r\n' >&8
    gets '{"type":"x"}'
    printf 'd\r\n{"type":"y"}\n\r\n' >&8
    gets '{"type":"y"}'
    printf '0\r\n\r\n' >&8
    close_live
    [ "$status" -eq 0 ]
}

@test "-c holds back one event, no more" {
    open_live -c
    new a >&8
    new b >&8
    printf '{"type":"x"}\n' >&8
    gets "$(new ab)"
    if read -r -t 0.3 _ <&9; then false; fi
    printf '{"type":"y"}\n' >&8
    gets '{"type":"x"}'
    close_live
    has rest '{"type":"y"}'
}

@test "rejects are on disk while the input waits" {
    open_live --rejects=rejects
    printf 'bad\n{"type":"x"}\n' >&8
    gets '{"type":"x"}'
    waits grep -qx bad rejects
    close_live
    [ "$status" -eq 1 ]
}

@test "-o FIFO is live as well" {
    mkfifo to from
    evenorm -q -o from <to 3>&- &
    live=$!
    exec 8>to 9<from
    old a a >&8
    gets "$(new a)"
    close_live
    [ "$status" -eq 0 ]
}

@test "any size of reads gives the same bytes and the same messages" {
    {
        printf '\xef\xbb\xbf\n'
        old 'é' 'é'
        old '😀' 'é😀'
        printf '\xef\xbb\xbf{"type":"é\\ud83d"}\r\n\r\n{"$eve":1}\n'
        printf '{"type":"\xff"}\nbad\n'
        old 'z' "$(head -c 9000 /dev/zero | tr '\0' y)z"
        awk 'BEGIN { for (i = 0; i < 400; i++) printf "{\"type\":\"%d\",\"data\":\"%*s\"}\n", i, i % 97, "" }'
        printf '{"type":"last"}'
    } >in
    tool 1 -k in
    mv out want
    mv err said
    lines_of want 405
    for bytes in 1 2 3 7 4095 4096 4097 65535; do
        EVETOOLS_TEST_READ=$bytes tool 1 -k in
        cmp out want
        cmp err said
        EVETOOLS_TEST_READ=$bytes tool 1 -k -c --max-line=8000 in
        [ ! -e joined ] || cmp out joined
        mv out joined
    done
    cat in | EVETOOLS_TEST_READ=5 evenorm -kq 2>err | cmp - want
}

@test "events that stay as they are, over many blocks" {
    # Lines of every length, so that blocks end anywhere.
    awk 'BEGIN { for (i = 0; i < 18000; i++) printf "{\"type\":\"%d\",\"data\":\"%*s\"}\n", i, i * 7 % 397, "" }' >large
    tool 0 large
    cmp out large
    cat large | tool 0
    cmp out large
    tool 0 -o to large
    cmp to large
    { old a a; cat large; } >file
    cp file before
    tool 0 -i file
    cmp file <(new a; cat large)
    printf ' ' >>large
    tool 0 large
    cmp out <(head -c -1 large)
}

@test "FIFO, /dev/stdin, process substitution, empty files, /proc files" {
    mkfifo fifo
    cat old >fifo 3>&- &
    tool 0 fifo
    cmp out new
    tool 0 /dev/stdin <old
    cmp out new
    cat old | tool 0 /dev/stdin
    cmp out new
    tool 0 <(cat old) <(cat new)
    cmp out <(cat new new)
    : >empty
    tool 0 empty
    has out
    tool 1 /proc/self/status
    has out
    says '/proc/self/status:1:1: error:' '[json-syntax]'
}

@test "a descriptor that does not block is waited for" {
    perl -e 'exit 0' 2>/dev/null || return 0
    { sleep 0.2; cat old; } | perl -MFcntl -e '
        fcntl(STDIN, F_SETFL, fcntl(STDIN, F_GETFL, 0) | O_NONBLOCK); exec "evenorm", "-q"' >out
    cmp out new
}

@test "locale and environment change no byte" {
    { old 'é' 'é'; printf '{"type":"I\\u0131i","n":1.5,"TYPE":"x"}\n\377\n'; } >in
    tool 1 -k in
    mv out want
    mv err said
    # One that has a comma in numbers and another small I, where it can be made.
    localedef -i tr_TR -f UTF-8 ./tr_TR.UTF-8 >locales 2>&1 || true
    for locale in de_DE.UTF-8 tr_TR.UTF-8 C.UTF-8 nonsense; do
        LOCPATH=$PWD LC_ALL=$locale LANG=$locale LANGUAGE=de tool 1 -k in
        cmp out want
        cmp err said
    done
    env -i "$(command -v evenorm)" -k in >out 2>err || status=$?
    [ "$status" -eq 1 ]
    cmp out want
    cmp err said
}

@test "odd file names as inputs" {
    for name in 'a b' $'a\nb' '%s%n' 'a:b' '*' "it's" 'é' $'\xff'; do
        cp old "$name"
        tool 0 "$name"
        cmp out new
    done
    cp old ./-x
    tool 0 ./-x
    cmp out new
    tool 0 -- -x
    cmp out new
}
