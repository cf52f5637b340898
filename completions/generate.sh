#!/bin/sh
# Makes the completions of tools from their option tables.
#
#     O=build/release [TO=completions] completions/generate.sh TOOL...
#
# asks $O/TOOL --dump-options and writes $TO/TOOL.bash, $TO/_TOOL (zsh) and $TO/TOOL.fish; TO is
# the folder of this script if not given. Each line of the dump: letter, long name, argument, what
# completes it, help; parted by tabs, "-" for what an option does not have.
set -eu
LC_ALL=C
export LC_ALL

if [ $# -eq 0 ] || [ -z "${O-}" ]; then
    echo "usage: O=build/release [TO=completions] $0 TOOL..." >&2
    exit 2
fi
# through the environment, as -v would read backslashes as escapes
COMPLETIONS=${TO:-$(dirname "$0")}
export COMPLETIONS

for tool; do
    dump=$("$O/$tool" --dump-options)
    printf '%s\n' "$dump" | awk -F '\t' -v tool="$tool" '
function fail(text) {
    print "generate.sh: line " NR ": " text > "/dev/stderr"
    failed = 1
    exit 1
}

# text with each character that stands in set behind a backslash
function escaped(text, set,    i, c, result) {
    for (i = 1; i <= length(text); i++) {
        c = substr(text, i, 1)
        result = result (index(set, c) ? "\\" c : c)
    }
    return result
}

# text for a word in single quotes of sh
function quoted(text,    i, c, result) {
    for (i = 1; i <= length(text); i++) {
        c = substr(text, i, 1)
        result = result (c == "\047" ? "\047\\\047\047" : c)
    }
    return "\047" result "\047"
}

# "-f|--from": the option as a pattern of case
function pattern(n) {
    return (letter[n] != "" ? "-" letter[n] "|" : "") "--" name[n]
}

function bash(    file, n, longs, offers, needs_letters, takes_letters) {
    file = dir "/" tool ".bash"
    for (n = 1; n <= count; n++) {
        offers = offers (n > 1 ? " " : "") "--" name[n] (kind[n] == "needs" ? "=" : "")
        if (letter[n] != "")
            offers = offers " -" letter[n]
        if (kind[n] == "needs") {
            longs = longs (longs != "" ? "|" : "") "--" name[n]
            needs_letters = needs_letters letter[n]
        } else if (kind[n] == "may") {
            takes_letters = takes_letters letter[n]
        }
    }
    print "# bash completion for " tool "; made by generate.sh, do not edit" > file
    print "" > file
    print "_" tool "() {" > file
    print "    local cur=${COMP_WORDS[COMP_CWORD]} want=\"\" before=\"\" last=\"\" rest=\"\" word=\"\" i" > file
    print "    local IFS=$\047 \\t\\n\047" > file
    print "    COMPREPLY=()" > file
    print "" > file
    print "    # want: the option whose argument comes next. The shell parts --name=value at \"=\"." > file
    print "    for ((i = 1; i <= COMP_CWORD; i++)); do" > file
    print "        word=${COMP_WORDS[i]}" > file
    print "        if [[ $word == \"=\" && $last == --?* ]]; then" > file
    print "            want=$last last=" > file
    print "            ((i == COMP_CWORD)) && cur=" > file
    print "            continue" > file
    print "        fi" > file
    print "        ((i == COMP_CWORD)) && break" > file
    print "        last=" > file
    print "        if [[ -n $want ]]; then" > file
    print "            want=" > file
    print "            continue" > file
    print "        fi" > file
    print "        case $word in" > file
    print "            --) return ;;" > file
    if (longs != "")
        print "            " longs ") want=$word last=$word ;;" > file
    print "            --*=*) ;;" > file
    print "            --*) last=$word ;;" > file
    print "            -?*) _" tool "_letters \"$word\"" > file
    print "                [[ -n $want && -n $rest ]] && want= ;;" > file
    print "        esac" > file
    print "    done" > file
    print "" > file
    print "    # before: what stands in the same word before the argument" > file
    print "    if [[ -z $want ]]; then" > file
    print "        case $cur in" > file
    print "            --*=*) want=${cur%%=*} before=$want= cur=${cur#*=} ;;" > file
    print "            -[!-]*) _" tool "_letters \"$cur\"" > file
    print "                if [[ -n $want && -n $rest ]]; then" > file
    print "                    before=${cur%\"$rest\"} cur=$rest" > file
    print "                else" > file
    print "                    want=" > file
    print "                fi ;;" > file
    print "        esac" > file
    print "    fi" > file
    print "" > file
    print "    local words=\"\" files=\"\"" > file
    print "    case $want in" > file
    print "        \"\")" > file
    print "            [[ $cur == -* ]] || return 0" > file
    print "            words=" quoted(offers) " ;;" > file
    for (n = 1; n <= count; n++) {
        if (kind[n] == "none" || complete[n] == "")
            continue
        if (complete[n] == "file")
            print "        " pattern(n) ") files=-f ;;" > file
        else if (complete[n] == "dir")
            print "        " pattern(n) ") files=-d ;;" > file
        else
            print "        " pattern(n) ") words=" quoted(complete[n]) " ;;" > file
    }
    print "    esac" > file
    print "" > file
    print "    # The shell itself completes file names best, unless they are part of a word." > file
    print "    if [[ $files == -f && -z $before ]]; then" > file
    print "        return 0" > file
    print "    fi" > file
    print "    compopt +o default +o bashdefault 2>/dev/null" > file
    print "    if [[ -n $files ]]; then" > file
    print "        compopt -o filenames 2>/dev/null" > file
    print "        while IFS= read -r word; do" > file
    print "            COMPREPLY+=(\"$before$word\")" > file
    print "        done < <(compgen \"$files\" -- \"$cur\")" > file
    print "    else" > file
    print "        while IFS= read -r word; do" > file
    print "            COMPREPLY+=(\"$before$word\")" > file
    print "        done < <(compgen -W \"$words\" -- \"$cur\")" > file
    print "        if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]]; then" > file
    print "            compopt -o nospace 2>/dev/null" > file
    print "        fi" > file
    print "    fi" > file
    print "    return 0" > file
    print "}" > file
    print "" > file
    print "# Finds the letter of $1 that takes an argument (want) and what follows it (rest)." > file
    print "_" tool "_letters() {" > file
    print "    local letters=${1#-}" > file
    print "    want=\"\" rest=\"\"" > file
    print "    while [[ -n $letters ]]; do" > file
    print "        rest=${letters:1}" > file
    print "        case ${letters:0:1} in" > file
    if (needs_letters != "")
        print "            [" needs_letters "]) want=-${letters:0:1}; return ;;" > file
    if (takes_letters != "") {
        print "            [" takes_letters "])" > file
        print "                [[ -n $rest ]] && want=-${letters:0:1}" > file
        print "                return ;;" > file
    }
    print "        esac" > file
    print "        letters=$rest" > file
    print "    done" > file
    print "}" > file
    print "" > file
    print "complete -o bashdefault -o default -F _" tool " " tool > file
    close(file)
}

function zsh(    file, n, spec, names, mark) {
    file = dir "/_" tool
    print "#compdef " tool > file
    print "# zsh completion for " tool "; made by generate.sh, do not edit" > file
    print "" > file
    print "_arguments -s -S : \\" > file
    for (n = 1; n <= count; n++) {
        spec = "[" escaped(help[n], "\\[]:") "]"
        if (kind[n] != "none") {
            spec = spec (kind[n] == "may" ? "::" : ":") escaped(arg[n], "\\:") ":"
            if (complete[n] == "")
                spec = spec " "
            else if (complete[n] == "file")
                spec = spec "_files"
            else if (complete[n] == "dir")
                spec = spec "_files -/"
            else
                spec = spec "(" complete[n] ")"
        }
        # + and =: in the same word or the next one; a - after them: in the same word only
        mark = kind[n] == "none" ? "" : kind[n] == "needs" ? "=" : "=-"
        names = "--" name[n] mark
        if (letter[n] != "") {
            mark = kind[n] == "none" ? "" : kind[n] == "needs" ? "+" : "-"
            names = "{-" letter[n] mark "," names "}"
        }
        if (name[n] == "help" || name[n] == "version")
            mark = "(- *)"
        else if (kind[n] != "none")
            mark = "*"
        else if (letter[n] != "")
            mark = "(-" letter[n] " --" name[n] ")"
        else
            mark = ""
        if (letter[n] != "")
            print "    " quoted(mark) names quoted(spec) " \\" > file
        else
            print "    " quoted(mark names spec) " \\" > file
    }
    print "    " quoted("*:file:_files") > file
    close(file)
}

function fish(    file, n, line) {
    file = dir "/" tool ".fish"
    print "# fish completion for " tool "; made by generate.sh, do not edit" > file
    print "" > file
    for (n = 1; n <= count; n++) {
        line = "complete -c " tool
        if (letter[n] != "")
            line = line " -s " letter[n]
        line = line " -l " name[n]
        if (kind[n] == "needs")
            line = line (complete[n] == "file" ? " -r -F" : " -x")
        if (complete[n] == "dir")
            line = line " -a \047(__fish_complete_directories)\047"
        else if (kind[n] != "none" && complete[n] != "" && complete[n] != "file")
            line = line " -a \047" complete[n] "\047"
        print line " -d \047" escaped(help[n], "\\\047") "\047" > file
    }
    close(file)
}

BEGIN {
    dir = ENVIRON["COMPLETIONS"]
    if (tool !~ /^[A-Za-z0-9_-]+$/)
        fail("odd name of a tool")
}

{
    if (NF != 5)
        fail("not five columns")
    if ($1 !~ /^([A-Za-z0-9]|-)$/ || $2 !~ /^[A-Za-z0-9][A-Za-z0-9-]*$/)
        fail("odd name of an option")
    # words go unquoted into code of three shells
    if ($4 !~ /^[A-Za-z0-9._,:\/+=@ -]+$/)
        fail("odd words to complete")
    count++
    letter[count] = $1 == "-" ? "" : $1
    name[count] = $2
    arg[count] = $3
    kind[count] = $3 == "-" ? "none" : $3 ~ /^\[/ ? "may" : "needs"
    gsub(/[][]/, "", arg[count])
    complete[count] = $4 == "-" ? "" : $4
    help[count] = $5
}

END {
    if (failed)
        exit 1
    if (count == 0) {
        print "generate.sh: no options" > "/dev/stderr"
        exit 1
    }
    bash()
    zsh()
    fish()
}
'
done
