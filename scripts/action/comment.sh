#!/bin/sh
# Comments on the pull request PULL_REQUEST with the summary that check.sh has left in OUT: one comment, which later runs replace. It begins with
# a marker that nobody sees, which is NAME. A token that may not write is a warning: the token of a fork never may.
set -eu
marker="<!-- $NAME -->"
export marker
if [ -n "${BASE:-}" ]; then summary=$OUT/regress.md; else summary=$OUT/summary.md; fi
body=$(mktemp)
trap 'rm -f "$body"' EXIT
{
    printf '%s\n' "$marker"
    # Touchstone writes at most 60,000 characters; a comment may have 65,536.
    if [ -e "$summary" ]; then cat "$summary"; else printf '**Touchstone: no report was written**\n'; fi
    printf "\nReports: artifact \`%s\` of [this run](%s/%s/actions/runs/%s).\n" \
        "$NAME" "$GITHUB_SERVER_URL" "$GITHUB_REPOSITORY" "$GITHUB_RUN_ID"
} >"$body"
comments=repos/$GITHUB_REPOSITORY/issues
find_comment() {
    gh api --paginate --jq '.[] | select(.user.type == "Bot" and (.body | startswith(env.marker))) | .id' \
        "$comments/$PULL_REQUEST/comments?per_page=100"
}
write_comment() {
    found=$(find_comment) || return
    # The first, should there be several.
    found=${found%%[!0-9]*}
    if [ -n "$found" ]; then
        gh api --silent --method PATCH "$comments/comments/$found" --field "body=@$body"
    else
        gh api --silent --method POST "$comments/$PULL_REQUEST/comments" --field "body=@$body"
    fi
}
if ! command -v gh >/dev/null; then
    printf '::warning::Touchstone cannot comment on this pull request: gh is not installed\n'
elif ! write_comment; then
    printf '::warning::Touchstone cannot comment on this pull request: the job needs "permissions: pull-requests: write", which a fork never has\n'
fi
