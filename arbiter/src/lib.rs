//! Judges players: programs and our own search. It has one runner, and a folder for each suite.
//!
//! A suite asks players about its cases and judges the answers. The `runner` starts players, asks them again
//! after a failure or a wrong answer, and gives them up.

mod adjudicator;
pub mod announcement;
pub mod answer;
mod asked;
pub mod bestmove;
mod cause;
pub mod conversion;
pub mod draws;
mod epd_lines;
mod findings;
pub mod game;
pub mod game_tables;
pub mod judge;
pub mod mates;
mod move_text;
pub mod movegen;
mod openings;
pub mod pgn;
pub mod player;
pub mod protocol;
mod runner;
#[cfg(test)]
mod scripted;
pub mod scripted_games;
pub mod speed;
pub mod stalemates;
pub mod statistics;
mod sync;
#[cfg(test)]
mod test_tables;
pub mod time;
pub mod tournament;

use oracle::authorities::Authorities;
use uci::Limit;

use crate::player::PlayerFactory;

pub use cause::join_causes;
pub use oracle::run::{Effort, NoProgress, ProgressObserver};
pub use runner::{AT_START, Coverage, Incident, SuiteOutcome, at_limits};

/// The value for this effort.
fn by_effort<T>(effort: Effort, [quick, plain, thorough]: [T; 3]) -> T {
    match effort {
        Effort::Quick => quick,
        Effort::Plain => plain,
        Effort::Thorough => thorough,
    }
}

/// What all suites of a run have in common.
#[derive(Clone, Copy)]
pub struct SuiteContext<'a> {
    /// The players that are asked.
    pub players: &'a dyn PlayerFactory,
    /// The authorities that judge.
    pub authorities: &'a Authorities<'a>,
    /// How much is asked.
    pub effort: Effort,
    /// The seed of random samples.
    pub seed: u64,
    /// The limit of a search, if the user gives one. Suites with fixed depths ignore it.
    pub limit: Option<Limit>,
    /// Observes the progress of the suite.
    pub progress: &'a dyn ProgressObserver,
}
