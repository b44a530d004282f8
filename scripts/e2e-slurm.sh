#!/bin/sh
# Runs a plan as an array job of a real Slurm on this machine, and compares what is collected with a local run: scripts/e2e-slurm.sh PROGRAM.
# It brings Debian's Slurm where that is missing, and starts munge, the controller and one node of its own in a temporary folder. Root alone
# can start a node that runs jobs.
set -eu
program=$(realpath "$1")
scenes=$(realpath "$(dirname "$0")/../assets/scenes")
shards=4
family=rotation:-15:15:1

say() { printf '%s\n' "slurm: $*"; }
die() { printf '%s\n' "slurm: $*" >&2; exit 1; }

[ "$(id -u)" -eq 0 ] || die "this test needs root"
packages=''
for package in munge slurmctld slurmd slurm-client; do
    dpkg-query -W -f '${Status}' $package 2>/dev/null | grep -q 'ok installed' || packages="$packages $package"
done
if [ -n "$packages" ]; then
    say "installing$packages"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    # shellcheck disable=SC2086
    apt-get install -y -qq --no-install-recommends $packages >/dev/null
fi

work=$(mktemp -d)
chmod 755 "$work"
daemons=''
# ended stops what was started here, by its number.
ended() {
    code=$?
    for pid in $daemons; do kill "$pid" 2>/dev/null || true; done
    for pid in $daemons; do wait "$pid" 2>/dev/null || true; done
    [ $code -eq 0 ] || tail -n 20 "$work"/*.log "$work"/plan/*.out >&2 2>/dev/null || true
    rm -rf "$work"
    exit $code
}
trap ended EXIT
trap 'exit 130' INT TERM

# until_true WHAT COMMAND... waits for a command to succeed.
until_true() {
    what=$1
    shift
    for _ in $(seq 600); do
        if "$@" >/dev/null 2>&1; then return; fi
        sleep 0.1
    done
    die "$what did not happen within a minute"
}

# free_port finds a port that nobody listens on.
free_port() {
    port=$1
    while ss -ltn 2>/dev/null | grep -q ":$port "; do port=$((port + 1)); done
    echo "$port"
}

host=$(hostname -s)
cpus=$(nproc)
mkdir "$work/state" "$work/spool" "$work/munge"
dd if=/dev/urandom of="$work/munge/key" bs=1024 count=1 2>/dev/null
chmod 700 "$work/munge"
chmod 400 "$work/munge/key"
munged --foreground --key-file="$work/munge/key" --socket="$work/munge.socket" --pid-file="$work/munge/pid" \
    --log-file="$work/munge/log" --seed-file="$work/munge/seed" --num-threads=2 2>"$work/munge.log" &
daemons="$daemons $!"
until_true "the start of munge" munge --socket="$work/munge.socket" --no-input

export SLURM_CONF="$work/slurm.conf"
cat >"$SLURM_CONF" <<END
ClusterName=variscope
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$(free_port 46817)
SlurmdPort=$(free_port 46918)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
CredType=cred/munge
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$cpus State=UNKNOWN
PartitionName=all Nodes=$host Default=YES State=UP
END
printf 'CgroupPlugin=cgroup/v1\n' >"$work/cgroup.conf"
slurmctld -D -L "$work/slurmctld.log" 2>"$work/slurmctld.err.log" &
daemons="$daemons $!"
slurmd -D -L "$work/slurmd.log" 2>"$work/slurmd.err.log" &
daemons="$daemons $!"
until_true "a node that takes jobs" sh -c 'sinfo -h -o %t | grep -qx idle'
say "$(sinfo --version) runs with one node of $cpus processors"

cd "$work"
export VARISCOPE="$program"
"$program" import local.variscope "$scenes"/models/s01.onnx "$scenes"/models/s05.onnx "$scenes"/models/s08.onnx "$scenes"/models/s11.onnx "$scenes/targets" >/dev/null
cp -r local.variscope planned.variscope
"$program" run local.variscope --family $family --batch 32
"$program" run planned.variscope --family $family --batch 32 --plan plan --shards $shards

# An array that is cancelled in the middle leaves whole results, and the collection says what is missing.
cd plan
first=$(sbatch --parsable job.sh)
until_true "the first result" sh -c 'ls results/*.result'
scancel "$first"
until_true "the end of the cancelled array" sh -c "[ -z \"\$(squeue -h -j $first 2>/dev/null)\" ]"
say "cancelled the first array after $(ls results | grep -c 'result$') results"
if "$program" run ../planned.variscope --collect . >collected.txt 2>&1; then
    say "the first array had ended before it was cancelled"
else
    grep -q 'and collect again' collected.txt || die "the collection does not say what is missing: $(cat collected.txt)"
    grep 'shard' collected.txt | tail -n $((shards + 1))
fi

# The same array again computes the rest; once more, while nothing is left to do.
for round in 1 2; do
    before=$(date +%s)
    sbatch --wait job.sh >/dev/null || die "the array has failed: $(cat slurm-*.out)"
    say "array $round ended after $(($(date +%s) - before)) s"
done
"$program" run ../planned.variscope --collect . || die "the collection has failed"
cd ..
signals() { (cd "$1/signals" && find . -type f -exec sha256sum {} + | sort -k 2); }
signals local.variscope >local.sums
signals planned.variscope >planned.sums
cmp local.sums planned.sums || die "the signal files differ"
"$program" matrix local.variscope --family $family --format npz --out local >/dev/null
"$program" matrix planned.variscope --family $family --format npz --out planned >/dev/null
cmp local/matrices.npz planned/matrices.npz || die "the matrices differ"
say "$(wc -l <local.sums) signal files and the matrices of all models are equal to those of a local run"
