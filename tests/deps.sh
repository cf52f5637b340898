#!/usr/bin/env bash
# Makes sure that what a group of tasks needs is there: tests/deps.sh GROUP...
# Silent if it is. Installs what is missing on Debian and its kin; elsewhere names it and exits 2.
set -eu

# group, Debian package, and the command that succeeds if it is there
needs() {
    cat <<'TABLE'
build gcc            command -v ${CC:-cc}
build libc6-dev      test -e /usr/include/stdio.h || echo '#include <stdio.h>' | ${CC:-cc} -E -
build pkg-config     command -v "${PKG_CONFIG:-pkg-config}"
build libcjson-dev   "${PKG_CONFIG:-pkg-config}" --exists libcjson
extra zlib1g-dev     "${PKG_CONFIG:-pkg-config}" --exists zlib
extra libzstd-dev    "${PKG_CONFIG:-pkg-config}" --exists libzstd
test  bats           command -v bats
test  gzip           command -v gzip
test  zstd           command -v zstd
test  jq             command -v jq
test  mandoc         command -v mandoc
test  groff-base     command -v groff
test  attr           command -v setfattr
test  acl            command -v setfacl
test  zsh            command -v zsh
test  fish           command -v fish
test  binutils       command -v nm
test  parallel       parallel --version | grep -q GNU
test  perl           command -v prove
test  libxml2-utils  command -v xmllint
test  python3-jsonschema python3 -c 'import jsonschema'
test  curl           command -v curl
test  procps         command -v pgrep
ssh   openssh-server test -x /usr/sbin/sshd
ssh   openssh-client command -v ssh
ssh   rsync          command -v rsync
lint  gcc            command -v gcc
lint  clang          command -v clang
lint  clang-tidy     command -v clang-tidy
lint  clang-format   command -v clang-format
lint  cppcheck       command -v cppcheck
lint  shellcheck     command -v shellcheck
lint  git            command -v git
fuzz  clang          command -v clang
fuzz  libclang-rt-14-dev  echo 'int LLVMFuzzerTestOneInput(void){return 0;}' | clang -fsanitize=fuzzer -x c -o /dev/null -
conformance nodejs   command -v node
conformance npm      command -v npm
cov   gcovr          command -v gcovr
TABLE
}

# Prints the packages of the groups $@ that are not there.
missing() {
    local group package test
    while read -r group package test; do
        case " $* " in *" $group "*) ;; *) continue ;; esac
        eval "$test" >/dev/null 2>&1 </dev/null || printf '%s\n' "$package"
    done < <(needs) | sort -u | paste -sd ' ' -
}

debian() {
    # shellcheck source=/dev/null
    command -v apt-get >/dev/null &&
        (. /etc/os-release && case " $ID ${ID_LIKE-} " in *' debian '* | *' ubuntu '*) ;; *) false ;; esac)
}

root() {
    if [ "$(id -u)" -eq 0 ]; then env "$@"; else sudo env "$@"; fi
}

# What is extra is installed if it can be; the tools are built without it, too.
want=$(missing "$@" extra)
[ -n "$want" ] || exit 0
if debian && { [ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null; }; then
    printf 'Installing what is missing: %s\n' "$want" >&2
    read -ra packages <<<"$want"
    apt=(DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=120)
    root "${apt[@]}" update >&2 || true
    root "${apt[@]}" install --no-install-recommends "${packages[@]}" >/dev/null </dev/null || true
fi
want=$(missing "$@")
[ -n "$want" ] || exit 0
printf 'Missing; install these first (Debian names): %s\n' "$want" >&2
exit 2
