#!/usr/bin/env bash
# The Debian packages: built from the source archive twice, in other places, without tests; the same, and lintian is
# content. Needs dpkg-dev, debhelper and lintian, and a repository.
. "$(dirname "$0")/env.sh"
. tests/tap.sh

top=evetools-$(makevar VERSION)
"$MAKE" -s BUILD="$SCRATCH" dist || exit
build() {
    local folder=$SCRATCH/$1 mask=$2
    mkdir -p "$folder" && tar xzf "$SCRATCH/$top.tar.gz" -C "$folder" &&
        (cd "$folder/$top" && umask "$mask" && unset BIN O CC MAKE && DEB_BUILD_OPTIONS=nocheck dpkg-buildpackage -us -uc)
}
equal() {
    local package
    for package in "$SCRATCH"/one/*.deb; do cmp "$package" "$SCRATCH/two/deeper/${package##*/}" || return; done
}
content() { (cd "$SCRATCH/one" && quiet lintian --allow-root -i --fail-on error,warning ./*.changes); }
files() {
    dpkg-deb -c "$SCRATCH"/one/"$1"_*.deb | awk '!/\/$/ { print $6 }' | sed 's|/lib/[^/]*-linux-[^/]*/|/lib/|' |
        grep -v '^./usr/share/doc'
}
tools() {
    for tool in $(makevar TOOLS); do
        printf './usr/%s\n' "bin/$tool" "share/bash-completion/completions/$tool" \
            "share/zsh/vendor-completions/_$tool" "share/fish/vendor_completions.d/$tool.fish"
    done
    for page in $(makevar MAN); do printf './usr/share/man/man%s/%s.gz\n' "${page##*.}" "$page"; done
}
library() { printf './usr/%s\n' include/evestream.h lib/libevestream.a lib/pkgconfig/libevestream.pc; }

point 'dpkg-buildpackage' build one 022
point 'again, elsewhere, with another umask' build two/deeper 077
point 'the packages are equal' equal
point 'lintian says nothing' content
point 'what is in evetools' same wanted "$(tools)" found "$(files evetools)"
point 'what is in libevestream-dev' same wanted "$(library)" found "$(files libevestream-dev)"
tap_end
