#!/usr/bin/env bash
# Runs `touchstone regress` against BASE, or, where BASE is empty, `touchstone verify --engine ENGINE`. Writes reports and a page into OUT
# and a summary of the job. Ends as the run ended.
set -uo pipefail
# An empty array is no variable in the bash of macOS.
read -r -a arguments <<<"${ARGUMENTS:-}"
export NO_COLOR=1
status=0
if [[ -n ${BASE:-} ]]; then
    # The checkout may be shallow.
    git cat-file -e "$BASE^{commit}" 2>/dev/null || git fetch --quiet --no-tags --depth=1 origin "$BASE"
    touchstone regress "$BASE..HEAD" --out "$OUT" ${arguments[@]+"${arguments[@]}"} || status=$?
    summary=$OUT/regress.md
elif [[ -n ${ENGINE:-} ]]; then
    touchstone verify --engine "$ENGINE" --out "$OUT" --format github ${arguments[@]+"${arguments[@]}"} || status=$?
    if [[ -e $OUT/checks.csv ]]; then
        touchstone report "$OUT" -o "$OUT/report.html"
        touchstone report "$OUT" --format badge -o "$OUT/badge.svg"
        touchstone report "$OUT" --format markdown -o "$OUT/summary.md"
    fi
    summary=$OUT/summary.md
else
    printf '::error::the input engine is empty: name the engine that the steps before have built\n'
    exit 2
fi
if [[ -e $summary ]]; then
    cat "$summary" >>"$GITHUB_STEP_SUMMARY"
else
    printf '**Touchstone: no report was written** (exit code %s)\n' "$status" >>"$GITHUB_STEP_SUMMARY"
fi
exit "$status"
