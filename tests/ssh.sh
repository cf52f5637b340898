#!/usr/bin/env bash
# The recipe of evetools(7) for several hosts, over ssh to a server of its own on this host (`make check-ssh`; needs
# openssh-server and rsync). It has its own port, keys and folder, takes nobody in but its own key, and ends with the test.
. "$(dirname "$0")/env.sh"
. tests/tap.sh
ROOT=$PWD
. tests/cli/page.bash

server() {
    local port tries
    [ "$(id -u)" -ne 0 ] || mkdir -p /run/sshd
    ssh-keygen -q -t ed25519 -N '' -f host && ssh-keygen -q -t ed25519 -N '' -f key || return
    cp key.pub keys && chmod 600 keys
    for ((tries = 0; tries < 5; tries++)); do
        port=$((20000 + RANDOM % 20000))
        /usr/sbin/sshd -f /dev/null -p "$port" -h "$PWD/host" -o ListenAddress=127.0.0.1 -o "PidFile=$PWD/pid" \
            -o "AuthorizedKeysFile=$PWD/keys" -o StrictModes=no -o UsePAM=no -o PermitRootLogin=prohibit-password \
            -o PasswordAuthentication=no -o MaxStartups=100 -o "SetEnv=PATH=$PATH" || continue
        for _ in $(seq 50); do [ ! -s pid ] || break; sleep 0.1; done
        [ -s pid ] || continue
        cat >config <<EOF
Host one two
    HostName 127.0.0.1
    Port $port
    IdentityFile $PWD/key
    IdentitiesOnly yes
    UserKnownHostsFile $PWD/known
    StrictHostKeyChecking accept-new
    LogLevel ERROR
EOF
        return
    done
    return 1
}
stop() { [ ! -s "$SCRATCH/pid" ] || kill "$(cat "$SCRATCH/pid")"; rm -rf "$SCRATCH"; }
reached() { ssh -F config "$1" 'command -v evenorm'; }
recipe() {
    block scale hosts >recipe && [ -s recipe ] || return
    HOSTS='1/one,1/two' PARALLEL_SSH="ssh -F $SCRATCH/config" bash -e -o pipefail recipe
}
same_cost() { evestat -q --format=json -- *.ndjson | evestat --merge --format=json | cmp - cost.json; }
same_logs() {
    local log status=0
    for log in *.ndjson; do evenorm -q "$log" | cmp - "$log.new" || status=1; done
    return "$status"
}

trap stop EXIT
cd "$SCRATCH" || exit
cp "$ROOT"/tests/streams/v2[146]-t*.ndjson .
point 'an ssh server on a port of its own' server
point 'host one is reached' reached one
point 'host two is reached' reached two
point 'the recipe runs' recipe
point 'the report is that of one process' same_cost
point 'the logs are those of one process' same_logs
tap_end
