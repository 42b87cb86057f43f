#!/usr/bin/env bash
# Writes the crates that the program for one target is built from, as CycloneDX 1.5 (JSON): names, versions, licences, and who needs whom.
#
#   scripts/release/sbom.sh TARGET FILE
#
# The bytes depend on the commit and the target, and not on the folder. Needs SOURCE_DATE_EPOCH, cargo, and cargo-cyclonedx, which it installs into
# the target folder.
set -euo pipefail

[[ $# -eq 2 ]] || { printf '%s: expected a target and a file, got %s arguments\n' "$0" "$#" >&2; exit 2; }
target=$1
folder=$(cd "$(dirname "$2")" && pwd -P)
file=$folder/$(basename "$2")
version=0.5.9
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
root=$(pwd -P)
mkdir -p "${CARGO_TARGET_DIR:-target}"
built=$(cd "${CARGO_TARGET_DIR:-target}" && pwd -P)
export PATH=$built/tools/bin:$PATH SOURCE_DATE_EPOCH
if [[ $(cargo cyclonedx --version 2>/dev/null) != "cargo-cyclonedx-cyclonedx $version" ]]; then
    env -u CARGO_ENCODED_RUSTFLAGS cargo install --locked --quiet "cargo-cyclonedx@$version" --root "$built/tools" --target-dir "$built/tools/build"
fi
# It writes a file into the folder of each crate of the workspace.
written=touchstone-sbom
trap 'find "$root" -maxdepth 3 -name "$written.json" -not -path "$built/*" -delete' EXIT
cargo cyclonedx --manifest-path xtask/Cargo.toml --format json --spec-version 1.5 --quiet --target "$target" --override-filename "$written"
# The folder of the sources is not in it.
sed 's|file://[^"#]*/\([a-z]*\)#|file:///touchstone/\1#|g' "xtask/$written.json" >"$file.new"
mv "$file.new" "$file"
