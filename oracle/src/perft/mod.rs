//! The check `perft`: a move generator against shakmaty, on the suites and on positions drawn at random.
//!
//! A case is a position. In a suite three counts must be equal at each depth: the subject's, shakmaty's and the
//! file's; on a random position there is no file. Where the subject's count is another, the check descends to
//! the smallest position that is counted wrongly and names the moves that are too many or missing there.
//! Cases run on all cores; their order, and so the report, does not depend on how many there are.

mod authority;
mod descend;
mod files;
mod random;
mod source;

#[cfg(test)]
mod faulty;

use rayon::prelude::*;
use suites::perft::{Castling, NodeCount, PerftSuite};
use suites::{Difference, Evidence, Findings, SkipReason, Tally, Verdict};

pub use files::{CountFile, Figure, FileCase, MOST_NODES, Truth, check_file};
pub use random::RandomPositions;
pub use source::{Engine, MoveSource, ProbeError};

use authority::Authority;
use descend::Descent;

/// Id of the check.
const CHECK: &str = "perft";
/// What random positions are called where a suite is named.
const RANDOM: &str = "random";

/// One count, for the report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PerftRow {
    /// The suite, or `random`.
    pub suite: String,
    /// Id of the case in its suite.
    pub case: String,
    /// The position.
    pub fen: String,
    /// Length of the move sequences in plies.
    pub depth: u32,
    /// How many there are as the subject counts; `None` if it gave no count.
    pub nodes: Option<u64>,
    /// How many there are: the file's figure, or shakmaty's where there is no file.
    pub expected: u64,
    /// What is to be said of the counts of this depth.
    pub verdict: CountVerdict,
}

/// What is to be said of the counts of a position at a depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountVerdict {
    /// All are equal.
    Agree,
    /// They are not.
    Differ,
    /// It was not counted: it is above the bound, or at a smaller depth the count was wrong already.
    LeftOut,
}

/// What the check hands over for one suite or draw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PerftFindings {
    /// Cases by verdict, and a difference for each case that differs.
    pub findings: Findings,
    /// Every count made, in the order of cases and depths.
    pub rows: Vec<PerftRow>,
}

/// Checks a suite, each case at all depths whose figure is at most `max_nodes`.
pub fn check_suite(subject: &dyn MoveSource, suite: &PerftSuite, max_nodes: u64) -> PerftFindings {
    let cases = suite.cases.par_iter().map(|case| Case {
        suite: &suite.name,
        id: case.id.clone(),
        fen: case.fen.clone(),
        castling: suite.castling,
        depths: case.counts_within(max_nodes).map(Depth::published).collect(),
    });
    check_cases(subject, Evidence::Agreement, &suite.name, cases)
}

/// Checks positions drawn at random: the same seed draws the same positions.
pub fn check_random(subject: &dyn MoveSource, draw: &RandomPositions) -> PerftFindings {
    let cases = (0..draw.count).into_par_iter().map(|index| {
        let (castling, fen) = draw.position(index);
        let depths = vec![Depth { depth: draw.depth, published: None }];
        Case { suite: RANDOM, id: format!("{RANDOM}-{index:04}"), fen, castling, depths }
    });
    check_cases(subject, Evidence::Sample { seed: draw.seed }, RANDOM, cases)
}

/// A position with what is to be counted there.
struct Case<'a> {
    suite: &'a str,
    id: String,
    fen: String,
    castling: Castling,
    depths: Vec<Depth>,
}

struct Depth {
    depth: u32,
    /// The figure of a file.
    published: Option<u64>,
}

impl Depth {
    fn published(count: NodeCount) -> Self {
        Self { depth: count.depth, published: Some(count.nodes) }
    }
}

fn check_cases<'a>(
    subject: &dyn MoveSource,
    evidence: Evidence,
    case_set: &str,
    cases: impl IndexedParallelIterator<Item = Case<'a>>,
) -> PerftFindings {
    let judged: Vec<_> = cases.map(|case| judge(subject, &case)).collect();
    let mut findings = Findings::new(Tally::new(subject.name(), CHECK, evidence, case_set));
    let mut rows = Vec::new();
    for (verdict, counts) in judged {
        findings.record(verdict);
        rows.extend(counts);
    }
    PerftFindings { findings, rows }
}

/// Counts a case at each depth; the first depth that differs makes the difference.
fn judge(subject: &dyn MoveSource, case: &Case<'_>) -> (Verdict, Vec<PerftRow>) {
    let Some(position) = Authority::read(&case.fen, case.castling) else {
        return (Verdict::Skip(SkipReason::Malformed), Vec::new());
    };
    let mut verdict = Verdict::Agree;
    let mut rows = Vec::new();
    for Depth { depth, published } in &case.depths {
        let true_nodes = position.perft(*depth);
        let counted = source::ask(|| subject.perft(&case.fen, *depth, case.castling));
        let expected = published.unwrap_or(true_nodes);
        let agrees = counted == Ok(true_nodes) && true_nodes == expected;
        if !agrees && verdict == Verdict::Agree {
            let difference = if counted == Ok(true_nodes) {
                doubtful_figure(subject, case, *depth, true_nodes, expected)
            } else {
                let descent = Descent::new(subject, case.castling);
                descent.difference(&format!("{}/{}", case.suite, case.id), &position, &case.fen, *depth)
            };
            verdict = Verdict::Differ(Box::new(difference));
        }
        rows.push(PerftRow {
            suite: case.suite.to_owned(),
            case: case.id.clone(),
            fen: case.fen.clone(),
            depth: *depth,
            nodes: counted.ok(),
            expected,
            verdict: if agrees { CountVerdict::Agree } else { CountVerdict::Differ },
        });
    }
    (verdict, rows)
}

/// Player and shakmaty agree, but the file has another figure.
fn doubtful_figure(
    subject: &dyn MoveSource,
    case: &Case<'_>,
    depth: u32,
    nodes: u64,
    figure: u64,
) -> Difference {
    Difference {
        subject: subject.name().to_owned(),
        check: CHECK.to_owned(),
        case: format!("{}/{}", case.suite, case.id),
        fen: case.fen.clone(),
        stored: nodes_at(nodes, depth),
        expected: nodes_at(figure, depth),
        source: format!("suite {}", case.suite),
        explanation: "shakmaty counts as the subject does: the figure of the suite is in doubt".to_owned(),
        replay: replay(&case.fen, depth),
    }
}

fn nodes_at(nodes: u64, depth: u32) -> String {
    format!("{nodes} nodes at depth {depth}")
}

fn replay(fen: &str, depth: u32) -> String {
    format!("cargo xtask perft \"{fen}\" {depth} --divide")
}
