//! Rook and pawn against rook: the two positions everybody learns first.
//!
//! Philidor (1777): the defender's rook on its third rank holds while the pawn has not passed it. Lucena: with the king
//! on the promotion square and the other cut off, the pawn goes through. Both in Fine, Basic Chess Endings, and in Müller
//! and Lamprecht. That a few such tests make a scale is Tord Romstad's idea, in Glaurung and Stockfish.

use super::Scale;
use super::distance::{distance, file, files, rank};
use super::minor::{goal, is_before};
use super::view::{View, only};
use crate::Role;

/// `KRPvKR`.
pub(super) fn rook_and_pawn_against_rook(view: &View) -> Scale {
    let pawn = only(view.strong(Role::Pawn));
    let defender = only(view.weak(Role::Rook));
    let near = distance(view.weak_king, goal(pawn)) <= 1;
    if is_lucena(view) {
        return Scale::FULL;
    }
    if near && rank(pawn) <= 4 && rank(view.strong_king) <= 4 && rank(defender) == 5 {
        return Scale(4);
    }
    if near && rank(pawn) == 5 && rank(defender) <= 1 && rank(view.strong_king) <= 5 {
        return Scale(8);
    }
    if is_before(view.weak_king, pawn) {
        return Scale(if rank(pawn) <= 4 { 20 } else { 28 });
    }
    if matches!(file(pawn), 0 | 7) {
        return Scale(36);
    }
    Scale::FULL
}

/// The pawn one step from its goal, its king on it or beside, the other king two files off or more.
fn is_lucena(view: &View) -> bool {
    let pawn = only(view.strong(Role::Pawn));
    let rook = only(view.strong(Role::Rook));
    rank(pawn) == 6
        && !matches!(file(pawn), 0 | 7)
        && view.strong_king == goal(pawn)
        && files(view.weak_king, pawn) >= 2
        && (file(rook) - file(pawn)).signum() == (file(view.weak_king) - file(pawn)).signum()
}
