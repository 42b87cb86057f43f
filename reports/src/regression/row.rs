//! One change between two runs.

use serde::{Deserialize, Serialize};

use crate::Row;
use crate::natural::{Natural, ordered};

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

ordered!(RegressionRow, row => (&row.report, Natural(&row.case), &row.before, &row.after, row.verdict));
