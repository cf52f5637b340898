#!/usr/bin/env bats
# shellcheck disable=SC2002,SC2012,SC2016,SC2030,SC2031,SC2086,SC2094,SC2119
# The command line: what is understood, what is refused, what the talk looks like.
load helper

# usage ARGUMENT...: refused in two lines that end by pointing to --help; nothing on stdout.
usage() {
    tool 2 "$@" </dev/null
    has out
    lines_of err 2
    says "Try 'evenorm --help' for more information."
}

@test "help goes to standard output, wherever it stands and whatever else is wrong" {
    tool 0 --help
    has err
    grep -q '^Usage: evenorm ' out
    grep -q '^Examples:' out
    mv out help
    for line in -h '-kqh' '-k missing -h' '--from=nonsense --help' '--nonsense --help' 'missing --help' \
        '-i --check -o x --help' '-h -V'; do
        # shellcheck disable=SC2086
        tool 0 $line
        has err
        cmp out help
    done
    holds . out err help
}

@test "help names every option of the table, by its short and long name" {
    tool 0 --dump-options
    mv out dump
    tool 0 --help
    while IFS=$'\t' read -r letter name _; do
        grep -q -e "--$name" out
        [ "$letter" = - ] || grep -q -e "-$letter, --$name" out
    done <dump
    for name in from output keep-going max-errors max-line group-by quiet color progress line-buffered \
        help version to coalesce dedupe in-place check rejects; do
        cut -f 2 dump | grep -qx -e "$name"
    done
    [ "$(wc -l <dump)" -eq 18 ]
}

@test "version and formats are two lines on standard output" {
    for line in --version -V '-kV' 'missing -V' '--nonsense -V'; do
        # shellcheck disable=SC2086
        tool 0 $line
        has err
        lines_of out 2
        sed -n 1p out | grep -qE '^evenorm \(evetools\) [0-9]+\.[0-9]+\.[0-9]+$'
        sed -n 2p out | grep -qE '^compressed files: (gzip|zstd|gzip, zstd|none in this build)$'
    done
}

@test "help into a full disk is an error" {
    status=0
    evenorm --help >/dev/full 2>err || status=$?
    status_is "$status" 2 'evenorm --help'
    says 'standard output' 'No space left'
}

@test "unknown options, abbreviations and stray arguments are usage errors" {
    usage --nonsense
    says "unknown option '--nonsense'"
    usage -x
    says "unknown option '-x'"
    usage -kx
    says "unknown option '-x'"
    usage --coal
    says "unknown option '--coal'"
    usage --in
    usage --out=x
    usage --keep-going=yes
    says "takes no argument"
    usage --check=x
    usage $'--a\nb'
    [ "$(wc -l <err)" -eq 2 ]
}

@test "an argument that is missing is a usage error" {
    for option in -f -o -g -t --from --output --group-by --to --max-errors --max-line --color --progress \
        --rejects; do
        usage "$option"
        says "option '$option' needs an argument"
    done
    usage -kf
    says "option '-f' needs an argument"
}

@test "values are checked" {
    for value in '' 20 27 2 240 AUTO auto21 'auto ' http2; do usage -f "$value"; done
    for value in '' 24 27 2 026 ' 26'; do usage -t "$value"; done
    for value in '' -1 1.5 x 1K ' 1' 99999999999999999999; do usage --max-errors="$value"; done
    for value in '' -1 1.5 x K 1T 1KB 99999999999999999999 99999999999G; do usage --max-line="$value"; done
    for value in '' yes Always; do usage --color="$value"; usage --progress="$value"; done
    says "option '--progress' needs auto, always or never, not 'Always'"
}

@test "the suffix of -i must look like one" {
    samples
    for suffix in u bak a.bak ./x .b/x / ''; do usage --in-place="$suffix" old; done
    usage -iu old
    usage -ic old
    usage -i=.bak old
    usage -ki/x old
    holds . bad err new old out
}

@test "every version, auto and http are taken" {
    new a >in
    for from in auto 25 26; do tool 0 -f "$from" in; cmp out in; done
    old a a >legacy
    for from in auto 21 22 23 24; do tool 0 -f "$from" legacy; cmp out in; done
    { printf 'HTTP/1.1 200 OK\r\nx-eve-stream-version: 24\r\n\r\n'; cat legacy; } >http
    tool 0 -f http http
    cmp out in
}

@test "long and short names, glued and apart, mean the same" {
    samples
    cp old again
    for form in '-k -f auto -t 26 -o to' '-kfauto -t26 -oto' \
        '--keep-going --from auto --to 26 --output to' '--keep-going --from=auto --to=26 --output=to' \
        '-k --from=auto -t 26 --output to --max-errors 0 --max-line 1M -g s --line-buffered'; do
        rm -f to
        # shellcheck disable=SC2086
        tool 0 $form old
        has out
        cmp to new
        # shellcheck disable=SC2086
        tool 0 old $form
        cmp to new
    done
    for form in -q --quiet; do tool 0 "$form" old; has err; cmp out new; done
    for form in '-uc' '-u -c' '--dedupe --coalesce'; do
        # shellcheck disable=SC2086
        tool 0 $form old
        has out "$(new ab)" '{"type":"x"}'
    done
    for form in -i --in-place; do
        cp old again
        tool 0 "$form" again
        cmp again new
    done
    for form in -i.bak --in-place=.bak; do
        rm -f again.bak
        cp old again
        tool 0 "$form" again
        cmp again.bak old
    done
}

@test "the last of an option that is given twice counts" {
    samples
    tool 0 -f 21 -f auto -t 25 -t 26 -o one -o two old
    cmp two new
    not test -e one
}

@test "-- ends the options, - is standard input" {
    samples
    cp old ./-k
    cp old ./--check
    tool 0 -- -k
    cmp out new
    tool 0 -- --check -k
    cmp out <(cat new new)
    tool 0 ./-k
    cmp out new
    tool 0 - <old
    cmp out new
    tool 0 old - old <old
    cmp out <(cat new new new)
    tool 0 -- - <old
    cmp out new
    tool 2 -- --nonsense
    says '--nonsense: error: cannot open'
}

@test "options may follow files, also under POSIXLY_CORRECT" {
    samples
    POSIXLY_CORRECT=1 tool 0 old -q
    has err
    cmp out new
}

@test "standard input is read if no file is named" {
    samples
    tool 0 <old
    cmp out new
    tool 1 <bad
    says '<stdin>:2:1: error:'
}

@test "no file and a terminal: short usage at once, status 2" {
    status=0
    terminal screen 'evenorm >out 2>err' || status=$?
    status_is "$status" 2 'evenorm on a terminal'
    has out
    says 'Usage: evenorm' "Try 'evenorm --help'"
    lines_of err 2
}

@test "-t 26 names unnamed load-skill actions, -t 25 does not" {
    named='{"type":"actions.requested","data":{"actions":[{"kind":"load-skill","input":{"skill":"s\u0041"},"name":"s\u0041"}]}}'
    bare='{"type":"actions.requested","data":{"actions":[{"kind":"load-skill","input":{"skill":"s\u0041"}}]}}'
    none='{"type":"actions.requested","data":{"actions":[ {"kind":"load-skill","input":{ } } ,{"kind":"tool","input":1}]}}'
    fallback='{"type":"actions.requested","data":{"actions":[ {"kind":"load-skill","input":{ },"name":"load_skill" } ,{"kind":"tool","input":1}]}}'
    printf '%s\n' "$bare" "$none" "$named" >in
    tool 0 in
    has out "$named" "$fallback" "$named"
    tool 0 -t 26 in
    has out "$named" "$fallback" "$named"
    tool 0 -t 25 in
    cmp out in
    printf '{"type":"actions.requested","data":{"actions":[{"kind":"load-skill"}]}}\n' >in
    for to in 25 26; do
        tool 1 -t $to in
        has out
        says '[bad-data]'
    done
}

@test "--max-errors and --max-line of 0 set no limit" {
    samples
    cat bad bad bad >in
    tool 1 -k --max-errors=0 --max-line=0 in
    lines_of out 6
    grep -c 'error:' err >count
    has count 3
}

@test "colour: only where it is wanted" {
    samples
    red=$'\033[1;31merror\033[0m'
    tool 1 bad
    not grep -q $'\033' err
    CLICOLOR_FORCE=1 tool 1 bad
    says "$red"
    CLICOLOR_FORCE=0 tool 1 bad
    not grep -q $'\033' err
    NO_COLOR=1 CLICOLOR_FORCE=1 tool 1 bad
    not grep -q $'\033' err
    NO_COLOR='' CLICOLOR_FORCE=1 tool 1 bad
    says "$red"
    NO_COLOR=1 tool 1 --color=always bad
    says "$red"
    CLICOLOR_FORCE=1 tool 1 --color=never bad
    not grep -q $'\033' err
    CLICOLOR_FORCE=1 tool 1 --color=auto bad
    says "$red"
    not grep -q $'\033' out
}

# on_terminal ENVIRONMENT COMMAND: what the command says on a standard error that is a terminal.
on_terminal() {
    terminal screen "env $1 $2 >out; true"
}

@test "colour on a terminal, but not a dumb one" {
    samples
    on_terminal TERM=xterm 'evenorm bad'
    grep -qF $'\033[1;31merror\033[0m' screen
    on_terminal 'TERM=xterm NO_COLOR=1' 'evenorm bad'
    not grep -qF $'\033[1;31m' screen
    on_terminal TERM=dumb 'evenorm bad'
    not grep -qF $'\033' screen
    on_terminal TERM=xterm 'evenorm --color=never bad'
    not grep -qF $'\033[1;31m' screen
}

@test "progress: one line, redrawn and cleared, never on standard output" {
    samples
    slowly() { cat new; sleep 1.3; cat new; }
    jobs=()
    for when in always auto never; do
        slowly | evenorm --progress=$when >out.$when 2>err.$when 3>&- &
        jobs+=($!)
    done
    wait "${jobs[@]}" # not for all: bats has a job of its own
    grep -qF 'MB/s' err.always
    tail -n 1 err.always | grep -qF $'\r\033[Kevenorm: 6 events'
    not grep -q $'\033' err.auto
    not grep -q $'\033' err.never
    for when in always auto never; do cmp out.$when <(cat new new); done
}

@test "the closing line" {
    { old a a; old b ab; } >in
    bytes=$(wc -c <in)
    tool 0 in
    left=$(wc -c <out)
    has err "evenorm: 2 events, 2 changed; $bytes bytes in, $left out ($(
        awk "BEGIN { printf \"%.2f\", 100 * ($bytes - $left) / $bytes }"
    ) % less)"
    new a >in
    tool 0 in
    has err "evenorm: 1 event, 0 changed; $(wc -c <in) bytes in, $(wc -c <in) out (0.00 % less)"
    tool 0 </dev/null
    has err 'evenorm: 0 events, 0 changed; 0 bytes in, 0 out (0.00 % less)'
    has out
    printf '{"type":"x","meta":{"id":"a"}}\n{"type":"x","meta":{"id":"a"}}\n{"type":"x"}\n' >in
    tool 0 -u in
    says '3 events, 0 changed, 1 dropped, 1 without id;'
    samples
    tool 0 -i old
    says '3 events, 2 changed;'
    samples
    tool 0 -q -i old
    has err
}

@test "-q leaves errors and silences the rest" {
    { old a a; old b b; } >in
    tool 0 in
    says 'warning:'
    tool 0 -q in
    has err
    samples
    tool 1 -q bad
    lines_of err 1
    says 'bad:2:1: error:'
    tool 2 -q missing
    says 'missing: error:'
}

@test "--line-buffered changes no byte" {
    samples
    tool 0 --line-buffered old
    cmp out new
    tool 0 --line-buffered -c old
    has out "$(new ab)" '{"type":"x"}'
}
