#!/usr/bin/env bash
# Examples are tests. In README.md, a block marked `console` is run line by line: what follows `$ ` is the
# command, what follows it up to the next one is its output, standard error included, to the byte. In man
# pages, each displayed line of EXAMPLES is run in turn and has to succeed. Both in a folder of their own.
set -u
. "$(dirname "$0")/../env.sh"
. "$(dirname "$0")/../tap.sh"
root=$PWD
PATH=$(cd "$O" && pwd):$PATH
export PATH LC_ALL=C.UTF-8

# A folder with what examples talk about; prints its name.
scene() {
    local dir
    dir=$(mktemp -d "$SCRATCH/scene.XXXXXX")
    cp "$root"/samples/* "$dir/"
    cp "$root/samples/v24-tool-call.ndjson" "$dir/log.ndjson"
    chmod -R u+w "$dir"
    printf '%s\n' "$dir"
}

# Splits the console blocks of README.md into $1/N.cmd and $1/N.out.
split_readme() {
    awk -v dir="$1" '
        /^```console$/ { inside = 1; next }
        /^```$/ { inside = 0; next }
        !inside { next }
        /^\$ / { n++; print substr($0, 3) >(dir "/" n ".cmd"); printf "" >(dir "/" n ".out"); next }
        { print >(dir "/" n ".out") }' README.md
}

same_output() { # DIR CMD OUT
    (cd "$1" && bash -c "$(cat "$2")") >"$2.got" 2>&1 </dev/null
    cmp "$3" "$2.got" || diff "$3" "$2.got"
}

blocks=$(mktemp -d "$SCRATCH/readme.XXXXXX")
split_readme "$blocks"
dir=$(scene)
for ((n = 1; ; n++)); do
    [ -e "$blocks/$n.cmd" ] || break
    if grep -qE '\.(gz|zst)' "$blocks/$n.cmd" && [ "$(makevar FORMATS)" != 'GZIP ZSTD' ]; then continue; fi
    point "README: $(cat "$blocks/$n.cmd")" same_output "$dir" "$blocks/$n.cmd" "$blocks/$n.out"
done

same_picture() { samples/terminal.sh | cmp - samples/terminal.svg || { echo 'draw it anew: make picture'; false; }; }
point 'README: the picture is what the tools print' same_picture

# The rows of README's table of speeds are among those of make bench.
same_rows() {
    local name
    sed -n '/^## How fast/,/^## /s/^| \([^|]*\) | [0-9]\.[0-9].*/\1/p' README.md >"$SCRATCH/rows"
    [ -s "$SCRATCH/rows" ] || return
    while IFS= read -r name; do
        grep -qE "row '?$name'? |for tool in .*\\b$name\\b.*row" bench/run.sh || { echo "$name"; return 1; }
    done <"$SCRATCH/rows"
}
point 'README: the table of speeds has rows of make bench' same_rows

runs() { # DIR COMMAND
    (cd "$1" && timeout 20 bash -c "$2") </dev/null
}

for page in man/*.1; do
    dir=$(scene)
    while IFS= read -r line; do
        point "${page##*/}: $line" runs "$dir" "$line"
    done < <(sed -n '/^\.Sh EXAMPLES/,/^\.Sh /p' "$page" |
        sed -n '/^\.Bd -literal/,/^\.Ed/{/^\./!p}' | sed 's/\\-/-/g; s/\\(aq/'"'"'/g; s/\\&//g; s/\\e/\\/g')
done
tap_end
