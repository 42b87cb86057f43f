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
    if view.takes(rook) {
        return 1;
    }
    let goal = Square::new(pawn.file(), Rank::First);
    let to_go = rank(pawn);
    let tempo = i32::from(view.strong_to_move);
    let ours = distance(view.strong_king, goal);
    let theirs = distance(view.weak_king, pawn);
    let in_front = view.strong_king.file() == pawn.file() && rank(view.strong_king) < rank(pawn);
    let helpless = theirs >= 3 + i32::from(!view.strong_to_move) && !view.takes(rook);
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
    if view.takes(only(view.strong(Role::Queen))) {
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
