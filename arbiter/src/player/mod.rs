//! Players: our engine and its specimens in this process, and programs that speak UCI.
//!
//! Questions and answers are in terms of UCI, with moves and positions as text. An answer may be wrong,
//! garbled or missing. The judges read it with the oracle's rules and use nothing of the player.

mod host;
mod in_process;
mod misprint;
mod program;

use std::fmt;

use suites::{Replay, SkipReason};
use uci::{Failure, Limit, Question, Reply};

pub use host::Stopwatch;
pub use in_process::{ENGINE, InProcess};
pub use misprint::Misprint;
pub use program::ProgramFactory;

/// Starts players of one kind, as many as are needed.
pub trait PlayerFactory: Sync {
    /// Its name in reports.
    fn name(&self) -> &str;

    /// Starts a player with this set-up.
    fn start(&self, setup: Setup) -> Result<Box<dyn Player>, NoAnswer>;

    /// Whether the player has this aid and can turn it off.
    fn has(&self, aid: Aid) -> bool;

    /// Whether it searches selectively: it may miss a line within its depth, and find it at a greater depth.
    /// Suites then ask it again with a deeper limit after a wrong answer.
    fn searches_selectively(&self) -> bool {
        false
    }

    /// Whether it gets a time in place of this limit, since it does not keep the limit. Its answers then
    /// depend on the machine.
    fn gets_time_for(&self, _: Limit) -> bool {
        false
    }

    /// Whether it is part of this workspace. Some findings are notes for other programs and errors for ours.
    fn is_ours(&self) -> bool {
        false
    }

    /// Whether it reads this table, such as `KRvKP`, from a file.
    fn reads_table(&self, _table: &str) -> bool {
        false
    }

    /// Whether it must announce the mates that the tables of our engine know and those that a sound prover
    /// finds.
    fn proves_mates(&self) -> bool {
        false
    }

    /// The command that shows its answer to a question.
    fn replay(&self, setup: Setup, question: &Question) -> Replay;

    /// The command that asks one process these questions and shows its answer to the last.
    fn replay_series(&self, setup: Setup, series: &[Asked]) -> Replay {
        series.last().map_or_else(Replay::default, |last| self.replay(setup, &last.question))
    }
}

/// A question that a process is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The question.
    pub question: Question,
    /// Whether a new game is begun before it.
    pub in_new_game: bool,
}

impl Asked {
    /// A question in the game that is going on.
    pub fn on(question: Question) -> Self {
        Self { question, in_new_game: false }
    }
}

/// A player.
pub trait Player: Send {
    /// Forgets all that it learnt from earlier questions, as before a new game.
    fn forget(&mut self) -> Result<(), NoAnswer>;

    /// Searches a position.
    fn ask(&mut self, question: &Question) -> Result<Reply, NoAnswer>;

    /// The last questions that this process was asked. Empty if it keeps none.
    fn asked(&self) -> &[Asked] {
        &[]
    }
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoAnswer {
    /// A player in this process panicked, or rejected the position.
    #[error("{0}")]
    Broken(String),
    /// A player in this process did not answer in time.
    #[error("{0}")]
    Hung(String),
    /// A program failed. The incident reports the failure, so the case is not a finding too.
    #[error("{}", .0.failure)]
    Failed(Box<ProgramFailure>),
    /// Touchstone stopped asking it after too many failures.
    #[error("Touchstone stopped asking it after too many failures: {0}")]
    GivenUp(String),
    /// Touchstone did not ask it, since the time for the run is over.
    #[error("the time for the run is over")]
    OutOfTime,
}

/// How a program failed, and the last lines of its session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramFailure {
    /// The failure.
    pub failure: Failure,
    /// The last lines.
    pub transcript: String,
}

impl NoAnswer {
    /// Whether the player failed over the question. Otherwise it was not asked.
    pub fn is_failure(&self) -> bool {
        matches!(self, Self::Broken(_) | Self::Hung(_) | Self::Failed(_))
    }

    /// Whether it failed by not answering in time.
    pub fn is_hang(&self) -> bool {
        match self {
            Self::Hung(_) => true,
            Self::Failed(failed) => {
                matches!(failed.failure, Failure::Silent { .. } | Failure::Deaf { .. })
            }
            Self::Broken(_) | Self::GivenUp(_) | Self::OutOfTime => false,
        }
    }

    /// Why the case is skipped: the player was not asked, or an incident tells how it failed.
    pub fn skip(&self) -> Option<SkipReason> {
        match self {
            Self::Broken(_) | Self::Hung(_) => None,
            Self::Failed(_) | Self::GivenUp(_) => Some(SkipReason::GivenUp),
            Self::OutOfTime => Some(SkipReason::OutOfTime),
        }
    }

    /// Why the player was not asked.
    pub fn not_asked(&self) -> Option<SkipReason> {
        if self.is_failure() { None } else { self.skip() }
    }
}

suites::words! {
    /// Something that helps a player and can be turned off.
    pub enum Aid: "aid" {
        /// Endgame tables.
        Tables = "tables",
        /// Endgame knowledge by material.
        Knowledge = "knowledge",
        /// A hash table.
        Hash = "hash",
        /// Piece-square terms of the kings.
        KingTables = "king-tables",
    }
}

/// Which aids are on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Setup([bool; Aid::ALL.len()]);

impl Setup {
    /// All on.
    pub const ALL: Self = Self([true; Aid::ALL.len()]);
    /// All off.
    pub const NONE: Self = Self([false; Aid::ALL.len()]);

    /// This set-up with one aid on.
    pub const fn with(mut self, aid: Aid) -> Self {
        self.0[aid as usize] = true;
        self
    }

    /// This set-up with one aid off.
    pub const fn without(mut self, aid: Aid) -> Self {
        self.0[aid as usize] = false;
        self
    }

    /// Whether an aid is on.
    pub const fn has(self, aid: Aid) -> bool {
        self.0[aid as usize]
    }
}

impl fmt::Display for Setup {
    /// The aids that are on, joined by `+`; `none`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let on: Vec<&str> = Aid::ALL.into_iter().filter(|&aid| self.has(aid)).map(Aid::name).collect();
        f.write_str(if on.is_empty() { "none".to_owned() } else { on.join("+") }.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_ups_are_named_by_the_aids_that_are_on() {
        assert_eq!(Setup::ALL.to_string(), "tables+knowledge+hash+king-tables");
        assert_eq!(Setup::NONE.to_string(), "none");
        let setup = Setup::ALL.without(Aid::Tables).without(Aid::KingTables);
        assert_eq!(setup.to_string(), "knowledge+hash");
        assert_eq!(Setup::NONE.with(Aid::Knowledge).with(Aid::Hash), setup);
        assert!(setup.has(Aid::Hash) && !setup.has(Aid::Tables));
    }
}
