#!/usr/bin/env bash
# Files of at most 500 lines, functions of at most 60, and no path of the machine they were made on.
. "$(dirname "$0")/../env.sh"
. tests/tap.sh

long_files() { awk 'FNR == 501 { print FILENAME ": over 500 lines"; bad = 1 } END { exit bad }' "$@"; }

# A function begins at the last line before its body that starts in column 1 and is no brace.
long_functions() {
    awk 'FNR == 1 { head = 0 }
    /^[A-Za-z_].*\(/ { head = FNR; name = $0 }
    /^}/ {
        if (head && FNR - head + 1 > 60) { print FILENAME ":" head ": " FNR - head + 1 " lines: " name; bad = 1 }
        head = 0
    }
    END { exit bad }' "$@"
}
sees_long() {
    { printf 'int f(void)\n{\n'; yes ';' | head -58; printf '}\n'; } >"$SCRATCH/long.c"
    ! long_functions "$SCRATCH/long.c"
}

sources() { git ls-files -co --exclude-standard 2>/dev/null || find . -type f ! -path "./$O/*"; }
no_paths() {
    local where=(-e '/wor[k]/' -e '/roo[t]/' -e '/home/[a-z]')
    [ "${#PWD}" -lt 9 ] || where+=(-e "$PWD")
    sources | tr '\n' '\0' | xargs -0 grep -InE "${where[@]}" -- /dev/null | none
}

point 'no file of lib and cmd over 500 lines' long_files lib/*.[ch] cmd/*.[ch]
point 'no function of lib and cmd over 60 lines' long_functions lib/*.c cmd/*.c
point 'a function of 61 lines is seen' sees_long
point 'no file names a path of this machine' no_paths
tap_end
