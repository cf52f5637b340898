#!/usr/bin/env bats
# shellcheck disable=SC2002,SC2012,SC2016,SC2030,SC2031,SC2086,SC2094,SC2119,SC2238
# Where the output goes: -o, full disks, closed pipes and descriptors, signals, other writers.
load helper

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    samples
    mkdir d
}

teardown() {
    exec 9>&-
    if mountpoint -q small 2>/dev/null; then umount small; fi
}

@test "-o makes a new file, with the mode of the umask" {
    (umask 027 && tool 0 -o d/to old)
    has out
    cmp d/to new
    [ "$(stat -c %a d/to)" = 640 ]
    holds d to
    (cd d && evenorm -q -o here ../old)
    cmp d/here new
}

@test "-o replaces a file and keeps its mode, links and attributes" {
    printf 'precious\n' >d/real
    chmod 604 d/real
    ln -s real d/to
    ln d/real d/other
    tool 0 -o d/to old
    cmp d/real new
    test -L d/to
    [ "$(stat -c %a d/real)" = 604 ]
    has d/other precious
    : >empty
    tool 0 -o d/to empty
    has d/real
    holds d real to other
}

@test "-o may name an input" {
    cp old d/a
    tool 0 -o d/a d/a
    cmp d/a new
    cp old d/a
    tool 0 -o d/a d/a old d/a
    cmp d/a <(cat new new new)
    cp old d/a
    tool 0 -o d/a <d/a
    cmp d/a new
    holds d a
}

@test "-o stays what it was after a bad event or a failed input, and the message says so" {
    printf 'precious\n' >d/to
    tool 1 -o d/to old bad
    says 'evenorm: d/to: error: left as it is'
    has d/to precious
    tool 2 -o d/to old missing
    says 'evenorm: d/to: error: left as it is'
    has d/to precious
    tool 2 -k -o d/to bad missing
    has d/to precious
    tool 1 -k --max-errors=1 -o d/to bad old
    has d/to precious
    tool 1 -o d/new bad
    not test -e d/new
    holds d to
    tool 1 -k -o d/to bad
    cmp d/to <(new a; new b)
}

@test "-o where nothing can be written: status 2, before any input is read" {
    for to in d d/missing/to '' d/loop d/dangling; do
        ln -sf loop d/loop
        ln -sf nowhere d/dangling
        tool 2 -o "$to" old
        has out
        says 'error:'
    done
    holds d loop dangling
}

@test "-o to a FIFO, to a device and to /dev/stdout writes directly" {
    mkfifo d/fifo
    cat d/fifo >got 3>&- &
    tool 0 -o d/fifo old
    wait $!
    cmp got new
    test -p d/fifo
    mkfifo d/again
    cat d/again >got 3>&- &
    tool 1 -o d/again bad
    wait $!
    cmp got <(new a)
    tool 0 -o /dev/null old
    test -c /dev/null
    tool 2 -o /dev/full old
    says '/dev/full: error:' 'No space left'
    evenorm -q -o /dev/stdout old | cmp - new
    holds d fifo again
}

@test "standard output that is an input is refused, status 2" {
    cp old d/a
    status=0
    evenorm d/a >>d/a 2>err || status=$?
    status_is "$status" 2 'evenorm a >>a'
    says 'd/a: error: input file is also the output'
    cmp d/a old
    ln -s a d/link
    for line in 'old d/a' d/link; do
        status=0
        # shellcheck disable=SC2086
        evenorm $line >>d/a 2>err || status=$?
        status_is "$status" 2 "evenorm $line >>a"
        cmp d/a old
    done
    status=0
    evenorm <d/a >>d/a 2>err || status=$?
    status_is "$status" 2 'evenorm <a >>a'
    says '<stdin>: error:'
    cmp d/a old
    evenorm -q /dev/null >/dev/null
}

@test "a full disk is never success" {
    : >empty
    for file in old bad; do
        status=0
        evenorm $file >/dev/full 2>err || status=$?
        status_is "$status" 2 "evenorm $file >/dev/full"
        says 'standard output: error:' 'No space left'
        not grep -q 'events,' err
    done
    for options in -c -u --line-buffered -k; do
        status=0
        evenorm $options old >/dev/full 2>err || status=$?
        status_is "$status" 2 "evenorm $options >/dev/full"
    done
    status=0
    evenorm --check old >/dev/full 2>err || status=$?
    status_is "$status" 2 'evenorm --check >/dev/full'
    evenorm empty >/dev/full 2>err
    status=0
    evenorm -k --rejects=/dev/full bad >out 2>err || status=$?
    status_is "$status" 2 'evenorm --rejects=/dev/full'
    says '/dev/full: error:' 'No space left'
}


# fills DIRECTORY COMMAND...: status 2; the file a stays, and nothing is left behind.
fills() {
    local where=$1 status=0
    shift
    holds "$where" "${before[@]}"
    "$@" >out 2>err || status=$?
    status_is "$status" 2 "$*"
    says 'error:'
    holds "$where" "${before[@]}"
}

@test "a file that may not grow: -i and -o leave the target and nothing else" {
    line=$(new "$(head -c 1000 /dev/zero | tr '\0' x)")
    { old a a; yes "$line" | head -n 1000 || true; } >d/a
    cp d/a big
    printf 'precious\n' >d/to
    before=(a to)
    limited() { (trap '' XFSZ && ulimit -f 300 && "$@"); }
    fills d limited evenorm -i d/a
    cmp d/a big
    says 'File too large'
    fills d limited evenorm -i.bak d/a
    fills d limited evenorm -o d/to big
    has d/to precious
    fills d limited evenorm -o d/fresh big
    fills d limited evenorm -c -u -o d/to big
}

@test "a small file system that is full: -i and -o leave the target and nothing else" {
    mkdir small
    mount -t tmpfs -o size=1m none small 2>/dev/null || skip 'needs root'
    line=$(new "$(head -c 1000 /dev/zero | tr '\0' x)")
    { old a a; yes "$line" | head -n 600 || true; } >small/a
    cp small/a big
    printf 'precious\n' >small/to
    before=(a to)
    fills small evenorm -i small/a
    cmp small/a big
    says 'small/a: error:' 'No space left'
    fills small evenorm -i.bak small/a
    fills small evenorm -o small/to big
    has small/to precious
    fills small evenorm -o small/fresh big
    status=0
    cat big big >small/out 2>/dev/null || true
    evenorm -q big >small/out 2>err || status=$?
    status_is "$status" 2 'evenorm >small/out'
}

@test "a closed pipe ends it by SIGPIPE, silently, without reading on" {
    line=$(new "$(head -c 1000 /dev/zero | tr '\0' x)")
    { yes "$line" | head -n 20000 || true; } >big
    exec 8<big
    evenorm <&8 2>err | head -n 1 >out && status=${PIPESTATUS[0]}
    [ "$status" -eq 141 ]
    has err
    cmp out <(head -n 1 big)
    at=$(awk '$1 == "pos:" { print $2 }' /proc/self/fdinfo/8)
    exec 8<&-
    [ "$at" -lt 3000000 ]
    for options in -c -u -k --line-buffered; do
        evenorm $options big 2>err | head -n 1 >out && status=${PIPESTATUS[0]}
        [ "$status" -eq 141 ]
        has err
    done
    mkfifo fifo
    head -n 1 fifo >out 3>&- &
    status=0
    evenorm -o fifo big 2>err || status=$?
    [ "$status" -eq 141 ]
    has err
}

@test "SIGPIPE also where the caller ignores it" {
    line=$(new "$(head -c 1000 /dev/zero | tr '\0' x)")
    { yes "$line" | head -n 2000 || true; } >big
    (trap '' PIPE && evenorm big 2>err || echo $? >status) | head -n 1 >out
    has status 141
    has err
}

@test "descriptors that are closed at the start" {
    for options in '' -c -k; do
        # shellcheck disable=SC2086
        { status=0; evenorm $options old >&- 2>err || status=$?; }
        status_is "$status" 2 'evenorm >&-'
        says 'standard output'
    done
    status=0
    evenorm <&- >out 2>err || status=$?
    status_is "$status" 2 'evenorm <&-'
    says '<stdin>: error:'
    tool 0 old <&-
    cmp out new
    tool 2 - old <&-
    cmp out new
    evenorm --version >&- 2>err || status=$?
    status_is "$status" 2 'evenorm --version >&-'
}

@test "no message gets into a file because a descriptor was closed" {
    { old a a; old z z; } >restart
    { new a; new z; } >want
    for closed in '2>&-' '<&- 2>&-' '<&- >&- 2>&-' '>&- 2>&-'; do
        cp restart d/a
        eval "evenorm -i d/a $closed" || true
        cmp d/a want || cmp d/a restart
        printf 'precious\n' >d/to
        eval "evenorm -k -o d/to bad restart $closed" || true
        cmp d/to <(new a; new b; cat want) || has d/to precious
        cp bad d/bad
        rm -f rejects
        eval "evenorm -i --rejects=rejects d/bad $closed" || true
        cmp d/bad <(new a; new b) || cmp d/bad bad
        has rejects bad || has rejects
    done
    cp restart d/a
    evenorm -i d/a <&- >&-
    cmp d/a want
    holds d a to bad
}

# held COMMAND...: starts a run over the file big that stands still in the middle, since nobody
# reads what it has to say; its number is in pid. `go` lets it go on.
held() {
    mkfifo talk
    exec 9<>talk
    "$@" >out 2>talk 3>&- 9>&- &
    pid=$!
    waits compgen -G 'd/.evetools-*'
}

go() {
    local reader
    exec 7<talk
    cat <&7 >err 3>&- 9>&- &
    reader=$!
    exec 7<&- 9>&-
    status=0
    wait "$pid" || status=$?
    wait "$reader"
    rm talk
}

# A log with so many bad lines that the messages do not fit in a pipe.
bad_log() {
    { old a a; seq -f "bad %g" 3000; old b ab; } >big
}

@test "a file that a writer changes meanwhile is not replaced, status 2" {
    bad_log
    for change in 'cat new >>d/a' 'truncate -s -1 d/a' 'cp big d/b && mv d/b d/a' 'touch -d 2001-01-01 d/a' \
        'rm d/a'; do
        rm -f rejects d/*
        cp big d/a
        held evenorm -i.bak --rejects=rejects d/a
        eval "$change"
        if [ -e d/a ]; then cp -p d/a changed; fi
        go
        status_is "$status" 2 "evenorm while: $change"
        says 'd/a: error:' 'changed meanwhile'
        if [ "$change" = 'rm d/a' ]; then
            [ -z "$(ls -A d)" ]
        else
            cmp d/a changed
            holds d a
        fi
    done
}

@test "-o is not replaced if another writer changed it meanwhile" {
    bad_log
    printf 'precious\n' >d/to
    held evenorm -k -o d/to big
    printf 'more\n' >>d/to
    go
    status_is "$status" 2 'evenorm -o'
    says 'd/to: error:' 'changed meanwhile'
    has d/to precious more
    holds d to
}

@test "a backup that appears meanwhile is not replaced" {
    bad_log
    cp big d/a
    held evenorm -i.bak --rejects=rejects d/a
    printf 'precious\n' >d/a.bak
    go
    status_is "$status" 2 'evenorm -i.bak'
    has d/a.bak precious
    cmp d/a big
    holds d a a.bak
}

@test "signals: the old file stays, nothing is left, and it dies of that signal" {
    bad_log
    for signal in INT:130 TERM:143 HUP:129; do
        cp big d/a
        rm -f rejects
        # Jobs of a shell ignore INT unless told otherwise.
        held env --default-signal=INT evenorm -i --rejects=rejects d/a
        kill -s "${signal%:*}" "$pid"
        go
        status_is "$status" "${signal#*:}" "evenorm -i, $signal"
        cmp d/a big
        holds d a
        cp old d/a
        held env --default-signal=INT evenorm -k -o d/a big
        kill -s "${signal%:*}" "$pid"
        go
        status_is "$status" "${signal#*:}" "evenorm -o, $signal"
        cmp d/a old
        holds d a
    done
}

@test "signals while it waits for input" {
    mkfifo in
    printf 'precious\n' >d/to
    for signal in INT:130 TERM:143 HUP:129; do
        exec 9<>in
        env --default-signal=INT evenorm -o d/to in >out 2>err 3>&- 9>&- &
        pid=$!
        old a a >&9
        waits compgen -G 'd/.evetools-*'
        kill -s "${signal%:*}" $pid
        status=0
        wait $pid || status=$?
        exec 9>&-
        status_is "$status" "${signal#*:}" "evenorm -o, $signal"
        has d/to precious
        holds d to
    done
}

@test "a signal that the caller ignores is ignored" {
    bad_log
    cp big d/a
    (trap '' HUP && exec evenorm -q -i --rejects=rejects d/a 2>err) &
    pid=$!
    kill -HUP $pid || true
    status=0
    wait $pid || status=$?
    [ "$status" -eq 1 ] || [ "$status" -eq 129 ] # before or after the trap
    holds d a
}

@test "killed: the old file or the new one, whole" {
    bad_log
    cp big d/a
    held evenorm -i --rejects=rejects d/a
    kill -KILL $pid
    go
    [ "$status" -eq 137 ]
    cmp d/a big
}

@test "stopped by a signal, -o says that the file stays" {
    echo keep >to
    mkfifo pipe
    evenorm -o to pipe 2>err &
    pid=$!
    exec 9>pipe
    waits sh -c 'ls .evetools-* >/dev/null 2>&1'
    kill -TERM $pid
    status=0
    wait $pid || status=$?
    exec 9>&-
    [ $status -eq 143 ]
    has to keep
    has err 'evenorm: to: error: stopped by a signal; left as it is'
    not ls .evetools-*
}
