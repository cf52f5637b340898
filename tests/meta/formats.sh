#!/usr/bin/env bash
# Builds without zlib and libzstd: what they lack they say, and all else is as ever.
. "$(dirname "$0")/../env.sh"
. tests/tap.sh

tool=$SCRATCH/dev/evenorm
build() { "$MAKE" -s CONFIG=dev BUILD="$SCRATCH" CPPFLAGS= CFLAGS= LDFLAGS= WITHOUT="$1" "$tool"; }
says() { # STATUS TEXT ARGUMENT...
    local wanted=$1 text=$2 status=0
    shift 2
    (cd "$SCRATCH" && "$tool" "$@") >"$SCRATCH/said" 2>&1 || status=$?
    cat "$SCRATCH/said"
    [ "$status" -eq "$wanted" ] && grep -qF -e "$text" "$SCRATCH/said"
}
uses() { nm -D --undefined-only "$tool" | grep -qE " ($1)"; }
uses_none() { ! uses "$1"; }
stays() { says 1 'left as it is' -i "$1" && cmp "$SCRATCH/$1" "$SCRATCH/copy"; }
not_there() { [ ! -e "$SCRATCH/$1" ]; }

printf '{"type":"x"}\n' >"$SCRATCH/plain"
gzip -c "$SCRATCH/plain" >"$SCRATCH/gz"
zstd -qc "$SCRATCH/plain" >"$SCRATCH/zst"

point 'a build without either' build 'GZIP ZSTD'
point 'it says so' says 0 'compressed files: none in this build' --version
point 'it needs neither library' uses_none '(in|de)flate|ZSTD_'
point 'what is not compressed is read' says 0 '1 event, 0 changed' plain
for format in gzip zstd; do
    case $format in gzip) end=gz ;; zstd) end=zst ;; esac
    point "$format data is refused in words" says 1 "$format data, which this build lacks" "$end"
    cp "$SCRATCH/$end" "$SCRATCH/copy"
    point "$format data stays in place" stays "$end"
    point "a name that asks for $format is refused" says 2 "this build cannot write $format data" -o "new.$end" plain
    point "and nothing is left of it" not_there "new.$end"
done
point 'a build without one, from what was built before' build ZSTD
point 'it has the other' says 0 'compressed files: gzip' --version
point 'and reads it' says 0 '1 event, 0 changed' gz
point 'but not the one' says 1 'zstd data, which this build lacks' zst
point 'and needs one library' uses inflate
point 'and not the other' uses_none ZSTD_
tap_end
