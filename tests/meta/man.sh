#!/usr/bin/env bash
# Both formatters take the man pages without a word.
. "$(dirname "$0")/../env.sh"
. tests/tap.sh

for page in man/*.[1-8]; do
    point "$page: mandoc -Tlint" quiet mandoc -Tlint -W warning "$page"
    point "$page: groff -ww" quiet groff -mandoc -Tutf8 -ww -z "$page"
done
tap_end
