#!/usr/bin/env bash
# The rows of tests that take long, each with its figure: what `make check-full` runs. No network.
# FULL_ROWS names rows to run (default: all of them).
. "$(dirname "$0")/env.sh"
export FULL=1
status=0

# row NAME COMMAND...: runs COMMAND, whose last line is the figure; the rest goes to BUILD/full/NAME.
row() {
    local name=$1 began=$SECONDS end=ok
    shift
    case " ${FULL_ROWS:-$name} " in *" $name "*) ;; *) return ;; esac
    "$@" >"$log/$name" 2>&1 || { end=FAILED status=1; }
    printf '%-12s %-6s %4d s  %s\n' "$name" "$end" $((SECONDS - began)) "$(tail -n 1 "$log/$name")"
    [ "$end" = ok ] || grep -m 10 -E '^not ok|^# |rror' "$log/$name"
}
calls() {
    tests/run tests/torture/calls.sh || return
    sed -n 's/^# \([0-9]* runs\)$/\1 in which a call failed, was interrupted or was the last/p' "$log/calls"
}
fuzz() {
    "$MAKE" -s fuzz TIME="${FUZZ_TIME:-60}" && printf '%s\n' "$(grep -c 'no finding' "$log/fuzz") targets"
}
splits() {
    EVERY_SPLIT=1 BATS_TEST_TIMEOUT=1200 bats --formatter tap -f 'print what one run prints|overlap' \
        tests/cli/eveaccum_state.bats && printf 'every split point of every stream\n'
}
chunking() {
    CHUNKING=100000 "$O/tests/unit/run" chunking && printf '100000 streams\n'
}
valgrind_unit() {
    valgrind -q --error-exitcode=9 --leak-check=full "$O/tests/unit/run" json text event decode coalesce \
        dedupe snapshot replace chunk http
}

growth() {
    "$MAKE" -s growth && tests/run tests/growth/growth.sh
}

log=${BUILD:-build}/full
mkdir -p "$log"
row suite tests/run
row asan "$MAKE" -s CONFIG=asan test
row calls calls
row growth growth
row splits splits
row chunking chunking
row hostile tests/run tests/torture/hostile.sh
row fuzz fuzz
if [ -x /usr/sbin/sshd ] && command -v rsync >/dev/null; then
    row ssh tests/run tests/ssh.sh
else
    printf 'ssh          no sshd or rsync here, left out\n'
fi
if command -v dpkg-buildpackage >/dev/null && command -v dh >/dev/null && command -v lintian >/dev/null; then
    row package tests/run tests/package.sh
else
    printf 'package      no dpkg-buildpackage, debhelper or lintian here, left out\n'
fi
if command -v valgrind >/dev/null; then
    row valgrind valgrind_unit
else
    printf 'valgrind     not here, left out\n'
fi
printf 'Not in here: coverage (make cov), analysers (make lint), growth of bench (make bench).\n'
exit $status
