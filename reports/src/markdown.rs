//! A run as Markdown, fit for the summary of a workflow or a comment on a pull request: the verdict in one
//! line, a table of the gravest findings, and each of them folded. `regress` uses parts of this module for
//! its own Markdown.

use std::fmt::Write as _;

use suites::Difference;

use crate::replays::Replays;
use crate::verdict::Verdict;
use crate::{CauseGroup, DifferenceRow, Row, Run, causes, finding, text};

/// The most characters of a document. GitHub refuses comments of more than 65,536.
pub const MOST: usize = 60_000;
/// The most rows of a table.
pub(crate) const ROWS: usize = 20;
/// The most characters of one text of a finding.
pub(crate) const LONGEST: usize = 1_000;
/// The most subjects with a line.
const SUBJECTS: usize = 40;

/// The run. It has at most [`MOST`] characters.
pub fn document(run: &Run) -> String {
    let mut text = format!("**Touchstone: {}**\n\n", escaped(&Verdict::new(run).line));
    for line in text::summary(run).lines().take(SUBJECTS) {
        let _ = writeln!(text, "* {}", escaped(&cut(line, LONGEST)));
    }
    let groups = causes(&run.differences);
    let shown = &groups[..groups.len().min(ROWS)];
    if !shown.is_empty() {
        text.push_str(
            "\n| severity | what went wrong | check | cases | got | expected |\n|---|---|---|--:|---|---|\n",
        );
    }
    for group in shown {
        text.push_str(&table_row(group));
    }
    let listed: u64 = shown.iter().map(CauseGroup::count).sum();
    let rest = run.differed().saturating_sub(listed);
    if rest > 0 {
        let _ = writeln!(text, "\n{rest} more cases are in `{}`.", DifferenceRow::FILE);
    }
    let replays = run.replays();
    append_folded(
        &mut text,
        shown.iter().map(|group| folded_group(run, group, &replays)),
        DifferenceRow::FILE,
    );
    text
}

fn table_row(group: &CauseGroup) -> String {
    let cell = |text: &str| escaped(&cut(text, 80));
    let Difference { check, stored, expected, .. } = group.first;
    format!(
        "| {} | {} | {} | {} | {} | {} |\n",
        group.severity(),
        cell(finding::title_of(group.first)),
        cell(check),
        group.count(),
        cell(&stored.to_string()),
        cell(&expected.to_string())
    )
}

/// The first finding of a cause, folded.
fn folded_group(run: &Run, group: &CauseGroup, replays: &Replays) -> String {
    let found = group.first;
    let title = finding::title_of(found);
    let title = format!("{}: {}: {title}", group.severity(), found.subject);
    let lines = finding::lines(group, run.answer_word(&found.check, &found.subject), replays);
    folded(&title, lines.iter().map(|(name, text)| (*name, text.as_str())))
}

/// A folded section: a title, then a line for each pair of a name and a text. A replay becomes a block of
/// code. Pairs with an empty text are left out.
pub(crate) fn folded<'a>(title: &str, lines: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let mut text = format!("\n<details><summary>{}</summary>\n\n", html(&cut(title, LONGEST)));
    for (name, value) in lines.filter(|(_, value)| !value.is_empty()) {
        if name == "replay" {
            let longest = value.split('`').count();
            let fence = "`".repeat(3.max(longest));
            let _ = writeln!(text, "\n{fence}sh\n{}\n{fence}", value.replace(['\n', '\r'], " "));
        } else {
            let _ = writeln!(text, "* {name}: {}", escaped(&cut(value, LONGEST)));
        }
    }
    text.push_str("\n</details>\n");
    text
}

/// Appends folded findings as long as there is room; a last line counts the rest, which are in this file.
pub(crate) fn append_folded(text: &mut String, folded: impl Iterator<Item = String>, file: &str) {
    let mut left_out = 0;
    for finding in folded {
        if text.len() + finding.len() > MOST - LONGEST {
            left_out += 1;
        } else {
            text.push_str(&finding);
        }
    }
    if left_out > 0 {
        let _ = writeln!(
            text,
            "\nThe details of {left_out} groups are too long for this page; they are in `{file}`."
        );
    }
}

/// At most this many characters of a text.
pub(crate) fn cut(text: &str, most: usize) -> String {
    let mut start: String = text.chars().take(most).collect();
    if start.len() < text.len() {
        start.push('…');
    }
    start
}

/// A text without tags and without mentions, on one line.
fn html(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace(['\n', '\r'], " ").replace('@', "@<!-- -->")
}

/// A text in which no character is Markdown.
pub(crate) fn escaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in html(text).chars() {
        if matches!(letter, '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '#') {
            plain.push('\\');
        }
        plain.push(letter);
    }
    plain
}

/// A text within a code span.
pub(crate) fn code(text: &str) -> String {
    text.replace('`', "'").replace(['\n', '\r'], " ")
}
