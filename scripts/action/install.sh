#!/usr/bin/env bash
# Builds Touchstone into the folder that is cached, unless it is there, and puts it into the PATH of the steps that follow.
set -euo pipefail
folder=$TOUCHSTONE_FOLDER
if [[ ! -x $folder/bin/touchstone ]]; then
    least=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$GITHUB_ACTION_PATH/Cargo.toml")
    version=$(cargo --version | cut --delimiter=' ' --fields=2) || version=0
    toolchain=()
    if [[ $(printf '%s\n' "$least" "$version" | sort --version-sort | head --lines=1) != "$least" ]]; then
        rustup toolchain install stable --profile minimal
        toolchain=(+stable)
    fi
    cargo "${toolchain[@]}" install --locked --path "$GITHUB_ACTION_PATH/xtask" --bin touchstone --root "$folder" \
        --target-dir "$RUNNER_TEMP/touchstone-target"
fi
printf '%s\n' "$folder/bin" >>"$GITHUB_PATH"
printf 'TOUCHSTONE_CACHE=%s\n' "$folder/cache" >>"$GITHUB_ENV"
