# shellcheck shell=bash disable=SC2012,SC2094
# For `load helper`: the tools come first in PATH, ROOT is the top folder, and each test starts in
# an empty folder of its own (a file with its own setup() says so itself).
# Remember that `run` drops NUL and last newlines: claims about bytes need `cmp` on files.
bats_require_minimum_version 1.5.0
ROOT=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
BIN=${BIN:-$ROOT/build/release}
PATH=$BIN:$PATH
export ROOT BIN PATH LC_ALL=C

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

# In bats a failing `! command` passes unseen, so what must not hold goes through `not`.
not() {
    if "$@"; then
        printf 'should have failed: %s\n' "$*"
        return 1
    fi
}

# tool STATUS ARGUMENT...: runs evenorm with its streams in the files out and err.
tool() {
    local wanted=$1 status=0
    shift
    evenorm "$@" >out 2>err || status=$?
    status_is "$status" "$wanted" "evenorm $*"
}

# status_is STATUS WANTED WHAT
status_is() {
    [ "$1" -eq "$2" ] && return
    printf '%s: status %d, wanted %d\n' "$3" "$1" "$2"
    head -c 2000 err
    return 1
}

# has FILE LINE...: the file is exactly these lines.
has() {
    local file=$1
    shift
    if [ $# -eq 0 ]; then printf ''; else printf '%s\n' "$@"; fi | diff - "$file"
}

# says TEXT...: every text is somewhere on standard error.
says() {
    local text
    for text in "$@"; do
        grep -qF -e "$text" err && continue
        printf 'not said: %s\nbut:\n' "$text"
        head -c 2000 err
        return 1
    done
}

# lines_of FILE COUNT: how many lines there are.
lines_of() {
    [ "$(wc -l <"$1")" -eq "$2" ] || { cat "$1"; return 1; }
}

# holds FOLDER NAME...: these names and no others, hidden ones included.
holds() {
    local folder=$1
    shift
    diff <(printf '%s\n' "$@" | LC_ALL=C sort) <(LC_ALL=C ls -A "$folder" | LC_ALL=C sort)
}

# waits COMMAND...: until it succeeds, for half a minute at most.
waits() {
    local i
    for ((i = 0; i < 3000; i++)); do
        if "$@" >/dev/null 2>&1; then return; fi
        sleep 0.01
    done
    printf 'waited too long for: %s\n' "$*"
    return 1
}

# old DELTA TEXT [TURN]: a message append as v24 writes it. new DELTA [TURN]: without the text.
old() {
    printf '{"data":{"messageDelta":"%s","messageSoFar":"%s","sequence":0,"stepIndex":0,"turnId":"%s"},"type":"message.appended"}\n' \
        "$1" "$2" "${3-t}"
}
new() {
    printf '{"data":{"messageDelta":"%s","sequence":0,"stepIndex":0,"turnId":"%s"},"type":"message.appended"}\n' \
        "$1" "${2-t}"
}

# samples: the files old (two legacy appends and another event) and new (what becomes of them),
# and bad (an append, a line that is not JSON, an append).
samples() {
    { old a a; old b ab; printf '{"type":"x"}\n'; } >old
    { new a; new b; printf '{"type":"x"}\n'; } >new
    { old a a; printf 'bad\n'; old b ab; } >bad
}

# terminal STREAM COMMAND: runs the command on a terminal, what it shows goes to STREAM; status of the command.
# The command is read by bash whatever the user's shell is, as it may hold what printf %q writes.
# Where there are no terminals (a bare chroot), root gets some in a mount namespace that ends with it.
terminal() {
    local screen=$1 command=$2
    local -x SHELL=$BASH
    if timeout 20 script -qec true /dev/null </dev/null >/dev/null 2>&1; then
        timeout 20 script -qec "$command" /dev/null </dev/null >"$screen" 2>&1
    else
        # shellcheck disable=SC2016
        timeout 20 unshare -m --propagation unchanged sh -c 'mount --make-private /dev &&
            mount -t devpts -o newinstance,ptmxmode=0666 devpts /dev/pts &&
            mount --bind /dev/pts/ptmx /dev/ptmx && exec script -qec "$1" /dev/null' sh "$command" \
            </dev/null >"$screen" 2>&1
    fi
}
