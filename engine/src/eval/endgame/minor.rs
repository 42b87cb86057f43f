//! Minor pieces that hardly win: two knights, wrong bishops, blockaded pawns.
//!
//! Sources: Troitzky on two knights against a pawn; Fine, Basic Chess Endings, on the wrong bishop and on
//! opposite-coloured bishops. Knows no rooks and queens.

use super::distance::{distance, rank, to_center};
use super::kpvk::holds_corner;
use super::view::{View, only};
use super::{DRAWN, Scale};
use crate::{Bitboard, Color, Rank, Role, Square};

/// `KNNvK`: mate exists but cannot be forced, so nearly zero; not a dead draw, because the other side may
/// blunder into it.
pub(super) fn two_knights(view: &View) -> i32 {
    2 + to_center(view.weak_king)
}

/// `KNNvKP`: the pawn prevents stalemate, so two knights may win if it is blockaded far enough back
/// (Troitzky's line: a4, b6, c5, d4, e4, f5, g6, h4).
pub(super) fn two_knights_against_pawn(view: &View) -> i32 {
    let pawn = only(view.weak(Role::Pawn));
    let blocked = pawn.offset(0, -1).is_some_and(|front| view.strong(Role::Knight).contains(front));
    let line = [3, 5, 4, 3, 3, 4, 5, 3];
    let held = rank(pawn) >= line[pawn.file().index()];
    let bonus = if blocked && held { 100 } else { 0 };
    20 + bonus + 10 * rank(pawn) + 5 * to_center(view.weak_king) - view.kings_apart()
}

/// Whether all pawns are on a rook's file whose corner the bishops do not control and the other king holds: a
/// draw.
pub(super) fn is_wrong_rook_pawn(view: &View) -> bool {
    let (pawns, bishops) = (view.strong(Role::Pawn), view.strong(Role::Bishop));
    let king = view.strong(Role::King);
    pawns.any()
        && bishops.any()
        && view.men(Color::White) == pawns | bishops | king
        && holds_corner(view, pawns)
        && bishops.into_iter().all(|bishop| is_light(bishop) != is_light(goal(only(pawns))))
}

/// `KBPsvK` with the wrong bishop.
pub(super) fn wrong_rook_pawn(_view: &View) -> i32 {
    DRAWN
}

/// `KBPvKB`: drawn if the king is in front of the pawn on a square that the bishop cannot attack, or, with
/// opposite-coloured bishops, if it is near the pawn's path.
pub(super) fn bishop_and_pawn_against_bishop(view: &View) -> Scale {
    let pawn = only(view.strong(Role::Pawn));
    let bishop = only(view.strong(Role::Bishop));
    let opposite = is_light(bishop) != is_light(only(view.weak(Role::Bishop)));
    if is_before(view.weak_king, pawn) && is_light(view.weak_king) != is_light(bishop) {
        return Scale::NONE;
    }
    match (opposite, distance(view.weak_king, goal(pawn)) <= 8 - rank(pawn)) {
        (true, true) => Scale(4),
        (true, false) => Scale(20),
        (false, true) => Scale(44),
        (false, false) => Scale::FULL,
    }
}

/// `KBPvKN`: drawn if the king is in front of the pawn on a square that the bishop cannot attack.
pub(super) fn bishop_and_pawn_against_knight(view: &View) -> Scale {
    let pawn = only(view.strong(Role::Pawn));
    let bishop = only(view.strong(Role::Bishop));
    let held = is_before(view.weak_king, pawn) && is_light(view.weak_king) != is_light(bishop);
    if held { Scale(4) } else { Scale::FULL }
}

/// `KNPvKB`, `KNPvKN`: hard to win with the king in front of the pawn.
pub(super) fn knight_and_pawn_against_minor(view: &View) -> Scale {
    if is_before(view.weak_king, only(view.strong(Role::Pawn))) { Scale(24) } else { Scale::FULL }
}

/// Whether a king is on the pawn's file in front of it.
pub(super) fn is_before(king: Square, pawn: Square) -> bool {
    king.file() == pawn.file() && rank(king) > rank(pawn)
}

/// The promotion square of a pawn.
pub(super) fn goal(pawn: Square) -> Square {
    Square::new(pawn.file(), Rank::Eighth)
}

/// Whether a square is light.
pub(super) fn is_light(square: Square) -> bool {
    Bitboard::LIGHT_SQUARES.contains(square)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{strong_scale, strong_value};
    use super::*;

    #[test]
    fn knights() {
        let beyond = "8/8/8/2K5/5p2/k4N2/8/5N2 w - - 0 1";
        for (rule, better, worse) in [
            ("not dead", "k7/8/1K6/8/8/8/8/NN6 w - - 0 1", "8/8/8/3k4/8/8/8/KNN5 w - - 0 1"),
            ("held up", "8/8/8/2K2p2/5N2/k7/8/5N2 w - - 0 1", "8/8/8/2K2p2/8/k7/8/4NN2 w - - 0 1"),
            ("Troitzky's line", "8/8/8/2K2p2/5N2/k7/8/5N2 w - - 0 1", beyond),
        ] {
            assert!(strong_value(better) > strong_value(worse), "{rule}: {better} before {worse}");
            assert!(strong_value(worse) > DRAWN, "{rule}: {worse}");
        }
    }

    #[test]
    fn scales() {
        for (rule, full, less) in [
            ("before the pawn", "8/8/2k5/8/3P4/8/8/K1B3b1 w - - 0 1", "8/3k4/8/8/3P4/8/8/K1B3b1 w - - 0 1"),
            ("off its colour", "8/3k4/8/8/3P4/8/8/KB5b w - - 0 1", "8/3k4/8/8/3P4/8/8/K1B3b1 w - - 0 1"),
            ("opposite", "k7/8/8/8/4P3/8/8/K1B3b1 w - - 0 1", "k7/8/8/8/4P3/8/8/K1B2b2 w - - 0 1"),
            ("near", "7k/8/8/8/P7/8/8/K1B3b1 w - - 0 1", "2k5/8/8/8/P7/8/8/K1B3b1 w - - 0 1"),
            ("knight", "8/8/2k5/8/3P4/8/8/K1B3n1 w - - 0 1", "8/8/3k4/8/3P4/8/8/KB4n1 w - - 0 1"),
            ("two minors", "8/8/2k5/8/3P4/8/8/KN4n1 w - - 0 1", "8/8/3k4/8/3P4/8/8/KN4n1 w - - 0 1"),
        ] {
            assert!(strong_scale(full) > strong_scale(less), "{rule}: {full} before {less}");
        }
    }

    #[test]
    fn the_wrong_bishop() {
        let wrong = |fen: &str| {
            let position = crate::Position::from_fen(fen).unwrap();
            is_wrong_rook_pawn(&View::new(&position, Color::White))
        };
        for (fen, expected) in [
            ("k7/8/8/8/P7/P7/8/2B1K3 w - - 0 1", true),
            ("k7/8/8/8/P7/P7/8/3BK3 w - - 0 1", false),
            ("k7/8/8/8/PP6/8/8/2B1K3 w - - 0 1", false),
            ("3k4/8/8/8/P7/P7/8/2B1K3 w - - 0 1", false),
            ("7k/8/8/8/7P/8/8/3BK3 w - - 0 1", true),
            ("7k/8/8/8/7P/8/8/2B1K3 w - - 0 1", false),
            ("7k/8/8/8/7P/8/8/1N1BK3 w - - 0 1", false),
        ] {
            assert_eq!(wrong(fen), expected, "{fen}");
        }
    }
}
