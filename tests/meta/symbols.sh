#!/usr/bin/env bash
# What libeve.a defines and what it calls, in a plain build: no hardening, no position independence.
. "$(dirname "$0")/../env.sh"
. tests/tap.sh

lib=$SCRATCH/dev/libeve.a
build() {
    "$MAKE" -s CONFIG=dev BUILD="$SCRATCH" CPPFLAGS= CFLAGS=-fno-pie LDFLAGS= "$lib"
}

# Symbols of the library as `MODULE.o TYPE NAME`; $1 is a pattern of types.
symbols() {
    nm -A "$lib" | sed 's/^.*:\([^:]*\.o\): *[0-9a-f]* *\([A-Za-z]\) \(.*\)/\1 \2 \3/' |
        awk -v types="$1" '$2 ~ types'
}

# Never to be called: exits, prints, environment, locale, clock, and what depends on them.
never='_?exit|_Exit|quick_exit|abort|v?d?f?printf|f?put[sc]|putchar|fwrite|std(in|out|err)|perror'
never+='|strerror(_r)?|__xpg_strerror_r|(secure_)?getenv|[sp]utenv|setenv|environ|(use|set)locale'
never+='|localeconv|__ctype_.*|to(upper|lower)|strcoll|strn?casecmp|strto(d|f|ld)|atof'
never+='|time|clock(_gettime)?|gettimeofday|(local|gm|mk)time(_r)?|s?rand(om)?'

only_eve() { symbols '^[A-TV-Z]$' | awk '$3 !~ /^eve_/' | none; }
no_calls() { symbols '^U$' | grep -E " U ($never)\$" | none; }
one_malloc() {
    symbols '^U$' | grep -E ' U (malloc|calloc|realloc|reallocarray|free|strn?dup)$' |
        grep -v '^mem\.o ' | none
}
no_state() { symbols '^[BbDdCGgSs]$' | grep -v '^\(mem\|simd\)\.o ' | none; }

point 'the plain library builds' build
[ -e "$lib" ] || tap_end
point 'every global symbol begins with eve_' only_eve
point 'the library never exits, prints, or reads environment, locale or clock' no_calls
point 'only mem allocates' one_malloc
point 'no variables but those of mem and simd' no_state
tap_end
