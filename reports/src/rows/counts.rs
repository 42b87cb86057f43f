//! The rows that count: cases of checks, nodes, and time.

use serde::{Deserialize, Serialize};
use std::time::Duration;
use suites::catalogue::Severity;
use suites::rows::SpeedVerdict;
use suites::{Decimal3, Evidence, Tally, ordered, word};

// `checks.csv`: how many cases of each check agreed and differed.

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

// `timings.csv`: how long each check took. It differs from run to run and is in no baseline.

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

// `signature.csv`: nodes searched over fixed positions. The number changes when the behaviour of the search
// changes.

/// The signature of one search at one depth.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SignatureRow {
    /// Name of the search.
    pub subject: String,
    /// Search depth in plies.
    pub depth: u32,
    /// Number of positions.
    pub positions: u64,
    /// Nodes searched over all positions.
    pub signature: u64,
}

// `speed.csv`: how fast two versions of an engine search, measured in turn. It depends on the machine.

/// One measure. Ratios are b divided by a, so that above 1 b is faster.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SpeedRow {
    /// What was measured: `nodes per second`, or `searches per second` to a fixed depth.
    pub measure: String,
    /// How many rounds were measured. A round asks both engines for the same positions.
    pub rounds: u64,
    /// The median of a over the rounds.
    #[cfg_attr(test, schemars(with = "String"))]
    pub a: Decimal3,
    /// The median of b over the rounds.
    #[cfg_attr(test, schemars(with = "String"))]
    pub b: Decimal3,
    /// The median of the ratios of the rounds.
    #[cfg_attr(test, schemars(with = "String"))]
    pub ratio: Decimal3,
    /// Lower end of the 95 % confidence interval of `ratio`, by bootstrap over the rounds.
    #[cfg_attr(test, schemars(with = "String"))]
    pub low: Decimal3,
    /// Upper end of that interval.
    #[cfg_attr(test, schemars(with = "String"))]
    pub high: Decimal3,
    /// The chance that rounds of equally fast engines differ as much: a permutation test that exchanges the
    /// two within rounds.
    #[cfg_attr(test, schemars(with = "String"))]
    pub p: Decimal3,
    /// Slower or faster where the whole interval is farther than 0.02 from 1 and `p` is below 0.05.
    #[serde(with = "word")]
    #[cfg_attr(test, schemars(with = "String", extend("enum" = SpeedVerdict::ALL.map(SpeedVerdict::name))))]
    pub verdict: SpeedVerdict,
    /// How many builds of both were measured. A difference between builds of ours is told only if a second
    /// build of each has it too.
    pub builds: u64,
}

impl SpeedRow {
    /// The same with what a second build of both says: a difference stands if both have it, and is then the
    /// smaller one.
    #[must_use]
    pub fn confirmed(&self, again: &Self) -> Self {
        let distance = |row: &Self| (row.ratio.0 - 1_000).abs();
        let nearer = if distance(again) < distance(self) { again } else { self };
        let verdict = if again.verdict == self.verdict { self.verdict } else { SpeedVerdict::Noise };
        Self { verdict, builds: self.builds + again.builds, ..nearer.clone() }
    }

    /// How many per cent slower b is; 0 if the difference is noise or b is faster.
    pub fn slower_by(&self) -> f64 {
        if self.verdict == SpeedVerdict::Slower { 100.0 - self.ratio.0 as f64 / 10.0 } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(ratio: i64, verdict: SpeedVerdict) -> SpeedRow {
        let zero = Decimal3(0);
        let measure = "nodes per second".to_owned();
        let (low, high, p) = (zero, zero, zero);
        SpeedRow {
            measure,
            rounds: 8,
            a: zero,
            b: zero,
            ratio: Decimal3(ratio),
            low,
            high,
            p,
            verdict,
            builds: 1,
        }
    }

    #[test]
    fn a_difference_stands_if_both_builds_have_it() {
        use SpeedVerdict::{Faster, Noise, Slower};
        let check =
            |first: (i64, SpeedVerdict), second: (i64, SpeedVerdict), expected: (i64, SpeedVerdict)| {
                let found = row(first.0, first.1).confirmed(&row(second.0, second.1));
                assert_eq!((found.ratio.0, found.verdict, found.builds), (expected.0, expected.1, 2));
            };
        check((800, Slower), (900, Slower), (900, Slower));
        check((1_050, Faster), (1_001, Noise), (1_001, Noise));
        check((1_050, Faster), (940, Slower), (1_050, Noise));
    }
}
