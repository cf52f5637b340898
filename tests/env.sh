# shellcheck shell=bash
# Sourced by every test script: goes to the top folder, sets O (where the tools were built), BIN (the
# same, absolute, first in PATH) and SCRATCH (a folder of its own, removed at the end), and takes
# away what in the caller's environment would change results.
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
O=${O:-build/release}
BIN=$(cd "$O" && pwd) || { printf 'build first: no folder %s\n' "$O" >&2; exit 2; }
CC=${CC:-cc} MAKE=${MAKE:-make}
PATH=$BIN:$PATH
export O BIN CC MAKE PATH LC_ALL=C TERM=dumb
unset NO_COLOR CLICOLOR_FORCE POSIXLY_CORRECT CDPATH MAKEFLAGS MFLAGS MAKELEVEL CONFIG_SITE
SCRATCH=$(mktemp -d) || exit 2
trap 'rm -rf "$SCRATCH"' EXIT

# The value of a variable of the Makefile.
makevar() {
    "$MAKE" -s --no-print-directory "print-$1"
}
