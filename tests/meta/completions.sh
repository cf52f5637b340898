#!/usr/bin/env bash
# The committed completions are those of the option table, and the shells can read and use them.
. "$(dirname "$0")/../env.sh"
. tests/tap.sh

fresh() { TO=$SCRATCH completions/generate.sh "$1"; }

# What a shell offers for the last word of the command line $@.
bash_offers() {
    # shellcheck disable=SC2016
    bash -c '. "completions/$1.bash"
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        "_$1" 2>/dev/null
        printf "%s\n" "${COMPREPLY[@]}"' - "$@"
}
fish_offers() {
    HOME=$SCRATCH fish --no-config -c "source completions/$1.fish; complete -C '$*'"
}

# offered OFFERS WORD COMMAND...: WORD is among what OFFERS says for COMMAND.
offered() {
    local offers=$1 word=$2
    shift 2
    "$offers" "$@" | grep -qE -e "^$word(=?|[[:space:]].*)\$" || printf 'not offered for %s: %s\n' "$*" "$word"
}
options() {
    "$2" --dump-options | while IFS=$'\t' read -r _ option _; do
        offered "$1" "--$option" "$2" "--$option"
    done | none
}
values() {
    local word words
    "$2" --dump-options | while IFS=$'\t' read -r _ option _ words _; do
        case $words in - | file | dir) continue ;; esac
        for word in $words; do
            offered "$1" "$word" "$2" "--$option" ''
        done
    done | none
}

for tool in $(makevar TOOLS); do
    point "$tool: completions are made" fresh "$tool"
    for file in "$tool.bash" "_$tool" "$tool.fish"; do
        point "completions/$file is what make completions makes" \
            diff -u "completions/$file" "$SCRATCH/$file"
    done
    point "$tool: bash reads it" quiet bash -n "completions/$tool.bash"
    point "$tool: zsh reads it" quiet zsh -n "completions/_$tool"
    point "$tool: fish reads it" quiet fish --no-execute "completions/$tool.fish"
    point "$tool: bash offers every option" options bash_offers "$tool"
    point "$tool: bash offers every value" values bash_offers "$tool"
    point "$tool: fish offers every option" options fish_offers "$tool"
    point "$tool: fish offers every value" values fish_offers "$tool"
done
tap_end
