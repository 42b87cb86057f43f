//! What identifies a row in two runs, which of its columns are compared, and what a change of them means.
//!
//! Reports without rules here, such as the timings, are compared by nobody.

use std::collections::BTreeSet;

use suites::Difference;
use suites::catalogue::{self, Severity};

use super::RegressionVerdict::{self, Added, Broken, Changed, Fixed, Gone};
use super::counted::{Counting, counts, is_in};
use super::scope::{Place, Scope};
use super::told::Told;
use crate::{
    BestMoveRow, CensusRow, CheckRow, ConversionRow, DifferenceRow, DrawRow, HistogramRow, KnowledgeRow,
    MateRow, PerftRow, Row, SignatureRow, StalemateRow, StalemateSubjectRow, WinThrownRow,
};

/// Subject and check of all checks that compare less than before, be it on one case set only: what they no longer
/// report may still be there.
#[derive(Debug, Default)]
pub(crate) struct LostCoverage(BTreeSet<(String, String)>);

impl LostCoverage {
    /// Takes note of a row that changed.
    pub(crate) fn note(&mut self, before: Option<&CheckRow>, after: Option<&CheckRow>) {
        if answered(after) < answered(before) {
            self.0.extend(before.map(|row| (row.subject.clone(), row.check.clone())));
        }
    }

    fn has(&self, difference: &Difference) -> bool {
        let counted = |check| counts(check, &difference.check);
        self.0.iter().any(|(subject, check)| *subject == difference.subject && counted(check))
    }
}

/// A row that two runs may both have.
pub(crate) trait Compared: Row {
    /// The columns that name the case.
    const KEY: &'static [&'static str];
    /// The columns whose change is reported. The others follow from these, or are words that explain them.
    const FIGURES: &'static [&'static str];

    /// Where the row stands.
    fn place(&self) -> Place<'_>;

    /// Whether a run was asked for this row of the earlier one, whose rows of `checks.csv` are given.
    fn is_covered(&self, scope: &Scope, _before: &Counting) -> bool {
        scope.covers(self.place())
    }

    /// What it means that `before` became `after`; `None` is a row that is not there.
    fn verdict(before: Option<&Self>, after: Option<&Self>, _lost: &LostCoverage) -> RegressionVerdict {
        match (before, after) {
            (None, _) => Added,
            (_, None) => Gone,
            _ => Changed,
        }
    }

    /// Whether findings that changed tell all of this change: the row counts them, or repeats one. A finding is listed once.
    fn is_told(_before: &Self, _after: &Self, _told: &Told) -> bool {
        false
    }
}

/// Cases of which something is known: those that were compared, and those that are observed. A mate that is no longer found is
/// a figure that changed, and no case less.
fn answered(row: Option<&CheckRow>) -> u64 {
    row.map_or(0, |row| row.compared + row.observed)
}

fn differed(row: Option<&CheckRow>) -> u64 {
    row.map_or(0, |row| row.differed)
}

fn errors(row: Option<&CheckRow>) -> u64 {
    row.map_or(0, |row| row.errors)
}

/// Whether what a check finds is an error.
fn is_error(check: &str) -> bool {
    catalogue::severity(check) == Severity::Error
}

/// Whether both rows rest on the same kind of evidence: a sample is not held against a full count.
fn same_evidence(before: Option<&CheckRow>, after: Option<&CheckRow>) -> bool {
    before.zip(after).is_none_or(|(before, after)| before.evidence == after.evidence)
}

impl Compared for CheckRow {
    const KEY: &'static [&'static str] = &["subject", "check", "case_set"];
    const FIGURES: &'static [&'static str] =
        &["evidence", "agreed", "differed", "observed", "skipped", "skip_reasons"];

    fn place(&self) -> Place<'_> {
        Place { subject: Some(&self.subject), check: &self.check, case_set: &self.case_set }
    }

    /// What is no error breaks nothing. A check that compares less than before is broken, whatever it says of the rest; one
    /// that is gone compares nothing.
    fn verdict(before: Option<&Self>, after: Option<&Self>, _: &LostCoverage) -> RegressionVerdict {
        match (before, after) {
            _ if errors(after) > errors(before) => Broken,
            _ if answered(after) < answered(before) && same_evidence(before, after) => Broken,
            _ if answered(after) < answered(before) => Changed,
            _ if differed(after) < differed(before) => Fixed,
            (None, _) => Added,
            (_, None) => Gone,
            _ => Changed,
        }
    }

    fn is_told(before: &Self, after: &Self, told: &Told) -> bool {
        let same_skips = before.skip_reasons == after.skip_reasons && before.skipped == after.skipped;
        before.evidence == after.evidence
            && same_skips
            && answered(Some(after)) >= answered(Some(before))
            && told.account_for(before, after)
    }
}

impl Compared for DifferenceRow {
    const KEY: &'static [&'static str] = &["subject", "check", "case"];
    const FIGURES: &'static [&'static str] = &["stored", "expected", "source"];

    /// A case begins with its table or suite and a slash; where it does not, only a whole run covers it.
    fn place(&self) -> Place<'_> {
        let case_set = self.0.case.split('/').next().unwrap_or_default();
        Place { subject: Some(&self.0.subject), check: &self.0.check, case_set }
    }

    /// It is covered with the rows that may count it. Where there is none, as of a check that is not in every build, its case
    /// says where it stands.
    fn is_covered(&self, scope: &Scope, before: &Counting) -> bool {
        match &before.of(&self.0)[..] {
            [] => scope.covers(self.place()),
            rows => rows.iter().all(|row| scope.covers(row.place())),
        }
    }

    fn verdict(before: Option<&Self>, after: Option<&Self>, lost: &LostCoverage) -> RegressionVerdict {
        match (before, after) {
            (None, Some(Self(after))) if !is_error(&after.check) => Added,
            (None, _) => Broken,
            (Some(Self(before)), None) if lost.has(before) => Gone,
            (_, None) => Fixed,
            _ => Changed,
        }
    }
}

impl Compared for CensusRow {
    const KEY: &'static [&'static str] = &["table", "side_to_move"];
    const FIGURES: &'static [&'static str] = &[
        "legal",
        "legal_unique",
        "wins",
        "draws",
        "losses",
        "checkmates",
        "stalemates",
        "longest_plies",
        "longest_count",
    ];

    fn place(&self) -> Place<'_> {
        Place { subject: None, check: "census", case_set: &self.table }
    }
}

impl Compared for HistogramRow {
    const KEY: &'static [&'static str] = &["table", "side_to_move", "wdl", "dtm"];
    const FIGURES: &'static [&'static str] = &["positions", "positions_unique"];

    fn place(&self) -> Place<'_> {
        Place { subject: None, check: "census", case_set: &self.table }
    }
}

impl Compared for PerftRow {
    const KEY: &'static [&'static str] = &["suite", "case", "depth"];
    const FIGURES: &'static [&'static str] = &["fen", "nodes", "expected", "verdict"];

    fn place(&self) -> Place<'_> {
        Place { subject: None, check: "perft", case_set: &self.suite }
    }

    fn is_told(before: &Self, after: &Self, told: &Told) -> bool {
        before.fen == after.fen && told.has("engine", "perft", &format!("{}/{}", after.suite, after.case))
    }
}

impl Compared for SignatureRow {
    const KEY: &'static [&'static str] = &["subject", "depth"];
    const FIGURES: &'static [&'static str] = &["positions", "signature"];

    /// No check stands behind it: a run of some tables or suites takes no signature.
    fn place(&self) -> Place<'_> {
        Place { subject: Some(&self.subject), check: "signature", case_set: "signature" }
    }
}

impl Compared for StalemateRow {
    const KEY: &'static [&'static str] = &["table", "fen"];
    const FIGURES: &'static [&'static str] = &["kind"];

    fn place(&self) -> Place<'_> {
        Place { subject: None, check: "terminal", case_set: &self.table }
    }
}

impl Compared for StalemateSubjectRow {
    const KEY: &'static [&'static str] = &["subject", "class", "depth", "tables"];
    const FIGURES: &'static [&'static str] = &[
        "positions",
        "due",
        "agreed",
        "observed",
        "wrong_score",
        "stalemated",
        "missed",
        "unanswered",
        "flaky",
    ];

    fn place(&self) -> Place<'_> {
        Place { subject: Some(&self.subject), check: "stalemate", case_set: &self.class }
    }

    fn is_told(before: &Self, after: &Self, told: &Told) -> bool {
        let tables = if after.tables { "with tables" } else { "without tables" };
        let asked = format!("/depth {} {tables}", after.depth);
        let is_case = |case: &str| is_in(case, &after.class) && case.ends_with(&asked);
        before.positions == after.positions && told.has_any(&after.subject, "stalemate", is_case)
    }
}

impl Compared for MateRow {
    const KEY: &'static [&'static str] = &["subject", "suite", "case"];
    const FIGURES: &'static [&'static str] = &["class", "mate", "evidence", "announced", "verdict", "nodes"];

    fn place(&self) -> Place<'_> {
        Place { subject: Some(&self.subject), check: "mate", case_set: &self.class }
    }

    fn is_told(_: &Self, after: &Self, told: &Told) -> bool {
        let Self { subject, suite, case, .. } = after;
        told.has(subject, "mate", case) || told.has(subject, "mate", &format!("{suite}/{case}"))
    }
}

impl Compared for BestMoveRow {
    const KEY: &'static [&'static str] = &["subject", "suite", "line"];
    const FIGURES: &'static [&'static str] =
        &["id", "best", "avoid", "played", "points", "most_points", "verdict"];

    fn place(&self) -> Place<'_> {
        Place { subject: Some(&self.subject), check: "bestmove/solved", case_set: &self.suite }
    }

    fn is_told(_: &Self, after: &Self, told: &Told) -> bool {
        told.has(&after.subject, "bestmove", &format!("{}/{}", after.suite, after.line))
    }
}

impl Compared for ConversionRow {
    const KEY: &'static [&'static str] = &["subject", "ending", "aids"];
    const FIGURES: &'static [&'static str] = &[
        "limit",
        "games",
        "won",
        "demanded",
        "thrown",
        "fifty_moves",
        "repetition",
        "unanswered",
        "plies_lost",
    ];

    fn place(&self) -> Place<'_> {
        Place { subject: Some(&self.subject), check: "conversion", case_set: &self.ending }
    }

    fn is_told(_: &Self, after: &Self, told: &Told) -> bool {
        told.has(&after.subject, "conversion", &format!("{}/{}", after.ending, after.aids))
    }
}

impl Compared for WinThrownRow {
    const KEY: &'static [&'static str] = &["subject", "ending", "aids", "start"];
    const FIGURES: &'static [&'static str] = &["fen", "played", "end"];

    fn place(&self) -> Place<'_> {
        Place { subject: Some(&self.subject), check: "conversion", case_set: &self.ending }
    }
}

impl Compared for DrawRow {
    const KEY: &'static [&'static str] = &["subject", "case", "tables"];
    const FIGURES: &'static [&'static str] = &["class", "expected", "score", "verdict"];

    fn place(&self) -> Place<'_> {
        Place { subject: Some(&self.subject), check: "draw", case_set: &self.class }
    }

    fn is_told(_: &Self, after: &Self, told: &Told) -> bool {
        let Self { subject, case, .. } = after;
        told.has(subject, "draw", case) || told.has(subject, "draw", &format!("{case} without tables"))
    }
}

impl Compared for KnowledgeRow {
    const KEY: &'static [&'static str] = &["heuristic", "table"];
    const FIGURES: &'static [&'static str] =
        &["positions", "true_positive", "false_positive", "true_negative", "false_negative", "spearman"];

    fn place(&self) -> Place<'_> {
        Place { subject: None, check: "knowledge", case_set: &self.table }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns;

    #[test]
    fn every_column_is_a_key_or_a_figure_or_left_out_by_name() {
        fn check<R: Compared>(left_out: &[&str]) {
            let mut named = [R::KEY, R::FIGURES, left_out].concat();
            let mut all = columns::<R>().to_vec();
            named.sort_unstable();
            all.sort_unstable();
            assert_eq!(named, all, "{}", R::FILE);
        }
        // Follows from agreed and differed; says what a change of these means.
        check::<CheckRow>(&["compared", "errors"]);
        // Follow from the case and the check; words for people.
        check::<DifferenceRow>(&["fen", "severity", "explanation", "replay"]);
        check::<CensusRow>(&[]);
        check::<HistogramRow>(&[]);
        check::<PerftRow>(&[]);
        check::<SignatureRow>(&[]);
        check::<StalemateRow>(&[]);
        check::<StalemateSubjectRow>(&[]);
        check::<MateRow>(&[]);
        check::<BestMoveRow>(&[]);
        // Follow from games and won.
        check::<ConversionRow>(&["share", "low", "high"]);
        check::<WinThrownRow>(&["replay"]);
        check::<DrawRow>(&[]);
        // Follow from the counts.
        check::<KnowledgeRow>(&["precision", "recall"]);
    }
}
