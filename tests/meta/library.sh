#!/usr/bin/env bash
# The library for others: staged by `make install`, found by pkg-config, and used by the sample as a program would.
. "$(dirname "$0")/../env.sh"
. tests/tap.sh

root=$SCRATCH/root prefix=/opt/eve
config=${O##*/}
mode=()
[ "$config" != asan ] || mode=(-fsanitize=address,undefined)
[ "$config" != cov ] || mode=(--coverage)
stage() { "$MAKE" -s BUILD="${O%/*}" CONFIG="$config" DESTDIR="$root" PREFIX="$prefix" install; }
ask() { PKG_CONFIG_LIBDIR=$root$prefix/lib/pkgconfig:$(pkg-config --variable pc_path pkg-config) \
    PKG_CONFIG_SYSROOT_DIR=$root pkg-config "$@" libevestream; }
build() {
    local flags
    read -ra flags <<<"$(ask --cflags --libs --static)"
    "$CC" -std=c11 -Wall -Wextra -Wpedantic -Wconversion -Werror "${mode[@]}" samples/blocks.c "${flags[@]}" \
        -o "$SCRATCH/blocks"
}
only_public() { nm -g --defined-only "$root$prefix/lib/libevestream.a" | awk 'NF == 3 && $3 !~ /^eve_stream_/' | none; }
all_public() {
    same header "$(grep -o '\beve_stream_[a-z]*(' lib/evestream.h | tr -d '(' | sort -u | tr '\n' ' ')" \
        library "$(nm -g --defined-only "$root$prefix/lib/libevestream.a" | awk 'NF == 3 { print $3 }' | tr '\n' ' ')"
}
versions() {
    [ "$(ask --modversion)" = "$(makevar VERSION)" ] &&
        grep -qx "#define EVE_STREAM_VERSION \"$(makevar VERSION)\"" "$root$prefix/include/evestream.h"
}
alike() {
    local log
    for log in tests/streams/*.ndjson samples/*.ndjson; do
        "$SCRATCH/blocks" <"$log" >"$SCRATCH/records" 2>/dev/null || { echo "$log"; return 1; }
        eveaccum -q "$log" | cmp - "$SCRATCH/records" || return
    done
}
bad_line() {
    printf '{"type":"turn.started"}\nbad\n' | "$SCRATCH/blocks" 2>"$SCRATCH/said"
    [ $? -eq 1 ] && grep -qx 'line 2:1: .* \[json-syntax\]' "$SCRATCH/said" &&
        grep -qx '1 turns, 0 appends of old streams, 1 bad lines' "$SCRATCH/said"
}

point 'make install stages header, library and pkg-config file' quiet stage
point 'the versions are that of the tools' versions
point 'only eve_stream_ symbols can be seen' only_public
point 'they are those of the header' all_public
point 'the sample builds with what pkg-config says' build
point 'it prints what eveaccum prints, for every recorded stream' alike
point 'it tells bad lines' bad_line
tap_end
