#!/bin/sh
# Installs what is missing, and only that: system packages through apt (with sudo where not root) and the pinned
# ONNX Runtime library, checksum verified, into the per-user cache.
#
# usage: scripts/setup.sh build|test|package|windows|webgpu|library [SYSTEM]|where [SYSTEM]
#   build    what a build and the window need, and the library
#   test     the same, and what the window tests drive and what packs the program
#   package  what a build and the packages for this system need, and the library
#   windows  what a program for Windows is built with here, and its library
#   webgpu   what computes on WebGPU without a GPU, SwiftShader; Debian's chromium brings it
#   library  the library alone; SYSTEM is windows, darwin or linux-arm64, this one when it is left out
#   where    prints where that library lies
set -eu

version=1.27.0
# sha512 of the npm package onnxruntime-node-1.27.0.tgz, sha256 of the libraries in it
tarball_sha512=404cc6c2bbcd060bf8b8f55d9db1ec3861b81ba4fdea676570523c68028f8cc53cc0e3e956870f5dbea4dd01a46996a0553bf61bd0679dba3a67725d5ebd5f43
# The user's folder for caches, as the program finds it.
case "$(uname -s)" in
    Darwin) caches=$HOME/Library/Caches ;;
    *) caches=${XDG_CACHE_HOME:-$HOME/.cache} ;;
esac
cache=$caches/variscope/onnxruntime/$version

# choose SYSTEM: which library that is and where it lies; member is empty where none is pinned.
choose() {
    system=${1:-$(uname -s)/$(uname -m)} folder=$cache
    case "$system" in Linux/* | Darwin/*) ;; *) folder=$cache/$system ;; esac
    case "$system" in
        Linux/x86_64)
            member=linux/x64/libonnxruntime.so.1
            library_sha256=d8aff4aa8abee8fb2abb2f2f2459ffc94461e781e41b9f7c072829dd0d470221 ;;
        Linux/aarch64 | linux-arm64)
            member=linux/arm64/libonnxruntime.so.1
            library_sha256=c36bc200e7e6c093b8abb0b34590fbdd8c52fd3fb5e33795b9523ffdde2fce0f ;;
        Darwin/arm64 | darwin)
            member=darwin/arm64/libonnxruntime.1.27.0.dylib
            library_sha256=89f692a3a1a224e4ad0b796b0e7c0bd81113b0741bfe84211eceef14d05a9e59 ;;
        windows)
            member=win32/x64/onnxruntime.dll
            library_sha256=273f9ef9cf755c6a0f342226a80448156c10ceb74db2ae8c8370dc98e75af0eb ;;
        *)
            member='' library_sha256='' ;;
    esac
    library=$folder/${member##*/}
    member=${member:+package/bin/napi-v6/$member}
}

build_packages="gcc libc6-dev pkg-config libgl1-mesa-dev libx11-dev libxcursor-dev libxrandr-dev libxinerama-dev libxi-dev
    libxxf86vm-dev libwayland-dev libxkbcommon-dev libegl1-mesa-dev libgles2-mesa-dev libdecor-0-dev libgl1 libgl1-mesa-dri"
package_packages="dpkg-dev"
test_packages="xvfb xdotool imagemagick openbox x11-utils desktop-file-utils $package_packages"
windows_packages="gcc-mingw-w64-x86-64-posix zip"

say() { printf '%s\n' "setup: $*"; }
die() { printf '%s\n' "setup: $*" >&2; exit 1; }

installed() { dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'ok installed'; }

as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# install_packages NAME...: installs those that are missing, in one call.
install_packages() {
    if ! command -v dpkg-query >/dev/null 2>&1; then
        say "this is not Debian or Ubuntu; these packages, under whatever names they have here, are needed: $*"
        return 0
    fi
    missing=''
    for package in "$@"; do
        installed "$package" || missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null 2>&1; then
        die "these packages are missing and there is no sudo; install them as root and try again:$missing"
    fi
    say "installing system packages:$missing"
    as_root apt-get update -qq || die "apt-get update failed; check the machine's package sources"
    as_root env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get install -y -qq --no-install-recommends $missing >/dev/null ||
        die "apt-get could not install:$missing"
}

# sum BITS is that of coreutils, or what a Mac has in its place; has_sum BITS SUM FILE compares.
sum() { if command -v "sha$1sum" >/dev/null 2>&1; then "sha$1sum"; else shasum -a "$1"; fi; }
has_sum() { [ -f "$3" ] && [ "$(sum "$1" <"$3" | cut -d ' ' -f 1)" = "$2" ]; }
verified() { has_sum 256 "$2" "$1"; }

bring_library() {
    choose "${1:-}"
    [ -n "$member" ] || { say "no ONNX Runtime is pinned for this kind of machine; set VARISCOPE_ONNXRUNTIME to a library of version 1.24 or newer"; return 0; }
    if verified "$library" "$library_sha256"; then return 0; fi
    command -v npm >/dev/null 2>&1 || install_packages npm
    command -v npm >/dev/null 2>&1 || die "npm is needed to bring ONNX Runtime $version and was not found"
    say "bringing ONNX Runtime $version into $folder (about 100 MB to transfer)"
    mkdir -p "$folder"
    work=$(mktemp -d "$folder/bring.XXXXXX")
    trap 'rm -rf "$work"' EXIT INT TERM
    (cd "$work" && npm pack --loglevel=error "onnxruntime-node@$version" >/dev/null) ||
        die "npm could not bring onnxruntime-node $version; check the network and try again"
    has_sum 512 "$tarball_sha512" "$work/onnxruntime-node-$version.tgz" ||
        die "the package onnxruntime-node $version does not have the pinned checksum; nothing was installed"
    tar -xzf "$work/onnxruntime-node-$version.tgz" -C "$work" "$member"
    verified "$work/$member" "$library_sha256" || die "the library in the package does not have the pinned checksum"
    mv -f "$work/$member" "$library"
    rm -rf "$work"
    trap - EXIT INT TERM
    say "ONNX Runtime $version is in place"
}

command -v go >/dev/null 2>&1 || die "Go 1.21 or newer is needed and was not found; install it and try again"

case "${1:-}" in
    build) install_packages $build_packages; bring_library ;;
    test) install_packages $build_packages $test_packages; bring_library ;;
    package) install_packages $build_packages $package_packages; bring_library ;;
    webgpu)
        install_packages libvulkan1
        [ -n "${VK_DRIVER_FILES:-}" ] || install_packages chromium
        ;;
    windows) install_packages $windows_packages; bring_library windows ;;
    library) bring_library "${2:-}" ;;
    where)
        choose "${2:-}"
        [ -n "$member" ] || die "no ONNX Runtime is pinned for ${2:-this kind of machine}"
        printf '%s\n' "$library" ;;
    *) die "usage: scripts/setup.sh build|test|package|windows|library [SYSTEM]|where [SYSTEM]" ;;
esac
