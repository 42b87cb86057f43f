//! One change between two runs.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use crate::Row;

/// What a change between two runs means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RegressionVerdict {
    /// A difference that was not there before, or a check that compares less than before.
    Broken,
    /// A difference that is gone, though its check compares as much as before.
    Fixed,
    /// Other figures than before.
    Changed,
    /// A row that was not there before.
    Added,
    /// A row that is no longer there.
    Gone,
}

impl RegressionVerdict {
    /// All five, the worst first.
    pub const ALL: [Self; 5] = [Self::Broken, Self::Fixed, Self::Changed, Self::Added, Self::Gone];

    /// As it is written in the report.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Broken => "broken",
            Self::Fixed => "fixed",
            Self::Changed => "changed",
            Self::Added => "added",
            Self::Gone => "gone",
        }
    }
}

/// One row of one report that is not what it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegressionRow {
    /// The report's file name.
    pub report: String,
    /// The key of the row, its parts joined by spaces.
    pub case: String,
    /// The figures that changed, as they were: `agreed=331352 differed=0`. Empty if there was no such row.
    pub before: String,
    /// The same figures as they are. Empty if there is no such row any more.
    pub after: String,
    /// What it means.
    pub verdict: RegressionVerdict,
}

impl Row for RegressionRow {
    const FILE: &'static str = "regression.csv";
}

impl Ord for RegressionRow {
    /// By columns from left to right, the numbers within a case as numbers.
    fn cmp(&self, other: &Self) -> Ordering {
        let Self { report, case, before, after, verdict } = self;
        let rest = (case, before, after, verdict);
        report
            .cmp(&other.report)
            .then_with(|| words(case).cmp(&words(&other.case)))
            .then_with(|| rest.cmp(&(&other.case, &other.before, &other.after, &other.verdict)))
    }
}

impl PartialOrd for RegressionRow {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Word<'a> {
    Number(u64),
    Text(&'a str),
}

fn words(case: &str) -> Vec<Word<'_>> {
    case.split(' ').map(|word| word.parse().map_or(Word::Text(word), Word::Number)).collect()
}
