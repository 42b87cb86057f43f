#!/bin/sh
# Names the entry of the cache: by the platform, and by the released program that is pinned or, where BUILD is true, by the sources. Another
# version has another name.
set -eu
if [ "${BUILD:-false}" = true ]; then
    kind=built of=.
else
    kind=released of=scripts/release/SHA256SUMS
fi
if command -v sha256sum >/dev/null; then sum=sha256sum; else sum='shasum -a 256'; fi
cd "$GITHUB_ACTION_PATH"
# Sums are sorted by themselves: no name of a file is parsed.
# shellcheck disable=SC2086 # a command and its arguments
sums=$(find "$of" -type f ! -path './.git/*' ! -path './target/*' -exec $sum {} + | LC_ALL=C sort)
# shellcheck disable=SC2086
version=$(printf '%s\n' "$sums" | $sum | cut -c 1-16)
printf 'key=touchstone-%s-%s-%s-%s\n' "${RUNNER_OS:-Linux}" "${RUNNER_ARCH:-X64}" "$kind" "$version" >>"$GITHUB_OUTPUT"
