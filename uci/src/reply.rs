//! The answer to a question: the lines of `info` that have a score, and the move.

use std::fmt;

/// The answer of a player.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reply {
    /// The best lines (`multipv 1`), in the order of their arrival.
    pub lines: Vec<Line>,
    /// The move; `None` if the player says that there is none.
    pub best: Option<String>,
    /// Whether `stop` had to be sent.
    pub cut: bool,
}

impl Reply {
    /// The last line with an exact score.
    pub fn last(&self) -> Option<&Line> {
        self.lines.iter().rev().find(|line| line.bound == Bound::Exact)
    }
}

/// A line of `info` with a score.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The depth of the iteration, in plies.
    pub depth: u32,
    /// The score from the side to move's view.
    pub score: Score,
    /// Whether the score is exact.
    pub bound: Bound,
    /// Nodes so far, if the engine prints them.
    pub nodes: Option<u64>,
    /// The principal variation, in the UCI notation of standard chess.
    pub pv: Vec<String>,
}

/// Makes a line exact if it bounds the same score as the line before it, from the other side.
pub fn join_bounds(lines: &mut [Line]) {
    for index in 1..lines.len() {
        let (before, line) = (&lines[index - 1], &lines[index]);
        let are_both =
            matches!((before.bound, line.bound), (Bound::Lower, Bound::Upper) | (Bound::Upper, Bound::Lower));
        if are_both && before.depth == line.depth && before.score == line.score {
            lines[index].bound = Bound::Exact;
        }
    }
}

impl Line {
    /// The score, and whether the value may be more or less.
    pub fn score_in_words(&self) -> String {
        let bound = match self.bound {
            Bound::Exact => "",
            Bound::Lower => " or more",
            Bound::Upper => " or less",
        };
        format!("{}{bound}", self.score)
    }
}

/// A score from the side to move's view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Score {
    /// Centipawns.
    Centipawns(i32),
    /// Mate in this many moves, not plies. Negative: the side to move is mated. 0: it is checkmated.
    Mate(i32),
}

impl fmt::Display for Score {
    /// In UCI notation.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Centipawns(hundredths) => write!(f, "cp {hundredths}"),
            Self::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

/// How a score relates to the value of the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bound {
    /// The score is the value.
    Exact,
    /// The value is at least the score.
    Lower,
    /// The value is at most the score.
    Upper,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_from_both_sides_are_exact() {
        let line = |depth, score, bound| Line {
            depth,
            score: Score::Centipawns(score),
            bound,
            nodes: None,
            pv: Vec::new(),
        };
        let mut lines = [
            line(1, 5, Bound::Lower),
            line(1, 5, Bound::Upper),
            line(2, 5, Bound::Lower),
            line(2, 6, Bound::Upper),
            line(2, 6, Bound::Upper),
        ];
        join_bounds(&mut lines);
        let exact: Vec<bool> = lines.iter().map(|line| line.bound == Bound::Exact).collect();
        assert_eq!(exact, [false, true, false, false, false]);
    }

    #[test]
    fn scores_are_shown_as_engines_print_them() {
        let shown = [Score::Centipawns(-36), Score::Mate(-2), Score::Mate(0)].map(|score| score.to_string());
        assert_eq!(shown, ["cp -36", "mate -2", "mate 0"]);
    }

    #[test]
    fn the_last_exact_line_counts() {
        let line = |depth, bound| Line { depth, score: Score::Mate(1), bound, nodes: None, pv: Vec::new() };
        let lines = vec![line(1, Bound::Exact), line(2, Bound::Exact), line(3, Bound::Lower)];
        assert_eq!(Reply { lines, ..Reply::default() }.last().unwrap().depth, 2);
        assert_eq!(Reply::default().last(), None);
    }
}
