#!/usr/bin/env bash
# Seeds for a fuzz target, made of the recorded streams: seeds.sh TARGET FOLDER. The tools are in PATH.
. "$(dirname "$0")/../env.sh"
target=$1 folder=$2
mkdir -p "$folder"

# pieces PREFIX...: pieces of streams, with each of the prefixes in turn, for printf.
pieces() {
    local stream n=0 all=("$@")
    for stream in tests/streams/v2[1-6]-*.ndjson; do
        for from in 1 12 30; do
            # shellcheck disable=SC2059 # prefixes are escapes
            { printf "${all[n % $#]}" && tail -n "+$from" "$stream" | head -n 20 | head -c 7000; } >"$folder/seed-$n"
            n=$((n + 1))
        done
    done
}
# of_streams TOOL OPTION...: what a tool makes of each stream.
of_streams() {
    local stream
    for stream in tests/streams/v2[1-6]-*.ndjson; do "$@" "$stream" >"$folder/seed-${stream##*/}" 2>/dev/null; done
}
# A state after the first lines, in each mode.
state_of() {
    local state=$SCRATCH/state
    rm -f "$state"
    head -n 17 "${!#}" | eveaccum -q -S "$state" "${@:1:$#-1}" >"$SCRATCH/out" && cat "$state"
}

case $target in
norm) pieces '\0' '\1' '\2' '\3' ;;
accum) pieces '\0\5' '\1\11' '\2\3' '\3\14' '\4\7' '\5\2' ;;
messages | check) pieces '\0' '\1' ;;
stat) pieces '\0' '\11' '\2' '\13' '\4' ;;
merge) of_streams evestat -q --format=json --by=block --as-if=24 ;;
expect) of_streams evecheck -q --write-expect ;;
state)
    for mode in '-a blocks' '-a events' '-a text' '-a text --reasoning' '-a text --final'; do
        # shellcheck disable=SC2086 # words
        of_streams state_of $mode
        for seed in "$folder"/seed-v*; do mv "$seed" "${seed/seed-v/seed-${mode//[- ]/}-}"; done
    done
    ;;
esac
find "$folder" -type f -size +8k -delete
