# shellcheck shell=bash
# For `load page`, and sourced by scripts that set ROOT: what evetools(7) shows.
# The text of a block of evetools.7 as the page shows it, without its indentation: block KIND NAME.
block() {
    local begin
    begin=$(grep -n "^\.\\\\\" $1: $2\$" "$ROOT/man/evetools.7" | cut -d : -f 1)
    {
        printf '.Dd x\n.Dt X 7\n.Os x\n.Sh X\n'
        tail -n +"$begin" "$ROOT/man/evetools.7" | sed '/^\.Ed/q'
    } | mandoc -Tutf8 -Owidth=200 | col -bx | sed -n 's/^           //p'
}

