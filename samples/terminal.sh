#!/usr/bin/env bash
# Draws what the tools print, for README.md: O=build/release samples/terminal.sh >samples/terminal.svg (`make picture`)
set -eu
O=${O:-build/release}
PATH=$(cd "$O" && pwd):$PATH
cd "$(dirname "$0")"
export LC_ALL=C CLICOLOR_FORCE=1
unset NO_COLOR

# What is typed, then what is seen.
session() {
    local line
    while IFS= read -r line; do
        printf '\033[1m$\033[0m %s\n' "$line"
        bash -c "$line" 2>&1 </dev/null || true
        printf '\n'
    done <<'END'
evestat v24-long-answer.ndjson | head -n 7
sed 20d v24-tool-call.ndjson | evecheck
evenorm -q v24-tool-call.ndjson | sed 28d | evecheck
END
}

# Lines of a terminal of 84 columns, whose bytes and colours become SVG. Bytes of UTF-8 after the first have no width.
session | awk -v columns=84 -v row=19 -v column=8.4 '
    function end_line() {
        text = text sprintf("<text x=\"16\" y=\"%d\">%s%s</text>\n", 30 + rows++ * row, line, style == "" ? "" : "</tspan>")
        line = style
        width = 0
    }
    function change(code) {
        if (style != "") line = line "</tspan>"
        style = ""
        if (code ~ /31/) style = " fill=\"#ff7b72\""
        if (code ~ /32/) style = " fill=\"#7ee787\""
        if (code ~ /33/) style = " fill=\"#e3b341\""
        if (code ~ /^0?1/) style = style " font-weight=\"bold\""
        if (style != "") style = "<tspan" style ">"
        line = line style
    }
    {
        n = length($0)
        for (i = 1; i <= n; i++) {
            c = substr($0, i, 1)
            if (c == "\033") {
                match(substr($0, i), /m/)
                change(substr($0, i + 2, RSTART - 3))
                i += RSTART - 1
                continue
            }
            if (c !~ /[\200-\277]/ && width++ == columns) {
                end_line()
                width = 1
            }
            line = line (c == "&" ? "&amp;" : c == "<" ? "&lt;" : c == ">" ? "&gt;" : c)
        }
        end_line()
    }
    END {
        wide = 32 + columns * column
        high = 42 + (rows - 2) * row
        printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\"", wide, high, wide, high
        print " font-family=\"ui-monospace, Menlo, Consolas, &apos;DejaVu Sans Mono&apos;, monospace\" font-size=\"14\""
        print " fill=\"#e6edf3\" xml:space=\"preserve\" style=\"white-space: pre\">"
        print "<title>evestat tells what a log takes, evecheck what is wrong with it</title>"
        print "<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#0d1117\"/>"
        printf "%s</svg>\n", text
    }'
