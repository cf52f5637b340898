#!/usr/bin/env bash
# make bench: the tools against cat and others on generated streams, as ratios of medians of one run.
#   BENCH_MB   size of the stream of long lines in MB (default 1500); the others are a fifth of it
#   BENCH_RUNS counted runs of each (default 5)
set -eu
export LC_ALL=C
O=${O:-build/release} mb=${BENCH_MB:-1500} runs=${BENCH_RUNS:-5}
work=$(mktemp -d "${TMPDIR:-/tmp}/evetools-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT

${CC:-cc} -O2 -w -o "$work/gen" bench/gen.c -lm
read -ra cjson <<<"$("${PKG_CONFIG:-pkg-config}" --cflags --libs libcjson)"
${CC:-cc} -O2 -o "$work/cjson" bench/cjson.c "${cjson[@]}"

# fit FILE MB: repeats a small stream until it is as large as wanted.
fit() {
    local n
    n=$(($2 * 1000000 / $(wc -c <"$1") + 1))
    for ((; n > 0; n--)); do cat "$1"; done >"$1.all"
    mv "$1.all" "$1"
}

echo "Making streams ..." >&2
"$work/gen" --calls $((mb / 70 + 2)) --seed 1 --completed --target 27400 --v24 "$work/long" 2>/dev/null
"$work/gen" --calls 20 --seed 2 --completed --v26 "$work/small-ids" 2>/dev/null
"$work/gen" --calls 20 --seed 2 --completed --no-delivery-ids --v26 "$work/small" 2>/dev/null
fit "$work/small-ids" $((mb / 5))
fit "$work/small" $((mb / 5))
for f in long small small-ids; do head -c 60000000 "$work/$f" | sed '$d' >"$work/$f.part"; done

declare -A times
left_out=()

# once NAME FILE COMMAND...: one run, its nanoseconds noted.
once() {
    local key="$1 $2" from
    shift 2
    from=${EPOCHREALTIME/./}
    "$@" >/dev/null 2>&1 || { echo "bench: $* failed" >&2; exit 1; }
    times[$key]+=" $((${EPOCHREALTIME/./} - from))"
}

median() {
    tr ' ' '\n' <<<"$1" | grep . | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

# row NAME PART COMMAND...: times COMMAND FILE on each stream (on its first 60 MB if PART), and cat in turn.
row() {
    local name=$1 part=$2 f i file
    shift 2
    command -v "$1" >/dev/null || { left_out+=("$name"); return 0; }
    printf '| %-26s' "$name"
    for f in long small small-ids; do
        file=$work/$f$part
        if ! "$@" "$file" >/dev/null 2>&1; then # jq and others do not take lone surrogates
            printf ' | %8s' refused
            continue
        fi
        for ((i = 0; i < runs; i++)); do
            once cat "$name $f" cat "$file"
            once us "$name $f" "$@" "$file"
        done
        awk -v a="$(median "${times["cat $name $f"]}")" -v b="$(median "${times["us $name $f"]}")" \
            'BEGIN { printf " | %8.3f", a / b }'
    done
    printf ' |\n'
}

# shellcheck disable=SC2002 # the pipe is what is measured
pipe() { cat "$1" | "$O/evenorm" -q | cat; }
# shellcheck disable=SC2002
pipe_cat() { cat "$1" | cat | cat; }
events() { "$O/eveaccum" -q -a events "$1" | cat; }
jq_job() { jq -c 'if .data.messageSoFar then del(.data.messageSoFar) else del(.data.reasoningSoFar) end' "$1"; }
gojq_job() { gojq -c 'if .data.messageSoFar then del(.data.messageSoFar) else del(.data.reasoningSoFar) end' "$1"; }
plain() { EVETOOLS_TEST_PLAIN=1 "$O/evenorm" -q "$1"; }
portable() { EVETOOLS_TEST_PORTABLE=1 "$O/evenorm" -q "$1"; }

printf '\n%s, %s, %s\n\n' "$(awk -F ': ' '/model name/ { print $2; exit }' /proc/cpuinfo)" \
    "$(uname -srm)" "$(date +%F)"
printf 'Speed as a ratio to cat (1.000 is the speed of cat), median of %d runs in turn:\n\n' "$runs"
printf '| %-26s | %8s | %8s | %8s |\n' program '27 kB' small 'with ids'
printf '|---|---|---|---|\n'
row cat '' cat
row evenorm '' "$O/evenorm" -q
row 'evenorm, AVX2 off' '' portable
row 'evenorm, no templates' '' plain
row 'cat | evenorm | cat' '' pipe
row 'cat | cat | cat' '' pipe_cat
for tool in evestat eveaccum evecheck; do
    [ ! -x "$O/$tool" ] || row "$tool" '' "$O/$tool" -q
done
[ ! -x "$O/eveaccum" ] || row 'eveaccum -a events | cat' '' events
row 'wc -l' '' wc -l
row cJSON .part "$work/cjson"
row 'Node, tuned reader' .part node bench/reader.mjs
if command -v jq >/dev/null; then row jq .part jq_job; else left_out+=(jq); fi
if command -v gojq >/dev/null; then row gojq .part gojq_job; else left_out+=(gojq); fi
row Miller .part mlr --ijsonl --ojsonl cut -x -f data.messageSoFar,data.reasoningSoFar
[ ${#left_out[@]} -eq 0 ] || printf '\nNot installed, left out: %s\n' "${left_out[*]}"
