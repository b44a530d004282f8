#!/bin/sh
# Packs the program, the ONNX Runtime library beside it, icon, desktop entry and licences into dist/.
#
# usage: scripts/package.sh PROGRAM
set -eu
program=$1
[ -x "$program" ] || { echo "package: $program is not built; run make build" >&2; exit 1; }
version=$(sed -n 's/^ *Version = "\(.*\)"/\1/p' FyneApp.toml)
library=${XDG_CACHE_HOME:-$HOME/.cache}/variscope/onnxruntime/1.27.0/libonnxruntime.so.1
[ -f "$library" ] || { echo "package: $library is missing; run make library" >&2; exit 1; }
name=variscope-$version-$(uname -s | tr '[:upper:]' '[:lower:]')-$(uname -m)
mkdir -p dist
work=$(mktemp -d dist/package.XXXXXX)
trap 'rm -rf "$work"' EXIT INT TERM
mkdir "$work/$name"
cp "$program" "$work/$name/variscope"
cp "$library" "$work/$name/"
cp LICENSE README.md assets/icon.png docs/licences.md scripts/variscope.desktop "$work/$name/"
tar -czf "$work/$name.tar.gz" -C "$work" "$name"
mv "$work/$name.tar.gz" "dist/$name.tar.gz"
echo "dist/$name.tar.gz"
