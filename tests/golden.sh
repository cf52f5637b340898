#!/usr/bin/env bash
# Runs each case in tests/golden: NAME.args is a line of shell, such as `evenorm -f 24`, run in an
# empty folder with NAME.in as standard input; NAME.out, NAME.err and NAME.rc are what it must give.
# $golden is the folder of the cases.
# With --update, rewrites those three: look at the difference before you commit it.
. "$(dirname "$0")/env.sh"
. tests/tap.sh
golden=$PWD/tests/golden

# Runs case $1; its results go to SCRATCH/got.{out,err,rc}.
run_case() {
    local status=0
    rm -rf "$SCRATCH/folder" && mkdir "$SCRATCH/folder"
    (cd "$SCRATCH/folder" && eval "$(cat "$golden/$1.args")") \
        <"$golden/$1.in" >"$SCRATCH/got.out" 2>"$SCRATCH/got.err" || status=$?
    printf '%d\n' "$status" >"$SCRATCH/got.rc"
}
as_expected() {
    local part same=0
    run_case "$1"
    for part in out err rc; do
        diff -au "$golden/$1.$part" "$SCRATCH/got.$part" || same=1
    done
    return $same
}

for args in "$golden"/*.args; do
    [ -e "$args" ] || continue
    name=$(basename "$args" .args)
    if [ "${1-}" = --update ]; then
        run_case "$name"
        for part in out err rc; do cp "$SCRATCH/got.$part" "$golden/$name.$part"; done
    else
        point "$name" as_expected "$name"
    fi
done
[ "${1-}" = --update ] || tap_end
