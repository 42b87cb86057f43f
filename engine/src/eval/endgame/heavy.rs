//! Queen or rook against a pawn, and queen against rook.
//!
//! Primers say which of these are won (Fine, Basic Chess Endings; Müller and Lamprecht, Fundamental Chess
//! Endings). Tord Romstad had the idea that a few distances tell the cases apart, in Glaurung and Stockfish.
//! The rules and values here are our own, tested against the complete tables: first hanging pieces, then the
//! race of kings and pawn. Won positions score higher the nearer the lone king is to mate.

use super::distance::{distance, file, rank, to_center};
use super::view::{View, only};
use crate::{Color, Rank, Role, Square, attacks};

/// A rook that catches the pawn.
const ROOK_WINS: i32 = 1_000;
/// A queen that stops the pawn.
const QUEEN_WINS: i32 = 2_000;
/// A queen against a rook: won, but far.
const QUEEN_BEATS_ROOK: i32 = 1_000;
/// A hanging piece is practically captured.
const HANGS: i32 = 200;

/// How near the weaker king is to mate: close to the edge and to the other king.
pub(super) fn progress(view: &View) -> i32 {
    20 * to_center(view.weak_king) + 10 * (8 - view.kings_apart())
}

/// `KRvKP`: won if the pawn hangs, if the king is in front of it, if the enemy king cannot support it, or if
/// the king wins the race to the promotion square. In the race it has a move for each step of the pawn and
/// for each move that the enemy king needs to support it.
pub(super) fn rook_against_pawn(view: &View) -> i32 {
    let (rook, pawn) = (only(view.strong(Role::Rook)), only(view.weak(Role::Pawn)));
    if falls_to_pawn(view, rook, pawn) {
        return 1;
    }
    let goal = goal(pawn);
    let tempo = i32::from(view.strong_to_move);
    let in_front = view.strong_king.file() == pawn.file() && rank(view.strong_king) < rank(pawn);
    let helpless = distance(view.weak_king, pawn) >= 4 - tempo;
    let late =
        distance(view.strong_king, goal) - tempo - rank(pawn) - (distance(view.weak_king, goal) - 1).max(0);
    if view.catches(pawn) || in_front || helpless || late < 0 {
        return ROOK_WINS + progress(view) + caught(view, pawn) - 5 * distance(view.strong_king, pawn);
    }
    (300 - 20 * late).clamp(20, 400)
}

/// `KQvKP`: won, except for a rook's or bishop's pawn on the seventh rank with its king beside it and the
/// other king far away: stalemate saves it.
pub(super) fn queen_against_pawn(view: &View) -> i32 {
    let (queen, pawn) = (only(view.strong(Role::Queen)), only(view.weak(Role::Pawn)));
    if falls_to_pawn(view, queen, pawn) {
        return 1;
    }
    let goal = goal(pawn);
    let special = rank(pawn) == 1 && matches!(file(pawn), 0 | 2 | 5 | 7);
    let beside = distance(view.weak_king, pawn).min(distance(view.weak_king, goal)) <= 1;
    let ours = distance(view.strong_king, goal);
    if special && beside && ours > 3 + i32::from(view.strong_to_move) && !view.catches(pawn) {
        return 40 - 4 * ours;
    }
    QUEEN_WINS + progress(view) + caught(view, pawn) + 10 * rank(pawn)
}

/// `KQvKR`: won by driving the king to the edge, with the queen's king close, where the rook must leave its
/// king (Philidor); won at once if the rook hangs. Not won if the queen hangs.
pub(super) fn queen_against_rook(view: &View) -> i32 {
    let (queen, rook) = (only(view.strong(Role::Queen)), only(view.weak(Role::Rook)));
    let hangs = !view.strong_to_move && attacks::rook(rook, view.occupied()).contains(queen);
    if hangs || view.takes(queen) {
        return 1;
    }
    QUEEN_BEATS_ROOK + progress(view) + 10 * (8 - view.kings_apart()) + caught(view, rook)
}

/// Whether the weaker side, to move, captures the stronger side's piece or promotes safely.
fn falls_to_pawn(view: &View, piece: Square, pawn: Square) -> bool {
    let hit = !view.strong_to_move && attacks::pawn(Color::Black, pawn).contains(piece);
    hit || view.takes(piece) || promotes(view, pawn)
}

/// Whether the weaker side's pawn promotes safely with its next move.
fn promotes(view: &View, pawn: Square) -> bool {
    let goal = goal(pawn);
    let free = !view.occupied().contains(goal) && !view.is_guarded(goal);
    !view.strong_to_move && rank(pawn) == 1 && free && !view.attacks(view.weak_king)
}

/// The value when a piece is captured with the next move.
fn caught(view: &View, square: Square) -> i32 {
    if view.catches(square) { HANGS } else { 0 }
}

/// The promotion square of the weaker side's pawn.
fn goal(pawn: Square) -> Square {
    Square::new(pawn.file(), Rank::First)
}

#[cfg(test)]
mod tests {
    use super::super::tests::strong_value;

    /// Each position scores higher than the next by one rule.
    #[test]
    fn rules() {
        for (rule, better, worse, apart) in [
            ("king before the pawn", "8/8/8/8/k7/p7/8/K6R w - - 0 1", "8/8/8/8/8/p1k5/8/R6K b - - 0 1", 500),
            ("pawn without its king", "7K/8/8/8/p7/8/6k1/R7 w - - 0 1", "7K/8/8/8/8/k7/p7/7R b - - 0 1", 100),
            ("knight's pawn", "7Q/8/8/8/8/8/1p6/1k5K w - - 0 1", "7Q/8/8/8/8/8/2p5/1k5K w - - 0 1", 1_000),
            ("pawn on the sixth", "Q7/8/8/8/8/p7/1k6/7K w - - 0 1", "Q7/8/8/8/8/8/pk6/7K w - - 0 1", 1_000),
            ("king near", "7Q/8/8/8/2K5/8/p7/1k6 w - - 0 1", "7Q/8/8/8/7K/8/p7/1k6 w - - 0 1", 1_000),
            (
                "rook's king at the edge",
                "8/8/8/7k/5K2/7r/Q7/8 w - - 0 1",
                "8/8/8/4k3/2K5/4r3/Q7/8 w - - 0 1",
                20,
            ),
            ("rook hangs", "8/8/8/7k/5K2/8/Q7/r7 w - - 0 1", "8/8/8/7k/5K2/8/Q7/7r w - - 0 1", 200),
            ("queen hangs", "8/8/8/7k/5K2/8/Q7/1r6 b - - 0 1", "8/8/8/7k/5K2/8/Q7/r7 b - - 0 1", 500),
            ("pawn takes", "8/8/8/8/2K5/2p1k3/8/1Q6 b - - 0 1", "8/8/8/8/2K5/2p1k3/1Q6/8 b - - 0 1", 1_000),
            ("queen kept", "8/8/8/7r/3k4/3Q4/2K5/8 b - - 0 1", "8/8/8/7r/3k4/3Q4/8/1K6 b - - 0 1", 500),
        ] {
            let (more, less) = (strong_value(better), strong_value(worse));
            assert!(more >= less + apart && less >= 0, "{rule}: {better} {more}, {worse} {less}");
        }
    }
}
