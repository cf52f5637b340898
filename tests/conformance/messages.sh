#!/usr/bin/env bash
# Holds eveaccum -a messages against messages.ndjson: for each recorded stream the messages that eve's
# own client makes of it, as {"file","messages"}. Compared as JSON; the order of arrays counts.
. "$(dirname "$0")/../env.sh"
. tests/tap.sh

# Half of a surrogate pair, which jq does not take, becomes text.
values() {
    sed -E 's/\\u[dD]([89a-fA-F])/\\\\ud\1/g' | jq -S "$@"
}

# stream FILE MESSAGES VERSION
stream() {
    printf '{"messages":%s}\n' "$2" | values . >"$SCRATCH/want"
    "$BIN/eveaccum" -a messages "tests/streams/$1" >"$SCRATCH/out" 2>"$SCRATCH/err" &&
        [ "$(wc -l <"$SCRATCH/out")" -eq 1 ] &&
        diff <(values . <"$SCRATCH/out") "$SCRATCH/want" &&
        "$BIN/eveaccum" -f "$3" -a messages "tests/streams/$1" 2>"$SCRATCH/err" |
        cmp - "$SCRATCH/out" && return
    cat "$SCRATCH/err"
    return 1
}

# The delta-only form of a stream makes the same messages.
normalized() {
    "$BIN/evenorm" -q "tests/streams/$1" | "$BIN/eveaccum" -q -a messages |
        cmp - <("$BIN/eveaccum" -q -a messages "tests/streams/$1")
}

count=0
while IFS=$'\t' read -r file messages; do
    count=$((count + 1))
    point "$file" stream "$file" "$messages" "${file:1:2}"
    point "$file, normalized" normalized "$file"
done < <(sed -E 's/^\{"file":"([^"]*)","messages":(.*)\}$/\1\t\2/' tests/conformance/messages.ndjson)
point 'no stream is missing' [ "$count" -eq "$(find tests/streams -name 'v*.ndjson' | wc -l)" ]
tap_end
