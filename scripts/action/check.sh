#!/bin/sh
# Runs `touchstone regress` against BASE, or, where BASE is empty, `touchstone verify --engine ENGINE`. Writes reports and a page into OUT
# and a summary of the job. Ends as the run ended.
set -u
# ARGUMENTS are words; a star in them is a star.
set -f
# shellcheck disable=SC2086
set -- ${ARGUMENTS:-}
export NO_COLOR=1
status=0
if [ -n "${BASE:-}" ]; then
    # The checkout may be shallow.
    git cat-file -e "$BASE^{commit}" 2>/dev/null || git fetch --quiet --no-tags --depth=1 origin "$BASE"
    touchstone regress "$BASE..HEAD" --out "$OUT" "$@" || status=$?
    summary=$OUT/regress.md
elif [ -n "${ENGINE:-}" ]; then
    touchstone verify --engine "$ENGINE" --out "$OUT" --format github "$@" || status=$?
    if [ -e "$OUT/checks.csv" ]; then
        touchstone report "$OUT" -o "$OUT/report.html"
        touchstone report "$OUT" --format badge -o "$OUT/badge.svg"
        touchstone report "$OUT" --format markdown -o "$OUT/summary.md"
    fi
    summary=$OUT/summary.md
else
    printf '::error::the input engine is empty: name the engine that the steps before have built\n'
    exit 2
fi
if [ -e "$summary" ]; then
    cat "$summary" >>"$GITHUB_STEP_SUMMARY"
else
    printf '**Touchstone: no report was written** (exit code %s)\n' "$status" >>"$GITHUB_STEP_SUMMARY"
fi
exit "$status"
