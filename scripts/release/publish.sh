#!/usr/bin/env bash
# Makes a draft of a release from the archives in a folder, with their SHA-256 sums: the last step of .github/workflows/release.yml.
#
#   TAG=v0.1.0 scripts/release/publish.sh FOLDER
#
# Needs gh with a token that may write.
set -euo pipefail

refuse() {
    printf '%s: %s\n' "$0" "$1" >&2
    exit 2
}

[[ $# -eq 1 ]] || refuse "expected a folder, got $# arguments"
: "${TAG:=}"
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$root/Cargo.toml")
[[ $TAG == "v$version" ]] || refuse "the tag is '$TAG', and Cargo.toml has version $version: expected v$version"
cd "$1"
shopt -s nullglob
archives=("touchstone-$version-"*.tar.gz)
[[ ${#archives[@]} -gt 0 ]] || refuse "there is no touchstone-$version-TARGET.tar.gz in $1: build it (scripts/release/build.sh)"
sha256sum "${archives[@]}" >SHA256SUMS
cat SHA256SUMS
gh release create "$TAG" --draft --verify-tag --title "Touchstone $version" --notes "See CHANGELOG.md." "${archives[@]}" SHA256SUMS
