# bash completion for evecheck; made by generate.sh, do not edit

_evecheck() {
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
            --format|--severity|--disable|--start-index|--expect|--golden|--ignore|--explain|--from|--output|--max-errors|--max-line|--group-by|--color|--progress) want=$word last=$word ;;
            --*=*) ;;
            --*) last=$word ;;
            -?*) _evecheck_letters "$word"
                [[ -n $want && -n $rest ]] && want= ;;
        esac
    done

    # before: what stands in the same word before the argument
    if [[ -z $want ]]; then
        case $cur in
            --*=*) want=${cur%%=*} before=$want= cur=${cur#*=} ;;
            -[!-]*) _evecheck_letters "$cur"
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
            words='--format= --strict --no-retries --severity= --disable= --start-index= --expect= --write-expect --golden= --ignore= --exact-chunks --list-rules --explain= --from= -f --output= -o --keep-going -k --max-errors= --max-line= --group-by= -g --quiet -q --color= --progress= --line-buffered --help -h --version -V' ;;
        --format) words='text json github sarif junit tap' ;;
        --disable) words='line-too-long json-syntax json-utf8 json-depth truncated not-object newer-format type-missing bad-data unsupported-event bad-delta bad-snapshot bad-offset snapshot-mismatch legacy-field repeated-name missing-member unknown-type retired-type id-form id-order id-missing id-reused replay time-form time-order snapshot-gap restart offset-gap text-diverged retry input-differs request-open result-unasked coordinate-differs order outside-step outside-turn block-open turn-open after-end mixed-forms late delta-repeats-text starts-midway expect golden' ;;
        --expect) files=-f ;;
        --golden) files=-f ;;
        --explain) words='line-too-long json-syntax json-utf8 json-depth truncated not-object newer-format type-missing bad-data unsupported-event bad-delta bad-snapshot bad-offset snapshot-mismatch legacy-field repeated-name missing-member unknown-type retired-type id-form id-order id-missing id-reused replay time-form time-order snapshot-gap restart offset-gap text-diverged retry input-differs request-open result-unasked coordinate-differs order outside-step outside-turn block-open turn-open after-end mixed-forms late delta-repeats-text starts-midway expect golden' ;;
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
_evecheck_letters() {
    local letters=${1#-}
    want="" rest=""
    while [[ -n $letters ]]; do
        rest=${letters:1}
        case ${letters:0:1} in
            [fog]) want=-${letters:0:1}; return ;;
        esac
        letters=$rest
    done
}

complete -o bashdefault -o default -F _evecheck evecheck
