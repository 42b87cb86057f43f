//! Heuristics held against the truth of whole tables: rules of thumb as a textbook chapter prints them and as they are
//! meant, and the endgame knowledge of our evaluation.
//!
//! A heuristic is asked for every position of a table. Its yes or no is held against the result, its number against the
//! distance to mate: counts and a rank correlation come out, no verdict. Verdicts there are only on what a heuristic
//! promises never to get wrong. What is printed wrong stays here as a specimen, in our own words, faults and all.
//!
//! Tables of three men are walked on all 64 squares, those of four men by one position of each symmetry class: as many
//! positions as are published. The truth comes from tables that the oracle has certified, never from what is judged.

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

use suites::{Difference, Evidence, Findings, Tally, Verdict};

use crate::authorities::Authorities;
use crate::checks::Scope;
use crate::positions::Men;
use crate::run::{Outcome, ProgressObserver};
use crate::table_probe::TableProbe;

use heuristic::Heuristic;

pub use certify::{Certified, certify, materials_of, three_men};

/// The name of the check whose verdicts are the promises.
pub const CHECK: &str = "knowledge";
/// Whose knowledge it is.
const SUBJECT: &str = "engine";

/// Tables with heuristics of three men and fewer.
pub const THREE_MEN: [&str; 6] = ["KvK", "KNvK", "KBvK", "KPvK", "KQvK", "KRvK"];
/// Those of four men.
pub const FOUR_MEN: [&str; 12] = [
    "KNNvK", "KBBvK", "KBNvK", "KBvKB", "KRvKR", "KQvKQ", "KRvKB", "KRvKN", "KQvKR", "KBPvK", "KRvKP",
    "KQvKP",
];

/// What is to be audited, and by whom.
#[derive(Clone, Copy)]
pub struct Audit<'a> {
    /// Certified tables.
    pub truth: &'a dyn TableProbe,
    /// How many positions there must be.
    pub authorities: &'a Authorities<'a>,
    /// Told of placements walked.
    pub progress: &'a dyn ProgressObserver,
}

/// One heuristic on one table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The heuristic.
    pub heuristic: String,
    /// The table.
    pub table: String,
    /// Positions, or steps, that it was asked for.
    pub positions: u64,
    /// Its yes and no against the truth; `None` if it says neither.
    pub answers: Option<Answers>,
    /// Rank correlation of its number with the nearness of mate, in thousandths; `None` without number or without two
    /// numbers and two distances.
    pub spearman: Option<i64>,
    /// Its number along best play; `None` for rows of positions.
    pub steps: Option<Steps>,
}

/// Yes and no against the truth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Answers {
    /// It said yes, and so it is.
    pub true_positive: u64,
    /// It said yes, and so it is not.
    pub false_positive: u64,
    /// It said no, and so it is.
    pub true_negative: u64,
    /// It said no, and so it is not.
    pub false_negative: u64,
}

/// Steps of best play, White's move and Black's answer, from White's view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Steps {
    /// After which the number had not fallen.
    pub kept: u64,
    /// After which it had.
    pub fell: u64,
}

/// Placements that an audit of a table walks: what the progress is told.
pub fn work(men: &Men) -> u64 {
    2 * men.numbers()
}

/// Audits tables, in this order.
pub fn run<'m>(audit: &Audit, tables: impl IntoIterator<Item = &'m Men>) -> Outcome<Row> {
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

/// All heuristics that say something about a table.
fn heuristics(table: &str) -> Vec<Heuristic> {
    let families = [square::ALL, lone_king::ALL, dead::ALL, keys::ALL, scale::ALL, evaluator::ALL];
    families.concat().into_iter().filter(|heuristic| heuristic.tables.contains(&table)).collect()
}

/// Holds heuristics against one table.
fn table(audit: &Audit, men: &Men, heuristics: &[Heuristic]) -> (Findings, Vec<Row>) {
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

/// Whether as many positions were seen as are published, and the truth spoke of each.
fn coverage(audit: &Audit, men: &Men, walked: &walk::Walked) -> Verdict {
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
        stored: format!("{} positions, {} of them unknown", walked.positions, walked.unknown),
        expected,
        source: "published counts".to_owned(),
        explanation: "the audit did not see every legal position, or saw more".to_owned(),
        replay: format!("cargo xtask audit-eval --tables {men}"),
    }))
}

/// Three men: where published, every placement; else one of each class.
fn scope(men: &Men) -> Scope {
    if men.numbers() <= 1 << 18 { Scope::Raw } else { Scope::Unique }
}
