#!/usr/bin/env bash
# Hostile inputs with a stack of 256 KiB: no crash, and the status that they deserve. With FULL=1
# they are a hundred times as large, memory is the longest line x 3 + 16 MiB where that is promised,
# and twice the input takes at most 2.1 times the instructions (valgrind counts them, on fewer). The
# time is told and held to 3 times: it also has the misses of the caches that a large table outgrows.
. "$(dirname "$0")/../env.sh"
. tests/tap.sh
size=10000
[ -z "${FULL-}" ] || size=1000000

# kind, status, and what it is
kinds='deep 1 nested
deep-objects 1 nested objects
digits 0 digits
offset 1 digits of an offset
members 0 members
equal-names 0 equal names
snapshots 0 equal snapshots
string 0 escapes in one string
appends 0 appends of one block
turns 0 open blocks'

# tool, promise of memory (line: as above; open: and open texts; data: with all it has to keep), options
commands='evenorm line evenorm -q
evenorm line evenorm -q -c
evestat line evestat -q
eveaccum open eveaccum -q
eveaccum open eveaccum -q -a events
eveaccum data eveaccum -q -a messages
evecheck data evecheck -q'

# try KIND N WANTED COMMAND...: sets ms, kib, bytes and longest.
try() {
    local kind=$1 n=$2 wanted=$3 status
    shift 3
    read -r status ms kib bytes longest < <("$O/tests/torture/hostile" "$kind" "$n" "$@" 2>/dev/null)
    printf '%s %s %s: status %s, %s ms, %s KiB of %s bytes\n' "$kind" "$n" "$*" "$status" "$ms" "$kib" "$bytes"
    case $wanted,$status,$1 in
    0,1,evecheck) ;; # findings
    *) [ "$status" = "$wanted" ] ;;
    esac
}
# work KIND COMMAND...: that so many instructions are counted at one size and the double.
work() {
    local kind=$1 n counted=()
    shift
    for n in 10000 20000; do
        "$O/tests/torture/hostile" "$kind" "$n" valgrind --tool=callgrind --callgrind-out-file=/dev/null \
            --log-file="$SCRATCH/work" "$@" >/dev/null 2>&1
        counted+=("$(sed -n 's/.*Collected : //p' "$SCRATCH/work")")
    done
    printf '%s %s: %d instructions, then %d\n' "$kind" "$*" "${counted[@]}" | tee -a "$figures"
    [ $((counted[1] * 10)) -le $((counted[0] * 21)) ] || { printf 'more than linear\n'; return 1; }
}
hostile() {
    local kind=$1 wanted=$2 promise=$3 once each=0
    shift 3
    try "$kind" "$size" "$wanted" "$@" || return
    [ -n "${FULL-}" ] && [ "${CONFIG-}" != asan ] || return 0
    once=$ms
    try "$kind" $((2 * size)) "$wanted" "$@" || return
    printf '%s %s: %d ms, then %d\n' "$kind" "$*" "$once" "$ms" >>"$figures"
    [ "$ms" -le $((once * 3 + 60)) ] || { printf 'much more than linear\n'; return 1; }
    ! command -v valgrind >/dev/null || work "$kind" "$@" || return
    case $kind,$promise in
    turns,line) [ "$1" != evestat ] || each=128 ;;
    turns,open) each=320 ;;
    *,open) each=2 ;; # for a text
    esac
    [ "$promise" = data ] || [ "$kib" -le $((longest * 3 / 1024 + 16384 + 2 * size * each / 1024)) ] ||
        { printf 'more than the longest line (%s) x 3 + 16 MiB\n' "$longest"; return 1; }
}

figures=$SCRATCH/figures
for tool in $(makevar TOOLS); do
    point "$tool is here" grep -q "^$tool " <<<"$commands"
done
while read -r _ promise command; do
    while read -r kind wanted what; do
        # shellcheck disable=SC2086
        point "$command: $size $what" hostile "$kind" "$wanted" "$promise" $command
    done <<<"$kinds"
done <<<"$commands"
[ ! -e "$figures" ] || sed 's/^/# /' "$figures"
tap_end
