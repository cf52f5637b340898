#!/usr/bin/env bash
# That the torture reaches everything: every tool and option is in the table, every function that a
# tool calls is made to fail or known to be harmless, and what is wrong is seen.
. "$(dirname "$0")/../env.sh"
. tests/tap.sh
. tests/torture/inputs.bash
preload=$BIN/tests/torture/preload.so

lines_of() { grep -E "^(stream|report) $1( |\$)" tests/torture/table; }

# Options that are in no line of the tool, but for those that only print a text of ours.
options_missing() {
    local short long _
    while IFS=$'\t' read -r short long _; do
        case $long in help | version | list-rules | explain) continue ;; esac
        lines_of "$1" | grep -qE -e " (-$short|--$long)([ =.]|\$)" || printf -- '--%s is in no line\n' "$long"
    done < <("$BIN/$1" --dump-options)
}

# Calls that cannot fail, cannot fail for us, or whose failure is the same as not being asked: they
# compute, print messages (whose loss shows in the status), ask about the terminal, handle signals.
harmless='__cxa_finalize|__errno_location|__gmon_start__|_ITM_.*|__libc_start_main|__stack_chk_fail'
harmless+='|__(asan|ubsan|lsan|sanitizer|gcov|llvm)_.*|_exit|exit|abort|free|__assert_fail'
harmless+='|(__)?(v?f?printf|v?snprintf|fwrite|fflush|f?put[cs]|putchar|ferror)(_chk|_unlocked)?|std(out|err)'
harmless+='|(__)?(mem|str|stp)[a-z]*(_chk)?|getenv|getpid|isatty|umask|clock_gettime|getopt_long|opt(ind|arg|err|opt)'
harmless+='|raise|signal|sig[a-z]*|fcntl|posix_fadvise|ioctl|qsort|bsearch|__ctype_.*|strto.*|is(nan|inf)'
harmless+='|pipe2|getcwd|setlocale|nl_langinfo|localeconv|gmtime_r|pow|floor|log10|fmod|(new|free|use)locale|nl_langinfo_l|reg(comp|exec|free|error)|__isoc99_sscanf|tolower|toupper'
# A thread that cannot be had is done without, see lib/source.c.
harmless+='|pthread_(create|join|sigmask|(mutex|cond)_[a-z]*)'

calls_unknown() {
    nm -D --undefined-only "$BIN/$1" | awk '{ sub(/@.*/, "", $2); print $2 }' |
        grep -vxE "$harmless" |
        grep -vxFf <(nm -D --defined-only "$preload" | awk '{ print $3 }') |
        grep -vE '^(cJSON_|(in|de)flate|ZSTD_)' # their memory comes from calls that are known
}
no_calls_unknown() { calls_unknown "$1" | none; }

# A tool that cares for nothing, under the name of one that does.
careless() {
    local log=$SCRATCH/log
    mkdir -p "$SCRATCH/bin" "$SCRATCH/in" "$SCRATCH/f"
    printf 'new\n' >"$SCRATCH/in/other"
    printf 'old content\n' >"$SCRATCH/in/target"
    printf '#!/bin/sh\n%s\n' "$1" >"$SCRATCH/bin/careless"
    chmod +x "$SCRATCH/bin/careless"
    printf 'stream careless\n' >"$SCRATCH/table"
    ! PATH=$SCRATCH/bin:$PATH ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0 "$O/tests/torture/drive" quick \
        "$preload" "$SCRATCH/table" "$SCRATCH/in" "$SCRATCH/f" >"$log" && grep -q "$2" "$log"
}

for tool in $(makevar TOOLS); do
    point "$tool is in the table" quiet test -n "$(lines_of "$tool")"
    point "every option of $tool is in the table" quiet options_missing "$tool"
    point "every call of $tool is known (to preload.c or harmless)" no_calls_unknown "$tool"
done
# shellcheck disable=SC2016
point 'a file that is half written is seen' careless 'cat other >target' 'neither the old nor the new'
point 'a file that is left behind is seen' \
    careless 'cat other >.evetools-x; cat .evetools-x; rm .evetools-x' 'left behind'
point 'missing bytes are seen' careless 'cat other; cat target; true' 'not what should have come out'
tap_end
