#!/usr/bin/env bash
# Fuzzes each target named for TIME seconds, beginning with its committed corpus and with seeds that
# the tools in TOOLS make of the recorded streams. What is found on the way is kept in the build
# folder; an input that breaks a property is left there as crash-*.
. "$(dirname "$0")/../env.sh"

status=0
for target; do
    "$MAKE" -s "$O/$target" || exit
    mkdir -p "$O/found/$target"
    O=$TOOLS tests/fuzz/seeds.sh "$target" "$O/seeds/$target" || exit
    if "$O/$target" -max_total_time="$TIME" -max_len=8192 -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 \
        -dict=tests/fuzz/dictionary -artifact_prefix="$O/crash-$target-" \
        "$O/found/$target" "tests/fuzz/corpus/$target" "$O/seeds/$target" >"$O/$target.log" 2>&1; then
        printf '%-8s %s runs in %s s, no finding\n' "$target" \
            "$(sed -n 's/^stat::number_of_executed_units: *//p' "$O/$target.log")" "$TIME"
    else
        status=1
        printf '%s: see %s\n' "$target" "$O/$target.log"
        grep -m 3 -E 'does not hold|ERROR|runtime error' "$O/$target.log"
    fi
done
exit $status
