#!/usr/bin/env bats
# shellcheck disable=SC2002,SC2016,SC2030,SC2031,SC2094
# Compressed files: read by all tools, written by name or as they were, and all that holds for plain ones.
load helper

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    evenorm --version | grep -q 'gzip, zstd' || skip 'this build lacks gzip or zstd'
}

# both COMMAND...: for each format, with E its ending, PACK and UNPACK the commands.
both() {
    E=gz PACK='gzip -c' UNPACK='gzip -dc' FORMAT=gzip
    "$@"
    E=zst PACK='zstd -qc' UNPACK='zstd -qdc' FORMAT=zstd
    "$@"
}
pack() { $PACK "$@"; }
unpack() { $UNPACK "$@"; }

# streams: the files old, new and same of a real session, and what is compressed of them.
streams() {
    cat "$ROOT"/tests/streams/v24-{retry,tool,reason,surrogate}.ndjson >old
    evenorm -q old >new
}

# alike TOOL ARGUMENT...: the tool says the same of the compressed file as of the plain one.
alike() {
    local a=0 b=0
    "$@" file.ndjson >out.plain 2>err.plain || a=$?
    mv file.ndjson plain
    pack plain >file.ndjson
    "$@" file.ndjson >out 2>err || b=$?
    mv plain file.ndjson
    status_is "$b" "$a" "$*" && cmp out.plain out && diff err.plain err
}

every_tool() {
    local file
    for file in "$ROOT"/tests/streams/v2{4,6}-{retry,tool,crash}.ndjson; do
        cp "$file" file.ndjson
        alike evenorm
        alike evenorm -c -u -t 25
        alike evenorm --check
        alike evestat --format=json
        alike evestat --by=turn --as-if=24
        alike eveaccum
        alike eveaccum -a events
        alike eveaccum -a messages
        alike eveaccum -a text
        alike evecheck
        alike evecheck --format=json -f 24
        alike evecheck --golden="$ROOT/tests/streams/v24-retry.ndjson"
    done
}

@test "every tool says of a compressed file what it says of the file" {
    both every_tool
}

reads() {
    pack old >"old.$E"
    evenorm -q <"old.$E" | cmp - new
    cat "old.$E" | evenorm -q - | cmp - new
    evenorm -q /dev/stdin <"old.$E" | cmp - new
    evenorm -q <(cat "old.$E") | cmp - new
    mkfifo "fifo.$E"
    cat "old.$E" >"fifo.$E" &
    evenorm -q "fifo.$E" | cmp - new
    for n in 1 2 3 5 100 5000; do
        EVETOOLS_TEST_READ=$n evenorm -q "old.$E" | cmp - new
        EVETOOLS_TEST_PLAIN=1 EVETOOLS_TEST_READ=$n evenorm -q "old.$E" | cmp - new
    done
    evenorm -q "old.$E" old "old.$E" | cmp - <(cat new new new)
}

@test "files, standard input, pipes and FIFOs, in any reads" {
    streams
    both reads
}

content() {
    pack old >wrong.ndjson
    cp old "plain.$E"
    evenorm -q wrong.ndjson "plain.$E" | cmp - <(cat new new)
    : >"nothing.$E"
    tool 0 "nothing.$E"
    has out
    pack </dev/null >"empty.$E"
    tool 0 "empty.$E"
    has out
    printf '\n\n' | pack >blank
    tool 0 blank
    has out
    evestat --format=json blank | jq -e '.bytes.in == 2 and .bytes.transport == 2 and .lines == 2'
    printf '[\n' >"array.$E" # as a frame of zstd that is skipped could begin
    tool 1 "array.$E"
    says "array.$E:1:2: error:"
}

@test "what a file is shows in its content, not in its name" {
    streams
    both content
}

many() {
    { head -n 5 old | pack; pack </dev/null; tail -n +6 old | pack; pack </dev/null; } >parts
    evenorm -q parts | cmp - new
    head -c 100 old | pack >parts # a part may end in the middle of a line
    tail -c +101 old | pack >>parts
    evenorm -q parts | cmp - new
}

@test "several members or frames in a file are one stream" {
    streams
    both many
    { printf '\x50\x2a\x4d\x18\x04\0\0\0abcd'; zstd -qc old; printf '\x5f\x2a\x4d\x18\0\0\0\0'; } >skips
    evenorm -q skips | cmp - new
    if command -v pzstd; then
        for ((i = 0; i < 200; i++)); do cat old; done >large
        pzstd -q -p 2 large -o large.zst
        evenorm -q large.zst | cmp - <(evenorm -q large)
    fi
    { gzip -c old; head -c 1000 /dev/zero; } >padded # as from a tape
    evenorm -q padded | cmp - new
}

place() {
    printf '{"type":"x"}\n{"type":"x","n":01}\n' | pack >"bad.$E"
    tool 1 "bad.$E"
    says "evenorm: bad.$E:2:18: error:" '[json-syntax]'
    tool 1 --max-line=15 "bad.$E"
    says "bad.$E:2:16: error:" '[line-too-long]'
    tool 1 -k --rejects="rejects.$E" "bad.$E"
    has "rejects.$E" '{"type":"x","n":01}'
}

@test "lines and columns are those of the text; rejects are plain" {
    both place
}

output() {
    tool 0 -q -o "out.$E" old
    has out
    unpack "out.$E" | cmp - new
    tool 0 -q -o "again.$E" "out.$E"
    cmp "out.$E" "again.$E"
    tool 0 -q -o "out.$E" "out.$E" # an input
    cmp "out.$E" "again.$E"
    tool 0 -q -o out.plain "out.$E"
    cmp out.plain new
    printf '' | tool 0 -o "empty.$E"
    unpack "empty.$E" | cmp - /dev/null
    evestat -q --format=json -o "report.$E" old
    unpack "report.$E" | jq -e .events
    evestat -q --merge --format=json "report.$E" "report.$E" | jq -e '.events > 0'
    evecheck -q --write-expect -o "expect.$E" old
    evecheck -q --expect="expect.$E" old
    cp "out.$E" before
    tool 1 -o "out.$E" <(head -n 4 old; echo bad)
    says 'left as it is'
    cmp before "out.$E"
    tool 2 -o "no/out.$E" old
    [ -z "$(find . -name '.*' -type f)" ]
}

@test "-o compresses by the name of the output" {
    streams
    both output
}

@test "-o to a FIFO or a device compresses, too" {
    streams
    mkfifo fifo.gz
    cat fifo.gz >got &
    tool 0 -o fifo.gz old
    wait $!
    gzip -dc got | cmp - new
    ln -s /dev/full full.zst
    tool 2 -o full.zst old
    says 'full.zst: error: cannot write: No space left on device'
}

in_place() {
    pack old >file # a name says nothing
    cp file before
    chmod 640 file
    tool 0 -i.bak file
    cmp before file.bak
    [ "$(stat -c %a file)" = 640 ]
    unpack file | cmp - new
    stat -c '%i %Y' file >stamp
    tool 0 -i file
    stat -c '%i %Y' file | diff stamp - # nothing changed, so nothing was touched
    pack old bad >file 2>/dev/null || { pack old; pack bad; } >file
    cp file before
    tool 1 -i file
    says 'left as it is'
    cmp before file
    tool 1 -i --rejects=rejects file
    has rejects bad
    unpack file | cmp - new
    rm -f rejects file.bak
    cp old "name.$E"
    tool 0 -i "name.$E"
    cmp "name.$E" new
    pack old >file
    evenorm -q --check file >out || [ $? -eq 1 ]
    has out file
}

@test "in place a file keeps its compression" {
    streams
    echo bad >bad
    both in_place
}

cut() {
    pack old >whole
    head -n 2 old | pack >two
    tail -n +3 old | pack >>two
    for n in 5 40 1000; do
        head -c "$n" whole >"cut.$E"
        cp "cut.$E" before
        tool 1 "cut.$E"
        says ' data ends too soon [truncated]'
        not grep -q json err
        head -c "$(wc -c <out)" new | cmp - out
        for t in evestat eveaccum evecheck 'evenorm -k'; do
            status=0
            $t "cut.$E" >out.tool 2>err || status=$?
            status_is "$status" 1 "$t"
            grep -hc truncated err out.tool >count
            [ "$(grep -h truncated err out.tool | grep -c error:)" -eq 1 ]
        done
        tool 1 -i "cut.$E"
        cmp "cut.$E" before
        echo old >target
        tool 1 -o target "cut.$E"
        has target old
    done
    head -c "$(($(wc -c <whole) - 1))" whole >"cut.$E" # all the text is there
    tool 1 "cut.$E"
    cmp out new
    says "cut.$E:$(($(wc -l <old) + 1)):1: error:"
    head -c "$(($(head -n 2 old | pack | wc -c) + 2))" two >"cut.$E"
    tool 1 "cut.$E"
    says "cut.$E:3:1: error:"
    cmp out <(head -n 2 old | evenorm -q)
}

@test "data that ends too soon is truncated: status 1, with its place, what came before is out" {
    streams
    both cut
}

damage() {
    pack old >whole
    size=$(wc -c <whole)
    { head -c $((size - 4)) whole; printf 'XXXX'; } >sum # the sum, or the length with it
    tool 2 sum
    says "sum:$(($(wc -l <old) + 1)):1: error: damaged "
    cp sum before
    tool 2 -i sum
    cmp sum before
    { cat whole; echo garbage; } >longer
    tool 2 longer
    cmp out new
    says "error: garbage after the end of the $FORMAT data" "(byte $((size + 1)) and on)"
    tool 2 -k longer
    for t in evestat eveaccum evecheck; do
        status=0
        $t longer >out 2>err || status=$?
        status_is "$status" 2 "$t"
        says 'garbage after the end'
    done
}

@test "damage and garbage are told: status 2, with their place" {
    streams
    both damage
}

live() {
    mkfifo to."$E"
    evenorm -q --progress=never <to."$E" >from 2>err 3>&- &
    exec 8>to."$E"
    for ((i = 0; i < 5; i++)); do
        old "$i" "$i" | pack >&8
        new "$i" >>want."$E"
        waits cmp from want."$E"
    done
    exec 8>&-
    wait $!
}

@test "a live pipe gives each event as soon as it can be decoded" {
    both live
}

@test "a bomb is streamed; one line of it is held by --max-line" {
    head -c 600M /dev/zero | tr '\0' ' ' | gzip -1 >spaces
    yes '{"type":"x"}' | head -n 10000000 | tee >(zstd -q >many) | cksum >want
    [ -n "${ASAN_OPTIONS-}" ] || ulimit -v 400000
    tool 1 --max-line=1M spaces
    says '[line-too-long]'
    evenorm -q many | cksum | cmp - want
}

@test "a window of zstd over 128 MiB is refused in words" {
    printf '\x28\xb5\x2f\xfd\x00\x90\x01\x00\x00' >window.zst
    tool 2 window.zst
    says 'window.zst:1:1: error: zstd data with a window of more than 128 MiB'
}

@test "a response that is compressed as a file is decompressed first" {
    cat "$ROOT/tests/streams/v24-tool.rawhttp" >in
    evenorm -q -f http in >want
    gzip -c in >in.gz
    tool 0 -q -f http in.gz
    cmp out want
    head -c $(($(wc -c <in.gz) - 200)) in.gz >cut.gz
    tool 1 -f http cut.gz
    says 'the gzip data ends too soon [truncated]'
}

@test "a state is never compressed" {
    streams
    eveaccum -q -S state.gz old >out
    head -c 1 state.gz | grep -q '{'
    eveaccum -q -S state.gz --flush
}
