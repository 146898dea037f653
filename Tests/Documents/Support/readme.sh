#!/bin/bash
# Runs the commands of a document in the environment that it describes: the servers web.example and 10.0.0.7, reached as
# user deploy, and a small project in the current directory. Requires root and its own namespaces:
#   unshare --mount --net --pid --fork --kill-child --mount-proc readme.sh DIRECTORY VT
# DIRECTORY/N.sh contains command N; its standard output is written to N.out, its standard error to N.err, and its exit
# status to N.status.
set -euo pipefail
directory=$1 vt=$2

# --- Names and accounts --------------------------------------------------------------------------------------------

ip link set lo up
ip address add 10.0.0.7/32 dev lo
printf '127.0.0.1 localhost web.example\n' >"$directory/hosts"
printf 'root:x:0:0::/home/me:/bin/bash\ndeploy:x:0:0::/home/deploy:/bin/bash\nsshd:x:100:65534::/run/sshd:/bin/false\n' \
    >"$directory/passwd"
mount --bind "$directory/hosts" /etc/hosts
mount --bind "$directory/passwd" /etc/passwd
mount -t tmpfs tmpfs /home
mount -t tmpfs tmpfs /srv
mkdir -p /run/sshd /home/{me/.ssh,deploy/.ssh,me/project/src} /srv/src

# --- The servers ---------------------------------------------------------------------------------------------------

ssh-keygen -q -t ed25519 -N '' -f "$directory/host_key"
ssh-keygen -q -t ed25519 -N '' -f /home/me/.ssh/id_ed25519
cp /home/me/.ssh/id_ed25519.pub /home/deploy/.ssh/authorized_keys
cat >"$directory/sshd_config" <<END
HostKey $directory/host_key
PidFile $directory/sshd.pid
StrictModes no
UsePAM no
PermitRootLogin yes
PrintMotd no
MaxStartups 100
Subsystem sftp internal-sftp
END
/usr/sbin/sshd -E "$directory/sshd.log" -f "$directory/sshd_config"

# --- The project, local and remote ---------------------------------------------------------------------------------

cd /home/me/project
cat >Makefile <<'END'
all: app
app: main.c
	@echo "$<:3: error: expected ';'"; exit 1

test:
	@echo ok
END
cp Makefile /srv
touch main.c src/app.c
printf 'Host old\n    HostName old.example\n' >/home/me/.ssh/config
mkdir -p /home/deploy/.local/bin
ln -s "$vt" /home/deploy/.local/bin/vt
printf '#!/bin/sh\necho deployed\n' >/home/deploy/deploy.sh
chmod +x /home/deploy/deploy.sh
git init -q --bare /srv/app.git
git -c init.defaultBranch=main init -q history
git -C history -c user.name=me -c user.email=me@example.org commit -q --allow-empty -m Start
git -C history push -q /srv/app.git HEAD:main
git -C /srv/app.git symbolic-ref HEAD refs/heads/main
rm -rf history

# --- The commands --------------------------------------------------------------------------------------------------

export HOME=/home/me USER=me LOGNAME=me PATH="${vt%/*}:$PATH" TERM=xterm-256color
unset VT_HOME SSH_AUTH_SOCK XDG_CONFIG_HOME XDG_STATE_HOME XDG_RUNTIME_DIR
set +eu

# Runs an attach command on a terminal, and types ^] (the detach key) once there is output.
attach() {
    local typescript=$directory/$1.typescript
    : >"$typescript"
    { until [ -s "$typescript" ]; do sleep 0.1; done; printf '\x1d'; } |
        script --quiet --flush --return --command "$(<"$directory/$1.sh")" "$typescript"
}

for ((number = 0; ; number++)); do
    file=$directory/$number.sh
    [ -e "$file" ] || break
    case $(<"$file") in
    'vt attach '*) attach "$number" >"$directory/$number.out" 2>"$directory/$number.err" ;;
    *) . "$file" >"$directory/$number.out" 2>"$directory/$number.err" </dev/null ;;
    esac
    echo $? >"$directory/$number.status"
done
