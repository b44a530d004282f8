#!/bin/sh
# Prints what the linker writes into the program about its build, for go build -ldflags: the commit and its date, nothing
# where the sources are no checkout. Both come from the commit, so that two builds of it are equal.
#
# usage: scripts/stamp.sh          the linker's flags
#        scripts/stamp.sh epoch    the commit's time in seconds, SOURCE_DATE_EPOCH where that is set
set -eu
cd "$(dirname "$0")/.."
commit=$(git rev-parse --short=12 HEAD 2>/dev/null || true)
epoch=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || true)}
if [ "${1:-}" = epoch ]; then
    printf '%s\n' "${epoch:-315532800}" # 1980, the oldest time that every archive can hold
    exit 0
fi
[ -n "$commit" ] || exit 0
[ -z "$(git status --porcelain --untracked-files=no 2>/dev/null)" ] || commit=$commit+changes
app=github.com/variscope/variscope/app
printf '%s\n' "-X $app.commit=$commit -X $app.committed=$(date -u -d "@$epoch" +%Y-%m-%dT%H:%M:%SZ)"
