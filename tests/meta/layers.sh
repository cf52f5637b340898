#!/usr/bin/env bash
# Layers of the sources, and that the lists of the Makefile name every file.
. "$(dirname "$0")/../env.sh"
. tests/tap.sh

# The nouns of files: names without folder and ending.
nouns() {
    local file
    for file; do
        [ -e "$file" ] || continue
        file=${file##*/}
        printf '%s ' "${file%.*}"
    done
}

# The rule is of use only if it sees a breach.
breach() {
    printf '#include "str.h"\n#include "json.h"\n' >"$SCRATCH/str.c"
    ! awk -f tests/meta/layers.awk tests/meta/layers.txt "$SCRATCH/str.c"
}

point 'a file includes only lower layers' \
    awk -f tests/meta/layers.awk tests/meta/layers.txt lib/*.[ch] cmd/*.[ch]
point 'an include of a higher layer is seen' breach
point 'LIB in the Makefile is what is in lib' same LIB "$(makevar LIB)" lib "$(nouns lib/*.c)"
point 'CMD and TOOLS in the Makefile are what is in cmd' \
    same Makefile "$(makevar CMD) $(makevar TOOLS)" cmd "$(nouns cmd/*.c)"
units=$(nouns tests/unit/test_*.c)
point 'UNIT in the Makefile is what is in tests/unit' \
    same UNIT "$(makevar UNIT)" tests/unit "${units//test_/}"
point 'MAN in the Makefile is what is in man' \
    same MAN "$(makevar MAN)" man "$(cd man && printf '%s ' *.[1-8])"
tap_end
