//! `checks.csv`: how many cases of each check agreed and differed.

use serde::{Deserialize, Serialize};
use suites::catalogue::Severity;
use suites::{Evidence, Tally};

use crate::natural::ordered;
use crate::word;

/// One check on one case set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CheckRow<R = String> {
    /// What was checked: a table, our engine, a specimen, or an engine's name.
    pub subject: String,
    /// Id of the check.
    pub check: String,
    /// The kind of evidence.
    #[serde(with = "word")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub evidence: Evidence,
    /// The table or suite.
    pub case_set: String,
    /// Cases that agreed or differed.
    pub compared: u64,
    /// Cases that agreed.
    pub agreed: u64,
    /// Cases that differed.
    pub differed: u64,
    /// Cases that differed and whose finding is an error.
    pub errors: u64,
    /// Cases that were recorded as figures: no answer could have failed.
    pub observed: u64,
    /// Cases that were not compared.
    pub skipped: u64,
    /// Cases that were not compared by reason, in alphabetical order: `malformed=3;table missing=2`.
    pub skip_reasons: R,
}

ordered!(CheckRow, row => {
    let CheckRow { subject, check, evidence, case_set, compared, agreed, differed, errors, .. } = row;
    let others = (row.observed, row.skipped, &row.skip_reasons);
    (subject, check, evidence.to_string(), case_set, compared, agreed, differed, errors, others)
});

impl<R> CheckRow<R> {
    /// The counts of a tally, with the skipped cases by reason in another form.
    pub(crate) fn new(tally: &Tally, skip_reasons: R) -> Self {
        Self {
            subject: tally.subject.clone(),
            check: tally.check.clone(),
            evidence: tally.evidence,
            case_set: tally.case_set.clone(),
            compared: tally.compared(),
            agreed: tally.agreed,
            differed: tally.differed,
            errors: tally.differed_with(Severity::Error),
            observed: tally.observed,
            skipped: tally.skipped_total(),
            skip_reasons,
        }
    }
}

impl From<&Tally> for CheckRow {
    fn from(tally: &Tally) -> Self {
        let mut reasons: Vec<String> =
            tally.skipped.iter().map(|(reason, cases)| format!("{reason}={cases}")).collect();
        reasons.sort();
        Self::new(tally, reasons.join(";"))
    }
}
