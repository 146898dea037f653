#!/bin/bash
# Runs `vt exec --shard auto` as an array of 4 tasks of a private Slurm over 400 targets, and compares the merged
# result with that of one run. Requires root, because slurmd does.
#
# Usage: slurm.sh VT [TARGETS]

set -euo pipefail

vt=$(realpath "$1")
targets=${2:-400}
scratch=$(mktemp -d /tmp/vt-slurm-XXXXXX)
chmod 755 "$scratch"
pids=()
trap 'for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || :; done; wait; rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
cd "$scratch"

# wait_until COMMAND...: repeats a command until it succeeds, for at most 30 seconds.
wait_until() {
    local end=$((SECONDS + 30))
    until "$@" >/dev/null 2>&1; do
        if ((SECONDS >= end)); then
            echo "slurm.sh: timed out: $*" >&2
            tail -n 20 ./*.log >&2
            exit 1
        fi
        sleep 0.2
    done
}

free_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# The SSH server: all addresses in 127.0.0.0/8 are this machine.
ssh_port=$(free_port)
ssh-keygen -qt ed25519 -N '' -f host_key
ssh-keygen -qt ed25519 -N '' -f user_key
cp user_key.pub authorized_keys
mkdir -p /run/sshd
/usr/sbin/sshd -D -E sshd.log -f /dev/null -p "$ssh_port" -o ListenAddress=0.0.0.0 -o HostKey="$scratch/host_key" \
    -o AuthorizedKeysFile="$scratch/authorized_keys" -o StrictModes=no -o PidFile=none -o UsePAM=no \
    -o MaxStartups=1000 -o SetEnv="HOME=$scratch" &
pids+=($!)

# Slurm, with a key, sockets and state of its own.
dd if=/dev/urandom of=munge.key bs=64 count=1 status=none
chmod 400 munge.key
munged --foreground --force --key-file="$scratch/munge.key" --socket="$scratch/munge.socket" \
    --pid-file="$scratch/munge.pid" --seed-file="$scratch/munge.seed" --log-file="$scratch/munge.log" \
    >munged.log 2>&1 &
pids+=($!)
wait_until test -S munge.socket
host=$(hostname -s)
cat >slurm.conf <<EOF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$scratch/munge.socket
CredType=cred/munge
StateSaveLocation=$scratch/state
SlurmdSpoolDir=$scratch/spool
SlurmctldPidFile=$scratch/slurmctld.pid
SlurmdPidFile=$scratch/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
EOF
mkdir state spool
export SLURM_CONF=$scratch/slurm.conf
slurmctld -D >slurmctld.log 2>&1 &
pids+=($!)
slurmd -D -N "$host" >slurmd.log 2>&1 &
pids+=($!)
wait_until sh -c 'sinfo -h -o %T | grep -qx idle'

# The profiles.
export HOME=$scratch VT_HOME=$scratch/vt
for ((i = 1; i <= targets; i++)); do
    printf 'Host t%d\n  HostName 127.9.%d.%d\n  Port %d\n  User root\n  IdentityFile %s\n' \
        "$i" $((i / 250)) $((i % 250 + 1)) "$ssh_port" "$scratch/user_key"
done >config
"$vt" -q profile import config >/dev/null

command='echo "$SSH_CONNECTION" | cut -d" " -f3; echo run >>'"$scratch"'/runs'
status=0
"$vt" -q --json exec --all --gather "$command" >whole.json || status=$?
[[ $status == 0 ]] || { echo "slurm.sh: the run on all targets exited with $status" >&2; exit 1; }
: >runs

cat >fleet.sh <<EOF
#!/bin/bash
#SBATCH --array=0-3
#SBATCH --output=/dev/null
exec '$vt' -q exec --all --shard auto --gather --json '${command//\'/\'\\\'\'}' >$scratch/parts/\$SLURM_ARRAY_TASK_ID.json
EOF
mkdir parts
timeout 300 sbatch --wait --quiet fleet.sh
"$vt" exec --merge parts >merged.json
# The times differ.
without_times() { sed -E 's/"(duration_ms|started_at)":("[^"]*"|[0-9]+),//g' "$1"; }
cmp <(without_times whole.json) <(without_times merged.json)
[[ $(wc -l <runs) == "$targets" ]] || { echo "slurm.sh: the command ran $(wc -l <runs) times" >&2; exit 1; }
echo "slurm.sh: 4 tasks ran on $targets targets, each once; the merged result is that of one run"
