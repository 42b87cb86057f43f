//! Judges players, be they programs or our own search: one runner, and a folder for each suite.
//!
//! A suite puts cases to players and judges their answers; [`runner`] starts, asks, asks again and gives up.

mod adjudicator;
pub mod announcement;
pub mod bestmove;
pub mod conversion;
pub mod draws;
pub mod mates;
pub mod movegen;
pub mod player;
pub mod protocol;
mod runner;
pub mod stalemates;
pub mod time;

use oracle::authorities::Authorities;
use uci::{Failure, Limit};

use crate::player::PlayerFactory;

pub use oracle::run::{Effort, NoProgress, Outcome, ProgressObserver};

/// What all suites of a run have in common.
#[derive(Clone, Copy)]
pub struct SuiteContext<'a> {
    /// Who is asked.
    pub subjects: &'a dyn PlayerFactory,
    /// Who knows better.
    pub authorities: &'a Authorities<'a>,
    /// How much is asked.
    pub effort: Effort,
    /// Seed of what is drawn.
    pub seed: u64,
    /// How long a subject thinks about a question, if the user says so: the suites that ask at depths do not heed it.
    pub limit: Option<Limit>,
    /// Told how far it is.
    pub progress: &'a dyn ProgressObserver,
}

/// A program broke over a case of a context that only a program can be put to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Break {
    /// How.
    pub failure: Failure,
    /// The case, within the family of the context.
    pub case: String,
    /// The position it was asked about last; empty if at its start.
    pub fen: String,
    /// The command that asks it again what it was asked last.
    pub replay: String,
    /// What went over the pipes before; where it came again, each time.
    pub transcript: String,
    /// Whether it came a second time.
    pub came_again: bool,
}

impl Break {
    /// Takes note that it broke over the same again.
    pub fn again(&mut self, transcript: &str) {
        if !self.came_again {
            self.came_again = true;
            self.transcript = format!("{}{ASKED_AGAIN}{transcript}", self.transcript);
        }
    }
}

/// What stands between two transcripts of the same question.
pub(crate) const ASKED_AGAIN: &str = "\n# the same, asked again\n";
