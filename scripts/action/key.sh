#!/bin/sh
# Names the cache by the sources of Touchstone: another version is installed anew.
set -eu
if command -v sha256sum >/dev/null; then sum=sha256sum; else sum='shasum -a 256'; fi
cd "$GITHUB_ACTION_PATH"
# Sums are sorted by themselves: no name of a file is parsed.
# shellcheck disable=SC2086 # a command and its arguments
sums=$(find . -type f ! -path './.git/*' ! -path './target/*' -exec $sum {} + | LC_ALL=C sort)
# shellcheck disable=SC2086
sources=$(printf '%s\n' "$sums" | $sum | cut -c 1-16)
printf 'key=touchstone-%s-%s-%s\n' "${RUNNER_OS:-Linux}" "${RUNNER_ARCH:-X64}" "$sources" >>"$GITHUB_OUTPUT"
