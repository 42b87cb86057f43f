//! Rook and pawn against rook: the positions of Philidor and Lucena.
//!
//! Philidor (1777): the defender's rook on its third rank draws while the pawn has not passed it. Lucena:
//! with the king on the promotion square and the other king cut off, the pawn promotes. Both are in Fine,
//! Basic Chess Endings, and in Müller and Lamprecht. A scale from a few such tests is Tord Romstad's idea, in
//! Glaurung and Stockfish.

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

/// The pawn on the seventh rank with its king on or beside the promotion square, the other king at least two
/// files away.
fn is_lucena(view: &View) -> bool {
    let pawn = only(view.strong(Role::Pawn));
    let rook = only(view.strong(Role::Rook));
    rank(pawn) == 6
        && !matches!(file(pawn), 0 | 7)
        && view.strong_king == goal(pawn)
        && files(view.weak_king, pawn) >= 2
        && (file(rook) - file(pawn)).signum() == (file(view.weak_king) - file(pawn)).signum()
}

#[cfg(test)]
mod tests {
    use super::super::tests::strong_scale;

    /// The first position keeps more of the advantage than the second.
    #[test]
    fn rules() {
        for (rule, more, less) in [
            ("Philidor's rank", "4k3/8/8/3KP3/8/r7/8/7R w - - 0 1", "4k3/8/r7/3KP3/8/8/8/7R w - - 0 1"),
            ("Philidor, passed", "4k3/8/r3K3/4P3/8/8/8/7R w - - 0 1", "4k3/8/r7/3KP3/8/8/8/7R w - - 0 1"),
            ("from behind", "4k3/8/4P3/3K4/r7/8/8/7R w - - 0 1", "4k3/8/4P3/3K4/8/8/8/r6R w - - 0 1"),
            ("king in front", "2k5/8/8/3KP3/8/r7/8/7R w - - 0 1", "8/4k3/8/3KP3/8/r7/8/7R w - - 0 1"),
            ("rook's pawn", "8/6k1/8/1P6/8/1K6/8/R6r w - - 0 1", "8/6k1/8/P7/8/1K6/8/R6r w - - 0 1"),
        ] {
            let (more_left, less_left) = (strong_scale(more), strong_scale(less));
            assert!(more_left > less_left, "{rule}: {more} {more_left:?}, {less} {less_left:?}");
        }
    }
}
