//! Positions and lines as text, for those who know no board.

use shakmaty::fen::{Fen, ParseFenError};
use shakmaty::san::SanPlus;
use shakmaty::{
    CastlingMode, Chess, Color, FromSetup, Move, Position, PositionError, PositionErrorKinds, Setup,
};

/// Why a text is no position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// It is no FEN.
    #[error("this is no FEN: {0}")]
    Syntax(#[from] ParseFenError),
    /// No such position is legal, for all these reasons.
    #[error("the position is not legal: {}", reasons(*.0))]
    Illegal(PositionErrorKinds),
}

/// Reads a FEN, of Chess960 if its castling rights need that. Positions that no game can reach but that are otherwise
/// sound are taken: impossible checks, and more material than promotions explain.
///
/// # Errors
/// If it is no FEN, or the position is not legal.
pub fn position(fen: &str) -> Result<Chess, FenError> {
    let setup = Setup::from(fen.parse::<Fen>()?);
    let mode = CastlingMode::detect(&setup);
    Chess::from_setup(setup, mode)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_too_much_material)
        .map_err(|error| FenError::Illegal(error.kinds()))
}

fn reasons(kinds: PositionErrorKinds) -> String {
    let known = [
        (PositionErrorKinds::EMPTY_BOARD, "the board is empty"),
        (PositionErrorKinds::MISSING_KING, "a side has no king"),
        (PositionErrorKinds::TOO_MANY_KINGS, "a side has more than one king"),
        (PositionErrorKinds::PAWNS_ON_BACKRANK, "a pawn stands on the first or last rank"),
        (PositionErrorKinds::OPPOSITE_CHECK, "the side that is not to move is in check"),
        (PositionErrorKinds::INVALID_CASTLING_RIGHTS, "castling rights without king or rook in place"),
        (PositionErrorKinds::INVALID_EP_SQUARE, "no pawn has just stepped over the en passant square"),
    ];
    let named: Vec<_> =
        known.iter().filter(|(kind, _)| kinds.contains(*kind)).map(|(_, name)| *name).collect();
    named.join("; ")
}

/// A line in standard notation with the numbers of its moves, beginning with 1.
pub fn numbered(root: &Chess, line: &[Move]) -> String {
    let mut position = root.clone();
    let mut words = Vec::new();
    let mut number = 1;
    for &mv in line {
        let turn = position.turn();
        let lead = match (turn, words.is_empty()) {
            (Color::White, _) => format!("{number}. "),
            (Color::Black, true) => format!("{number}... "),
            (Color::Black, false) => String::new(),
        };
        words.push(format!("{lead}{}", SanPlus::from_move_and_play_unchecked(&mut position, mv)));
        number += u32::from(turn == Color::Black);
    }
    words.join(" ")
}
