//! The part of a run that counts moves: the perft suites and positions drawn at random.

use std::time::Instant;

use clap::ValueEnum;
use oracle::perft::{EngineMoves, RandomPositions, check_random, check_suite};
use suites::perft::PerftSuite;

use super::plan::Plan;
use super::{Collected, counts};
use crate::progress::Progress;

/// A suite: of moves, or one that is put to a subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SuiteName {
    /// Positions of standard chess with published or proven counts.
    Perft,
    /// Positions of Chess960 likewise.
    Chess960,
    /// Positions drawn at random.
    Random,
    /// Stalemates, by class and depth.
    Stalemates,
    /// Mates to announce, and positions without.
    Mates,
    /// Best moves of a file that --epd names.
    #[value(name = "bestmove")]
    BestMove,
    /// Won endings, played out.
    Conversion,
    /// Positions that rules of draws decide.
    Draws,
    /// The heuristics of our evaluation against the tables.
    Knowledge,
}

impl SuiteName {
    /// Those that are put to a subject.
    pub(crate) const TRIALS: [Self; 4] = [Self::Stalemates, Self::Mates, Self::Conversion, Self::Draws];

    /// Those that read files of positions.
    pub(crate) const READING: [Self; 3] = [Self::Mates, Self::BestMove, Self::Perft];

    /// All of a plain run.
    pub(crate) const ALL: [Self; 8] = [
        Self::Perft,
        Self::Chess960,
        Self::Random,
        Self::Stalemates,
        Self::Mates,
        Self::Conversion,
        Self::Draws,
        Self::Knowledge,
    ];

    /// Whether it is put to a subject.
    pub(crate) fn is_trial(self) -> bool {
        Self::TRIALS.contains(&self) || self == Self::BestMove
    }

    /// Whether a subject is asked within a limit that the user may set.
    pub(crate) fn takes_limit(self) -> bool {
        self.is_trial() && self != Self::Stalemates
    }

    /// Its name on the command line.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }

    /// Whether the certified tables are its judge.
    pub(crate) fn needs_tables(self) -> bool {
        matches!(self, Self::Conversion | Self::Knowledge)
    }
}

/// Most nodes that one position of a suite is counted to.
const MAX_NODES: u64 = 20_000_000;
/// The same for a quick run, and how many positions it draws.
const QUICK_NODES: u64 = 500_000;
const QUICK_DRAWN: usize = 200;

/// Runs the suites of the plan.
pub(super) fn run(plan: &Plan, seed: u64, progress: &Progress, found: &mut Collected) -> anyhow::Result<()> {
    let [standard, chess960] = PerftSuite::embedded()?;
    let max_nodes = if plan.quick { QUICK_NODES } else { MAX_NODES };
    let mut draw = RandomPositions { seed, ..RandomPositions::default() };
    if plan.quick {
        draw.count = QUICK_DRAWN;
    }
    for &suite in &plan.suites {
        let started = Instant::now();
        let counted = match suite {
            SuiteName::Perft if plan.counts_files() => continue,
            SuiteName::Perft => {
                progress.say("perft");
                check_suite(&EngineMoves, &standard, max_nodes)
            }
            SuiteName::Chess960 => {
                progress.say("perft of Chess960");
                check_suite(&EngineMoves, &chess960, max_nodes)
            }
            SuiteName::Random => {
                progress.say(&format!("perft of positions drawn with seed {seed}"));
                check_random(&EngineMoves, &draw)
            }
            _ => continue,
        };
        counts::take(counted, started, found);
    }
    Ok(())
}
