//! UCI move notation: `e2e4`, `e7e8q`, and castling in either mode.
//!
//! Knows nothing else of the protocol.

use crate::castling::CastlingSide;
use crate::{CastlingMode, File, Move, Position, Role, Square};

/// A text that is not a legal move. Quoted texts are cut to sixteen characters.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UciError {
    /// Not two squares with an optional promotion letter (q, r, b or n).
    #[error("expected a move such as e2e4 or e7e8q, got \"{0}\"")]
    Malformed(String),
    /// The text is well formed but not a legal move of the position.
    #[error("\"{text}\" is no legal move in {}", .position.to_fen())]
    Illegal {
        /// The text.
        text: String,
        /// The position.
        position: Box<Position>,
    },
}

impl Position {
    /// Parses a move. In each mode every legal move has exactly one text.
    ///
    /// # Errors
    /// If the text is malformed or not a legal move.
    ///
    /// # Examples
    /// ```
    /// use engine::{CastlingMode, Position};
    ///
    /// let position = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")?;
    /// let castling = position.parse_uci("e1g1", CastlingMode::Standard)?;
    /// assert_eq!(position.to_uci(castling, CastlingMode::Chess960), "e1h1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse_uci(&self, text: &str, mode: CastlingMode) -> Result<Move, UciError> {
        let Some(written) = parse(text) else {
            return Err(UciError::Malformed(text.chars().take(16).collect()));
        };
        let moves = self.legal_moves();
        let found = moves.iter().find(|&&mv| self.as_written(mv, mode) == written);
        found.copied().ok_or_else(|| UciError::Illegal { text: text.to_owned(), position: Box::new(*self) })
    }

    /// Writes a move of this position.
    pub fn to_uci(self, mv: Move, mode: CastlingMode) -> String {
        self.as_written(mv, mode).to_string()
    }

    /// The origin and destination squares that UCI writes for a move.
    pub(crate) fn as_written(&self, mv: Move, mode: CastlingMode) -> Move {
        let us = self.side_to_move();
        let castles = mv.from == self.king(us) && self.board().color(us).contains(mv.to);
        let standard = mv.from.file() == File::E && matches!(mv.to.file(), File::A | File::H);
        if castles && standard && mode == CastlingMode::Standard {
            return Move { to: CastlingSide::from_squares(mv.from, mv.to).king_target(us), ..mv };
        }
        mv
    }
}

fn parse(text: &str) -> Option<Move> {
    let (from, rest) = text.split_at_checked(2)?;
    let (to, promotion) = rest.split_at_checked(2)?;
    let (from, to): (Square, Square) = (from.parse().ok()?, to.parse().ok()?);
    match promotion {
        "" => Some(Move::new(from, to)),
        letter => {
            let mut roles = Role::PROMOTIONS.into_iter();
            roles
                .find(|role| role.to_char().to_string() == letter)
                .map(|role| Move::promoting(from, to, role))
        }
    }
}
