//! A rook against a bishop or a knight: drawn, unless the piece is lost.
//!
//! These endgames are drawn with the pieces together and the king away from the wrong corner, and a knight
//! far from its king is lost (Fine, Basic Chess Endings; Müller and Lamprecht, Fundamental Chess Endings). In
//! the complete tables nearly all wins are those where the piece is lost at once: it hangs, a check forks or
//! skewers it, or it has no square.

use super::distance::distance;
use super::heavy::progress;
use super::view::{View, only};
use crate::{Bitboard, Color, Role, Square, attacks};

/// The piece is captured with the next move.
const TAKEN: i32 = 1_000;
/// The piece is lost soon.
const FALLS: i32 = 600;
/// No loss of the piece is seen.
const HELD: i32 = 30;

/// The distance from which the king cannot reach its piece in time.
const OUT_OF_REACH: i32 = 3;

/// `KRvKB`.
pub(super) fn against_bishop(view: &View) -> i32 {
    against(view, Role::Bishop)
}

/// `KRvKN`: among safe knights, one farther from its king is in more danger.
pub(super) fn against_knight(view: &View) -> i32 {
    let value = against(view, Role::Knight);
    let apart = distance(view.weak_king, only(view.weak(Role::Knight)));
    if (HELD..FALLS).contains(&value) { value + 10 * (apart - 2).max(0) } else { value }
}

fn against(view: &View, role: Role) -> i32 {
    let (rook, piece) = (only(view.strong(Role::Rook)), only(view.weak(role)));
    let hits = attacks::of(role, Color::Black, piece, view.occupied());
    if view.takes(rook) || !view.strong_to_move && hits.contains(rook) {
        return 1;
    }
    let progress = progress(view);
    let apart = distance(view.weak_king, piece);
    if view.catches(piece) {
        return TAKEN + progress;
    }
    let falls = apart >= OUT_OF_REACH
        && (is_forked(view, rook, piece, role) || role == Role::Knight && is_trapped(view, rook, piece));
    if falls { FALLS + progress } else { HELD + progress / 4 }
}

/// Whether the rook is on a line with king and piece, beside the king or between both, so that its check wins
/// the piece; or reaches such a square safely with its next move.
fn is_forked(view: &View, rook: Square, piece: Square, role: Role) -> bool {
    if !view.strong_to_move {
        return view.is_guarded(view.weak_king) && view.is_guarded(piece);
    }
    let occupied = view.occupied().without(rook);
    let hits = attacks::of(role, Color::Black, piece, occupied);
    let forks = |to: Square| {
        let safe = distance(view.weak_king, to) > 1 || distance(view.strong_king, to) == 1;
        safe && !hits.contains(to)
            && attacks::rook(to, occupied).contains(view.weak_king)
            && attacks::rook(to, occupied.without(view.weak_king)).contains(piece)
    };
    let moves = attacks::rook(rook, view.occupied()) & !view.occupied();
    moves.into_iter().any(forks)
}

/// Whether a knight that is attacked, or can be attacked with the next move, has no safe square.
fn is_trapped(view: &View, rook: Square, knight: Square) -> bool {
    let occupied = view.occupied().without(view.weak_king).without(knight);
    let is_free = |to: Square| {
        let guarded = view.board().attackers(to, Color::White, occupied).any();
        to == rook || !guarded || distance(view.weak_king, to) == 1
    };
    let kings = Bitboard::from_square(view.strong_king).with(view.weak_king);
    let mut moves = (attacks::knight(knight) & !kings).into_iter();
    (view.strong_to_move || view.attacks(knight)) && !moves.any(is_free)
}

#[cfg(test)]
mod tests {
    use super::super::tests::strong_value;
    use super::*;

    #[test]
    fn lost_pieces() {
        for (rule, fen, least) in [
            ("hangs", "8/8/8/7k/8/2n5/7K/2R5 w - - 0 1", TAKEN),
            ("between", "4k3/8/1R6/8/8/4n3/8/7K w - - 0 1", FALLS),
            ("check takes it along", "4k3/8/4R3/8/8/4n3/8/7K b - - 0 1", FALLS),
            ("behind the king", "8/b3k2R/8/8/8/8/8/7K b - - 0 1", FALLS),
            ("trapped", "n7/8/2K5/8/8/8/4R3/7k w - - 0 1", FALLS),
            ("guarded", "n7/1k6/8/3K4/8/8/8/4R3 w - - 0 1", HELD),
            ("takes the rook", "8/8/8/7k/8/2n5/7K/1R6 b - - 0 1", 1),
        ] {
            let value = strong_value(fen);
            let most = if least == 1 { 1 } else { least + 250 };
            assert!((least..=most).contains(&value), "{rule}: {fen} {value}");
        }
    }

    /// Each position scores higher than the next by one rule.
    #[test]
    fn progress() {
        for (rule, better, worse) in [
            ("at the edge", "8/8/8/7k/8/8/1b4K1/3R4 w - - 0 1", "8/8/8/4k3/8/8/1b4K1/3R4 w - - 0 1"),
            ("far from its king", "8/8/8/7k/8/8/1n5K/R7 w - - 0 1", "8/8/8/7k/5n2/8/7K/R7 w - - 0 1"),
        ] {
            assert!(strong_value(better) > strong_value(worse), "{rule}: {better} before {worse}");
        }
    }
}
