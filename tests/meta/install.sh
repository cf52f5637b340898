#!/usr/bin/env bash
# Installs into a root with a space in its name, runs each tool there, uninstalls: nothing stays.
. "$(dirname "$0")/../env.sh"
. tests/tap.sh

root="$SCRATCH/a root"
config=${O##*/}
make_in() { "$MAKE" -s BUILD="${O%/*}" CONFIG="$config" DESTDIR="$root" PREFIX=/opt/eve INSTALL='install -p' "$@"; }
files() { (cd "$root" && find . ! -type d | sort); }
runs() { "$root/opt/eve/bin/$1" --version | grep -q "^$1 (evetools) [0-9]"; }
expected() {
    local tool page sample
    for tool in $(makevar TOOLS); do
        printf './opt/eve/%s\n' "bin/$tool" "share/bash-completion/completions/$tool" \
            "share/zsh/site-functions/_$tool" "share/fish/vendor_completions.d/$tool.fish"
    done
    for page in $(makevar MAN); do
        printf './opt/eve/share/man/man%s/%s\n' "${page##*.}" "$page"
    done
    for sample in $(makevar SAMPLES); do printf './opt/eve/share/doc/evetools/examples/%s\n' "$sample"; done
    printf './opt/eve/%s\n' include/evestream.h lib/libevestream.a lib/pkgconfig/libevestream.pc
}
untouched() { find "$O" -newer "$SCRATCH/before" -type f | none; }
modes() {
    find "$root" -type f \( -path '*/bin/*' -o -name '*.sh' \) ! -perm 755 | none &&
        find "$root" -type f ! -path '*/bin/*' ! -name '*.sh' ! -perm 644 | none
}
nothing_left() { files | none && ! test -d "$root/opt/eve/share/doc/evetools"; }

touch "$SCRATCH/before"
point 'make install, with a space in DESTDIR' quiet make_in install
point 'each file is where it belongs' same expected "$(expected)" installed "$(files)"
point 'modes are 755 for tools and scripts, 644 for the rest' modes
point 'installing leaves the build alone' untouched
for tool in $(makevar TOOLS); do
    point "the installed $tool runs" runs "$tool"
done
point 'make uninstall' quiet make_in uninstall
point 'no file is left, nor the folder of samples' nothing_left
tap_end
