//! The first position of a game, from the tags `Variant` and `FEN`.

use oracle::board::{Accept, FenError, fen, position_in, position_of_any_mode};
use shakmaty::{CastlingMode, Chess};

/// Whether the tag `Variant` means Chess960; `None` if it means neither that nor standard chess.
pub(crate) fn is_chess960(variant: &str) -> Option<bool> {
    match variant.to_lowercase().as_str() {
        "chess960" | "chess 960" | "fischerandom" | "fischerrandom" => Some(true),
        "" | "?" | "standard" | "chess" | "normal" | "from position" => Some(false),
        _ => None,
    }
}

/// The position of a FEN, which may be X-FEN or Shredder-FEN; without one the initial position of standard
/// chess. Castling rights that standard chess does not have make it one of Chess960 in any case.
pub(crate) fn start(text: Option<&str>, is_chess960: bool, accept: Accept) -> Result<Chess, FenError> {
    match text {
        Some(text) if is_chess960 => position_in(text, CastlingMode::Chess960, accept),
        Some(text) => position_of_any_mode(text, accept),
        None if is_chess960 => position_in(&fen(&Chess::default()), CastlingMode::Chess960, accept),
        None => Ok(Chess::default()),
    }
}
