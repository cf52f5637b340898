# bash completion for eveaccum; made by generate.sh, do not edit

_eveaccum() {
    local cur=${COMP_WORDS[COMP_CWORD]} want="" before="" last="" rest="" word="" i
    local IFS=$' \t\n'
    COMPREPLY=()

    # want: the option whose argument comes next. The shell parts --name=value at "=".
    for ((i = 1; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if [[ $word == "=" && $last == --?* ]]; then
            want=$last last=
            ((i == COMP_CWORD)) && cur=
            continue
        fi
        ((i == COMP_CWORD)) && break
        last=
        if [[ -n $want ]]; then
            want=
            continue
        fi
        case $word in
            --) return ;;
            --as|--state|--start-index|--from|--output|--max-errors|--max-line|--group-by|--color|--progress) want=$word last=$word ;;
            --*=*) ;;
            --*) last=$word ;;
            -?*) _eveaccum_letters "$word"
                [[ -n $want && -n $rest ]] && want= ;;
        esac
    done

    # before: what stands in the same word before the argument
    if [[ -z $want ]]; then
        case $cur in
            --*=*) want=${cur%%=*} before=$want= cur=${cur#*=} ;;
            -[!-]*) _eveaccum_letters "$cur"
                if [[ -n $want && -n $rest ]]; then
                    before=${cur%"$rest"} cur=$rest
                else
                    want=
                fi ;;
        esac
    fi

    local words="" files=""
    case $want in
        "")
            [[ $cur == -* ]] || return 0
            words='--as= -a --final --reasoning --null -0 --dedupe -u --state= -S --flush --start-index= --from= -f --output= -o --keep-going -k --max-errors= --max-line= --group-by= -g --quiet -q --color= --progress= --line-buffered --help -h --version -V' ;;
        -a|--as) words='blocks events messages text' ;;
        -S|--state) files=-f ;;
        -f|--from) words='auto 21 22 23 24 25 26 http' ;;
        -o|--output) files=-f ;;
        --color) words='auto always never' ;;
        --progress) words='auto always never' ;;
    esac

    # The shell itself completes file names best, unless they are part of a word.
    if [[ $files == -f && -z $before ]]; then
        return 0
    fi
    compopt +o default +o bashdefault 2>/dev/null
    if [[ -n $files ]]; then
        compopt -o filenames 2>/dev/null
        while IFS= read -r word; do
            COMPREPLY+=("$before$word")
        done < <(compgen "$files" -- "$cur")
    else
        while IFS= read -r word; do
            COMPREPLY+=("$before$word")
        done < <(compgen -W "$words" -- "$cur")
        if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]]; then
            compopt -o nospace 2>/dev/null
        fi
    fi
    return 0
}

# Finds the letter of $1 that takes an argument (want) and what follows it (rest).
_eveaccum_letters() {
    local letters=${1#-}
    want="" rest=""
    while [[ -n $letters ]]; do
        rest=${letters:1}
        case ${letters:0:1} in
            [aSfog]) want=-${letters:0:1}; return ;;
        esac
        letters=$rest
    done
}

complete -o bashdefault -o default -F _eveaccum eveaccum
