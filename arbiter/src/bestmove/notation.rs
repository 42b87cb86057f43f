//! Reads moves of EPD files: standard algebraic notation with common variations, or UCI notation.

use crate::move_text::is_uci_move;
use oracle::board::{Spelling, legal_move};
use shakmaty::san::San;
use shakmaty::{CastlingSide, Chess, Move, Position, Role};

/// Why a text is not a move of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum MoveError {
    /// It is not written like a move.
    #[error("expected a move such as Qg6, exd5, e8=Q, O-O or e2e4")]
    Unreadable,
    /// It is not legal in the position.
    #[error("not legal in this position")]
    Illegal,
    /// More than one legal move is written like this.
    #[error("more than one legal move is written so")]
    Ambiguous,
}

/// The legal move of a text. Suffixes such as `+`, `#` and `!` are ignored, the `x` of a capture and the `=`
/// of a promotion may be missing, and castling may be written with zeros.
pub(super) fn read(position: &Chess, text: &str) -> Result<Move, MoveError> {
    let plain = text.trim_end_matches(['+', '#', '!', '?', '.', ';']);
    let plain = plain.strip_suffix("e.p").or_else(|| plain.strip_suffix("ep")).unwrap_or(plain);
    if let Some(side) = castling(plain) {
        return position.castling_moves(side).first().copied().ok_or(MoveError::Illegal);
    }
    let letters: String = plain.chars().filter(|c| !matches!(c, '-' | 'x' | ':' | '=' | '(' | ')')).collect();
    if is_uci_move(&letters) {
        return legal_move(position, &letters, Spelling::AnyCase).ok_or(MoveError::Illegal);
    }
    let promoted = promotion(&letters);
    let San::Normal { role, file, rank, to, promotion, .. } =
        San::from_ascii(promoted.as_bytes()).map_err(|_| MoveError::Unreadable)?
    else {
        return Err(MoveError::Unreadable);
    };
    let is_meant = |mv: &Move| {
        let (Some(from), true) = (mv.from(), mv.to() == to && mv.role() == role && !mv.is_castle()) else {
            return false;
        };
        // A pawn move without a file is no capture.
        let straight = role != Role::Pawn || file.is_some() || from.file() == to.file();
        straight
            && file.is_none_or(|file| file == from.file())
            && rank.is_none_or(|rank| rank == from.rank())
            && promotion == mv.promotion()
    };
    let meant: Vec<Move> = position.legal_moves().into_iter().filter(is_meant).collect();
    match meant[..] {
        [] => Err(MoveError::Illegal),
        [mv] => Ok(mv),
        _ => Err(MoveError::Ambiguous),
    }
}

fn castling(text: &str) -> Option<CastlingSide> {
    match text.to_ascii_uppercase().replace('0', "O").as_str() {
        "O-O" => Some(CastlingSide::KingSide),
        "O-O-O" => Some(CastlingSide::QueenSide),
        _ => None,
    }
}

/// The text with `=` before the role of a promotion: `e8Q` becomes `e8=Q`.
fn promotion(text: &str) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    let last = letters.len().wrapping_sub(1);
    if let [.., rank, role] = letters[..]
        && rank.is_ascii_digit()
        && matches!(role.to_ascii_uppercase(), 'Q' | 'R' | 'B' | 'N')
    {
        letters[last] = role.to_ascii_uppercase();
        letters.insert(last, '=');
    }
    letters.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use shakmaty::CastlingMode;

    use super::*;
    use oracle::board::{self, Accept};

    #[track_caller]
    fn check(fen: &str, texts: &str, expected: Result<&str, MoveError>) {
        let position = board::position_of_any_mode(fen, Accept::Unreachable).unwrap();
        for text in texts.split_whitespace() {
            let found = read(&position, text).map(|mv| board::uci_text(mv, CastlingMode::Standard));
            assert_eq!(found.as_deref().map_err(|error| *error), expected, "{text}");
        }
    }

    #[test]
    fn common_variations_are_read() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        check(start, "Nf3 Nf3! Nf3?! Ngf3 Ng1f3 N1f3 Ng1-f3 g1f3 g1-f3", Ok("g1f3"));
        check(start, "e4 e2e4 e2-e4 e4!! e4;", Ok("e2e4"));
        let many = "r3k2r/1P3p2/8/3pP3/8/5N2/2q5/R3K2R w KQkq d6 0 1";
        check(many, "O-O 0-0 o-o O-O+ e1g1 e1h1", Ok("e1g1"));
        check(many, "exd6 ed6 exd6e.p. exd6ep e5d6 e5xd6 ed6+", Ok("e5d6"));
        check(many, "bxa8=Q bxa8Q bxa8=q bxa8(Q) ba8Q b7a8q b7xa8=Q bxa8=Q+ b7a8Q", Ok("b7a8q"));
        check(many, "b8=N b8N b8=N# b7b8n", Ok("b7b8n"));
        check(many, "Rxa8 Ra8 Rxa8+ R1a8 a1a8 a1xa8 Ra1xa8", Ok("a1a8"));
        check(many, "Nd2", Ok("f3d2"));
        check(many, "O-O-O 0-0-0 e1c1", Err(MoveError::Illegal));
    }

    #[test]
    fn other_texts_are_errors() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        check(start, "Qxx Qg9 x + mate O-O-O-O 1. é ééé -- Z0 @e4 e4e", Err(MoveError::Unreadable));
        check(start, "Qg6 e5 Nd2 O-O exd3 d2e3 e8=Q Ke1 e7e5", Err(MoveError::Illegal));
        let two = "4k3/8/8/8/8/8/8/R3K2R w - - 0 1";
        check("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "Rd1", Err(MoveError::Ambiguous));
        check(two, "Rd1", Ok("a1d1"));
        check("4k3/4P3/4K3/8/8/8/8/8 w - - 0 1", "e8", Err(MoveError::Illegal));
        // Without a role it is a pawn move, and a pawn that captures needs a file.
        check("4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1", "d5", Err(MoveError::Illegal));
        check("4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1", "cxd5 cd5", Ok("c4d5"));
    }
}
