#!/usr/bin/env bash
# Puts the committed corpus through every fuzz target. A file that a fuzzer found goes into the
# corpus of its target and stays there.
. "$(dirname "$0")/../env.sh"
. tests/tap.sh

replay() {
    local said
    said=$("$O/tests/fuzz/$1" "tests/fuzz/corpus/$1"/* 2>&1) || { tail -n 20 <<<"$said"; return 1; }
}
for target in $(makevar FUZZ); do
    count=$(find "tests/fuzz/corpus/$target" -type f | wc -l)
    point "$target has a corpus" [ "$count" -gt 0 ]
    point "$target on $count files" replay "$target"
done
tap_end
