//! A question to an engine: a position with its moves, and the limit of the search.

use std::fmt;
use std::time::Duration;

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

#[cfg(test)]
mod tests {
    use super::*;

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
}
