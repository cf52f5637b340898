#!/usr/bin/env bash
# Shows what evenorm does to a recorded stream: O=build/release samples/demo.sh
set -eu
cd "$(dirname "$0")/.."
evenorm=${O:-build/release}/evenorm
stream=samples/v24-long-answer.ndjson

width=$( (stty size </dev/tty) 2>/dev/null | cut -d ' ' -f 2 || true)
[ "${width:-0}" -ge 40 ] || width=${COLUMNS:-80}
after=$(mktemp)
trap 'rm -f "$after"' EXIT

# Line $2 of file $1, cut to the width of the terminal.
show() {
    sed -n "$2p" "$1" | awk -v width="$width" '{
        note = " ... (" length($0) + 1 " bytes)"
        print (length($0) > width ? substr($0, 1, width - length(note)) note : $0)
    }'
}
bytes() { wc -c <"$1" | tr -d ' '; }

# The longest append whose delta and text so far are plain words.
line=$(LC_ALL=C awk '/"messageDelta":"[a-z ]+"/ && !/[^ -~]|\\/ && length($0) > size {
        size = length($0)
        line = NR
    }
    END { print line }' "$stream")

printf '\n%s: a session as eve 0.49 recorded it, stream version 24,\n%d events. Each append repeats the whole text so far:\n\n' \
    "$stream" "$(grep -c '"type"' "$stream")"
LC_ALL=C show "$stream" "$line"
printf '\n$ evenorm %s\n\n' "$stream"
"$evenorm" "$stream" >"$after"
# Blank lines are not events and are gone: the line is found by its id.
id=$(sed -n "$line p" "$stream" | grep -o '"id":"[^"]*"' | tail -n 1)
printf '\nThe same event is now:\n\n'
LC_ALL=C show "$after" "$(grep -nF "$id" "$after" | cut -d : -f 1)"

was=$(bytes "$stream") is=$(bytes "$after")
printf '\nBefore %d bytes, after %d: %d bytes or %d %% saved, and not one byte of any delta changed.\n' \
    "$was" "$is" $((was - is)) $(((was - is) * 100 / was))
if "$evenorm" -q --check "$after" >/dev/null; then
    printf 'evenorm --check on the result: nothing is left to do.\n'
fi
cat <<END

Try it on a log of your own:
  $evenorm old.ndjson >new.ndjson     read any of versions 21 to 26, write 26
  $evenorm --check *.ndjson           which files would change?
  $evenorm -i.bak *.ndjson            change them, keep copies
  man -l man/evenorm.1                      all options
END
