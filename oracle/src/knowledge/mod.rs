//! Heuristics compared with the true values of whole tables: rules of thumb as a textbook chapter prints them
//! and as its author meant them, and the endgame knowledge of our evaluation.
//!
//! The audit computes a heuristic for every position of a table. It compares a yes or no with the result, and
//! a number with the distance to mate. The output is counts and a rank correlation. There are verdicts only
//! for heuristics whose yes must never be wrong. Rules that a book prints wrongly are kept as specimens, in
//! our own words and with their faults.
//!
//! Tables of three men are walked on all 64 squares, tables of four men by one position of each symmetry
//! class, because the published numbers of positions are counted that way. The true values come from tables
//! that the oracle has certified.

mod certify;
mod dead;
mod evaluator;
mod heuristic;
mod keys;
mod lone_king;
mod scale;
mod spearman;
mod square;
mod tallies;
mod walk;

#[cfg(test)]
mod tests;

use suites::rows::KnowledgeRow;
use suites::{Difference, Evidence, Findings, Replay, Tally, Verdict};

use crate::authorities::Authorities;
use crate::positions::{Men, Scope};
use crate::run::{Outcome, ProgressObserver};
use crate::table_probe::TableProbe;

use heuristic::Heuristic;

pub use certify::{Certified, certify, materials_of, three_men};

/// The id of the check.
pub const CHECK: &str = "knowledge";
/// The name of the player whose knowledge is checked.
const SUBJECT: &str = "engine";

/// The tables of at most three men that have heuristics.
pub const THREE_MEN: [&str; 6] = ["KvK", "KNvK", "KBvK", "KPvK", "KQvK", "KRvK"];
/// The tables of four men that have heuristics.
pub const FOUR_MEN: [&str; 12] = [
    "KNNvK", "KBBvK", "KBNvK", "KBvKB", "KRvKR", "KQvKQ", "KRvKB", "KRvKN", "KQvKR", "KBPvK", "KRvKP",
    "KQvKP",
];

/// The inputs of an audit.
#[derive(Clone, Copy)]
pub struct Audit<'a> {
    /// Certified tables.
    pub truth: &'a dyn TableProbe,
    /// The published numbers of positions.
    pub authorities: &'a Authorities<'a>,
    /// Is told about the placements walked.
    pub progress: &'a dyn ProgressObserver,
}

/// The number of placements that an audit of a table walks.
pub fn work(men: &Men) -> u64 {
    2 * men.numbers()
}

/// Audits tables, in this order.
pub fn run<'m>(audit: &Audit, tables: impl IntoIterator<Item = &'m Men>) -> Outcome<KnowledgeRow> {
    let mut outcome = Outcome { findings: Vec::new(), rows: Vec::new() };
    for men in tables {
        let heuristics = heuristics(men.name());
        if heuristics.is_empty() {
            continue;
        }
        let (findings, rows) = table(audit, men, &heuristics);
        outcome.findings.push(findings);
        outcome.rows.extend(rows);
    }
    outcome
}

/// The heuristics that apply to a table.
fn heuristics(table: &str) -> Vec<Heuristic> {
    let families = [square::ALL, lone_king::ALL, dead::ALL, keys::ALL, scale::ALL, evaluator::ALL];
    families.concat().into_iter().filter(|heuristic| heuristic.tables.contains(&table)).collect()
}

/// Compares heuristics with one table.
fn table(audit: &Audit, men: &Men, heuristics: &[Heuristic]) -> (Findings, Vec<KnowledgeRow>) {
    let walked = walk::table(audit, men, heuristics);
    let mut findings = Findings::new(Tally::new(SUBJECT, CHECK, Evidence::Agreement, men.name()));
    findings.record(coverage(audit, men, &walked));
    let mut rows = Vec::new();
    for (heuristic, tallies) in heuristics.iter().zip(&walked.tallies) {
        if let Some(verdict) = tallies.verdict(heuristic, men) {
            findings.record(verdict);
        }
        rows.extend(tallies.rows(heuristic, men));
    }
    (findings, rows)
}

/// Whether the number of positions is the published one, and the tables state a value for each.
fn coverage(audit: &Audit, men: &Men, walked: &walk::AuditedTable) -> Verdict {
    let scope = scope(men);
    let expected = audit.authorities.published_positions(men, scope);
    if walked.unknown == 0 && expected.is_none_or(|expected| expected == walked.positions) {
        return Verdict::Agree;
    }
    let expected =
        expected.map_or("an answer for each position".to_owned(), |count| format!("{count} positions"));
    Verdict::Differ(Box::new(Difference {
        subject: SUBJECT.to_owned(),
        check: CHECK.to_owned(),
        case: format!("{men}/coverage"),
        fen: String::new(),
        played: None,
        limit: None,
        stored: format!("{} positions, {} of them unknown", walked.positions, walked.unknown).into(),
        given: None,
        expected: expected.into(),
        best: Vec::new(),
        source: "published counts".to_owned(),
        explanation:
            "the audit walked fewer legal positions than there are, or more, or some without a value"
                .to_owned(),
        cause: None,
        replay: Replay::touchstone(format_args!("audit-eval --tables {men}")),
    }))
}

/// Tables of three men are walked on all 64 squares, larger ones by one position of each class.
fn scope(men: &Men) -> Scope {
    if men.numbers() <= 1 << 18 { Scope::Raw } else { Scope::Unique }
}
