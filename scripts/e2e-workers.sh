#!/bin/sh
# Runs a coordinator and three workers as real processes, each in a network namespace of its own, takes away cables, processes and speed in the
# middle of units, and compares what comes of it with a local run: scripts/e2e-workers.sh PROGRAM. Root alone can make such namespaces. They know
# nothing but each other: nothing reaches the machine's own network.
set -eu
limit=300 # seconds for all of it
[ -n "${VARISCOPE_BOUNDED:-}" ] || VARISCOPE_BOUNDED=1 exec timeout --kill-after=20 $limit "$0" "$@"
program=$(realpath "$1")
scenes=$(realpath "$(dirname "$0")/../assets/scenes")
begun=$(date +%s)

say() { printf 'workers: %3d s  %s\n' $(($(date +%s) - begun)) "$*"; }
die() { printf 'workers: %s\n' "$*" >&2; exit 1; }

[ "$(id -u)" -eq 0 ] || die "this test needs root: it makes network namespaces"
for tool in ip script; do command -v $tool >/dev/null || die "this test needs $tool; apt-get install iproute2 bsdutils brings it"; done

work=$(mktemp -d)
desk=vs$$desk
# ended removes what was made here, in every case: processes by their namespaces, and these with all that is in them.
ended() {
    code=$?
    trap - EXIT INT TERM
    for name in $(ip netns list | cut -d ' ' -f 1 | grep "^vs$$[a-z]"); do
        for pid in $(ip netns pids "$name"); do kill -9 "$pid" 2>/dev/null || true; done
        ip netns delete "$name"
    done
    wait
    [ $code -eq 0 ] || for log in "$work"/*.log; do printf '%s:\n' "$log"; tr '\r' '\n' <"$log" | tail -n 15; done >&2 2>/dev/null
    rm -rf "$work"
    exit $code
}
trap ended EXIT
trap 'die "stopped; it has $limit s at most"' INT TERM

# until_true SECONDS WHAT COMMAND... waits for a command to succeed.
until_true() {
    last=$(($(date +%s) + $1))
    what=$2
    shift 2
    until "$@" >/dev/null 2>&1; do
        [ "$(date +%s)" -lt $last ] || die "it did not happen in time: $what"
        sleep 0.1
    done
}

# A worker's screen is its log: "computing s01/2; ...", written every two seconds.
screen() { tr '\r' '\n' <"$work/$1.log"; }
unit_of() { screen "$1" | grep 'images/s' | tail -n 1 | grep -o 'computing [a-z0-9]*/1;' | tr -d ';'; }
# in_a_unit is true where the last two lines show the same whole unit and the one before does not: it has been computed for two to six seconds.
in_a_unit() {
    screen "$1" | grep 'images/s' | tail -n 3 | sed 's/.*computing \([a-z0-9]*\/1\);.*/\1/' |
        awk '{ line[NR] = $1 } END { exit !(NR == 3 && line[3] ~ /\/1$/ && line[2] == line[3] && line[1] != line[2]) }'
}
has_another_unit() { screen "$1" | tail -n 1 | grep 'computing' | grep -qv "$2[,;]"; }
# took_over tells whether somebody else than NAME has had UNIT.
took_over() { for w in one two three; do if [ $w != "$1" ] && screen $w | grep -q "${2#* }[,;]"; then return; fi; done; false; }
units_done() { screen "$1" | grep -o '[0-9]* units done' | tail -n 1 | cut -d ' ' -f 1; }
kept() { find "$work/shared.variscope/signals" -name '*.npz' 2>/dev/null | wc -l; }
more_than() { [ "$(kept)" -gt "$1" ]; }
gone() { ! kill -0 "$1" 2>/dev/null; }

# --- A workspace with more to compute than there is time for: a unit of the first model takes ten seconds on a core.
cd "$work"
"$program" import local.variscope "$scenes"/models/*.onnx "$scenes/targets" >/dev/null
cp -r local.variscope rate.variscope
cp -r local.variscope shared.variscope
"$program" run rate.variscope --models s01 --family rotation:-15:15:1 --batch 32 --workers 1 --json >rate.json
rate=$(sed -n 's/.*"images_per_s": *\([0-9]*\).*/\1/p' rate.json)
half=$((10 * rate / 256 / 2))
[ $half -gt 4 ] || half=4
[ $half -lt 100 ] || half=100
family=rotation:-$half:$half:1

# --- A switch in the desk's namespace with a cable to each worker's.
ip netns add $desk
ip -n $desk link set lo up
ip -n $desk link add switch type bridge
ip -n $desk address add 10.77.0.1/24 dev switch
ip -n $desk link set switch up
number=1
for name in one two three; do
    number=$((number + 1))
    ip netns add vs$$$name
    ip -n vs$$$name link set lo up
    ip -n $desk link add $name type veth peer name cable netns vs$$$name
    ip -n $desk link set $name master switch up
    ip -n vs$$$name address add 10.77.0.$number/24 dev cable
    ip -n vs$$$name link set cable up
done

# start_desk N FLAGS... starts the coordinator for the Nth time, with its process in $coordinator and its line in $line.
start_desk() {
    times=$1
    shift
    ip netns exec $desk "$program" run shared.variscope --family $family --batch 32 --listen 10.77.0.1:0 --only-others "$@" >>desk.log 2>&1 &
    coordinator=$!
    until_true 30 "the coordinator prints its line" sh -c "[ \$(grep -c '^  variscope worker' desk.log) -eq $times ]"
    line=$(grep -o 'variscope://[^'"'"']*' desk.log | tail -n 1)
}

start_worker() {
    SHELL=/bin/sh script -qefc "echo \$\$ >$1.pid; exec ip netns exec vs$$$1 '$program' worker '$line' --cores 1 --name $1 --cache '$work/cache-$1'" \
        "$1.log" </dev/null >/dev/null 2>&1 &
}

start_desk 1
joined=$line
start_worker one
start_worker two
until_true 60 "a unit is kept" more_than 0
say "a coordinator that computes nothing and two workers; the first unit under $family is kept"

# --- A cable is pulled for longer than the 30 s after which a unit goes to somebody else.
until_true 60 "worker one is in the middle of a unit" in_a_unit one
lost=$(unit_of one)
ip -n $desk link set one down
at=$(date +%s)
say "the cable of worker one is pulled while it computes ${lost#* }"
until_true 90 "somebody else computes the unit of worker one" took_over one "$lost"
took=$(($(date +%s) - at))
[ $took -ge 20 ] || die "the unit of worker one went to somebody else after $took s already"
ip -n $desk link set one up
say "its unit went to somebody else $took s after the cable was pulled; the cable is back"
at=$(date +%s)
until_true 90 "worker one goes on" has_another_unit one "$lost"
say "worker one goes on with another unit after $(($(date +%s) - at)) s"
start_worker three
until_true 60 "a third worker computes" has_another_unit three none
say "a third worker has joined"

# --- A worker is killed in the middle of a unit, and the coordinator stopped while that unit is with nobody.
# in_a_new_unit is true in the middle of a unit that nobody else has had.
in_a_new_unit() { in_a_unit two && ! took_over two "$(unit_of two)"; }
until_true 60 "worker two is in the middle of a unit that nobody else has had" in_a_new_unit
killed=$(unit_of two)
kill -9 "$(cat two.pid)"
say "worker two is killed while it computes ${killed#* }"
kill "$coordinator"
until_true 30 "the coordinator ends" gone "$coordinator"
code=0
wait "$coordinator" || code=$?
[ $code -eq 130 ] || die "the coordinator was interrupted and exits $code, not 130: $(tail -n 3 desk.log)"
before=$(kept)
say "the coordinator is stopped with $before units kept"
# From here on without the models that nobody has begun, but for two, so that the test ends in time.
begun_models=$(for w in one two three; do screen $w; done | grep -o '[a-z0-9]*/[12][,;]' | cut -d / -f 1 | sort -u)
last_model=$(echo "$begun_models" | tail -n 1)
more_models=$(ls "$scenes/models" | sed 's/[.]onnx//' | awk -v last="$last_model" '$0 > last' | head -n 2)
[ -n "$more_models" ] || die "there was not enough to compute: all models were begun before the coordinator was stopped"
models=$(echo $begun_models $more_models | tr ' ' ,)
start_desk 2 --models "$models"
[ "$line" = "$joined" ] || die "the coordinator is at $line and was at $joined"
at=$(date +%s)
until_true 60 "a unit is kept after the new start" more_than "$before"
say "started again, it keeps the next unit after $(($(date +%s) - at)) s; no worker was started anew"

# --- A slow line that loses packets, in both directions.
slow() { # slow NAMESPACE DEVICE
    ip netns exec "$1" tc qdisc add dev "$2" root netem delay 40ms 10ms loss 2% rate 8mbit 2>/dev/null && how="80 ms, 2 % lost, 8 Mbit/s" && return
    # Without netem: a queue so short that it loses packets whenever it is full.
    ip netns exec "$1" tc qdisc add dev "$2" root tbf rate 8mbit burst 8kb limit 24kb 2>/dev/null && how="8 Mbit/s and a queue of 24 kB that drops the rest"
}
if slow $desk three && slow vs$$three cable; then
    say "the line of worker three is slow: $how"
    enough=$(($(units_done three) + 2)) # one may have been brought before the line was slow
    brings_more() { [ "$(units_done three)" -ge $enough ] || gone $coordinator; }
    until_true 120 "worker three brings units over a slow line" brings_more
    lost_packets=$(ip netns exec vs$$three tc -s qdisc show dev cable | grep -o 'dropped [0-9]*')
    ip netns exec $desk tc qdisc delete dev three root
    ip netns exec vs$$three tc qdisc delete dev cable root
    say "worker three has brought units all the same ($lost_packets packets); the line is fast again"
else
    say "left out: a slow line, since this system has neither netem nor tbf"
fi

until_true 150 "the run ends" gone "$coordinator"
wait "$coordinator" || die "the run has failed: $(tail -n 20 desk.log)"
took_over two "$killed" || die "nobody has computed $killed, which worker two had when it was killed"
say "the run has ended; ${killed#* }, which worker two had, was computed by somebody else"

# --- What came of it, beside the same run on this computer alone.
at=$(date +%s)
"$program" run local.variscope --models "$models" --family $family --batch 32 >/dev/null
say "$models computed here alone in $(($(date +%s) - at)) s"
diff -r local.variscope/signals shared.variscope/signals || die "the signal files differ"
for ws in local shared; do "$program" matrix $ws.variscope --family $family --format npz --out $ws >/dev/null; done
cmp local/matrices.npz shared/matrices.npz || die "the matrices differ"
"$program" doctor shared.variscope >doctor.log || die "the workspace is not sound: $(cat doctor.log)"
say "$(kept) signal files and the matrices of all models are equal to those of the local run"
