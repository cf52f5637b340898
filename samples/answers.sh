#!/bin/sh
# answers.sh [FOLDER]: writes the final answers of every log in a folder, one a turn, beside it as NAME.answer.
# shellcheck disable=SC2016 # expanded by the shell that xargs starts
cd "${1:-.}" || exit

find . -name '*.ndjson' -print0 | xargs -0 -P 4 -n 50 sh -c '
    for log; do
        eveaccum -q -a text --final "$log" >"${log%.ndjson}.answer"
    done' sh
