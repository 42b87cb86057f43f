#!/bin/sh
# Puts the released program for this machine into a folder, if its archive has the SHA-256 sum that SHA256SUMS beside this script says.
#
#   scripts/release/install.sh FOLDER
#
# TOUCHSTONE_RELEASES is the address of the releases; by default they are those of the repository in Cargo.toml. Where nothing can be installed,
# the exit code is 2 and the folder is as it was. Needs curl, tar, and sha256sum or shasum.
set -eu

refuse() {
    printf '%s: %s\n' "$0" "$1" >&2
    exit 2
}

[ $# -eq 1 ] || refuse "expected a folder, got $# arguments"
here=$(cd "$(dirname "$0")" && pwd)
machine="$(uname -s) $(uname -m)"
case $machine in
    "Linux x86_64") target=x86_64-unknown-linux-gnu ;;
    "Linux aarch64" | "Linux arm64") target=aarch64-unknown-linux-gnu ;;
    "Darwin x86_64") target=x86_64-apple-darwin ;;
    "Darwin arm64") target=aarch64-apple-darwin ;;
    MINGW*" x86_64" | MSYS*" x86_64") target=x86_64-pc-windows-msvc ;;
    *) refuse "no release has a program for $machine: build it (cargo install --path xtask --locked; in the action, build: true)" ;;
esac
pinned=$(grep -E "^[0-9a-f]{64} [ *]touchstone-.+-$target\.tar\.gz$" "$here/SHA256SUMS") ||
    refuse "$here/SHA256SUMS has no sum for $target: take a commit of Touchstone that pins a release, or build it (cargo install --path xtask --locked; in the action, build: true)"
expected=${pinned%% *}
archive=${pinned##*[ *]}
case $pinned in
    *"$expected"*"
"*) refuse "$here/SHA256SUMS has more than one sum for $target: leave one release in it" ;;
esac
name=${archive%.tar.gz}
version=${name#touchstone-}
version=${version%-"$target"}
repository=$(sed -n 's/^repository = "\(.*\)"/\1/p' "$here/../../Cargo.toml")
address=${TOUCHSTONE_RELEASES:-$repository/releases/download}/v$version/$archive

work=$(mktemp -d) || refuse "cannot make a temporary folder"
staged=
trap 'rm -rf "$work" ${staged:+"$staged"}' EXIT
curl --fail --silent --show-error --location --retry 3 --output "$work/$archive" "$address" ||
    refuse "cannot fetch $address: try again, set TOUCHSTONE_RELEASES to another address, or build it"
if command -v sha256sum >/dev/null; then sum=sha256sum; else sum='shasum -a 256'; fi
# shellcheck disable=SC2086 # a command and its arguments
got=$($sum <"$work/$archive" | cut -d ' ' -f 1)
[ "$got" = "$expected" ] ||
    refuse "$address is not the release: its SHA-256 sum is $got, and SHA256SUMS says $expected. Nothing is installed: the server has another file"
tar -xzf "$work/$archive" -C "$work" || refuse "cannot unpack $archive"
mkdir -p -- "$1" || refuse "cannot make the folder $1"
# Beside its place, then renamed: a program that is there is replaced whole.
staged=$(mktemp -d -- "$1/.touchstone.XXXXXX") || refuse "cannot write into $1"
for program in "$work/$name"/touchstone*; do
    cp -- "$program" "$staged" || refuse "cannot write into $1"
    mv -f -- "$staged/${program##*/}" "$1" || refuse "cannot write into $1"
done
printf 'touchstone %s is in %s\n' "$version" "$1"
