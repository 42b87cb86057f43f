//! Suites put to a subject: each asks it for positions whose answers are known, and judges what it says.

pub mod bestmove;
mod blank;
pub mod conversion;
pub mod draws;
mod guarded;
mod in_turn;
pub mod mates;
pub mod movegen;
pub mod protocol;
mod stable;
pub mod stalemates;
pub mod time;
mod worth;

use suites::Findings;

use crate::authorities::Authorities;
use crate::subject::{Limit, Subjects};
use crate::uci::Failure;

/// One subject to be tried, and by whom.
#[derive(Clone, Copy)]
pub struct Trial<'a> {
    /// Who is asked.
    pub subjects: &'a dyn Subjects,
    /// Who knows better.
    pub authorities: &'a Authorities<'a>,
    /// How much is asked.
    pub effort: Effort,
    /// Seed of what is drawn.
    pub seed: u64,
    /// How long a subject thinks about a question, if the user says so: the suites that ask at depths do not heed it.
    pub limit: Option<Limit>,
    /// Told how far it is.
    pub watch: &'a dyn Watch,
}

/// How much is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effort {
    /// A few seconds: small samples.
    Quick,
    /// Every case of the suites, samples of what is drawn.
    Plain,
    /// Large samples.
    Thorough,
}

/// Told how far a trial is.
pub trait Watch: Sync {
    /// So many cases will be asked for.
    fn begin(&self, cases: u64);
    /// So many more have been.
    fn advance(&self, cases: u64);
}

/// For callers who do not look.
pub struct Unwatched;

impl Watch for Unwatched {
    fn begin(&self, _: u64) {}
    fn advance(&self, _: u64) {}
}

/// What a trial hands over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome<R> {
    /// The verdicts, by class of cases.
    pub findings: Vec<Findings>,
    /// The rows of its report.
    pub rows: Vec<R>,
}

/// A program broke over a case of a trial that only a program can be put to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Break {
    /// How.
    pub failure: Failure,
    /// The case, within the family of the trial.
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
