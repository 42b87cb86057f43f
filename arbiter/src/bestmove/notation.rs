//! Moves as files write them: standard algebraic notation as people type it, or that of UCI.

use shakmaty::san::San;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingSide, Chess, Move, Position, Role};

/// Why a text is no move of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum NoMove {
    /// It is no move at all.
    #[error("expected a move such as Qg6, exd5, e8=Q, O-O or e2e4")]
    Unreadable,
    /// It is not legal in the position.
    #[error("not legal in this position")]
    Illegal,
    /// More than one move is written so.
    #[error("more than one move is written so in this position")]
    Ambiguous,
}

/// The legal move that a text means. Marks such as `+`, `#` and `!` may follow, the `x` of a capture and the `=` of a
/// promotion may be missing, castling may be written with zeros.
pub(super) fn read(position: &Chess, text: &str) -> Result<Move, NoMove> {
    let plain = text.trim_end_matches(['+', '#', '!', '?', '.', ';']);
    let plain = plain.strip_suffix("e.p").or_else(|| plain.strip_suffix("ep")).unwrap_or(plain);
    if let Some(side) = castling(plain) {
        return position.castling_moves(side).first().copied().ok_or(NoMove::Illegal);
    }
    let letters: String = plain.chars().filter(|c| !matches!(c, '-' | 'x' | ':' | '=' | '(' | ')')).collect();
    if is_coordinates(&letters) {
        let uci: UciMove = letters.to_lowercase().parse().map_err(|_| NoMove::Unreadable)?;
        return uci.to_move(position).map_err(|_| NoMove::Illegal);
    }
    let promoted = promotion(&letters);
    let San::Normal { role, file, rank, to, promotion, .. } =
        San::from_ascii(promoted.as_bytes()).map_err(|_| NoMove::Unreadable)?
    else {
        return Err(NoMove::Unreadable);
    };
    let is_meant = |mv: &Move| {
        let (Some(from), true) = (mv.from(), mv.to() == to && mv.role() == role && !mv.is_castle()) else {
            return false;
        };
        // A pawn whose file is not told goes straight on.
        let straight = role != Role::Pawn || file.is_some() || from.file() == to.file();
        straight
            && file.is_none_or(|file| file == from.file())
            && rank.is_none_or(|rank| rank == from.rank())
            && promotion == mv.promotion()
    };
    let meant: Vec<Move> = position.legal_moves().into_iter().filter(is_meant).collect();
    match meant[..] {
        [] => Err(NoMove::Illegal),
        [mv] => Ok(mv),
        _ => Err(NoMove::Ambiguous),
    }
}

fn castling(text: &str) -> Option<CastlingSide> {
    match text.to_ascii_uppercase().replace('0', "O").as_str() {
        "O-O" => Some(CastlingSide::KingSide),
        "O-O-O" => Some(CastlingSide::QueenSide),
        _ => None,
    }
}

/// Whether a text is a move in the notation of UCI, such as `e2e4` or `e7e8q`.
fn is_coordinates(text: &str) -> bool {
    let bytes = text.as_bytes();
    let square =
        |at: usize| matches!((bytes.get(at), bytes.get(at + 1)), (Some(b'a'..=b'h'), Some(b'1'..=b'8')));
    let is_short = match bytes.get(4..) {
        Some([]) => true,
        Some([role]) => matches!(role.to_ascii_lowercase(), b'q' | b'r' | b'b' | b'n'),
        _ => false,
    };
    square(0) && square(2) && is_short
}

/// The same with the sign of a promotion before its piece: `e8Q` is `e8=Q`.
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
    fn check(fen: &str, texts: &str, expected: Result<&str, NoMove>) {
        let position = board::position_of_any_mode(fen, Accept::Unreachable).unwrap();
        for text in texts.split_whitespace() {
            let found = read(&position, text).map(|mv| mv.to_uci(CastlingMode::Standard).to_string());
            assert_eq!(found.as_deref().map_err(|error| *error), expected, "{text}");
        }
    }

    #[test]
    fn moves_as_people_write_them() {
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
        check(many, "O-O-O 0-0-0 e1c1", Err(NoMove::Illegal));
    }

    #[test]
    fn what_is_no_move() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        check(start, "Qxx Qg9 x + mate O-O-O-O 1. é ééé -- Z0 @e4 e4e", Err(NoMove::Unreadable));
        check(start, "Qg6 e5 Nd2 O-O exd3 d2e3 e8=Q Ke1 e7e5", Err(NoMove::Illegal));
        let two = "4k3/8/8/8/8/8/8/R3K2R w - - 0 1";
        check("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "Rd1", Err(NoMove::Ambiguous));
        check(two, "Rd1", Ok("a1d1"));
        check("4k3/4P3/4K3/8/8/8/8/8 w - - 0 1", "e8", Err(NoMove::Illegal));
        // A piece that is not told is a pawn, and a pawn that takes tells its file.
        check("4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1", "d5", Err(NoMove::Illegal));
        check("4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1", "cxd5 cd5", Ok("c4d5"));
    }
}
