#!/bin/bash
# Runs the commands of documents on a machine with the servers and accounts that they describe: web.example, 10.0.0.7 and
# others, reached as deploy, ann or dba. Requires root and its own namespaces:
#   unshare --mount --net --pid --fork --kill-child --mount-proc run.sh DIRECTORY VT FIXTURE
# DIRECTORY/N.sh contains command N; its standard output is written to N.out, its standard error to N.err, and its exit
# status to N.status. FIXTURE, a script in this directory, makes what the commands need, and can define these functions:
before() { :; }   # before FILE: makes what only this command needs, or changes the command
how() { :; }      # how FILE: sets the variables mode, keys and probe, which select how the command is run
after() { :; }    # after FILE: fails if the command has not done what it should
set -euo pipefail
directory=$1 vt=$2 fixture=$(realpath "${0%/*}/$3")

# --- Names and accounts --------------------------------------------------------------------------------------------

ip link set lo up
for address in 10.0.0.7 192.0.2.1; do ip address add "$address/32" dev lo; done
names='web.example web-1.example web-7.example db db.internal nas lab desk desk.example mac.lan arm.example'
printf '127.0.0.1 localhost %s\n' "$names" >"$directory/hosts"
cat >"$directory/passwd" <<'END'
root:x:0:0::/home/me:/bin/bash
deploy:x:0:0::/home/deploy:/bin/bash
ann:x:0:0::/home/deploy:/bin/bash
dba:x:0:0::/home/dba:/bin/bash
sshd:x:100:65534::/run/sshd:/bin/false
END
mount --bind "$directory/hosts" /etc/hosts
mount --bind "$directory/passwd" /etc/passwd
mount -t tmpfs tmpfs /home
mount -t tmpfs tmpfs /srv
mkdir -p /run/sshd /home/{me/.ssh,deploy/.ssh,dba/.ssh,me/project/src} /srv/src

# --- The servers ---------------------------------------------------------------------------------------------------

ssh-keygen -q -t ed25519 -N '' -f "$directory/host_key"
ssh-keygen -q -t ed25519 -N '' -f /home/me/.ssh/id_ed25519
cp /home/me/.ssh/id_ed25519.pub /home/deploy/.ssh/authorized_keys
cp /home/me/.ssh/id_ed25519.pub /home/dba/.ssh/authorized_keys
cat >"$directory/sshd_config" <<END
Port 22
Port 2222
HostKey $directory/host_key
PidFile $directory/sshd.pid
StrictModes no
UsePAM no
PermitRootLogin yes
PrintMotd no
MaxStartups 100
SetEnv PATH=/home/me/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
Subsystem sftp internal-sftp
END
/usr/sbin/sshd -E "$directory/sshd.log" -f "$directory/sshd_config"
for user in deploy dba; do
    mkdir -p /home/$user/.local/bin
    ln -s "$vt" /home/$user/.local/bin/vt
done

# --- The commands --------------------------------------------------------------------------------------------------

cd /home/me/project
export HOME=/home/me USER=me LOGNAME=me PATH="/home/me/bin:${vt%/*}:$PATH" TERM=xterm-256color
unset VT_HOME SSH_AUTH_SOCK XDG_CONFIG_HOME XDG_STATE_HOME XDG_RUNTIME_DIR
. "${0%/*}/programs.sh"
. "$fixture"
set +eu

# Runs the file on a terminal, and types the keys once there is output, every second until the program has ended.
on_terminal() {
    local typescript=$out.typescript
    : >"$typescript"
    timeout 20 script --quiet --flush --return --command "bash -o pipefail $1" "$typescript" < <(
        until [ -s "$typescript" ]; do sleep 0.1; done
        while printf "$keys"; do sleep 1; done
    )
}

# Runs the file, which has one command, until the probe succeeds. With -c, bash replaces itself with the command, so that
# the command has ended, and left its port, when the function returns.
until_probe() {
    local pid tries=0
    timeout 20 bash -o pipefail -c "$(<"$1")" <"$input" &
    pid=$!
    until eval "$probe" >/dev/null 2>&1; do
        ((++tries < 100)) && kill -0 $pid || { echo "run.sh: the probe failed: $probe" >&2; break; }
        sleep 0.1
    done
    kill $pid
    wait $pid
    # 143: ended by this signal
    case $? in 0 | 143) ((tries < 100)) ;; *) false ;; esac
}

for ((number = 0; ; number++)); do
    file=$directory/$number.sh out=$directory/$number
    [ -e "$file" ] || break
    mode=shell keys= probe= input=/dev/null
    before "$file" >"$out.before" 2>&1
    how "$file"
    strict=
    if [ "$(wc -l <"$file")" -gt 1 ]; then strict=-e; fi    # no command of a script may fail
    case $mode in
    shell) . "$file" <"$input" ;;                                # variables and directories remain
    program) timeout 20 bash $strict -o pipefail "$file" <"$input" ;;    # only files and sessions remain
    terminal) on_terminal "$file" ;;
    probe) until_probe "$file" ;;
    esac >"$out.out" 2>"$out.err"
    status=$?
    after "$file" || echo "run.sh: not done what it should: see 'after' in ${fixture##*/}" >>"$out.err"
    echo $status >"$out.status"
done
