#!/usr/bin/env bash
# make bench: the tools against cat and others on generated streams, as ratios of medians of one run.
#   BENCH_MB   size of the stream of long lines in MB (default 1500); the others are a fifth of it
#   BENCH_RUNS counted runs of each (default 5)
set -eu
export LC_ALL=C
O=$(cd "${O:-build/release}" && pwd) mb=${BENCH_MB:-1500} runs=${BENCH_RUNS:-5}
export O
cd "$(dirname "$0")/.."
work=$(mktemp -d "${TMPDIR:-/tmp}/evetools-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
left_out=()

${CC:-cc} -O2 -w -o "$work/gen" bench/gen.c -lm
${CC:-cc} -O2 -o "$work/pair" bench/pair.c
read -ra cjson <<<"$("${PKG_CONFIG:-pkg-config}" --cflags --libs libcjson)"
${CC:-cc} -O2 -o "$work/cjson" bench/cjson.c "${cjson[@]}"
# Its on-demand parser is made for one instruction set, chosen here.
${CXX:-c++} -O3 -march=native -std=c++17 -o "$work/simdjson" bench/simdjson.cpp -lsimdjson 2>/dev/null || left_out+=(simdjson)

# A stream of long lines, as versions 21 to 24 wrote them, and of short ones, as from 25 on.
# long NAME MB OPTION..., short NAME MB OPTION... Ids do not come twice, as in a replay.
long() {
    local name=$1 size=$2
    shift 2
    "$work/gen" --calls $((size / 70 + 2)) --seed 1 --completed --target 27400 --v24 "$work/$name" "$@" 2>/dev/null
}
short() {
    local name=$1 size=$2
    shift 2
    "$work/gen" --calls $((size * 5 / 3 + 1)) --seed 2 --completed --v26 "$work/$name" "$@" 2>/dev/null
}

# spaced NAME: NAME-spaced, the same with white space between everything.
spaced() {
    sed -E 's/^\{"data":\{"([a-z]+)Delta":"/{ "data" : { "\1Delta" : "/
        s/","([a-z]+)SoFar":"/" , "\1SoFar" : "/
        s/,"sequence":([0-9]+),"stepIndex":([0-9]+),"turnId":/ , "sequence" : \1 , "stepIndex" : \2 , "turnId" : /
        s/\},"type":"([a-z.]+)","meta":\{"at":/ } , "type" : "\1" , "meta" : { "at" : /' \
        "$work/$1" >"$work/$1-spaced"
}

# interleaved NAME: NAME-interleaved, eight turns at a time, line by line.
interleaved() {
    awk -v to="$work/turn-" '/"turn.started"/ { n++ } { print >(to n % 8) }' "$work/$1"
    paste -d '\n' "$work"/turn-[0-7] | grep . >"$work/$1-interleaved"
    rm "$work"/turn-[0-7]
}

# speeds FILE COMMAND...: prints the speed of COMMAND FILE as a ratio of cat's; nothing if it fails.
speeds() {
    local file=$1
    shift
    "$work/pair" "$runs" cat "$file" -- "$@" "$file" 2>/dev/null | cut -d ' ' -f 3
}

# row NAME PART COMMAND...: COMMAND on each stream, or on its first 30 MB if PART.
row() {
    local name=$1 part=$2 f ratio
    shift 2
    command -v "$1" >/dev/null || { left_out+=("$name"); return 0; }
    printf '| %-26s' "$name"
    for f in long short short-ids; do
        ratio=$(speeds "$work/$f$part" "$@") # jq and others do not take halves of a pair
        if [ -n "$ratio" ]; then printf ' | %8.3f' "$ratio"; else printf ' | %8s' refused; fi
    done
    printf ' |\n'
}

# beside NAME: evenorm on the streams long-NAME and short-NAME, and what that is of the plain ones.
beside() {
    local f ratio
    printf '| %-26s' "${1:-plain}"
    for f in long short; do
        ratio=$(speeds "$work/plain-$f${1:+-$1}" "$O/evenorm" -q)
        [ -n "$1" ] || eval "plain_$f=$ratio"
        awk -v a="$ratio" -v b="$(eval "echo \$plain_$f")" 'BEGIN { printf " | %8.3f | %8.2f", a, a / b }'
    done
    printf ' |\n'
    [ -z "$1" ] || rm "$work/plain-long-$1" "$work/plain-short-$1"
}

# counted NAME ASSIGNMENT COMMAND...: instructions per byte on fixed inputs, which no other load changes.
counted() {
    local name=$1 with=$2 f said
    shift 2
    printf '| %-26s' "$name"
    for f in long short short-ids; do
        said=$(env ${with:+"$with"} valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" "$work/count-$f" 2>&1 >/dev/null |
            sed -n 's/.*Collected : *//p')
        awk -v n="$said" -v bytes="$(wc -c <"$work/count-$f")" 'BEGIN { printf " | %8.3f", n / bytes }'
    done
    printf ' |\n'
}

echo "Making streams ..." >&2
long long "$mb"
short short $((mb / 5)) --no-delivery-ids
short short-ids $((mb / 5))
for f in long short short-ids; do head -c 30000000 "$work/$f" | sed '$d' >"$work/$f.part"; done

# shellcheck disable=SC2016 # the shell that is started expands them
{
    pipe='cat "$1" | "$O/evenorm" -q | cat' pipe_cat='cat "$1" | cat | cat' pipe_events='cat "$1" | cat'
    events='"$O/eveaccum" -q -a events "$1" | cat'
}
drop='if .data.messageSoFar then del(.data.messageSoFar) else del(.data.reasoningSoFar) end'
printf '\n%s, %s, %s\n\n' "$(awk -F ': ' '/model name/ { print $2; exit }' /proc/cpuinfo)" \
    "$(uname -srm)" "$(date +%F)"
printf 'Speed as a ratio to cat (1.000 is the speed of cat), medians of %d runs in turn:\n\n' "$runs"
printf '| %-26s | %8s | %8s | %8s |\n' program '27 kB' short 'with ids'
printf '|---|---|---|---|\n'
row cat '' cat
row evenorm '' "$O/evenorm" -q
row 'evenorm, AVX2 off' '' env EVETOOLS_TEST_PORTABLE=1 "$O/evenorm" -q
row 'evenorm, no fast paths' '' env EVETOOLS_TEST_PLAIN=1 "$O/evenorm" -q
row 'cat | evenorm | cat' '' sh -c "$pipe" sh
row 'cat | cat | cat' '' sh -c "$pipe_cat" sh
for tool in evestat eveaccum evecheck; do row "$tool" '' "$O/$tool" -q; done
row 'wc -l' '' wc -l
if [ -x "$work/simdjson" ]; then row 'simdjson, on demand' '' "$work/simdjson"; fi
row cJSON .part "$work/cjson"
row 'Node, tuned reader' .part node bench/reader.mjs
row jq .part jq -c "$drop"
row gojq .part gojq -c "$drop"
row Miller .part mlr --ijsonl --ojsonl cut -x -f data.messageSoFar,data.reasoningSoFar

# What is written is many times what is read, so it is compared with a cat of the same bytes into the same pipe.
"$O/eveaccum" -q -a events "$work/short.part" >"$work/events"
said=$("$work/pair" "$runs" sh -c "$pipe_events" sh "$work/events" -- sh -c "$events" sh "$work/short.part")
printf '\neveaccum -a events into a pipe: %s\n' "$(awk -v bytes="$(wc -c <"$work/events")" -v said="$said" 'BEGIN {
    split(said, ms, " ")
    printf "%.1f GB/s written, of %.1f GB/s by cat, a ratio of %.2f", bytes / ms[2] / 1e6, bytes / ms[1] / 1e6, ms[3]
}')"
rm "$work/events"

# unpacking PROGRAM ENDING FORMAT: evenorm on a compressed file, as a ratio to PROGRAM -dc | evenorm.
unpacking() {
    local f
    if ! command -v "$1" >/dev/null || ! grep -q "$3" "$O/formats"; then
        left_out+=("$1")
        return
    fi
    printf '| %-26s' "log.$2"
    for f in long short; do
        "$1" -c "$work/$f.part" >"$work/$f.$2"
        "$work/pair" "$runs" sh -c "$1 -dc \"\$1\" | \"\$O/evenorm\" -q" sh "$work/$f.$2" -- "$O/evenorm" -q "$work/$f.$2" |
            awk '{ printf " | %8.2f", $3 }'
    done
    printf ' |\n'
}
printf '\nevenorm on compressed files, as a ratio to the unpacking program piped into evenorm:\n\n'
printf '| %-26s | %8s | %8s |\n' file '27 kB' short
printf '|---|---|---|\n'
unpacking zstd zst ZSTD
unpacking gzip gz GZIP
rm -f "$work"/long* "$work"/short*

echo "Making more streams ..." >&2
long plain-long $((mb / 10))
short plain-short $((mb / 10)) --no-delivery-ids
for f in long short; do
    for words in cjk emoji escapes; do
        $f "plain-$f-$words" $((mb / 10)) --words $words
    done
    $f "plain-$f-halves" $((mb / 10)) --split-rate 1000 --emoji-every 3
    $f "plain-$f-documented" $((mb / 10)) --doc-order
    spaced "plain-$f"
    interleaved "plain-$f"
done
printf '\nevenorm on other texts and spellings, as a ratio to cat, and that of the plain stream:\n\n'
printf '| %-26s | %8s | %8s | %8s | %8s |\n' stream '27 kB' 'of plain' short 'of plain'
printf '|---|---|---|---|---|\n'
for name in '' cjk emoji escapes halves documented spaced interleaved; do beside "$name"; done

if command -v valgrind >/dev/null; then
    "$work/gen" --calls 1 --seed 3 --completed --v24 "$work/count-long" --mean-r 900 --mean-m 300 2>/dev/null
    "$work/gen" --calls 3 --seed 3 --completed --v26 "$work/count-short" --no-delivery-ids 2>/dev/null
    "$work/gen" --calls 3 --seed 3 --completed --v26 "$work/count-short-ids" 2>/dev/null
    printf '\nInstructions per byte on a fixed input (valgrind, callgrind):\n\n'
    printf '| %-26s | %8s | %8s | %8s |\n' program long short 'with ids'
    printf '|---|---|---|---|\n'
    for tool in evenorm evestat eveaccum evecheck; do counted "$tool" '' "$O/$tool" -q; done
    counted 'evenorm, AVX2 off' EVETOOLS_TEST_PORTABLE=1 "$O/evenorm" -q
    counted 'evenorm, no fast paths' EVETOOLS_TEST_PLAIN=1 "$O/evenorm" -q
    counted 'eveaccum -a events' '' "$O/eveaccum" -q -a events
else
    left_out+=('valgrind (instructions)')
fi
[ ${#left_out[@]} -eq 0 ] || printf '\nNot installed, left out: %s\n' "$(printf '%s, ' "${left_out[@]}" | sed 's/, $//')"
