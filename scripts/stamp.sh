#!/bin/sh
# Prints what the linker writes into the program about its build, for go build -ldflags: the commit and its date, nothing
# where the sources are no checkout. Both come from the commit, so that two builds of it are equal. A checkout that belongs to
# somebody else, as in a container, is asked as well: who builds it runs what lies in it anyway.
#
# usage: scripts/stamp.sh          the linker's flags
#        scripts/stamp.sh epoch    the commit's time in seconds, SOURCE_DATE_EPOCH where that is set
set -eu
cd "$(dirname "$0")/.."
ask() { git -c safe.directory='*' "$@" 2>/dev/null; }
commit=$(ask rev-parse --short=12 HEAD || true)
epoch=${SOURCE_DATE_EPOCH:-$(ask log -1 --format=%ct || true)}
if [ "${1:-}" = epoch ]; then
    printf '%s\n' "${epoch:-315532800}" # 1980, the oldest time that every archive can hold
    exit 0
fi
[ -n "$commit" ] || exit 0
[ -z "$(ask status --porcelain --untracked-files=no)" ] || commit=$commit+changes
app=github.com/variscope/variscope/app/command
printf '%s\n' "-X $app.commit=$commit -X $app.committed=$(date -u -d "@$epoch" +%Y-%m-%dT%H:%M:%SZ)"
