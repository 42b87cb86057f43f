//! A subject: whatever answers positions. The engine in this process, a specimen, a program that speaks UCI.
//!
//! The words are those of UCI, with moves and positions as text: nothing of a subject takes part in judging it, and what
//! it says may be wrong, garbled or missing. Whoever judges reads moves with the rules of the oracle.

mod host;
mod in_process;
mod misprint;
mod program;

use std::fmt;

use suites::{Replay, SkipReason};
use uci::{Failure, Question, Reply};

pub use host::Stopwatch;
pub use in_process::{ENGINE, InProcess};
pub use misprint::Misprint;
pub use program::ProgramFactory;

/// Where subjects come from: starts as many of one kind as there is work for.
pub trait PlayerFactory: Sync {
    /// Its name in reports.
    fn name(&self) -> &str;

    /// Starts one, set up so.
    fn start(&self, setup: Setup) -> Result<Box<dyn Player>, NoAnswer>;

    /// Whether it can go without this aid, so that it makes sense to ask it with and without.
    fn has(&self, aid: Aid) -> bool;

    /// Whether it searches selectively, so that it may see later what a search to that depth, or of that many positions,
    /// could have seen. Its first wrong answer is then asked again, with more of both.
    fn searches_selectively(&self) -> bool {
        false
    }

    /// Whether it is of this workspace: what programs of others are only told of, it has promised.
    fn is_ours(&self) -> bool {
        false
    }

    /// Whether it has promised to announce the mates that the tables of our engine know, and those that a sound prover finds.
    fn proves_mates(&self) -> bool {
        false
    }

    /// The command that shows its answer to a question.
    fn replay(&self, setup: Setup, question: &Question) -> Replay;
}

/// One that answers.
pub trait Player: Send {
    /// Forgets all it learnt from earlier questions, as before a new game.
    fn forget(&mut self) -> Result<(), NoAnswer>;

    /// What it says of a position.
    fn ask(&mut self, question: &Question) -> Result<Reply, NoAnswer>;
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoAnswer {
    /// A player of this process panicked, or refused the position.
    #[error("{0}")]
    Broken(String),
    /// A player of this process did not answer in time.
    #[error("{0}")]
    Hung(String),
    /// A program failed. An incident of the suite tells how, so that the case is no finding of its own.
    #[error("{}", .0.failure)]
    Failed(Box<ProgramFailure>),
    /// It was not asked: it failed time and again before.
    #[error("it was given up, for it broke time and again: {0}")]
    GivenUp(String),
    /// It was not asked: the time for the run is over.
    #[error("the time for the run is over")]
    OutOfTime,
}

/// How a program failed, and the last lines of its session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramFailure {
    /// How.
    pub failure: Failure,
    /// The last lines.
    pub transcript: String,
}

impl NoAnswer {
    /// Whether the player failed over the question; else it was not asked.
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

/// What a subject is helped by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Aid {
    /// Endgame tables.
    Tables,
    /// Endgame knowledge by material.
    Knowledge,
    /// A hash table.
    Hash,
    /// Piece-square terms of the kings.
    KingTables,
}

impl Aid {
    /// All.
    pub const ALL: [Self; 4] = [Self::Tables, Self::Knowledge, Self::Hash, Self::KingTables];

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tables => "tables",
            Self::Knowledge => "knowledge",
            Self::Hash => "hash",
            Self::KingTables => "king-tables",
        }
    }
}

impl fmt::Display for Aid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
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

    /// The same with one aid on.
    pub const fn with(mut self, aid: Aid) -> Self {
        self.0[aid as usize] = true;
        self
    }

    /// The same with one aid off.
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
    fn setups_are_named_by_what_is_on() {
        assert_eq!(Setup::ALL.to_string(), "tables+knowledge+hash+king-tables");
        assert_eq!(Setup::NONE.to_string(), "none");
        let setup = Setup::ALL.without(Aid::Tables).without(Aid::KingTables);
        assert_eq!(setup.to_string(), "knowledge+hash");
        assert_eq!(Setup::NONE.with(Aid::Knowledge).with(Aid::Hash), setup);
        assert!(setup.has(Aid::Hash) && !setup.has(Aid::Tables));
    }
}
