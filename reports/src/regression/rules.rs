//! For each report: which columns identify a row, which are compared, and what a change means.
//!
//! Reports without rules here, such as the timings, are not compared.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use suites::Difference;
use suites::catalogue::{self, Severity};

use super::attribution::{Attribution, counts, is_in};
use super::explained::ChangedFindings;
use super::scope::{Place, Scope};
use crate::RegressionVerdict::{self, Added, Broken, Changed, Fixed, Gone};
use crate::{
    BestMoveRow, CensusRow, CheckRow, ConversionRow, DifferenceRow, DrawRow, HistogramRow, KnowledgeRow,
    MateRow, PerftRow, Row, SignatureRow, StalemateRow, StalemateSubjectRow, WinThrownRow,
};

/// Subject and check of all checks that compare less than before on any case set. A difference that they no
/// longer report may still be there.
#[derive(Debug, Default)]
pub(crate) struct LostCoverage(BTreeSet<(String, String)>);

impl LostCoverage {
    /// Adds a row that changed.
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

/// A row that is compared between two runs.
pub(crate) trait Compared: Row {
    /// The columns that identify the row.
    const KEY: &'static [&'static str];
    /// The columns whose changes are not reported, since they follow from others or explain them. All others
    /// are its figures.
    const LEFT_OUT: &'static [&'static str] = &[];

    /// What the row belongs to.
    fn place(&self) -> Place<'_>;

    /// Whether the run covers this row of the baseline. The attribution has the baseline's rows of
    /// `checks.csv`.
    fn is_covered(&self, scope: &Scope, _before: &Attribution) -> bool {
        scope.covers(self.place())
    }

    /// What the change from `before` to `after` means; `None` if that run does not have the row.
    fn verdict(before: Option<&Self>, after: Option<&Self>, _lost: &LostCoverage) -> RegressionVerdict {
        match (before, after) {
            (None, _) => Added,
            (_, None) => Gone,
            _ => Changed,
        }
    }

    /// Whether changed findings explain the whole change: the row only counts or repeats them.
    fn is_explained(_before: &Self, _after: &Self, _findings: &ChangedFindings) -> bool {
        false
    }
}

/// Cases that were compared or observed. A mate that is no longer found moves from one to the other, and is
/// no lost case.
fn answered(row: Option<&CheckRow>) -> u64 {
    row.map_or(0, |row| row.compared + row.observed)
}

fn differed(row: Option<&CheckRow>) -> u64 {
    row.map_or(0, |row| row.differed)
}

fn errors(row: Option<&CheckRow>) -> u64 {
    row.map_or(0, |row| row.errors)
}

/// Whether the findings of a check are errors.
fn is_error(check: &str) -> bool {
    catalogue::severity(check) == Severity::Error
}

/// Whether both rows have the same kind of evidence: a sample is not compared with a full count.
fn same_evidence(before: Option<&CheckRow>, after: Option<&CheckRow>) -> bool {
    before.zip(after).is_none_or(|(before, after)| before.evidence == after.evidence)
}

impl Compared for CheckRow {
    const KEY: &'static [&'static str] = &["subject", "check", "case_set"];
    // These columns follow from the tally.
    const LEFT_OUT: &'static [&'static str] = &["compared", "errors"];

    fn place(&self) -> Place<'_> {
        Place { subject: Some(&self.subject), check: &self.check, case_set: &self.case_set }
    }

    /// Only errors break a check. A check that compares fewer cases than before is broken. A check that is
    /// gone compares none.
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

    fn is_explained(before: &Self, after: &Self, findings: &ChangedFindings) -> bool {
        let same_skips = before.skip_reasons == after.skip_reasons && before.skipped == after.skipped;
        before.evidence == after.evidence
            && same_skips
            && answered(Some(after)) >= answered(Some(before))
            && findings.explain_count(before, after)
    }
}

impl Compared for DifferenceRow {
    const KEY: &'static [&'static str] = &["subject", "check", "case"];
    // Columns that follow from the case and the check, words for people, and the values behind the words.
    const LEFT_OUT: &'static [&'static str] = &[
        "fen",
        "severity",
        "explanation",
        "cause",
        "replay",
        "moves",
        "position_after",
        "given",
        "best",
        "stored_value",
        "expected_value",
        "limit",
    ];

    /// A case begins with its table or suite and a slash. Otherwise only a whole run covers it.
    fn place(&self) -> Place<'_> {
        let case_set = self.0.case.split('/').next().unwrap_or_default();
        Place { subject: Some(&self.0.subject), check: &self.0.check, case_set }
    }

    /// A difference is covered if all rows that may count it are covered. If no row counts it, as for a check
    /// that only some builds have, its case names what it belongs to.
    fn is_covered(&self, scope: &Scope, before: &Attribution) -> bool {
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

    fn place(&self) -> Place<'_> {
        Place { subject: None, check: "census", case_set: &self.table }
    }
}

impl Compared for HistogramRow {
    const KEY: &'static [&'static str] = &["table", "side_to_move", "wdl", "dtm"];

    fn place(&self) -> Place<'_> {
        Place { subject: None, check: "census", case_set: &self.table }
    }
}

impl Compared for PerftRow {
    const KEY: &'static [&'static str] = &["suite", "case", "depth"];

    fn place(&self) -> Place<'_> {
        Place { subject: None, check: "perft", case_set: &self.suite }
    }

    fn is_explained(before: &Self, after: &Self, findings: &ChangedFindings) -> bool {
        before.fen == after.fen && findings.has("engine", "perft", &format!("{}/{}", after.suite, after.case))
    }
}

impl Compared for SignatureRow {
    const KEY: &'static [&'static str] = &["subject", "depth"];

    /// A signature belongs to no check: a run of some tables or suites has no signature.
    fn place(&self) -> Place<'_> {
        Place { subject: Some(&self.subject), check: "signature", case_set: "signature" }
    }
}

impl Compared for StalemateRow {
    const KEY: &'static [&'static str] = &["table", "fen"];

    fn place(&self) -> Place<'_> {
        Place { subject: None, check: "terminal", case_set: &self.table }
    }
}

impl Compared for StalemateSubjectRow {
    const KEY: &'static [&'static str] = &["subject", "class", "depth", "tables"];

    fn place(&self) -> Place<'_> {
        Place { subject: Some(&self.subject), check: "stalemate", case_set: &self.class }
    }

    fn is_explained(before: &Self, after: &Self, findings: &ChangedFindings) -> bool {
        let tables = if after.tables { "with tables" } else { "without tables" };
        let asked = format!("/depth {} {tables}", after.depth);
        let is_case = |case: &str| is_in(case, &after.class) && case.ends_with(&asked);
        before.positions == after.positions && findings.has_any(&after.subject, "stalemate", is_case)
    }
}

impl Compared for MateRow {
    const KEY: &'static [&'static str] = &["subject", "suite", "case"];

    fn place(&self) -> Place<'_> {
        Place { subject: Some(&self.subject), check: "mate", case_set: &self.class }
    }

    fn is_explained(_: &Self, after: &Self, findings: &ChangedFindings) -> bool {
        let Self { subject, suite, case, .. } = after;
        findings.has(subject, "mate", case) || findings.has(subject, "mate", &format!("{suite}/{case}"))
    }
}

impl Compared for BestMoveRow {
    const KEY: &'static [&'static str] = &["subject", "suite", "line"];

    fn place(&self) -> Place<'_> {
        Place { subject: Some(&self.subject), check: "bestmove/solved", case_set: &self.suite }
    }

    fn is_explained(_: &Self, after: &Self, findings: &ChangedFindings) -> bool {
        findings.has(&after.subject, "bestmove", &format!("{}/{}", after.suite, after.line))
    }
}

impl Compared for ConversionRow {
    const KEY: &'static [&'static str] = &["subject", "ending", "aids"];
    // These columns follow from the games and the won games.
    const LEFT_OUT: &'static [&'static str] = &["share", "low", "high"];

    fn place(&self) -> Place<'_> {
        Place { subject: Some(&self.subject), check: "conversion", case_set: &self.ending }
    }

    fn is_explained(_: &Self, after: &Self, findings: &ChangedFindings) -> bool {
        findings.has(&after.subject, "conversion", &format!("{}/{}", after.ending, after.aids))
    }
}

impl Compared for WinThrownRow {
    const KEY: &'static [&'static str] = &["subject", "ending", "aids", "start"];
    const LEFT_OUT: &'static [&'static str] = &["replay"];

    fn place(&self) -> Place<'_> {
        Place { subject: Some(&self.subject), check: "conversion", case_set: &self.ending }
    }
}

impl Compared for DrawRow {
    const KEY: &'static [&'static str] = &["subject", "case", "tables"];

    fn place(&self) -> Place<'_> {
        Place { subject: Some(&self.subject), check: "draw", case_set: &self.class }
    }

    fn is_explained(_: &Self, after: &Self, findings: &ChangedFindings) -> bool {
        let Self { subject, case, .. } = after;
        findings.has(subject, "draw", case)
            || findings.has(subject, "draw", &format!("{case} without tables"))
    }
}

impl Compared for KnowledgeRow {
    const KEY: &'static [&'static str] = &["heuristic", "table"];
    // These columns follow from the counts.
    const LEFT_OUT: &'static [&'static str] = &["precision", "recall"];

    fn place(&self) -> Place<'_> {
        Place { subject: None, check: "knowledge", case_set: &self.table }
    }

    /// A heuristic is broken if it is wrong more often than before, or if it ranks worse.
    fn verdict(before: Option<&Self>, after: Option<&Self>, _: &LostCoverage) -> RegressionVerdict {
        let (before, after) = match (before, after) {
            (Some(before), Some(after)) => (before, after),
            (None, _) => return Added,
            (_, None) => return Gone,
        };
        let wrong =
            |row: &Self| row.false_positive.unwrap_or_default() + row.false_negative.unwrap_or_default();
        match wrong(after).cmp(&wrong(before)).then(before.spearman.cmp(&after.spearman)) {
            Ordering::Greater => Broken,
            Ordering::Less => Fixed,
            Ordering::Equal => Changed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns;

    #[test]
    fn keys_and_columns_left_out_are_columns() {
        fn check<R: Compared>(figures: usize) {
            let named = [R::KEY, R::LEFT_OUT].concat();
            assert!(named.iter().all(|name| columns::<R>().contains(name)), "{}", R::FILE);
            assert_eq!(named.len() + figures, columns::<R>().len(), "{}", R::FILE);
        }
        check::<CheckRow>(6);
        check::<DifferenceRow>(3);
        check::<CensusRow>(9);
        check::<HistogramRow>(2);
        check::<PerftRow>(4);
        check::<SignatureRow>(2);
        check::<StalemateRow>(1);
        check::<StalemateSubjectRow>(9);
        check::<MateRow>(6);
        check::<BestMoveRow>(8);
        check::<ConversionRow>(9);
        check::<WinThrownRow>(3);
        check::<DrawRow>(4);
        check::<KnowledgeRow>(6);
    }
}
