//! A position as somebody describes it: anything a FEN can say, sound or not.
//!
//! Knows no rules: those are asked when a [`crate::Position`] is made of it.

use crate::{Board, CastlingRights, Color, Square};

/// A description of a position. All fields are free; [`crate::Position::from_setup`] judges them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Setup {
    /// Which piece stands where.
    pub board: Board,
    /// Whose turn it is.
    pub side_to_move: Color,
    /// The rooks that may still castle.
    pub castling: CastlingRights,
    /// The square behind a pawn that has just stepped twice, whether or not anything may take there.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or move of a pawn.
    pub halfmove_clock: u16,
    /// Number of the move: 1 at the start of a game, one more after each move of Black's.
    pub fullmove_number: u16,
}

impl Setup {
    /// A board and whose turn it is; no castling, no en passant, clocks as at the start of a game.
    pub fn new(board: Board, side_to_move: Color) -> Self {
        Self {
            board,
            side_to_move,
            castling: CastlingRights::NONE,
            en_passant: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }
}
