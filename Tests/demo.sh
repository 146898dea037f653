#!/bin/bash
# Runs vt with a private OpenSSH server on loopback and its own home, keys and state, and shows commands and output.
# Usage: demo.sh VT
set -euo pipefail

vt=$(realpath "${1:?usage: demo.sh VT}")
home=$(mktemp -d /tmp/vt-demo-XXXXXX)
server=
trap 'kill $server 2>/dev/null || true; rm -rf "$home"' EXIT

# --- A private server ----------------------------------------------------------------------------------------------

ssh-keygen -q -t ed25519 -N '' -f "$home/host_key"
ssh-keygen -q -t ed25519 -N '' -f "$home/demo_key"
[ "$(id -u)" != 0 ] || mkdir -p /run/sshd # required by sshd when run as root

# Prints an unused loopback port.
free_port() {
    local port
    while port=$((20000 + RANDOM % 20000)); (: </dev/tcp/127.0.0.1/$port) 2>/dev/null; do :; done
    echo $port
}

start_server() {
    port=$(free_port)
    cat >"$home/sshd_config" <<-END
	ListenAddress 127.0.0.1:$port
	HostKey $home/host_key
	AuthorizedKeysFile $home/demo_key.pub
	PidFile none
	StrictModes no
	UsePAM no
	PasswordAuthentication no
	PermitRootLogin yes
	PrintMotd no
	SetEnv HOME=$home
	END
    /usr/sbin/sshd -D -E "$home/sshd.log" -f "$home/sshd_config" &
    server=$!
    until (: </dev/tcp/127.0.0.1/$port) 2>/dev/null; do
        kill -0 $server 2>/dev/null || return 1 # sshd has exited, perhaps because the port is in use
    done
}
start_server || start_server || { cat "$home/sshd.log"; exit 1; }

# --- vt, isolated from the user's files ----------------------------------------------------------------------------

export HOME=$home VT_HOME=$home/vt PATH=${vt%/*}:$PATH
unset SSH_AUTH_SOCK
cd "$home"
target=$(id -un)@127.0.0.1:$port

bold='' plain=''
if [ -t 1 ]; then bold=$'\e[1m' plain=$'\e[0m'; fi

# run STATUS WORD…: shows and runs the command, which must exit with STATUS.
run() {
    local wanted=$1 status=0
    shift
    printf '\n%s$' "$bold"
    for word; do
        case $word in
        *[!A-Za-z0-9_@%:,./=+-]*) printf " '%s'" "${word//\'/\'\\\'\'}" ;;
        *) printf ' %s' "$word" ;;
        esac
    done
    printf '%s\n' "$plain"
    "$@" || status=$?
    [ $status = 0 ] || echo "(exit status $status)"
    [ $status = "$wanted" ] || { echo "the demo expected exit status $wanted" >&2; exit 1; }
}

echo "The OpenSSH server of this demo is listening on 127.0.0.1:$port."
run 0 vt version
run 0 vt profile add web "$target" --identity demo_key --no-agent --tag demo
run 0 vt profile test web
run 0 vt exec web 'echo "hello from $(uname -s)"; exit 0'
run 42 vt exec web 'exit 42'
run 143 vt exec web 'kill -TERM $$'
run 0 vt exec web -- printf '%s\n' 'a b' '$HOME' "it's"
run 0 vt host list

run 0 vt profile add db "$target" --identity demo_key --no-agent --tag demo
run 0 vt profile add cache "$target" --identity demo_key --no-agent --tag demo
run 0 vt profile list
run 0 vt exec web,db,cache 'echo "$$ runs here"'
run 0 vt exec --tag demo --gather uname
run 0 vt exec --json web,db 'echo out; echo err >&2'
run 0 vt exec local 'echo "the same on this machine"'
run 255 vt exec "nobody@127.0.0.1:$port" true

# Sessions on a server require vt to be installed there.
[ -x .local/bin/vt ] || { mkdir -p .local/bin; ln -s "$vt" .local/bin/vt; }
run 0 vt sessions create web:build -- sh -c 'echo first; sleep 1; echo last; exit 3'
run 0 vt sessions list web
run 3 vt sessions wait web:build --exit
run 0 vt sessions logs web:build
run 0 vt sessions create web:shell --env 'PS1=$ ' -- sh
run 0 vt sessions send web:shell 'echo ready' --enter
run 0 vt sessions wait web:shell --match '^ready' --from 0 --timeout 10s
run 0 vt sessions screen web:shell
run 7 vt attach web:shell <<<'exit 7'
run 0 vt record web:build -o '{profile}-{session}.cast'
run 0 vt play --instant web-build.cast
run 3 vt record --quiet --force -o web-build.cast --profile web -- sh -c 'echo recorded; exit 3'
run 0 vt play --instant web-build.cast
run 0 vt sessions cleanup web:build web:shell
run 0 vt sessions list local web
printf '\nThe demo is finished; its files are removed on exit.\n'
