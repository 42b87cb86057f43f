#!/usr/bin/env bash
# Makes the archive of a release for one target: the program, completions, pages of man, README, CHANGELOG, LICENSE, and the list of its crates
# (touchstone.cdx.json).
#
#   scripts/release/build.sh [TARGET] [OUT]    by default the target of this machine, and the folder target/archives
#
# The bytes depend on the commit, the toolchain and the target, and not on the folder. The program writes its completions and pages itself, so
# that the machine has to run programs of the target. Needs cargo, git, and GNU tar (gtar on macOS).
set -euo pipefail

refuse() {
    printf '%s: %s\n' "$0" "$1" >&2
    exit 2
}

[[ $# -le 2 ]] || refuse "expected a target and a folder, got $# arguments"
target=${1:-$(rustc --version --verbose | sed -n 's/^host: //p')}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
out=${2:-$root/target/archives}
mkdir -p "$out"
out=$(cd "$out" && pwd -P)
cd "$root"
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml)
name=touchstone-$version-$target
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)} ||
    refuse "this is no git checkout: set SOURCE_DATE_EPOCH to the time of the sources, in seconds since 1970"
tar=$(command -v gtar || command -v tar)
"$tar" --version | grep -q 'GNU tar' || refuse "$tar is not GNU tar: install it as gtar"

# Neither the folder of the sources nor the user's is in the program. Linux and Windows get a static C library.
mkdir -p "${CARGO_TARGET_DIR:-target}"
built=$(cd "${CARGO_TARGET_DIR:-target}" && pwd -P)
flags=("--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo" "--remap-path-prefix=$root=/touchstone" "--remap-path-prefix=$built=/target")
if [[ $target != *apple* ]]; then flags+=(-Ctarget-feature=+crt-static); fi
CARGO_ENCODED_RUSTFLAGS=$(IFS=$'\x1f' && printf '%s' "${flags[*]}")
export CARGO_ENCODED_RUSTFLAGS CARGO_INCREMENTAL=0 SOURCE_DATE_EPOCH
cargo build --release --locked --package touchstone-chess --bin touchstone --target "$target"

# On the file system of the archive, which is renamed when it is whole.
work=$(mktemp -d "$out/.touchstone.XXXXXX")
trap 'rm -rf "$work"' EXIT
folder=$work/$name
program=$folder/touchstone
if [[ $target == *windows* ]]; then program+=.exe; fi
mkdir -p "$folder/completions"
cp "$built/$target/release/${program##*/}" README.md CHANGELOG.md LICENSE "$folder"
# The program calls itself `cargo xtask` where Cargo has started it.
unset CARGO_PKG_NAME
"$program" completions bash >"$folder/completions/touchstone.bash"
"$program" completions elvish >"$folder/completions/touchstone.elv"
"$program" completions fish >"$folder/completions/touchstone.fish"
"$program" completions powershell >"$folder/completions/_touchstone.ps1"
"$program" completions zsh >"$folder/completions/_touchstone"
"$program" man "$folder/man"

"$root/scripts/release/sbom.sh" "$target" "$folder/touchstone.cdx.json"

LC_ALL=C "$tar" --create --sort=name --format=ustar --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
    --mode=u=rwX,go=rX --directory="$work" "$name" | gzip -9 -n >"$work/$name.tar.gz"
mv "$work/$name.tar.gz" "$out"
printf '%s\n' "$out/$name.tar.gz"
