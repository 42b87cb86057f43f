#!/usr/bin/env bash
# Names the cache by the sources of Touchstone: another version is built anew.
set -euo pipefail
sources=$(cd "$GITHUB_ACTION_PATH" && find . -type f -not -path './.git/*' -not -path './target/*' -print0 |
    LC_ALL=C sort --zero-terminated | xargs --null sha256sum | sha256sum | cut --characters=1-16)
printf 'key=touchstone-%s-%s\n' "${RUNNER_OS:-Linux}-${RUNNER_ARCH:-X64}" "$sources" >>"$GITHUB_OUTPUT"
