#!/bin/sh
# Runs make targets one after the other and prints a line for each with the time that it took, all of them again at the
# end: scripts/steps.sh first|all TARGET... With "first" the first one that fails ends it, with "all" the others run, too.
set -u
mode=$1
shift
begun=$(date +%s)
lines='' failed=0

# took SECONDS prints them as minutes and seconds.
took() { printf '%3d min %02d s' $(($1 / 60)) $(($1 % 60)); }
line() { printf 'step %-14s %s  %s' "$1" "$(took "$2")" "$3"; }

for target in "$@"; do
	start=$(date +%s) verdict=ok
	"${MAKE:-make}" --no-print-directory "$target" || verdict=FAILED failed=1
	last=$(line "$target" $(($(date +%s) - start)) $verdict)
	lines="$lines$last
"
	printf '%s\n' "$last"
	[ $failed -eq 0 ] || [ "$mode" = all ] || break
done
printf '\n%s%s\n' "$lines" "$(line all $(($(date +%s) - begun)) "$([ $failed -eq 0 ] && echo ok || echo FAILED)")"
exit $failed
