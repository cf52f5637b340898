#!/usr/bin/env bash
# The source archive: the same bytes wherever it is made, and all that is in the repository.
. "$(dirname "$0")/../env.sh"
. tests/tap.sh

if ! git rev-parse -q --verify HEAD >/dev/null 2>&1; then
    printf 'ok 1 make dist # skip no repository\n1..1\n'
    exit
fi
top=evetools-$(makevar VERSION)
dist() { "$MAKE" -s -C "$1" BUILD="$2" dist; }
other() {
    git clone -q . "$SCRATCH/clone" && (umask 077 && export TZ=Asia/Tokyo && dist "$SCRATCH/clone" "$SCRATCH/b")
}
equal() { cmp "$SCRATCH/a/$top.tar.gz" "$SCRATCH/b/$top.tar.gz"; }
whole() { tar tzf "$SCRATCH/a/$top.tar.gz" | grep -v '/$' | sort | diff <(git ls-tree -r --name-only HEAD | sed "s|^|$top/|" | sort) -; }
alone() { [ "$(ls "$SCRATCH/a")" = "$top.tar.gz" ]; }

point 'make dist' quiet dist . "$SCRATCH/a"
point 'again, in a clone, with another umask and time zone' quiet other
point 'the archives are equal' equal
point 'all is in it' whole
point 'nothing else is left' alone
tap_end
