#!/usr/bin/env bash
# Names the cache by the sources of Touchstone: another version is installed anew.
set -euo pipefail
if command -v sha256sum >/dev/null; then sums=(sha256sum); else sums=(shasum -a 256); fi
sources=$(cd "$GITHUB_ACTION_PATH" && find . -type f -not -path './.git/*' -not -path './target/*' -print0 |
    LC_ALL=C sort -z | xargs -0 "${sums[@]}" | "${sums[@]}" | cut -c 1-16)
printf 'key=touchstone-%s-%s\n' "${RUNNER_OS:-Linux}-${RUNNER_ARCH:-X64}" "$sources" >>"$GITHUB_OUTPUT"
