//! The changes as Markdown, fit for a comment on a pull request: the result in one line, a table of the first
//! groups, and each of them folded.

use std::fmt::Write as _;

use suites::catalogue::Severity;

use super::text::measured;
use super::{ChangeGroup, Regress, details, heading, name, title};
use crate::markdown::{LONGEST, ROWS, append_folded, code, cut, escaped, folded};
use crate::replays::Replays;

/// The most characters of the name of a version.
const LABEL: usize = 100;

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
        text.push_str("| | what | check | cases | old | new |\n|---|---|---|--:|---|---|\n");
    }
    for group in shown {
        text.push_str(&table_row(group, regress.fails_from));
    }
    if groups.len() > shown.len() {
        let _ = writeln!(text, "\n{} more groups are in `compare.csv`.", groups.len() - shown.len());
    }
    if let Some(neutral) = regress.neutral() {
        let _ = writeln!(text, "\n{}", escaped(&neutral));
    }
    for row in &regress.speed {
        let _ = writeln!(text, "\n{}", escaped(&measured(row)));
    }
    for note in &regress.notes {
        let _ = writeln!(text, "\n> {}", escaped(&cut(note, LONGEST)));
    }
    let replays = regress.replays();
    append_folded(&mut text, shown.iter().map(|group| folded_group(regress, group, &replays)), "compare.csv");
    text
}

fn table_row(group: &ChangeGroup, fails_from: Severity) -> String {
    let row = group.first();
    let cell = |text: &str| escaped(&cut(text, 80));
    format!(
        "| {} | {} | {} | {} | {} | {} |\n",
        name(row, fails_from),
        cell(&title(row, fails_from)),
        cell(&row.check),
        group.rows.len(),
        cell(&row.a),
        cell(&row.b),
    )
}

/// The first change of a group, folded. Its replay starts the engine of a checkout.
fn folded_group(regress: &Regress, group: &ChangeGroup, replays: &Replays) -> String {
    let row = group.first();
    let lines = details(row, replays).into_iter().map(|(name, text)| match name {
        "replay" => (name, regress.in_checkout(&text)),
        _ => (name, text),
    });
    let lines: Vec<(&str, String)> = lines.collect();
    let heading = heading(row, regress.fails_from);
    folded(&heading, lines.iter().map(|(name, text)| (*name, text.as_str())))
}
