//! Queen or rook against a lesser man: won, drawn, and how to go on.
//!
//! Which of these are won is told by any primer (Fine, Basic Chess Endings; Müller and Lamprecht, Fundamental Chess
//! Endings); that a few distances tell the cases apart is Tord Romstad's idea, in Glaurung and Stockfish. The figures
//! here are our own.

use super::distance::{distance, file, rank, to_center};
use super::view::{View, only};
use crate::{Rank, Role, Square};

/// A rook that catches the pawn.
const ROOK_WINS: i32 = 1_000;
/// A queen that stops the pawn.
const QUEEN_WINS: i32 = 2_000;
/// A queen against a rook: won, but far.
const QUEEN_BEATS_ROOK: i32 = 1_000;

/// `KRvKP`: won if the king is before the pawn, or the other king cannot help it.
pub(super) fn rook_against_pawn(view: &View) -> i32 {
    let (rook, pawn) = (only(view.strong(Role::Rook)), only(view.weak(Role::Pawn)));
    if view.takes(rook) || promotes(view, pawn) {
        return 1;
    }
    let goal = Square::new(pawn.file(), Rank::First);
    let to_go = rank(pawn);
    let tempo = i32::from(view.strong_to_move);
    let ours = distance(view.strong_king, goal);
    let theirs = distance(view.weak_king, pawn);
    let in_front = view.strong_king.file() == pawn.file() && rank(view.strong_king) < rank(pawn);
    let helpless = theirs >= 3 + i32::from(!view.strong_to_move);
    if in_front || helpless || ours <= to_go.min(distance(view.weak_king, goal)) + tempo {
        return ROOK_WINS + 20 * to_go - 10 * distance(view.strong_king, pawn);
    }
    (200 + 20 * (theirs - ours + to_go)).clamp(20, 400)
}

/// `KRvKB`: drawn, best in the corner that the bishop does not guard; the rook's side may try.
pub(super) fn rook_against_bishop(view: &View) -> i32 {
    30 + 4 * to_center(view.weak_king) - view.kings_apart()
}

/// `KRvKN`: drawn, unless the knight is cut off from its king.
pub(super) fn rook_against_knight(view: &View) -> i32 {
    let knight = only(view.weak(Role::Knight));
    let apart = distance(view.weak_king, knight);
    30 + 4 * to_center(view.weak_king) + 20 * (apart - 2).max(0) - view.kings_apart()
}

/// `KQvKP`: won, but for a rook's or bishop's pawn one step from its goal with its king beside it and ours far.
pub(super) fn queen_against_pawn(view: &View) -> i32 {
    let pawn = only(view.weak(Role::Pawn));
    let guarded = rank(pawn) == 1 && distance(view.weak_king, pawn) == 1;
    let special = matches!(file(pawn), 0 | 2 | 5 | 7);
    let ours = distance(view.strong_king, pawn);
    if view.takes(only(view.strong(Role::Queen))) || promotes(view, pawn) {
        return 1;
    }
    if guarded && special && ours > 4 {
        return 40 - 4 * ours;
    }
    QUEEN_WINS + 40 * rank(pawn) - 20 * ours
}

/// `KQvKR`: won by driving the king to the edge and the rook away from it (Philidor).
pub(super) fn queen_against_rook(view: &View) -> i32 {
    let rook = only(view.weak(Role::Rook));
    if view.takes(only(view.strong(Role::Queen))) {
        return 1;
    }
    let apart = distance(view.weak_king, rook);
    QUEEN_BEATS_ROOK + 20 * to_center(view.weak_king) + 10 * (8 - view.kings_apart()) + 5 * apart
}

/// Whether the weaker side's pawn promotes with its next move, unharmed.
fn promotes(view: &View, pawn: Square) -> bool {
    let goal = Square::new(pawn.file(), Rank::First);
    !view.strong_to_move && rank(pawn) == 1 && !view.occupied().contains(goal) && !view.is_guarded(goal)
}

#[cfg(test)]
mod tests {
    use super::super::tests::strong_value;

    /// Each better than the other by one rule.
    #[test]
    fn rules() {
        for (rule, better, worse, apart) in [
            ("king before the pawn", "8/8/8/8/k7/p7/8/K6R w - - 0 1", "8/8/8/8/8/p1k5/8/R6K b - - 0 1", 500),
            ("pawn without its king", "7K/8/8/8/p7/8/6k1/R7 w - - 0 1", "7K/8/8/8/8/k7/p7/7R b - - 0 1", 100),
            (
                "bishop's side at the edge",
                "8/8/8/7k/8/8/1b4K1/3R4 w - - 0 1",
                "8/8/8/4k3/8/8/1b4K1/3R4 w - - 0 1",
                1,
            ),
            (
                "knight far from its king",
                "8/8/8/7k/8/8/1n5K/R7 w - - 0 1",
                "8/8/8/7k/5n2/8/7K/R7 w - - 0 1",
                30,
            ),
            ("knight's pawn", "7Q/8/8/8/8/8/1p6/1k5K w - - 0 1", "7Q/8/8/8/8/8/2p5/1k5K w - - 0 1", 1_000),
            ("pawn on the sixth", "Q7/8/8/8/8/p7/1k6/7K w - - 0 1", "Q7/8/8/8/8/8/pk6/7K w - - 0 1", 1_000),
            ("king near", "7Q/8/8/8/2K5/8/p7/1k6 w - - 0 1", "7Q/8/8/8/7K/8/p7/1k6 w - - 0 1", 1_000),
            (
                "rook's king at the edge",
                "8/8/8/7k/5K2/7r/Q7/8 w - - 0 1",
                "8/8/8/4k3/2K5/4r3/Q7/8 w - - 0 1",
                20,
            ),
            ("rook far", "8/8/8/7k/5K2/8/Q7/7r w - - 0 1", "8/8/8/7k/5K2/7r/Q7/8 w - - 0 1", 1),
            ("queen kept", "8/8/8/7r/3k4/3Q4/2K5/8 b - - 0 1", "8/8/8/7r/3k4/3Q4/8/1K6 b - - 0 1", 500),
        ] {
            let (more, less) = (strong_value(better), strong_value(worse));
            assert!(more >= less + apart && less >= 0, "{rule}: {better} {more}, {worse} {less}");
        }
    }
}
