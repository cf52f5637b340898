#!/usr/bin/env bash
# Each call that can fail fails in turn, for every command line of the table (see drive.c). With
# FULL=1 in every way that drive.c knows, else in the most telling ones.
. "$(dirname "$0")/../env.sh"
. tests/torture/inputs.bash

mode=quick
[ -z "${FULL-}" ] || mode=full
memory_folder
inputs "$SCRATCH/inputs"
"$O/tests/torture/drive" "$mode" "$BIN/tests/torture/preload.so" tests/torture/table \
    "$SCRATCH/inputs" "$FOLDER"
