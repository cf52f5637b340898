#!/usr/bin/env bash
# Every fast path has a plain equal: each tool says the same, byte for byte, with the templates and
# kept texts switched off, with the portable scanner, with both, and with reads of any size. Held on
# all recorded streams, all vectors and a stream made to be hard on what remembers the line before;
# the golden cases are run in each way, too.
. "$(dirname "$0")/../env.sh"
. tests/tap.sh

ways=(
    'EVETOOLS_TEST_PLAIN=1'
    'EVETOOLS_TEST_PORTABLE=1'
    'EVETOOLS_TEST_PLAIN=1 EVETOOLS_TEST_PORTABLE=1'
    'EVETOOLS_TEST_READ=613'
    'EVETOOLS_TEST_PORTABLE=1 EVETOOLS_TEST_READ=64K'
)

# results FOLDER COMMAND...: what it writes and its status, in FOLDER.
results() {
    local folder=$1 status=0
    shift
    mkdir -p "$folder"
    "$@" >"$folder/out" 2>"$folder/err" || status=$?
    [ "$status" -lt 126 ] || cat "$folder/err"
    printf '%d\n' "$status" >"$folder/rc"
}

# alike COMMAND...: in each way as in the usual one.
alike() {
    local way
    rm -rf "$SCRATCH/usual" "$SCRATCH/forced"
    results "$SCRATCH/usual" "$@"
    [ "$(cat "$SCRATCH/usual/rc")" -lt 2 ] || { cat "$SCRATCH/usual/err"; return 1; }
    for way in "${ways[@]}"; do
        # shellcheck disable=SC2086 # words
        results "$SCRATCH/forced" env $way "$@"
        diff -r "$SCRATCH/usual" "$SCRATCH/forced" >"$SCRATCH/diff" ||
            { printf '%s\n' "$way" && head -c 2000 "$SCRATCH/diff"; return 1; }
    done
}

# golden WAY: the golden cases in that way.
golden() {
    # shellcheck disable=SC2086 # words
    env $1 tests/golden.sh >"$SCRATCH/golden" || { cat "$SCRATCH/golden"; return 1; }
}

hard=$SCRATCH/hard legacy=$SCRATCH/legacy
awk -v LINES=3000 -v SEED=1 -f tests/conformance/hostile.awk >"$hard"
grep -av '^[^{]' "$hard" | grep -a 'SoFar' >"$legacy"
for mode in auto 21 22 23 24 25 26; do
    jq -r --arg mode "${mode/auto/persisted}" 'select(.mode == $mode).in' \
        tests/conformance/normalize.ndjson >"$SCRATCH/vectors"
    point "vectors, -f $mode" alike evenorm -k -f "$mode" "$SCRATCH/vectors"
    point "vectors in evecheck, -f $mode" alike evecheck -f "$mode" "$SCRATCH/vectors"
done
while read -r command; do
    # shellcheck disable=SC2086 # words
    point "recorded streams: $command" alike $command tests/streams/v*.ndjson
    # shellcheck disable=SC2086
    point "a hard stream: $command" alike $command -k "$hard"
    # shellcheck disable=SC2086
    point "a hard stream in groups: $command" alike $command -k -g g "$hard"
    # shellcheck disable=SC2086
    point "appends of a hard stream, declared: $command" alike $command -k -f 24 "$legacy"
done <<'END'
evenorm
evenorm -c -u -t 25
evestat --format=json --by=block
evestat --format=json --by=step --as-if=24
eveaccum
eveaccum -a events
eveaccum -a messages
eveaccum -a text --reasoning
evecheck --format=json
evecheck --strict --no-retries
END
for bytes in 1 2; do
    ways=("EVETOOLS_TEST_READ=$bytes")
    for command in evenorm 'evestat --format=json' eveaccum evecheck; do
        # shellcheck disable=SC2086
        point "reads of $bytes: $command" alike $command tests/streams/v2[46]-r*.ndjson
    done
done
for way in 'EVETOOLS_TEST_PLAIN=1' 'EVETOOLS_TEST_PORTABLE=1' 'EVETOOLS_TEST_READ=1'; do
    point "golden cases, $way" golden "$way"
done
tap_end
