//! Questions to engines: a position, and the moves that were played after it.

use oracle::board::{self, Accept, Spelling};
use suites::Played;

/// The moves that were played after a position, and the position that they lead to. It is the position before
/// the first illegal move, if there is one. `None` without moves.
pub(crate) fn played<'a>(fen: &str, moves: impl Iterator<Item = &'a str>) -> Option<Played> {
    let moves: Vec<String> = moves.map(str::to_owned).collect();
    if moves.is_empty() {
        return None;
    }
    let mut position = board::position_of_any_mode(fen, Accept::Unreachable).ok()?;
    for text in &moves {
        let Some(mv) = board::legal_move(&position, text, Spelling::AnyCase) else { break };
        position = board::after(&position, mv);
    }
    Some(Played { moves, fen: board::fen(&position) })
}

/// The start position.
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The FEN that the arguments of `position` mean, and the moves after it. The FEN is empty if they name no
/// position.
pub(crate) fn of_position(position: &str) -> (String, Option<Played>) {
    let (start, moves) = position.split_once(" moves").unwrap_or((position, ""));
    let fen = match start.trim() {
        "startpos" => START,
        start => start.strip_prefix("fen ").unwrap_or_default().trim(),
    };
    (fen.to_owned(), played(fen, moves.split_whitespace()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_lead_to_the_position_that_is_asked() {
        let check = |position: &str, fen: &str, after: Option<&str>| {
            let (start, played) = of_position(position);
            assert_eq!((&*start, played.as_ref().map(|played| &*played.fen)), (fen, after), "{position}");
        };
        let start = "8/8/8/8/5R2/3K4/8/3k4 w - - 0 2";
        check(&format!("fen {start} moves f4e4 d1c1"), start, Some("8/8/8/8/4R3/3K4/8/2k5 w - - 2 3"));
        check(&format!("fen {start}"), start, None);
        check(&format!("fen {start} moves f4e4 f4f9"), start, Some("8/8/8/8/4R3/3K4/8/3k4 b - - 1 2"));
        let opened = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        check("startpos moves e2e4", START, Some(opened));
        check("startpos moves e2e5", START, Some(START));
        check("startpos", START, None);
        check("nothing", "", None);
        // The rook stands beside the king: castling of Chess960.
        let beside = "4k3/8/8/8/8/8/8/4KR2 w F - 0 1";
        check(&format!("fen {beside} moves e1f1"), beside, Some("4k3/8/8/8/8/8/8/5RK1 b - - 1 1"));
        let corner = "r3k3/8/8/8/8/8/8/4K2R b Kq - 4 9";
        check(&format!("fen {corner} moves e8c8 e1g1"), corner, Some("2kr4/8/8/8/8/8/8/5RK1 b - - 6 10"));
    }
}
