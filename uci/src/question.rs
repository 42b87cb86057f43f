//! A question to an engine: a position with the moves that led to it, and the limit of the search.

use std::fmt;
use std::time::Duration;

/// A position, the moves since an earlier one, and the limit of the search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// The position before the moves: a FEN with six fields.
    pub fen: String,
    /// The moves, in the UCI notation of standard chess.
    pub moves: Vec<String>,
    /// The limit of the search.
    pub limit: Limit,
    /// The longest search: then `stop` is sent. `None` for the usual one.
    pub within: Option<Duration>,
}

impl Question {
    /// A question about a position without earlier moves.
    pub fn new(fen: &str, limit: Limit) -> Self {
        Self { fen: fen.to_owned(), moves: Vec::new(), limit, within: None }
    }

    /// The UCI commands `position` and `go`.
    pub fn commands(&self) -> [String; 2] {
        let moves =
            if self.moves.is_empty() { String::new() } else { format!(" moves {}", self.moves.join(" ")) };
        [format!("position fen {}{moves}", self.fen), format!("go {}", self.limit)]
    }
}

/// The limit of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Limit {
    /// Depth in plies.
    Depth(u16),
    /// Nodes.
    Nodes(u64),
    /// Time. Results of such searches are not compared with a baseline.
    MoveTime(Duration),
    /// The time that both sides have on their clocks, without increment. For engines that know no other
    /// limit.
    Clock(Duration),
}

impl fmt::Display for Limit {
    /// As an argument of `go`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Depth(depth) => write!(f, "depth {depth}"),
            Self::Nodes(nodes) => write!(f, "nodes {nodes}"),
            Self::MoveTime(time) => write!(f, "movetime {}", time.as_millis()),
            Self::Clock(time) => write!(f, "wtime {0} btime {0}", time.as_millis()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_two_commands() {
        let fen = "8/8/8/8/8/1K6/2R5/1k6 w - - 0 1";
        let mut question = Question::new(fen, Limit::Depth(3));
        assert_eq!(question.commands(), [format!("position fen {fen}"), "go depth 3".to_owned()]);
        question.moves = vec!["c2c1".to_owned(), "b1c1".to_owned()];
        question.limit = Limit::MoveTime(Duration::from_millis(20));
        let position = format!("position fen {fen} moves c2c1 b1c1");
        assert_eq!(question.commands(), [position, "go movetime 20".to_owned()]);
    }
}
