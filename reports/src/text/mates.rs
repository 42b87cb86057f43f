//! A line for each engine and suite of mates: the verdicts of its cases.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::layout::{grouped, plain};
use crate::{MateRow, MateVerdict};

/// One line for each engine and suite: the verdicts of its cases, the most frequent first.
pub fn mates(rows: &[MateRow]) -> String {
    let mut suites = BTreeMap::<(&str, &str), BTreeMap<MateVerdict, u64>>::new();
    for row in rows {
        let verdicts = suites.entry((&row.subject, &row.suite)).or_default();
        *verdicts.entry(row.verdict).or_default() += 1;
    }
    let mut text = String::new();
    for ((subject, suite), verdicts) in suites {
        let mut counted: Vec<(MateVerdict, u64)> = verdicts.into_iter().collect();
        counted.sort_by_key(|&(verdict, cases)| (std::cmp::Reverse(cases), verdict));
        let counted = counted.iter().map(|(verdict, cases)| format!("{} {verdict}", grouped(*cases)));
        let counted = counted.collect::<Vec<_>>().join(", ");
        let _ = writeln!(text, "{} announced by {}: {counted}", plain(suite), plain(subject));
    }
    text
}
