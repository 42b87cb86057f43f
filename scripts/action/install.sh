#!/usr/bin/env bash
# Puts Touchstone into the folder that is cached, unless it is there, and into the PATH of the steps that follow: the released program, or, where
# BUILD is true, what cargo builds from these sources.
set -euo pipefail
folder=$TOUCHSTONE_FOLDER
case ${BUILD:-false} in
    false)
        bin=$folder/released
        [[ -x $bin/touchstone ]] || "$GITHUB_ACTION_PATH/scripts/release/install.sh" "$bin"
        ;;
    true)
        bin=$folder/built/bin
        if [[ ! -x $bin/touchstone ]]; then
            least=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$GITHUB_ACTION_PATH/Cargo.toml")
            version=$(cargo --version | cut -d ' ' -f 2) || version=0
            toolchain=()
            if [[ $(printf '%s\n' "$least" "$version" | sort -V | head -n 1) != "$least" ]]; then
                rustup toolchain install stable --profile minimal
                toolchain=(+stable)
            fi
            cargo ${toolchain[@]+"${toolchain[@]}"} install --locked --path "$GITHUB_ACTION_PATH/xtask" --bin touchstone --root "$folder/built" \
                --target-dir "$RUNNER_TEMP/touchstone-target"
        fi
        ;;
    *)
        printf '::error::the input build is "%s": expected true or false\n' "$BUILD"
        exit 2
        ;;
esac
printf '%s\n' "$bin" >>"$GITHUB_PATH"
printf 'TOUCHSTONE_CACHE=%s\n' "$folder/cache" >>"$GITHUB_ENV"
