#!/bin/sh
# fixtures.sh [FOLDER]: for continuous integration. The streams in FOLDER/fixtures have to be right, and those of the
# same names in FOLDER/recorded, which the tests made just now, have to say the same, however they came in chunks.
cd "${1:-.}" || exit

format=${GITHUB_ACTIONS:+github} status=0
evecheck --strict --format="${format:-text}" fixtures/*.ndjson || status=1
for old in fixtures/*.ndjson; do
    new=recorded/${old##*/}
    evecheck --golden="$old" --format="${format:-text}" "$new" || status=1
done
test $status -eq 0
