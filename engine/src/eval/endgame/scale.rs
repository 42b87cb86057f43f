//! How much of an advantage counts, by rules that hold for many materials.
//!
//! That a side without pawns hardly wins when it is less than a rook ahead, and that bishops of opposite colours draw
//! pawn endings and help the attack otherwise, every primer says (Fine, Basic Chess Endings); as factors on the
//! evaluation they stand in a textbook chapter on endgame evaluation, and in Glaurung and Stockfish (Tord Romstad). Knows
//! no single materials: those have entries.

use super::Scale;
use super::minor::{is_light, is_wrong_rook_pawn};
use super::view::{View, only};
use crate::{Bitboard, Color, Position, Role};

/// What the pieces are worth here, in pawns: a minor 3, so that two minors against a rook are "a minor ahead" at most.
const WORTH: [(Role, u32); 4] = [(Role::Knight, 3), (Role::Bishop, 3), (Role::Rook, 5), (Role::Queen, 9)];

/// Equal pieces and no pawns.
pub(super) fn drawn(_view: &View) -> Scale {
    Scale(8)
}

/// A minor piece more and no pawns.
pub(super) fn hardly(_view: &View) -> Scale {
    Scale(14)
}

/// How much of the advantage of `strong` counts, by rules that hold for many materials: no pawns left, bishops of
/// opposite colours, a rook's pawn that the bishop cannot help.
pub(crate) fn scale(position: &Position, strong: Color) -> Scale {
    let board = position.board();
    let without_pawns = board.pieces(strong, Role::Pawn).is_empty();
    let bishops = board.role(Role::Bishop);
    let one_each = Color::ALL.iter().all(|&color| (bishops & board.color(color)).count() == 1);
    if !without_pawns && bishops.is_empty() {
        return Scale::FULL;
    }
    let view = View::new(position, strong);
    if without_pawns {
        return pawnless(&view);
    }
    if is_wrong_rook_pawn(&view) {
        return Scale::NONE;
    }
    if one_each { opposite_bishops(&view) } else { Scale::FULL }
}

/// A side without pawns, by how much more it has in pieces.
fn pawnless(view: &View) -> Scale {
    let (ours, theirs) = (worth(view, Color::White), worth(view, Color::Black));
    let two_knights = ours == 6 && view.strong(Role::Knight).count() == 2;
    if ours <= 3 || two_knights && theirs == 0 {
        return Scale::NONE;
    }
    match ours.saturating_sub(theirs) {
        0..=2 => Scale(8),
        3 => Scale(14),
        4 => Scale(24),
        5 if theirs > 0 => Scale(44),
        _ => Scale::FULL,
    }
}

/// Pieces of a side, in pawns.
fn worth(view: &View, color: Color) -> u32 {
    WORTH.iter().map(|&(role, worth)| view.board().pieces(color, role).count() * worth).sum()
}

/// One bishop each, of opposite colours: alone with pawns the draw is near, with other pieces less so.
fn opposite_bishops(view: &View) -> Scale {
    let (ours, theirs) = (view.strong(Role::Bishop), view.weak(Role::Bishop));
    if is_light(only(ours)) == is_light(only(theirs)) {
        return Scale::FULL;
    }
    let pieces = view.occupied() & !view.board().role(Role::Pawn) & !view.board().role(Role::King);
    if pieces == ours | theirs {
        let ahead = extra_pawns(view).min(4);
        return Scale(16 + 8 * ahead);
    }
    Scale(48)
}

/// How many more pawns the stronger side has.
fn extra_pawns(view: &View) -> u8 {
    let count = |pawns: Bitboard| pawns.count() as u8;
    count(view.strong(Role::Pawn)).saturating_sub(count(view.weak(Role::Pawn)))
}
