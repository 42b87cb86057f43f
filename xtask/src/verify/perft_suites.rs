//! The suites of our move generator: perft positions and random positions.

use std::time::Instant;

use arbiter::Effort;
use oracle::perft::{EngineMoves, RandomPositions, check_random, check_suite};
use suites::perft::PerftSuite;

use super::Collected;
use super::perft_files;
use super::plan::Plan;
use super::suite_name::SuiteName;
use crate::progress::Progress;

/// The most nodes of a count.
const MAX_NODES: u64 = 20_000_000;
/// The most nodes of a count in a quick run.
const QUICK_NODES: u64 = 500_000;
/// How many positions a quick run draws.
const QUICK_DRAWN: usize = 200;

/// Runs the suites of the plan.
pub(super) fn run(plan: &Plan, progress: &Progress, found: &mut Collected) -> anyhow::Result<()> {
    let [standard, chess960] = PerftSuite::embedded()?;
    let seed = plan.job.seed;
    let is_quick = plan.job.effort == Effort::Quick;
    let max_nodes = if is_quick { QUICK_NODES } else { MAX_NODES };
    let mut draw = RandomPositions { seed, ..RandomPositions::default() };
    if is_quick {
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
                progress.say(&format!("perft of random positions, seed {seed}"));
                check_random(&EngineMoves, &draw)
            }
            _ => continue,
        };
        perft_files::take(counted, started, found);
    }
    Ok(())
}
