//! `timings.csv`: how long each check took. It differs from run to run and is in no baseline.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use suites::Tally;

/// The time of one check on one case set.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TimingRow {
    /// What was checked, as in `checks.csv`.
    pub subject: String,
    /// Id of the check.
    pub check: String,
    /// The table or suite.
    pub case_set: String,
    /// Wall time in whole milliseconds, rounded down.
    pub milliseconds: u64,
    /// Cases compared a second, rounded down; empty if none were compared, or within less than a millisecond.
    #[serde(default)]
    pub per_second: Option<u64>,
}

impl TimingRow {
    /// The row of a check that took `duration`.
    pub fn new(tally: &Tally, duration: Duration) -> Self {
        let milliseconds = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
        let compared = Some(tally.compared()).filter(|&compared| compared > 0);
        Self {
            subject: tally.subject.clone(),
            check: tally.check.clone(),
            case_set: tally.case_set.clone(),
            milliseconds,
            per_second: compared
                .and_then(|compared| compared.saturating_mul(1_000).checked_div(milliseconds)),
        }
    }
}
