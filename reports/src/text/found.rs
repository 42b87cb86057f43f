//! What was found, in a line for each cause.

use std::fmt::Write as _;

use crate::layout::{Align, grouped, plain, rest, table};
use crate::{DifferenceRow, Row, Run, causes, finding};

/// The most lines.
const LINES: usize = 30;

/// A line for each cause, the gravest first: its severity, how many findings it has, the check of the
/// smallest, and what went wrong. Lines are cut to the width; counts are not.
pub(super) fn found(run: &Run, width: usize) -> String {
    let groups = causes(&run.differences);
    let shown = &groups[..groups.len().min(LINES)];
    let row = |group: &crate::CauseGroup| {
        let first = group.first;
        let count = grouped(group.count());
        let title = finding::title_of(first);
        [group.severity().to_string(), count, plain(&first.check), plain(title)]
    };
    let rows: Vec<[String; 4]> = shown.iter().map(row).collect();
    let mut text = String::new();
    for line in table(&[Align::Left, Align::Right, Align::Left, Align::Left], &rows) {
        let _ = writeln!(text, "{}", cut(&line, width));
    }
    let listed: u64 = shown.iter().map(crate::CauseGroup::count).sum();
    rest(&mut text, run.differed().saturating_sub(listed), DifferenceRow::FILE);
    text
}

fn cut(line: &str, width: usize) -> String {
    if line.chars().count() <= width {
        return line.to_owned();
    }
    let kept: String = line.chars().take(width.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}
