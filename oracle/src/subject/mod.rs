//! A subject: whatever answers positions. The engine in this process, a specimen, a program that speaks UCI.
//!
//! The words are those of UCI, with moves and positions as text: nothing of a subject takes part in judging it, and what
//! it says may be wrong, garbled or missing. Whoever judges reads moves with the rules of the oracle.

mod in_process;
mod misprint;
mod world;

use std::fmt;
use std::time::Duration;

use suites::SkipReason;

pub use in_process::{ENGINE, InProcess};
pub use misprint::Misprint;
pub use world::Stopwatch;

/// Where subjects come from: starts as many of one kind as there is work for.
pub trait Subjects: Sync {
    /// Its name in reports.
    fn name(&self) -> &str;

    /// Starts one, set up so.
    fn start(&self, setup: Setup) -> Result<Box<dyn Subject>, NoAnswer>;

    /// Whether it can go without this aid, so that it makes sense to ask it with and without.
    fn has(&self, aid: Aid) -> bool;

    /// Whether it searches selectively, so that it may see later what a search to that depth, or of that many positions,
    /// could have seen. Its first wrong answer is then asked again, with more of both.
    fn may_be_late(&self) -> bool {
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
    fn replay(&self, setup: Setup, question: &Question) -> String;

    /// Whether it is told with its incidents how it broke: then a case over which it broke is no finding of its own.
    fn has_incidents(&self) -> bool {
        false
    }

    /// It broke at its start, or at a new game, and when the same was done again.
    fn start_broke_again(&self) {}

    /// It broke once over this question, or at its start, and should not have been asked: that is not told.
    fn overlook(&self, _question: Option<&Question>) {}
}

/// One that answers.
pub trait Subject: Send {
    /// Forgets all it learnt from earlier questions, as before a new game.
    fn forget(&mut self) -> Result<(), NoAnswer>;

    /// What it says of a position.
    fn ask(&mut self, question: &Question) -> Result<Reply, NoAnswer>;
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoAnswer {
    /// It panicked, died, refused the position.
    #[error("{0}")]
    Broken(String),
    /// It kept us waiting.
    #[error("{0}")]
    Hung(String),
    /// It broke over this question time and again, and its incidents tell how.
    #[error("{0}")]
    Told(String),
    /// It was not asked: it broke time and again before.
    #[error("it was given up, for it broke time and again: {0}")]
    GivenUp(String),
    /// It was not asked: the time for the run is over.
    #[error("the time for the run is over")]
    OutOfTime,
}

impl NoAnswer {
    /// Why there is nothing to be said of the answer: it was not asked, or it is told elsewhere how it broke.
    pub fn skip(&self) -> Option<SkipReason> {
        match self {
            Self::Broken(_) | Self::Hung(_) => None,
            Self::Told(_) | Self::GivenUp(_) => Some(SkipReason::GivenUp),
            Self::OutOfTime => Some(SkipReason::OutOfTime),
        }
    }

    /// Why it was not even asked.
    pub fn not_asked(&self) -> Option<SkipReason> {
        if matches!(self, Self::Told(_)) { None } else { self.skip() }
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

/// A position, how it came about, and how long to think about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// Where the game begins: a FEN of six fields.
    pub fen: String,
    /// The moves since, as UCI writes them in standard chess.
    pub moves: Vec<String>,
    /// How long.
    pub limit: Limit,
}

impl Question {
    /// Of a position without moves before it.
    pub fn of(fen: &str, limit: Limit) -> Self {
        Self { fen: fen.to_owned(), moves: Vec::new(), limit }
    }

    /// The lines that ask it in UCI.
    pub fn commands(&self) -> [String; 2] {
        let moves =
            if self.moves.is_empty() { String::new() } else { format!(" moves {}", self.moves.join(" ")) };
        [format!("position fen {}{moves}", self.fen), format!("go {}", self.limit)]
    }
}

/// How long a subject thinks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Limit {
    /// Iterations.
    Depth(u16),
    /// Positions visited.
    Nodes(u64),
    /// Time. What is asked so enters no baseline.
    MoveTime(Duration),
}

impl fmt::Display for Limit {
    /// As `go` takes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Depth(depth) => write!(f, "depth {depth}"),
            Self::Nodes(nodes) => write!(f, "nodes {nodes}"),
            Self::MoveTime(time) => write!(f, "movetime {}", time.as_millis()),
        }
    }
}

/// What a subject said.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reply {
    /// The lines on its best move, in the order in which they came.
    pub lines: Vec<Line>,
    /// Its move; `None` if it says that there is none.
    pub best: Option<String>,
    /// Whether it had to be told to stop.
    pub cut: bool,
}

impl Reply {
    /// Its last word: the last line that is not a bound.
    pub fn last(&self) -> Option<&Line> {
        self.lines.iter().rev().find(|line| line.bound == Bound::Exact)
    }
}

/// One line with a score.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The iteration.
    pub depth: u32,
    /// What the position is worth to the side to move.
    pub score: Score,
    /// What the score says of the value.
    pub bound: Bound,
    /// Positions visited until then, if it tells.
    pub nodes: Option<u64>,
    /// Best play, as UCI writes it in standard chess.
    pub pv: Vec<String>,
}

/// A score, from the view of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Score {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Mate in so many moves, not plies; mated in so many if negative; checkmated if 0.
    Mate(i32),
}

impl fmt::Display for Score {
    /// As UCI writes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Centipawns(hundredths) => write!(f, "cp {hundredths}"),
            Self::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

/// What a score says of the true value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bound {
    /// It is this.
    Exact,
    /// It is this or more.
    Lower,
    /// It is this or less.
    Upper,
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

    #[test]
    fn a_question_is_two_lines() {
        let fen = "8/8/8/8/8/1K6/2R5/1k6 w - - 0 1";
        let mut question = Question::of(fen, Limit::Depth(3));
        assert_eq!(question.commands(), [format!("position fen {fen}"), "go depth 3".to_owned()]);
        question.moves = vec!["c2c1".to_owned(), "b1c1".to_owned()];
        question.limit = Limit::MoveTime(Duration::from_millis(20));
        let position = format!("position fen {fen} moves c2c1 b1c1");
        assert_eq!(question.commands(), [position, "go movetime 20".to_owned()]);
    }

    #[test]
    fn the_last_word_is_no_bound() {
        let line = |depth, bound| Line { depth, score: Score::Mate(1), bound, nodes: None, pv: Vec::new() };
        let lines = vec![line(1, Bound::Exact), line(2, Bound::Exact), line(3, Bound::Lower)];
        assert_eq!(Reply { lines, ..Reply::default() }.last().unwrap().depth, 2);
        assert_eq!(Reply::default().last(), None);
    }
}
