//! The runner of all suites: starts players, asks them, asks again, and gives up.
//!
//! `queue` runs cases on all cores, in rounds of their classes, and gives players up. `player_pool` asks
//! players about positions, `engine_pool` lends programs to suites that speak UCI themselves. `reproduction`
//! says whether a wrong answer came again, `observed` which right answers are agreements, `incident` how a
//! program failed and how many cases it answered.

mod incident;
mod observed;
mod pool;
mod reproduction;

mod engine_pool;
mod player_pool;
mod queue;

pub(crate) use engine_pool::EnginePool;
pub use incident::{AT_START, Coverage, Incident, SuiteOutcome, at_limits};
pub(crate) use observed::{Right, is_told_apart};
pub(crate) use player_pool::{CaseContext, PlayerLease, PlayerPool};
pub(crate) use pool::Pool;
#[cfg(test)]
pub(crate) use queue::{CRASH, MOST, by_any_threads};
pub(crate) use queue::{Deadline, HANG, run_in_rounds};
pub(crate) use reproduction::{Process, Repeated, Reproduction, came_again, earlier_counts};
