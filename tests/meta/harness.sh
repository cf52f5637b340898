#!/usr/bin/env bash
# The test tools themselves: what fails is counted as failed, whatever the way it fails.
. "$(dirname "$0")/../env.sh"
. tests/tap.sh

# runs SCRIPT COUNT: tests/run on a program with these lines ends with COUNT, and fails if it must.
runs() {
    local status=0 last
    printf '#!/bin/sh\n%s\n' "$1" >"$SCRATCH/program"
    chmod +x "$SCRATCH/program"
    last=$(tests/run "$SCRATCH/program" 2>&1 | tail -n 1; exit "${PIPESTATUS[0]}") || status=$?
    [ "$last" = "$2" ] || { printf 'last line: %s\n' "$last"; return 1; }
    case $2 in
    *' 0 failed') [ "$status" -eq 0 ] ;;
    *) [ "$status" -eq 1 ] ;;
    esac
}
# The unit runner on tests that must fail.
unit_fails() {
    local said status=0
    said=$("$O/tests/unit/run" selftest) || status=$?
    printf '%s\nstatus %d\n' "$said" "$status"
    [ "$status" -eq 1 ] && [ "$(grep -c '^not ok ' <<<"$said")" -eq 5 ] &&
        [ "$(grep -c '^# tests/unit/test_check.c:' <<<"$said")" -eq 6 ] && ! grep -q '^ok ' <<<"$said"
}

point 'what passes is counted' runs 'echo ok 1 a; echo ok 2 b; echo 1..2' '2 passed, 0 failed'
point 'what fails is counted' runs 'echo ok 1 a; echo not ok 2 b; echo 1..2; exit 1' '1 passed, 1 failed'
point 'no tests at all is a failure' runs 'echo 1..0' '0 passed, 1 failed'
point 'an early end is a failure' runs 'echo ok 1 a' '1 passed, 1 failed'
point 'a missing point is a failure' runs 'echo 1..2; echo ok 1 a' '1 passed, 1 failed'
point 'a crash is a failure' runs 'echo ok 1 a; echo 1..1; kill -SEGV $$' '1 passed, 1 failed'
point 'a skipped test is a failure' runs 'echo "ok 1 a # skip no reason"; echo 1..1' '0 passed, 1 failed'
point 'a program that is not there is a failure' runs 'exec /no/such/program' '0 passed, 1 failed'
point 'a failing check of a unit test is counted' unit_fails
tap_end
