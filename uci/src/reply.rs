//! The answer to a question: lines of `info` with scores, and the move.

use std::fmt;

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
    fn the_last_word_is_no_bound() {
        let line = |depth, bound| Line { depth, score: Score::Mate(1), bound, nodes: None, pv: Vec::new() };
        let lines = vec![line(1, Bound::Exact), line(2, Bound::Exact), line(3, Bound::Lower)];
        assert_eq!(Reply { lines, ..Reply::default() }.last().unwrap().depth, 2);
        assert_eq!(Reply::default().last(), None);
    }
}
