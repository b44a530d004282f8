#!/bin/sh
# Fuzzes for SECONDS each, JOBS at a time: scripts/fuzz.sh SECONDS JOBS [PACKAGE.FuzzName...], such as engine/suite.FuzzIDX.
# Without names it takes every fuzz target of the repository. A crash does not stop the others. At the end stands one line per
# target; the exit code is 1 if one of them failed. A crasher lies in testdata/fuzz/FuzzName beside its test: mend the code and commit it.
set -eu
GO=${GO:-go}
seconds=$1
jobs=$2
shift 2
cd "$(dirname "$0")/.."
work=$PWD/build/fuzz
# All targets go on from what earlier runs found; named ones begin anew, so that a short run does not end while it reads that.
cache=${FUZZCACHE:-$work/cache}
[ $# -ne 0 ] || cache=$($GO env GOCACHE)/fuzz/variscope
export FUZZCACHE="$cache"

# found lists all targets as package.FuzzName.
found() {
	grep -rn --include='*_test.go' '^func Fuzz' . | sed -E 's|^\./(.*)/[^/]*:[0-9]+:func (Fuzz[A-Za-z0-9_]*).*|\1.\2|' | sort
}

# one fuzzes a target and writes its line. Go's own limits are -fuzztime and, for shrinking one input, -fuzzminimizetime;
# what does not heed them is ended after several minutes more (30 s: 5 min), since a loaded machine may be slow to stop.
one() {
	package=${1%.*}
	name=${1##*.}
	log=$work/$package.$name.log
	code=0
	(cd "$package" && exec timeout -k 5 $((seconds + 270)) "$work/$package.test" -test.run='^$' -test.fuzz="^$name\$" \
		-test.fuzztime="${seconds}s" -test.fuzzminimizetime=100x -test.fuzzcachedir="$cache/$package" -test.parallel=1 \
		-test.timeout=0) >"$log" 2>&1 || code=$?
	# Go 1.26 sometimes reports the end of the time itself as a failure: no input, nothing but this sentence.
	if [ $code -eq 1 ] && ! grep -q 'Failing input' "$log" && [ "$(grep -A1 '^--- FAIL' "$log" | tail -n 1 | tr -d ' ')" = contextdeadlineexceeded ]; then
		code=0
	fi
	last=$(grep 'execs:' "$log" | tail -n 1)
	execs=$(echo "$last" | sed -nE 's/.*execs: ([0-9]+).*/\1/p')
	new=$(echo "$last" | sed -nE 's/.*new interesting: ([0-9]+).*/\1/p')
	verdict=ok
	[ $code -eq 0 ] || verdict="FAILED, see build/fuzz/${log##"$work"/}"
	[ -n "$execs" ] || { execs=0 code=1 verdict="DID NOT RUN, see build/fuzz/${log##"$work"/}"; }
	printf '%-24s %-24s %6ss %12s executions %6s new inputs  %s\n' "$package" "$name" "$seconds" "$execs" "${new:-0}" "$verdict" | tee "$log.line"
	return $code
}

if [ "${1:-}" = --one ]; then
	one "$2"
	exit
fi

all=$(found)
targets=${*:-$all}
rm -rf "$work"
mkdir -p "$work"
for target in $targets; do
	echo "$all" | grep -qx "$target" || { echo "scripts/fuzz.sh: there is no fuzz target $target" >&2; exit 2; }
	package=${target%.*}
	[ -e "$work/$package.test" ] || { mkdir -p "$(dirname "$work/$package")" "$cache/$package"; $GO test -c -fuzz=. -o "$work/$package.test" "./$package"; }
done

code=0
echo "$targets" | tr ' ' '\n' | xargs -P "$jobs" -I{} scripts/fuzz.sh "$seconds" "$jobs" --one {} >"$work/progress" || code=1
for target in $targets; do
	cat "$work/${target%.*}.${target##*.}.log.line"
done
exit $code
