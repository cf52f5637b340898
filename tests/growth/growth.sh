#!/usr/bin/env bash
# Twice the input is at most 2.2 times the work, whatever the input is: nothing makes a tool quadratic.
# Work is counted (count.c), not timed, so that this holds on a busy machine, too. With FULL=1 all
# tools are asked, else evenorm alone, which has the parts that all share, and on less.
. "$(dirname "$0")/../env.sh"
. tests/tap.sh

# work TOOL OPTIONS FILE: what the tool does on the file.
work() {
    local status=0
    # shellcheck disable=SC2086 # words
    COUNT_FILE=$SCRATCH/count "$O/growth/$1" -q $2 "$3" >/dev/null 2>"$SCRATCH/err" || status=$?
    [ "$status" -lt 2 ] || { cat "$SCRATCH/err" >&2; return 1; }
    cat "$SCRATCH/count"
}

# grows TOOL OPTIONS KIND
grows() {
    local one two
    one=$(work "$1" "$2" "$SCRATCH/$3-1") && two=$(work "$1" "$2" "$SCRATCH/$3-2") || return
    [ $((two * 10)) -le $((one * 22)) ] || { printf '%d, then %d\n' "$one" "$two"; return 1; }
}

inputs='block turns reversed restarts many-old halves shapes random bad blank long-line members names deep calls ids steps'
size=600 tools=('evenorm -k' 'evenorm -kcu')
if [ -n "${FULL-}" ]; then
    size=3000 tools+=('evestat -k --by=block' 'eveaccum -k' 'eveaccum -k -a messages' 'eveaccum -k -a text' 'evecheck')
fi
for kind in $inputs; do
    for times in 1 2; do
        awk -v N=$((times * size)) -v KIND="$kind" -f tests/growth/inputs.awk >"$SCRATCH/$kind-$times"
    done
    for tool in "${tools[@]}"; do
        point "$kind: $tool" grows "${tool%% *}" "$(cut -s -d ' ' -f 2- <<<"$tool")" "$kind"
    done
done
export EVETOOLS_TEST_READ=1K
for kind in long-line members block; do
    point "$kind in small reads" grows evenorm '' "$kind"
done
export EVETOOLS_TEST_PLAIN=1
for kind in long-line block; do
    point "$kind in small reads, no fast paths" grows evenorm '' "$kind"
done
tap_end
