#!/usr/bin/env bash
# make conformance: holds evenorm and eveaccum -a messages against the published package of eve, on
# LINES generated lines and a tenth as many events in sessions, from SEED on, and evecheck against as
# many events that the package writes. The package comes from npm and stays in the build folder;
# nothing of it is run but what reads and writes events.
. "$(dirname "$0")/../env.sh"
eve=0.80.1 # the last of version 26
folder=$(realpath -m "$BUILD/reference")

mkdir -p "$folder"
if [ ! -d "$folder/eve-$eve" ]; then
    rm -rf "$folder/package"
    (cd "$folder" && npm pack --silent "eve@$eve" >/dev/null && tar -xzf "eve-$eve.tgz" && mv package "eve-$eve") || exit 2
fi
status=0
printf 'eve %s, node %s, from seed %s\n' "$eve" "$(node --version)" "$SEED"
node tests/reference/lines.mjs "$folder/eve-$eve" "$BIN/evenorm" "$folder" "$LINES" "$SEED" || status=1
node tests/reference/messages.mjs "$folder/eve-$eve" "$BIN/eveaccum" "$folder" "$((LINES / 10))" "$SEED" || status=1
node tests/reference/sessions.mjs "$folder/eve-$eve" "$BIN/evecheck" "$folder" "$((LINES / 10))" "$SEED" || status=1
exit $status
