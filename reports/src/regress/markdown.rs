//! The changes as Markdown, fit for a comment on a pull request: the result in one line, a table of the first groups, and each of
//! them folded.

use std::fmt::Write as _;

use super::text::measured;
use super::{ChangeGroup, Regress, details, name};

/// How many groups the table has.
const ROWS: usize = 20;
/// The most characters of the name of a version.
const LABEL: usize = 100;
/// The most characters of one text of a finding.
const LONGEST: usize = 1_000;

pub(super) fn render(regress: &Regress) -> String {
    let mut text = format!("**Touchstone: {}**\n\n", escaped(&regress.verdict()));
    let _ = writeln!(
        text,
        "{} cases of `{}` against {} cases of `{}`.\n",
        regress.new.compared,
        code(&cut(&regress.new.label, LABEL)),
        regress.old.compared,
        code(&cut(&regress.old.label, LABEL))
    );
    let groups = regress.groups();
    let shown = &groups[..groups.len().min(ROWS)];
    if !shown.is_empty() {
        text.push_str(
            "| | severity | check | cases | first case | old | new |\n|---|---|---|--:|---|---|---|\n",
        );
    }
    for group in shown {
        text.push_str(&table_row(group));
    }
    if groups.len() > shown.len() {
        let _ = writeln!(text, "\n{} more groups are in `compare.csv`.", groups.len() - shown.len());
    }
    for row in &regress.speed {
        let _ = writeln!(text, "\n{}", escaped(&measured(row)));
    }
    for note in &regress.notes {
        let _ = writeln!(text, "\n> {}", escaped(&cut(note, LONGEST)));
    }
    let mut left_out = 0;
    for group in shown {
        let folded = folded(group);
        if text.len() + folded.len() > Regress::MOST_MARKDOWN - LONGEST {
            left_out += 1;
        } else {
            text.push_str(&folded);
        }
    }
    if left_out > 0 {
        let _ = writeln!(
            text,
            "\nThe details of {left_out} groups are too long for this page; they are in `compare.csv`."
        );
    }
    text
}

fn table_row(group: &ChangeGroup) -> String {
    let row = group.first();
    let cell = |text: &str| escaped(&cut(text, 80));
    format!(
        "| {} | {} | {} | {} | {} | {} | {} |\n",
        name(row.verdict),
        row.severity.map(|severity| severity.to_string()).unwrap_or_default(),
        cell(&row.check),
        group.rows.len(),
        cell(&row.case),
        cell(&row.a),
        cell(&row.b),
    )
}

/// The first change of a group, folded.
fn folded(group: &ChangeGroup) -> String {
    let row = group.first();
    let mut text = format!(
        "\n<details><summary>{}: {} {}</summary>\n\n",
        name(row.verdict),
        html(&cut(&row.check, LONGEST)),
        html(&cut(&row.case, LONGEST))
    );
    for (name, value) in details(row) {
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

fn cut(text: &str, most: usize) -> String {
    let mut start: String = text.chars().take(most).collect();
    if start.len() < text.len() {
        start.push('…');
    }
    start
}

fn html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace(['\n', '\r'], " ")
}

/// A text in which no character is Markdown.
fn escaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in html(text).chars() {
        if matches!(letter, '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '#') {
            plain.push('\\');
        }
        plain.push(letter);
        if letter == '@' {
            // A backslash does not keep a mention from being one.
            plain.push_str("<!-- -->");
        }
    }
    plain
}

/// A text within a code span.
fn code(text: &str) -> String {
    text.replace('`', "'").replace(['\n', '\r'], " ")
}
