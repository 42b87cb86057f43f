//! Several checks in one walk over the classes of a table: each position is built and probed once, and its moves are
//! generated once.

use std::ops::Range;
use std::time::{Duration, Instant};

use shakmaty::{Move, Position};
use suites::{Findings, Verdict};

use super::terminal::Ending;
use super::walk::{self, CountedFindings, Placed};
use super::{CensusCount, Check, TableJob, census, certificate, legality, symmetry, terminal};
use crate::positions::{Placement, Scope};
use crate::table_probe::{ProbeError, TableValue};

/// The result of one check of a walk.
pub struct CheckRun {
    /// The check.
    pub check: Check,
    /// Its findings.
    pub findings: Findings,
    /// The time that it took on all threads together. Building and probing positions, and generating their moves,
    /// counts for the first check.
    pub processor_time: Duration,
}

/// The result of a walk.
pub struct Together {
    /// In the order of the checks that were asked for.
    pub runs: Vec<CheckRun>,
    /// The counts of the table, with White to move and with Black to move.
    pub counts: [CensusCount; 2],
}

impl Check {
    /// Whether the check can run with others in one walk over the classes of a table.
    pub const fn runs_together(self) -> bool {
        matches!(self, Self::Legality | Self::Certificate | Self::Terminal | Self::Symmetry | Self::Census)
    }
}

/// One check during a walk.
struct Walked {
    found: CountedFindings,
    time: Duration,
}

/// The state of a walk.
type State = (Vec<Walked>, [CensusCount; 2]);

/// Runs these checks, each of which [runs together](Check::runs_together) with others, on a table whose scope
/// is its classes.
pub fn together(job: &TableJob, checks: &[Check]) -> Together {
    debug_assert!(job.scope == Scope::Unique && checks.iter().all(|check| check.runs_together()));
    let empty = || {
        let walked = |check: &Check| Walked {
            found: CountedFindings::new(job.findings(*check)),
            time: Duration::ZERO,
        };
        (checks.iter().map(walked).collect(), <[CensusCount; 2]>::default())
    };
    let visit = |(walked, counts): &mut State, placements: &mut dyn Iterator<Item = Placement>| {
        let mut batch = Batch::default();
        loop {
            let mut started = Instant::now();
            batch.fill(job, placements);
            if batch.probed.is_empty() {
                break;
            }
            for (walked, &check) in walked.iter_mut().zip(checks) {
                for probed in &batch.probed {
                    visit_one(job, check, probed, batch.moves(probed), &mut walked.found, counts);
                }
                walked.time += started.elapsed();
                started = Instant::now();
            }
        }
    };
    let (walked, counts) =
        walk::fold_parts(Placed::Classes, job.men, job.progress, empty, visit, |state, other| {
            let pairs = state.0.into_iter().zip(other.0);
            let walked = pairs
                .map(|(one, other)| Walked {
                    found: one.found.join(other.found),
                    time: one.time + other.time,
                })
                .collect();
            let [white, black] = state.1;
            let [other_white, other_black] = other.1;
            (walked, [white.join(other_white), black.join(other_black)])
        });
    let runs = walked.into_iter().zip(checks).map(|(Walked { found, time }, &check)| {
        let findings = match check {
            Check::Census => census::compare(job, &counts),
            _ => found.of_classes().complete(&job.label(check), job.authorities),
        };
        CheckRun { check, findings, processor_time: time }
    });
    Together { runs: runs.collect(), counts }
}

/// A placement with what several checks want to know of it.
struct Probed {
    placement: Placement,
    /// The value that the table states if the placement is legal.
    value: Option<Result<TableValue, ProbeError>>,
    /// Its legal moves, as a part of those of the batch.
    moves: Range<usize>,
    /// How a game ends in it.
    ending: Option<Ending>,
}

/// Placements that one check after the other judges. They stay in the cache of the processor.
#[derive(Default)]
struct Batch {
    probed: Vec<Probed>,
    /// The legal moves of all of them.
    moves: Vec<Move>,
}

impl Batch {
    /// The most placements of a batch.
    const LEN: usize = 64;

    /// The legal moves of one of its placements.
    fn moves(&self, probed: &Probed) -> &[Move] {
        &self.moves[probed.moves.clone()]
    }

    /// Takes the next placements in place of the former ones.
    fn fill(&mut self, job: &TableJob, placements: &mut dyn Iterator<Item = Placement>) {
        self.probed.clear();
        self.moves.clear();
        for placement in placements.take(Self::LEN) {
            let (first, mut value, mut ending) = (self.moves.len(), None, None);
            if let Some(position) = &placement.legal {
                value = Some(job.subject.probe(&placement.board, placement.turn));
                self.moves.extend_from_slice(&position.legal_moves());
                ending = Ending::by_moves(position, &self.moves[first..]);
            }
            self.probed.push(Probed { placement, value, moves: first..self.moves.len(), ending });
        }
    }
}

/// Gives one placement to one check.
fn visit_one(
    job: &TableJob,
    check: Check,
    probed: &Probed,
    moves: &[Move],
    found: &mut CountedFindings,
    counts: &mut [CensusCount; 2],
) {
    let Probed { placement, value, ending, .. } = probed;
    if check == Check::Census {
        let value = value.as_ref().and_then(|value| value.as_ref().ok());
        return counts[placement.turn.fold_wb(0, 1)].add(job, placement, *ending, value);
    }
    found.count(placement);
    match (&placement.legal, value) {
        (Some(position), Some(Ok(value))) => {
            found.findings.record(match check {
                Check::Certificate => certificate::judge_moves(job, placement, position, moves, value),
                Check::Terminal => terminal::judge_ending(job, placement, *ending, value),
                Check::Symmetry => symmetry::judge(job, placement, position, value),
                // The table has an answer.
                _ => Verdict::Agree,
            });
        }
        // The table refuses a legal position: a difference in each check.
        (Some(_), _) => {
            let verdict = job.probe(check, placement).map_or_else(|differ| differ, |_| Verdict::Agree);
            found.findings.record(verdict);
        }
        (None, _) if check == Check::Legality => {
            legality::refused(job, placement, &mut found.findings);
        }
        (None, _) => {}
    }
}
