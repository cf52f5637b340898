#!/usr/bin/env bash
# The option table, --help and the man page of each tool name the same options.
. "$(dirname "$0")/../env.sh"
. tests/tap.sh

# Options as words, from the table, --help and the man page.
of_table() {
    "$1" --dump-options | awk -F '\t' '{ if ($1 != "-") print "-" $1; print "--" $2 }'
}
of_help() {
    "$1" --help | sed -n '/^Options:/,/^[A-Z]/s/^ \{1,6\}\(-[^-], \)\{0,1\}\(--[a-z0-9-]*\).*/\1\2/p' |
        tr -d ',' | tr ' ' '\n'
}
of_man() {
    awk '/^\.It Fl/ {
        for (i = 2; i <= NF; i++) {
            if ($i != "Fl") continue
            if ($(i + 1) == "Fl") print "--" $(i += 2)
            else print "-" $(++i)
        }
    }' "man/$1.1"
}

# The parser knows each option of --help: what it says is not what it says of an unknown one.
known() {
    local option like status=0
    for option in $(of_help "$1"); do
        like=--no-such-option
        [[ $option == --* ]] || like=-Z
        if [ "$("$1" "$option" 2>&1 </dev/null)" = "$("$1" "$like" 2>&1 </dev/null | sed "s/$like/$option/")" ]; then
            printf 'unknown: %s\n' "$option"
            status=1
        fi
    done
    return "$status"
}
refused() {
    "$1" --no-such-option 2>&1 </dev/null
    [ $? -eq 2 ]
}

for tool in $(makevar TOOLS); do
    table=$(of_table "$tool")
    point "$tool has options" test -n "$table"
    point "$tool: no option twice" test -z "$(sort <<<"$table" | uniq -d)"
    point "$tool --help names its options" same table "$table" --help "$(of_help "$tool")"
    point "$tool(1) names its options" same table "$table" "man page" "$(of_man "$tool")"
    point "$tool refuses an option that is not there" refused "$tool"
    point "$tool takes each option of --help" known "$tool"
done
tap_end
