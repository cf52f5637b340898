#!/usr/bin/env bats
# The recipes of evetools(7) for more than one process: their results are those of one. (Several hosts: tests/ssh.sh.)
load helper
load page

# Runs the block $1 of the page as it is copied.
recipe() {
    block scale "$1" >recipe
    [ -s recipe ]
    bash -e -o pipefail recipe
}

# log.ndjson: a megabyte of all recorded streams.
big() {
    cat "$ROOT"/tests/streams/*.ndjson >log.ndjson
}

# A report without what a merged one cannot have, or has otherwise, as the page says.
sums() {
    jq -cS 'del(.largest, .restarts, .files[].largest, .files[].restarts) | .files[].file = "x"' "$@"
}

@test "one file on all cores" {
    big
    PARALLEL='--block 200k' recipe pipe-part
    evenorm -q log.ndjson | cmp - new.ndjson
    evestat -q --format=json log.ndjson | sums >whole
    sums cost.json | cmp whole -
}

@test "README: the reports of the parts of a file are added up" {
    big
    mv log.ndjson huge.ndjson
    sed -n '/^    parallel /s/^ *//p' "$ROOT/README.md" >line
    lines_of line 1
    PARALLEL='--block 300k' bash -e -o pipefail line 2>err | sed -n '/^total/,/^  difference/p' >out
    evestat -q huge.ndjson | sed -n '/^total/,/^  difference/p' | diff - out
}

@test "many files on all cores, and the proof of their migration" {
    cp "$ROOT"/tests/streams/v2[146]-t*.ndjson .
    evestat -q --format=json ./*.ndjson | evestat --merge --format=json | sed 's/"\.\//"/g' >whole
    mkdir was
    cp -- *.ndjson was
    recipe files 2>err
    cmp whole cost.json
    for log in *.ndjson; do
        if [ -e "$log.bak" ]; then cmp "was/$log" "$log.bak"; else cmp "was/$log" "$log"; fi
        evenorm -q "was/$log" >one
        evenorm -q "$log" | cmp one -
    done
    sed -i s/21.5/22.5/g v24-tool.ndjson.bak
    block scale files | tail -n 1 >proof
    run -1 bash proof
}

@test "splits at line ends, as Hadoop and Spark make them, also with a TAB behind each line" {
    big
    evenorm -q log.ndjson >whole
    evestat -q --format=json log.ndjson | sums >whole.json
    for n in 2 7; do
        rm -f part.*
        split -n "l/$n" log.ndjson part.
        : >part.zz # an empty one
        for part in part.*; do evenorm -q <"$part"; done | cmp whole -
        for part in part.*; do evestat -q --format=json <"$part" | sed 's/$/\t/'; done |
            evestat --merge --format=json | sums | cmp whole.json -
    done
    sed 's/$/\t/' whole | evenorm -q | cmp whole -
}

@test "a split with a bad line fails, so that its task does" {
    big
    printf 'bad\n' >>log.ndjson
    split -n l/2 log.ndjson part.
    evenorm -q part.aa >out
    run -1 evenorm -q part.ab
    run -1 evestat -q --format=json part.ab
}
