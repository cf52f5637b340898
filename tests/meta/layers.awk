# Checks every #include "..." against the layers: awk -f layers.awk layers.txt FILE...
# Prints what is wrong and exits 1 if anything is.
function bad(text) { print FILENAME ": " text; status = 1 }
FILENAME ~ /layers\.txt$/ { 
    if (!/^#/)
        for (i = 2; i <= NF; i++) {
            parts = split($i, part, "+")
            for (p = 1; p <= parts; p++) { layer[part[p]] = $1; whole[part[p]] = part[1] }
        }
    next
}
FNR == 1 {
    noun = FILENAME; gsub(/.*\/|\.[ch]$/, "", noun)
    if (!(noun in layer)) bad("has no layer in layers.txt")
}
/^[ \t]*#[ \t]*include[ \t]*"/ {
    split($0, part, "\""); name = part[2]
    if (name !~ /^[a-z0-9_]+\.h$/) bad("include \"" name "\" is no plain header name")
    sub(/\.h$/, "", name)
    if (!(name in layer && (whole[name] == whole[noun] || layer[name] + 0 < layer[noun] + 0)))
        bad("includes " name ", which is not in a lower layer")
}
END { exit status }
