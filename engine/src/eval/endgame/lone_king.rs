//! Pieces against a lone king: drive it to the squares where it can be mated.
//!
//! The textbook term for the lone king, `100 - 10 * distance to the centre`, is largest in the centre; here
//! its sign is corrected. The textbook and Steve Maughan's Maverick also bring the kings close. This module
//! knows no pawns: those of the stronger side only count as material.

use super::distance::{distance, to_center, towards_corners};
use super::view::{View, only};
use super::{DRAWN, KNOWN_WIN};
use crate::{Bitboard, Role};

/// The material added to a known win, so that promotions and captures are progress.
const WORTH: [(Role, i32); 5] =
    [(Role::Pawn, 100), (Role::Knight, 300), (Role::Bishop, 320), (Role::Rook, 500), (Role::Queen, 950)];

/// The largest addition for material: several queens stay below the bound of known wins.
const MOST_WORTH: i32 = 6_000;

/// `KXvK`: any material that can force mate.
pub(super) fn any_force(view: &View) -> i32 {
    if view.is_stalemate() { DRAWN } else { won(view, at_edge(view)) }
}

/// KQvK.
pub(super) fn queen(view: &View) -> i32 {
    if view.is_stalemate() || view.takes(only(view.strong(Role::Queen))) {
        return DRAWN;
    }
    won(view, at_edge(view))
}

/// KRvK.
pub(super) fn rook(view: &View) -> i32 {
    let rook = only(view.strong(Role::Rook));
    if view.is_stalemate() || view.takes(rook) {
        return DRAWN;
    }
    won(view, at_edge(view))
}

/// `KBBvK`: a win if the bishops are on both colours, else a dead draw.
pub(super) fn bishops(view: &View) -> i32 {
    let bishops = view.strong(Role::Bishop);
    if !on_both_colors(bishops) || view.is_stalemate() || loses_one(view, bishops) {
        return DRAWN;
    }
    won(view, at_edge(view) + 20 * to_center(view.weak_king))
}

/// KBNvK: mate is forced only in the corners of the bishop's colour (Fine, Basic Chess Endings). A step
/// towards them outweighs everything else, so that the king is driven out of a wrong corner. The edge, the
/// kings and the knight count less, in this order.
pub(super) fn bishop_and_knight(view: &View) -> i32 {
    let bishop = view.strong(Role::Bishop);
    if view.is_stalemate() || loses_one(view, bishop | view.strong(Role::Knight)) {
        return DRAWN;
    }
    let light = !bishop.is_disjoint(Bitboard::LIGHT_SQUARES);
    let knight_near = 8 - distance(only(view.strong(Role::Knight)), view.weak_king);
    let corner = 100 * towards_corners(view.weak_king, light);
    let kings = 20 * (8 - view.kings_apart());
    won(view, corner + 20 * to_center(view.weak_king) + kings + 10 * knight_near)
}

/// Whether pieces of these kinds can force mate on a lone king.
pub(super) fn is_enough(view: &View) -> bool {
    let [bishops, knights] = [Role::Bishop, Role::Knight].map(|role| view.strong(role));
    let heavy = view.strong(Role::Queen) | view.strong(Role::Rook);
    view.is_bare()
        && (heavy.any() || on_both_colors(bishops) || bishops.any() && knights.any() || knights.count() >= 3)
}

/// Whether there are bishops on light squares and on dark ones.
fn on_both_colors(bishops: Bitboard) -> bool {
    (bishops & Bitboard::LIGHT_SQUARES).any() && (bishops & !Bitboard::LIGHT_SQUARES).any()
}

/// Whether the lone king captures one of two pieces that are both needed.
fn loses_one(view: &View, pieces: Bitboard) -> bool {
    pieces.into_iter().any(|square| view.takes(square))
}

/// How far the lone king is driven: 0 to 160 for the edge, and 0 to 100 for the distance of the kings.
fn at_edge(view: &View) -> i32 {
    20 * to_center(view.weak_king) + 10 * (8 - view.kings_apart())
}

fn won(view: &View, progress: i32) -> i32 {
    let worth: i32 = WORTH.iter().map(|&(role, worth)| view.strong(role).count().cast_signed() * worth).sum();
    KNOWN_WIN + worth.min(MOST_WORTH) + progress
}

#[cfg(test)]
mod tests {
    use super::super::tests::strong_value;
    use super::*;

    /// Each position scores higher than the next by one rule.
    #[test]
    fn progress() {
        for (rule, better, worse) in [
            ("edge, rook", "4k3/8/8/8/4K3/8/8/R7 w - - 0 1", "8/4k3/8/8/4K2R/8/8/8 w - - 0 1"),
            ("edge, queen", "4k3/8/8/8/4K3/8/8/Q7 w - - 0 1", "8/8/8/4k3/8/4K3/8/Q7 b - - 0 1"),
            ("kings close", "3k4/8/3K4/8/8/8/8/R7 w - - 0 1", "3k4/8/8/8/8/3K4/8/R7 w - - 0 1"),
            ("light corner", "k7/8/2K5/8/8/8/5N2/5B2 w - - 0 1", "k7/8/2K5/8/8/8/5N2/4B3 w - - 0 1"),
            ("dark corner", "7k/8/5K2/8/8/8/5N2/4B3 w - - 0 1", "7k/8/5K2/8/8/8/5N2/5B2 w - - 0 1"),
            (
                "out of the wrong corner",
                "1k6/8/2K5/8/8/8/8/4BN2 w - - 0 1",
                "k7/8/1K6/8/8/8/8/4BN2 w - - 0 1",
            ),
            ("knight near", "k7/8/2K5/8/3N4/8/8/5B2 w - - 0 1", "k7/8/2K5/8/8/8/5N2/5B2 w - - 0 1"),
            ("two colours", "k7/8/8/8/8/4K3/8/3BB3 w - - 0 1", "k7/8/8/8/8/4K3/8/2B1B3 w - - 0 1"),
            ("more pieces", "4k3/8/8/8/4K3/8/8/RN6 w - - 0 1", "4k3/8/8/8/4K3/8/8/R7 w - - 0 1"),
        ] {
            assert!(strong_value(better) > strong_value(worse), "{rule}: {better} before {worse}");
        }
    }

    #[test]
    fn captures_and_stalemate_are_draws() {
        for (drawn, won) in [
            ("8/8/8/8/8/K7/1r6/3k4 w - - 0 1", "8/8/8/8/8/K7/1r6/2k5 w - - 0 1"),
            ("8/8/8/8/3k4/3R4/8/K7 b - - 0 1", "8/8/8/8/3k4/3R4/2K5/8 b - - 0 1"),
            ("8/8/8/8/3k4/3Q4/8/K7 b - - 0 1", "8/8/8/8/3k4/8/4Q3/K7 b - - 0 1"),
            ("8/8/8/8/3k4/3B4/3N4/K7 b - - 0 1", "8/8/8/8/3k4/3B4/8/K3N3 b - - 0 1"),
            ("8/8/8/8/3k4/3B4/8/K1B5 b - - 0 1", "8/8/8/8/3k4/3B4/2K5/2B5 b - - 0 1"),
            ("k7/2Q5/8/8/8/8/8/K7 b - - 0 1", "k7/3Q4/8/8/8/8/8/K7 b - - 0 1"),
            ("k7/2Q5/8/8/8/8/6R1/K7 b - - 0 1", "k7/3Q4/8/8/8/8/7R/K7 b - - 0 1"),
        ] {
            assert_eq!(strong_value(drawn), DRAWN, "{drawn}");
            assert!(strong_value(won) >= KNOWN_WIN, "{won}");
        }
    }
}
