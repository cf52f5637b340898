#!/usr/bin/env bash
# Holds evenorm against every vector of normalize.ndjson: {"name","mode","in"} with "out" or "error".
# With "out": exactly that line, status 0. With "error": nothing on standard output, that rule in
# brackets on standard error, status 1.
. "$(dirname "$0")/../env.sh"
. tests/tap.sh

# vector MODE IN OUT RULE
vector() {
    local from=$1 status=0
    [ "$from" != persisted ] || from=auto
    printf '%s\n' "$2" | "$BIN/evenorm" -f "$from" >"$SCRATCH/out" 2>"$SCRATCH/err" || status=$?
    if [ -n "$4" ]; then
        [ "$status" -eq 1 ] && [ ! -s "$SCRATCH/out" ] && grep -qF "[$4]" "$SCRATCH/err" && return
        printf 'wanted: status 1, [%s]\n' "$4"
    else
        printf '%s\n' "$3" >"$SCRATCH/want"
        [ "$status" -eq 0 ] && cmp "$SCRATCH/out" "$SCRATCH/want" && return
        printf 'wanted: status 0, %s\n' "$3"
    fi
    printf 'status: %d\n' "$status"
    cat "$SCRATCH/out" "$SCRATCH/err"
    return 1
}

# Parted by NUL, because the lines hold every other byte.
while IFS= read -r -d '' name && IFS= read -r -d '' mode && IFS= read -r -d '' in &&
    IFS= read -r -d '' out && IFS= read -r -d '' rule; do
    point "$name ($mode)" vector "$mode" "$in" "$out" "$rule"
done < <(jq -j '.name, .mode, .in, (.out // ""), (.error // "") | ., "\u0000"' \
    tests/conformance/normalize.ndjson)
tap_end
