#!/bin/sh
# migrate.sh [FOLDER]: brings every log in a folder to delta-only form. What was there stays as NAME.bak, and each
# pair is held together: what is printed at the end are the logs that do not say what they said before, so nothing.
# May be run again: what is done is not touched, and a backup is never replaced.
cd "${1:-.}" || exit

find . -name '*.ndjson*' ! -name '*.bak' -exec evenorm -i.bak {} +
find . -name '*.ndjson*.bak' -exec sh -c '
    for old; do
        evecheck -q --golden="$old" "${old%.bak}" || echo "$old"
    done' sh {} +
