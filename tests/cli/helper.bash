# shellcheck shell=bash
# For `load helper`: the tools come first in PATH, ROOT is the top folder, and each test starts in
# an empty folder of its own (a file with its own setup() says so itself).
# Remember that `run` drops NUL and last newlines: claims about bytes need `cmp` on files.
bats_require_minimum_version 1.5.0
ROOT=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
BIN=${BIN:-$ROOT/build/release}
PATH=$BIN:$PATH
export ROOT BIN PATH

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}
