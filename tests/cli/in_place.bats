#!/usr/bin/env bats
# shellcheck disable=SC2002,SC2012,SC2016,SC2030,SC2031,SC2086,SC2094,SC2119
# -i: files are rewritten whole or not at all, and stay what they were in every other respect.
load helper

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    samples
    mkdir d
}

# stays FILE TEXT...: evenorm -i refuses it with status 2, says so, and leaves it and its folder.
refused() {
    local file=$1
    shift
    tool 2 -i "$file"
    has out
    says "$@"
}

@test "files are rewritten, nothing is printed, nothing is left behind" {
    cp old d/a
    cp new d/b
    cp old 'd/c c'
    tool 0 -i d/a d/b 'd/c c'
    has out
    cmp d/a new
    cmp d/b new
    cmp 'd/c c' new
    holds d a b 'c c'
    says 'evenorm: 9 events, 4 changed;'
}

@test "a file that needs no change is not touched" {
    { printf '\n\xef\xbb\xbf{"$eve":1}\n \t'; cat new; printf '{"type":"x"}'; } >d/a
    : >d/empty
    touch -d '2001-02-03 04:05:06.789' d/a d/empty
    cp d/a before
    stat -c '%i %y %z' d/a d/empty >was
    for options in -q -u --rejects=rejects -t25 -gs; do
        tool 0 "$options" -i.bak d/a d/empty
        cmp d/a before
        stat -c '%i %y %z' d/a d/empty | cmp - was
    done
    holds d a empty
}

@test "the old file is kept under its name and the suffix" {
    for suffix in .bak '~' -old _1 '.%s'; do
        cp old d/a
        ls -i d/a | cut -d ' ' -f 1 >inode
        tool 0 "-i$suffix" d/a
        cmp d/a new
        cmp "d/a$suffix" old
        ls -i "d/a$suffix" | cut -d ' ' -f 1 | cmp - inode
        holds d a "a$suffix"
        rm d/*
    done
}

@test "a backup that exists is never replaced; the other files are done" {
    cp old d/a
    cp old d/b
    printf 'precious\n' >d/a.bak
    tool 2 -i.bak d/a d/b
    says 'd/a: error:' 'backup'
    cmp d/a old
    has d/a.bak precious
    cmp d/b new
    cmp d/b.bak old
    holds d a a.bak b b.bak
    rm d/a.bak
    ln -s nowhere d/a.bak
    tool 2 -i.bak d/a
    cmp d/a old
    [ "$(readlink d/a.bak)" = nowhere ]
}

@test "a file with a bad line stays, also with -k; the other files are done" {
    cp bad d/bad
    cp old d/a
    touch -d '2001-02-03' d/bad
    stat -c '%i %y' d/bad >was
    for options in -i -ki -i.bak '-k -i.bak'; do
        cp old d/a
        rm -f d/a.bak
        # shellcheck disable=SC2086
        tool 1 $options d/bad d/a
        says 'd/bad:2:1: error:' 'd/bad: error: left as it is'
        cmp d/bad bad
        stat -c '%i %y' d/bad | cmp - was
        cmp d/a new
    done
    holds d bad a a.bak
}

@test "missing files and directories: status 2, the others are done" {
    cp old d/a
    cp old d/b
    mkdir d/folder
    tool 2 -i d/a d/missing d/folder d/b
    says 'd/missing: error:' 'd/folder: error:' 'Is a directory'
    cmp d/a new
    cmp d/b new
    holds d a b folder
}

@test "symbolic links are followed and stay: relative, absolute, chained, to other folders" {
    mkdir d/e
    cp old d/e/a
    ln -s e/a d/relative
    ln -s "$PWD/d/relative" d/absolute
    ln -s absolute d/chained
    ln -s d/e folder
    for name in d/relative d/absolute d/chained folder/a folder/../chained; do
        cp old d/e/a
        tool 0 -i "$name"
        cmp d/e/a new
        test -L d/relative -a -L d/absolute -a -L d/chained -a -L folder
    done
    cp old d/e/a
    tool 0 -i.bak d/chained
    cmp d/e/a new
    cmp d/e/a.bak old
    holds d e relative absolute chained
    holds d/e a a.bak
}

@test "a loop of links and a link to nothing are refused" {
    ln -s loop d/loop
    ln -s nowhere d/dangling
    refused d/loop 'd/loop: error:'
    refused d/dangling 'd/dangling: error:'
    test -L d/loop -a -L d/dangling
    holds d loop dangling
}

@test "hard links and special files are refused" {
    cp old d/a
    ln d/a d/b
    mkfifo d/fifo
    refused d/a 'd/a: error:' 'hard link'
    cmp d/a old
    timeout 20 evenorm -i d/fifo >out 2>err || status=$?
    status_is "$status" 2 'evenorm -i d/fifo'
    says 'd/fifo: error:' 'not a regular file'
    refused /dev/null '/dev/null: error:' 'not a regular file'
    holds d a b fifo
}

@test "the mode stays, whatever the umask" {
    for mode in 644 600 640 755 666 444 4755 2711; do
        for mask in 000 022 077; do
            cp old d/a
            chmod $mode d/a
            (umask $mask && tool 0 -i.bak d/a)
            [ "$(stat -c %a d/a)" = $mode ]
            [ "$(stat -c %a d/a.bak)" = $mode ]
            rm -f d/*
        done
    done
}

@test "owner and group stay" {
    [ "$(id -u)" -eq 0 ] || skip 'needs root'
    cp old d/a
    chown 1234:4321 d/a
    chmod 6750 d/a
    tool 0 -i d/a
    [ "$(stat -c '%u %g %a' d/a)" = '1234 4321 6750' ]
}

@test "an owner that cannot be kept does not widen what others may do" {
    [ "$(id -u)" -eq 0 ] || skip 'needs root'
    # wanted MODE: what it becomes when neither owner nor group can be kept.
    while read -r mode wanted; do
        cp old d/a
        chown 1234:4321 d/a
        chmod "$mode" d/a
        status=0
        setpriv --bounding-set=-chown evenorm -i d/a >out 2>err || status=$?
        status_is "$status" 0 'evenorm without the right to give files away'
        cmp d/a new
        [ "$(stat -c '%u %g %a' d/a)" = "0 0 $wanted" ] || { stat d/a; false; }
    done <<'END'
640 600
664 644
666 666
755 755
770 700
606 606
6755 755
END
    # A member of the group may keep it.
    cp old d/a
    chown 1234:4321 d/a
    chmod 6770 d/a
    setpriv --bounding-set=-chown --groups 4321 evenorm -i d/a >out 2>err
    [ "$(stat -c '%u %g %a' d/a)" = '0 4321 770' ]
}

# A folder whose file system has user attributes and ACLs: the usual one, or one in memory.
attributes_home() {
    local place
    for place in "$PWD" /dev/shm /var/tmp; do
        home=$(mktemp -d "$place/evetools-XXXXXX") || continue
        cp old "$home/a"
        if setfattr -n user.test -v 1 "$home/a" 2>/dev/null && setfacl -m u:1234:r "$home/a" 2>/dev/null; then
            cp old "$home/a"
            setfattr -x user.test "$home/a"
            setfacl -b "$home/a"
            return
        fi
        rm -rf "$home"
    done
    skip 'no file system with extended attributes'
}

teardown() {
    [ -z "${home-}" ] || rm -rf "$home"
}

@test "extended attributes and ACLs stay" {
    attributes_home
    value=$(head -c 2000 /dev/zero | tr '\0' v)
    setfattr -n user.one -v "$value" "$home/a"
    setfattr -n user.two -v '' "$home/a"
    for ((i = 0; i < 20; i++)); do setfattr -n "user.number$i" -v $i "$home/a"; done
    setfacl -m u:1234:rw,g:4321:r,m::r "$home/a"
    getfattr -d -m - --absolute-names "$home/a" | LC_ALL=C sort >attributes
    getfacl -p "$home/a" >acl
    tool 0 -i "$home/a"
    cmp "$home/a" new
    getfattr -d -m - --absolute-names "$home/a" | LC_ALL=C sort | diff attributes -
    getfacl -p "$home/a" | diff acl -
}

@test "a large attribute stays" {
    attributes_home
    value=$(head -c 6000 /dev/zero | tr '\0' v)
    if ! setfattr -n user.large -v "$value" "$home/a" 2>/dev/null; then
        rm -rf "$home"
        home=$(mktemp -d /dev/shm/evetools-XXXXXX)
        cp old "$home/a"
        setfattr -n user.large -v "$value" "$home/a" 2>/dev/null || return 0
    fi
    tool 0 -i "$home/a"
    cmp "$home/a" new
    getfattr -n user.large --only-values --absolute-names "$home/a" >got
    cmp got <(printf '%s' "$value")
}

@test "a folder's default ACL gives nobody rights that the file did not give" {
    attributes_home
    chmod 664 "$home/a"
    setfacl -d -m u:1234:rwx "$home"
    getfacl -p "$home/a" >acl
    not grep -q 1234 acl
    tool 0 -i "$home/a"
    cmp "$home/a" new
    getfacl -p "$home/a" | diff acl -
}

@test "a file in a folder that cannot be written stays" {
    [ "$(id -u)" -eq 0 ] || skip 'needs root'
    cp old d/a
    chmod 555 d
    status=0
    chown 65534 d d/a
    chmod 711 "$PWD"
    (cd d && setpriv --bounding-set=-dac_override evenorm -i a >../out 2>../err) || status=$?
    chmod 755 d
    status_is "$status" 2 'evenorm -i'
    says 'a: error:'
    cmp d/a old
    holds d a
}

@test "odd names" {
    for name in 'a b' $'a\nb' '%s%n' 'a:b' -x --check '*' "it's" 'é' $'\xff' .hidden; do
        cp old "d/$name"
        (cd d && cp ../new ../want && evenorm -i -- "$name" >../out 2>../err)
        cmp "d/$name" new
        cp old "d/$name"
        tool 0 -i.bak "d/$name"
        cmp "d/$name" new
        cmp "d/$name.bak" old
        rm d/"$name" d/"$name".bak
    done
    (cd d && cp ../old ./-x && evenorm -i ./-x >../out 2>../err)
    cmp d/-x new
    holds d -x
}

@test "a long name leaves room for the temporary one" {
    name=$(head -c 255 /dev/zero | tr '\0' n)
    cp old "d/$name"
    tool 0 -i "d/$name"
    cmp "d/$name" new
    cp old "d/$name"
    tool 2 -i.bak "d/$name"
    cmp "d/$name" old
    holds d "$name"
}

@test "-u forgets ids from file to file" {
    printf '{"type":"x","meta":{"id":"a"}}\n' >d/a
    cat d/a d/a >d/b
    cp d/a one
    tool 0 -u -i d/a d/b
    cmp d/a one
    cmp d/b one
}

@test "-c and -u alone make a change" {
    { new a; new b; } >d/a
    tool 0 -c -i d/a
    cmp d/a <(new ab)
    printf '{"type":"x","meta":{"id":"a"}}\n{"type":"x","meta":{"id":"a"}}\n' >d/b
    tool 0 -u -i d/b
    lines_of d/b 1
}

@test "the same file named twice" {
    cp old d/a
    tool 0 -i d/a d/a
    cmp d/a new
    cp old d/a
    evenorm -i.bak d/a ./d/a >out 2>err || true
    cmp d/a new
    cmp d/a.bak old
}

@test "--max-errors ends the run; files after it stay" {
    cp bad d/bad
    cp old d/a
    tool 1 -k --max-errors=1 -i d/bad d/a
    cmp d/bad bad
    cmp d/a old
    holds d bad a
}

@test "-i.bak again, when nothing is left to change: fine, though the backup exists" {
    old a a >a
    tool 0 -i.bak a
    cp a want
    cp a.bak bak
    tool 0 -i.bak a
    cmp a want
    cmp a.bak bak
}

@test "killed between backup and replacement: the same command goes on" {
    old a a >a
    cp a want.bak
    ln a a.bak
    tool 0 -i.bak a
    has a "$(new a)"
    cmp a.bak want.bak
    [ "$(stat -c %h a a.bak | sort -u)" = 1 ]
}
