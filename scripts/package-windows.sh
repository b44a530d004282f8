#!/bin/sh
# Packs a program for Windows with its ONNX Runtime library beside it, as a .zip that runs where it is unpacked. Equal
# programs of one commit give equal bytes.
#
# usage: scripts/package-windows.sh PROGRAM.exe onnxruntime.dll OUT
set -eu
umask 022
export LC_ALL=C TZ=UTC
die() { printf '%s\n' "package: $*" >&2; exit 1; }
[ $# -eq 3 ] || die "usage: scripts/package-windows.sh PROGRAM.exe onnxruntime.dll OUT"
program=$1 library=$2 out=$3
cd "$(dirname "$0")/.."
[ -f "$program" ] || die "$program is not built; run make package-windows"
[ -f "$library" ] || die "$library is missing; run scripts/setup.sh windows"

name=variscope-$(sed -n 's/^ *Version = "\(.*\)"/\1/p' FyneApp.toml)-windows-amd64
mkdir -p build "$out"
work=$(mktemp -d build/packing.XXXXXX)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
mkdir "$work/$name"
cp "$program" "$work/$name/variscope.exe"
cp "$library" "$work/$name/onnxruntime.dll"
cp LICENSE CHANGELOG.md docs/licences.md "$work/$name/"
sed 's/$/\r/' scripts/package/README-windows >"$work/$name/README.txt"
find "$work/$name" -exec touch -d "@$(scripts/stamp.sh epoch)" {} +
(cd "$work" && find "$name" -type f | sort | zip -q -X -9 "$name.zip" -@)
mv -f "$work/$name.zip" "$out/"
printf '%s\n' "$out/$name.zip"
