//! The changes against the baseline, the worst first.

use std::fmt::Write as _;

use crate::layout::{grouped, plain, rest};
use crate::{RegressionRow, RegressionVerdict, Row};

/// How many rows changed and how, then the first `shown` of them, the worst first. The rest is counted.
pub fn regression(rows: &[RegressionRow], shown: usize) -> String {
    let mut rows: Vec<&RegressionRow> = rows.iter().collect();
    rows.sort_by_key(|row| (row.verdict, *row));
    let mut text = format!("against the baseline: {}\n", counts(&rows));
    for row in rows.iter().take(shown) {
        write(&mut text, row);
    }
    rest(&mut text, rows.len().saturating_sub(shown) as u64, RegressionRow::FILE);
    text
}

fn counts(rows: &[&RegressionRow]) -> String {
    if rows.is_empty() {
        return "nothing changed".to_owned();
    }
    let count = |verdict| rows.iter().filter(|row| row.verdict == verdict).count() as u64;
    let counts = RegressionVerdict::ALL.map(|verdict| (count(verdict), verdict.name()));
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    counts.map(|(count, name)| format!("{} {name}", grouped(count))).collect::<Vec<_>>().join(", ")
}

fn write(text: &mut String, row: &RegressionRow) {
    let RegressionRow { report, case, before, after, verdict } = row;
    let _ = writeln!(text, "  {:<7}  {report}  {}", verdict.name(), plain(case));
    for (name, figures) in [("before", before), ("after", after)] {
        if !figures.is_empty() {
            let _ = writeln!(text, "    {name:<6}  {}", plain(figures));
        }
    }
}
