//! `checks.csv`: what was compared with what, and how it came out.

use serde::{Deserialize, Serialize};
use suites::Tally;
use suites::catalogue::Severity;

use crate::Row;

/// How the cases of one check on one case set came out.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CheckRow {
    /// Whose claims were checked.
    pub subject: String,
    /// Id of the check.
    pub check: String,
    /// The kind of evidence.
    pub evidence: String,
    /// The table or suite.
    pub case_set: String,
    /// Cases compared: those that agreed and those that differed.
    pub compared: u64,
    /// Cases that agreed.
    pub agreed: u64,
    /// Cases that differed.
    pub differed: u64,
    /// Of these, those whose findings are errors.
    pub errors: u64,
    /// Cases of which a figure was taken and nothing demanded.
    pub observed: u64,
    /// Cases not compared.
    pub skipped: u64,
    /// Cases not compared by reason, in alphabetical order: `malformed=3;table missing=2`.
    pub skip_reasons: String,
}

impl Row for CheckRow {
    const FILE: &'static str = "checks.csv";
}

impl From<&Tally> for CheckRow {
    fn from(tally: &Tally) -> Self {
        let mut reasons: Vec<String> =
            tally.skipped.iter().map(|(reason, cases)| format!("{reason}={cases}")).collect();
        reasons.sort();
        Self {
            subject: tally.subject.clone(),
            check: tally.check.clone(),
            evidence: tally.evidence.to_string(),
            case_set: tally.case_set.clone(),
            compared: tally.compared(),
            agreed: tally.agreed,
            differed: tally.differed,
            errors: tally.differed_with(Severity::Error),
            observed: tally.observed,
            skipped: tally.skipped_total(),
            skip_reasons: reasons.join(";"),
        }
    }
}
