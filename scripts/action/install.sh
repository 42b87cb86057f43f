#!/bin/sh
# Puts Touchstone into the folder that is cached, unless it is there, and into the PATH of the steps that follow: the released program, or, where
# BUILD is true, what cargo builds from these sources. Engines with the option SyzygyPath are checked with tables of three men, which it writes.
set -eu
bin=$TOUCHSTONE_FOLDER/bin
case ${BUILD:-false} in
    false)
        [ -x "$bin/touchstone" ] || "$GITHUB_ACTION_PATH/scripts/release/install.sh" "$bin"
        ;;
    true)
        if [ ! -x "$bin/touchstone" ]; then
            least=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$GITHUB_ACTION_PATH/Cargo.toml")
            version=$(cargo --version | cut -d ' ' -f 2)
            oldest=$(printf '%s\n' "$least" "${version:-0.0}" | LC_ALL=C sort -t . -k 1,1n -k 2,2n | head -n 1)
            toolchain=
            if [ "$oldest" != "$least" ]; then
                rustup toolchain install stable --profile minimal
                toolchain=+stable
            fi
            cargo ${toolchain:+"$toolchain"} install --locked --path "$GITHUB_ACTION_PATH/xtask" --bin touchstone --root "$TOUCHSTONE_FOLDER" \
                --target-dir "$RUNNER_TEMP/touchstone-target"
        fi
        ;;
    *)
        printf '::error::the input build is "%s": expected true or false\n' "$BUILD"
        exit 2
        ;;
esac
TOUCHSTONE_CACHE=$TOUCHSTONE_FOLDER/cache
export TOUCHSTONE_CACHE
"$bin/touchstone" tables fetch >/dev/null
printf '%s\n' "$bin" >>"$GITHUB_PATH"
printf 'TOUCHSTONE_CACHE=%s\n' "$TOUCHSTONE_CACHE" >>"$GITHUB_ENV"
