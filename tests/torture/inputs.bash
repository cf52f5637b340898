# shellcheck shell=bash
# Sourced, after env.sh, by the scripts of this folder.

# Sets FOLDER to an empty folder, in memory if there is one: an fsync costs nothing there.
memory_folder() {
    FOLDER=$(mktemp -d -p /dev/shm 2>/dev/null) || FOLDER=$(mktemp -d) || exit 2
    trap 'rm -rf "$SCRATCH" "$FOLDER"' EXIT
}

# inputs FOLDER: puts the files there that the command lines of the table work on.
inputs() {
    local streams=$PWD/tests/streams
    mkdir -p "$1"
    cp "$streams/v24-retry.ndjson" "$1/old.ndjson"
    cp "$streams/v25-short.ndjson" "$1/same.ndjson"
    cp "$streams/v24-tool.rawhttp" "$1/chunked.http"
    printf 'there already\n' >"$1/new.ndjson"
    (
        cd "$1" || exit
        head -n 12 old.ndjson | cat - old.ndjson >twice.ndjson
        { head -n 4 old.ndjson; printf '{"type":"message.appended"}\n{\n'; tail -n +4 old.ndjson; } >bad.ndjson
        evestat -q --format=json old.ndjson >part1.json
        evestat -q --format=json same.ndjson >part2.json
        head -n 9 old.ndjson | eveaccum -q -S old.state >/dev/null
        evecheck -q --write-expect old.ndjson >expect.json
        for file in old.ndjson bad.ndjson expect.json; do
            gzip -nc $file >$file.gz
            zstd -q $file
        done
        mv bad.ndjson.zst bad.zst
        head -c 700 old.ndjson.gz >cut.gz
        echo 'there already' | tee new.zst | gzip -nc >new.gz
    )
}
