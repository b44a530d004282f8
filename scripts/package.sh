#!/bin/sh
# Packs the program for this Linux system: a tarball that runs where it is unpacked, a .deb where dpkg-deb is there, and
# SHA256SUMS. Both hold the ONNX Runtime library. Equal programs of one commit give equal bytes; everything is put together
# beside the folder and moved there when it is whole, so that a packaging that is interrupted leaves nothing in it.
#
# usage: scripts/package.sh PROGRAM LIBRARY ICONS OUT
#   PROGRAM  the built program      LIBRARY  libonnxruntime.so.1
#   ICONS    what internal/icons wrote      OUT  the folder for the packages
# PACKAGE_LEVEL, 0 to 9, is how hard to compress: 9 unless it is set.
set -eu
umask 022
export LC_ALL=C TZ=UTC
die() { printf '%s\n' "package: $*" >&2; exit 1; }
[ $# -eq 4 ] || die "usage: scripts/package.sh PROGRAM LIBRARY ICONS OUT"
program=$1 library=$2 icons=$3 out=$4
cd "$(dirname "$0")/.."
[ -x "$program" ] || die "$program is not built; run make build"
[ -f "$library" ] || die "$library is missing; run make library"
[ -d "$icons/hicolor" ] || die "$icons holds no icons"

version=$(sed -n 's/^ *Version = "\(.*\)"/\1/p' FyneApp.toml)
machine=$(uname -m)
SOURCE_DATE_EPOCH=$(scripts/stamp.sh epoch)
export SOURCE_DATE_EPOCH
level=${PACKAGE_LEVEL:-9}
name=variscope-$version-linux-$machine
maintainer='Variscope <variscope@users.noreply.github.com>'

mkdir -p build "$out"
work=$(mktemp -d build/packing.XXXXXX)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
mkdir "$work/whole" # what is moved at the end

# share DIR: what a desktop wants to know of the program.
share() {
    install -D -m 644 scripts/package/variscope.desktop "$1/applications/variscope.desktop"
    install -D -m 644 scripts/package/variscope.metainfo.xml "$1/metainfo/io.github.variscope.variscope.metainfo.xml"
    install -D -m 644 scripts/package/variscope.xml "$1/mime/packages/variscope.xml"
    install -D -m 644 docs/variscope.1 "$1/man/man1/variscope.1"
    (cd "$icons" && find hicolor -type f) | while read -r icon; do
        install -D -m 644 "$icons/$icon" "$1/icons/$icon"
    done
}

# dated DIR: every file has the commit's time.
dated() { find "$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +; }

tarball() {
    top=$work/$name
    install -D -m 755 "$program" "$top/variscope"
    install -m 644 "$library" "$top/libonnxruntime.so.1"
    install -m 644 LICENSE CHANGELOG.md docs/licences.md scripts/package/README "$top/"
    share "$top/share"
    dated "$top"
    tar --sort=name --owner=0 --group=0 --numeric-owner --format=gnu --mtime="@$SOURCE_DATE_EPOCH" \
        -cf "$work/$name.tar" -C "$work" "$name"
    gzip -n "-$level" <"$work/$name.tar" >"$work/whole/$name.tar.gz"
    rm -r "$work/$name.tar" "$top"
}

# What the window library looks for when it starts, so that no linker knows of it: for X11, which every desktop has, and for Wayland.
opened="libx11-6, libx11-xcb1, libxcursor1, libxext6, libxi6, libxinerama1, libxrandr2, libxrender1, libxxf86vm1"
opened_there="libgl1-mesa-dri, libegl1, libgles2, libwayland-cursor0, libwayland-egl1, libxkbcommon0, libdecor-0-0"

# depends PROGRAM LIBRARY: the packages that hold what these link.
depends() {
    place=usr/lib/variscope
    mkdir -p "$work/depends/debian" "$work/depends/DEBIAN" "$work/depends/$place"
    printf 'Source: variscope\n\nPackage: variscope\nArchitecture: any\n' >"$work/depends/debian/control"
    cp "$1" "$work/depends/$place/variscope"
    cp "$2" "$work/depends/$place/libonnxruntime.so.1"
    (cd "$work/depends" && dpkg-shlibdeps -O --warnings=0 -e ./$place/variscope -e ./$place/libonnxruntime.so.1) | sed 's/^shlibs:Depends=//'
    rm -r "$work/depends"
}

debian() {
    root=$work/root
    architecture=$(dpkg --print-architecture)
    # The program lies beside its library, where it looks first; the link is what people call.
    install -D -m 755 "$program" "$root/usr/lib/variscope/variscope"
    install -m 644 "$library" "$root/usr/lib/variscope/libonnxruntime.so.1"
    mkdir -p "$root/usr/bin"
    ln -s ../lib/variscope/variscope "$root/usr/bin/variscope"
    share "$root/usr/share"
    gzip -n -9 "$root/usr/share/man/man1/variscope.1"
    papers=$root/usr/share/doc/variscope
    install -D -m 644 scripts/package/copyright "$papers/copyright"
    install -m 644 docs/licences.md "$papers/licences.md"
    install -m 644 CHANGELOG.md "$papers/CHANGELOG.md"
    cat >"$papers/changelog" <<CHANGES
variscope ($version) unstable; urgency=medium

  * Version $version; CHANGELOG.md.gz says what is in it.

 -- $maintainer  $(date -u -R -d "@$SOURCE_DATE_EPOCH")
CHANGES
    gzip -n -9 "$papers/licences.md" "$papers/changelog" "$papers/CHANGELOG.md"
    install -D -m 644 scripts/package/lintian "$root/usr/share/lintian/overrides/variscope"
    mkdir "$root/DEBIAN"
    (cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
    cat >"$root/DEBIAN/control" <<CONTROL
Package: variscope
Version: $version
Section: science
Priority: optional
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(find "$root/usr" -type f -printf '%s\n' | awk '{ kib += int(($1 + 1023) / 1024) } END { print kib }')
Depends: $(depends "$program" "$library"), $opened
Recommends: $opened_there
Homepage: https://github.com/variscope/variscope
Description: see how invariant image classifiers are, and agree on it
 Variscope imports ONNX classifiers and test images, runs them under families
 of transformations (rotation, brightness, scaling, ...) and draws what changes
 inside the models as variance matrices. Annotators label every model, kappas
 say how far they agree, and assessors learn from the labels to judge new
 models. Everything also works from the command line.
CONTROL
    chmod 644 "$root/DEBIAN/control" "$root/DEBIAN/md5sums"
    dated "$root"
    squeeze=xz
    [ "$level" -gt 1 ] || squeeze=gzip # quick, and larger
    # One thread: how many there are, and whether their memory is there, would show in the bytes.
    DPKG_DEB_THREADS_MAX=1 dpkg-deb --root-owner-group "-Z$squeeze" "-z$level" --build "$root" "$work/whole/variscope_${version}_$architecture.deb" >/dev/null
    rm -r "$root"
}

tarball
if command -v dpkg-deb >/dev/null 2>&1 && command -v dpkg-shlibdeps >/dev/null 2>&1; then
    debian
else
    echo "package: dpkg-deb or dpkg-shlibdeps (package dpkg-dev) is missing: no .deb" >&2
fi
(cd "$work/whole" && sha256sum -- *) >"$work/SHA256SUMS"
mv "$work/SHA256SUMS" "$work/whole/"
for file in "$work/whole"/*; do
    mv -f "$file" "$out/"
    printf '%s\n' "$out/${file##*/}"
done
