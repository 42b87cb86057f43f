//! A position as a FEN describes it, legal or not.
//!
//! Knows no rules: [`crate::Position::from_setup`] checks them.

use crate::{Board, CastlingRights, Color, Square};

/// An unchecked position. All fields are public; [`crate::Position::from_setup`] checks them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Setup {
    /// The board.
    pub board: Board,
    /// The side to move.
    pub side_to_move: Color,
    /// The rooks that may still castle.
    pub castling: CastlingRights,
    /// The square behind a pawn that has just stepped twice, whether or not a capture is possible.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmove_clock: u16,
    /// The move number: 1 at the start of a game, incremented after each move of Black.
    pub fullmove_number: u16,
}

impl Setup {
    /// A setup without castling rights and en passant, with the clocks of a new game.
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
