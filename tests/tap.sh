# shellcheck shell=bash
# Sourced, after env.sh, by scripts that print TAP. Each call of `point` is one test.
tap_points=0 tap_failed=0

# point NAME COMMAND...: passes if COMMAND succeeds; what it printed is shown if it does not.
point() {
    local name=$1 said
    shift
    tap_points=$((tap_points + 1))
    if said=$("$@" 2>&1); then
        printf 'ok %d %s\n' "$tap_points" "$name"
    else
        tap_failed=$((tap_failed + 1))
        printf 'not ok %d %s\n' "$tap_points" "$name"
        printf '%s\n' "$said" | sed 's/^/# /'
    fi
}

# quiet COMMAND...: succeeds if COMMAND does, and prints nothing at all.
quiet() {
    local said
    if ! said=$("$@" 2>&1) || [ -n "$said" ]; then
        printf '%s\n' "$said"
        return 1
    fi
}

# none: succeeds if there is nothing on standard input, and shows what there is.
none() {
    ! grep -n ''
}

# same WHAT A WHAT B: succeeds if A and B are the same set of words, and shows how they differ.
same() {
    diff -U 0 --label "$1" --label "$3" <(tr -s ' ' '\n' <<<"$2" | sort) <(tr -s ' ' '\n' <<<"$4" | sort)
}

# The plan, as the last line. Ends the script.
tap_end() {
    printf '1..%d\n' "$tap_points"
    [ "$tap_failed" -eq 0 ]
    exit
}
