//! The check `perft`: a move generator compared with shakmaty, on suites and on random positions.
//!
//! A case is a position. In a suite the counts of the generator, of shakmaty and of the file have to be equal
//! at each depth; for random positions there is no file. If the count of the generator is wrong, the check
//! descends to the smallest position that is counted wrongly and names the extra and missing moves there.
//! Cases run on all cores; their order in the report does not depend on the number of cores.

mod authority;
mod descend;
mod files;
mod random;
mod source;

#[cfg(test)]
mod faulty;

use suites::perft::{Castling, NodeCount, PerftSuite};
pub use suites::rows::{PerftRow, PerftVerdict};
use suites::{Answer, Difference, Evidence, Findings, Replay, SkipReason, Tally, Verdict};

pub use files::{CountFile, Figure, FileCase, MOST_NODES, TrueCount, check_file};
pub(crate) use random::Draw;
pub use random::RandomPositions;
pub use source::{EngineMoves, MoveSource, MoveSourceError};

use authority::Authority;
use descend::Descent;

use crate::parallel;

/// Id of the check.
const CHECK: &str = "perft";
/// The name of the random positions as a suite.
const RANDOM: &str = "random";

/// The result of the check on one suite, or on random positions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PerftFindings {
    /// Cases by verdict, and a difference for each case that differs.
    pub findings: Findings,
    /// All counts, in the order of cases and depths.
    pub rows: Vec<PerftRow>,
}

/// Checks a suite, each case at all depths with counts of at most `max_nodes`.
pub fn check_suite(subject: &dyn MoveSource, suite: &PerftSuite, max_nodes: u64) -> PerftFindings {
    let case = |index: usize| {
        let case = &suite.cases[index];
        Case {
            suite: &suite.name,
            id: case.id.clone(),
            fen: case.fen.clone(),
            castling: suite.castling,
            depths: case.counts_within(max_nodes).map(Depth::published).collect(),
        }
    };
    check_cases(subject, Evidence::Agreement, &suite.name, suite.cases.len(), &case)
}

/// Checks random positions.
pub fn check_random(subject: &dyn MoveSource, draw: &RandomPositions) -> PerftFindings {
    let case = |index: usize| {
        let (castling, fen) = draw.position(index);
        let depths = vec![Depth { depth: draw.depth, published: None }];
        Case { suite: RANDOM, id: format!("{RANDOM}-{index:04}"), fen, castling, depths }
    };
    check_cases(subject, Evidence::Sample { seed: draw.seed }, RANDOM, draw.count, &case)
}

/// The true counts of each move of a position, in UCI notation.
pub(crate) fn true_counts(fen: &str, castling: Castling, depth: u32) -> Vec<(String, u64)> {
    Authority::read(fen, castling)
        .map(|position| {
            position.successors().map(|(text, next)| (text, next.perft(depth.saturating_sub(1)))).collect()
        })
        .unwrap_or_default()
}

/// A position, and the depths at which it is counted.
struct Case<'a> {
    suite: &'a str,
    id: String,
    fen: String,
    castling: Castling,
    depths: Vec<Depth>,
}

struct Depth {
    depth: u32,
    /// The count of the file.
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
    count: usize,
    case: &(dyn Fn(usize) -> Case<'a> + Sync),
) -> PerftFindings {
    let judged = parallel::map(count, |index| judge(subject, &case(index)));
    let mut findings = Findings::new(Tally::new(subject.name(), CHECK, evidence, case_set));
    let mut rows = Vec::new();
    for (verdict, counts) in judged {
        findings.record(verdict);
        rows.extend(counts);
    }
    PerftFindings { findings, rows }
}

/// Counts a case at each depth. The first wrong depth is the difference.
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
            verdict: if agrees { PerftVerdict::Agree } else { PerftVerdict::Differ },
        });
    }
    (verdict, rows)
}

/// The generator and shakmaty agree, but the file has another count.
fn doubtful_figure(
    subject: &dyn MoveSource,
    case: &Case<'_>,
    depth: u32,
    nodes: u64,
    figure: u64,
) -> Difference {
    Difference {
        given: None,
        best: Vec::new(),
        subject: subject.name().to_owned(),
        check: CHECK.to_owned(),
        case: format!("{}/{}", case.suite, case.id),
        fen: case.fen.clone(),
        played: None,
        limit: None,
        stored: nodes_at(nodes, depth),
        expected: nodes_at(figure, depth),
        source: format!("suite {}", case.suite),
        explanation: "shakmaty agrees with the move generator: the count in the suite may be wrong"
            .to_owned(),
        cause: None,
        replay: replay(&case.fen, depth),
    }
}

fn nodes_at(nodes: u64, depth: u32) -> Answer {
    Answer::Nodes { nodes, depth }
}

fn replay(fen: &str, depth: u32) -> Replay {
    Replay::touchstone(format_args!("perft \"{fen}\" {depth} --divide"))
}
