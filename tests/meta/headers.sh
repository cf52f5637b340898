#!/usr/bin/env bash
# Each header compiles alone and has a guard of its own name.
. "$(dirname "$0")/../env.sh"
. tests/tap.sh

read -ra cc <<<"$CC -std=c11 $(makevar WARN) -Werror $(makevar CPP_ALL)"
alone() {
    printf '#include "%s"\n#include "%s"\n' "$1" "$1" >"$SCRATCH/alone.c"
    "${cc[@]}" -I . -fsyntax-only "$SCRATCH/alone.c"
}
guarded() {
    local name=${1##*/} prefix=EVE_
    case $1 in cmd/*) prefix=CLI_ ;; esac
    name=$prefix$(printf '%s' "${name%.h}" | tr '[:lower:]' '[:upper:]')_H
    grep -m 1 '^#' "$1" | grep -qx "#ifndef $name" || { printf 'no guard %s\n' "$name"; return 1; }
}
for header in lib/*.h cmd/*.h; do
    point "$header compiles alone" alone "$header"
    point "$header has its guard" guarded "$header"
done
tap_end
