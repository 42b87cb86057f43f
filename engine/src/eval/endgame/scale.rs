//! Scale functions for families of materials.
//!
//! A side without pawns hardly wins with less than a rook more; opposite-coloured bishops draw pawn endings
//! and otherwise help the attack (Fine, Basic Chess Endings). As factors they are in a textbook chapter on
//! endgame evaluation, and in Glaurung and Stockfish (Tord Romstad). Single materials have entries instead.

use super::Scale;
use super::minor::{is_light, is_wrong_rook_pawn};
use super::view::{View, only};
use crate::{Bitboard, Color, Position, Role};

/// Piece values in pawns: a minor piece is 3, so that two minors against a rook are at most "a minor ahead".
const WORTH: [(Role, u32); 4] = [(Role::Knight, 3), (Role::Bishop, 3), (Role::Rook, 5), (Role::Queen, 9)];

/// Equal pieces, no pawns.
pub(super) fn drawn(_view: &View) -> Scale {
    Scale(8)
}

/// A minor piece ahead, no pawns.
pub(super) fn hardly(_view: &View) -> Scale {
    Scale(14)
}

/// The scale for an advantage of `strong`: no pawns left, opposite-coloured bishops, or a rook's pawn with
/// the wrong bishop.
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

/// The scale of a side without pawns, by its advantage in pieces.
fn pawnless(view: &View) -> Scale {
    let (ours, theirs) = (worth(view, Color::White), worth(view, Color::Black));
    let two_knights = ours == 6 && view.strong(Role::Knight).count() == 2;
    if ours <= 3 || two_knights && view.is_bare() {
        return Scale::NONE;
    }
    if two_knights {
        return Scale(8);
    }
    match ours.saturating_sub(theirs) {
        0..=2 => Scale(8),
        3 => Scale(14),
        4 => Scale(24),
        5 if theirs > 0 => Scale(44),
        _ => Scale::FULL,
    }
}

/// The pieces of a side, in pawns.
fn worth(view: &View, color: Color) -> u32 {
    WORTH.iter().map(|&(role, worth)| view.board().pieces(color, role).count() * worth).sum()
}

/// Opposite-coloured bishops: drawish with pawns alone, less so with other pieces.
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

/// The number of extra pawns of the stronger side.
fn extra_pawns(view: &View) -> u8 {
    let count = |pawns: Bitboard| pawns.count() as u8;
    count(view.strong(Role::Pawn)).saturating_sub(count(view.weak(Role::Pawn)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rule: &str, fen: &str, expected: u8) {
        let position = Position::from_fen(fen).unwrap();
        assert_eq!(scale(&position, Color::White), Scale(expected), "{rule}: {fen}");
    }

    #[test]
    fn rules() {
        check("pawns", "r3k3/pppp4/8/8/8/8/PPPP4/R3K2R w - - 0 1", 64);
        check("nothing but a minor", "4k3/pppp4/8/8/8/8/8/2B1K3 w - - 0 1", 0);
        check("two knights", "4k3/8/8/8/8/8/8/1NN1K3 w - - 0 1", 0);
        check("two knights, a pawn against", "4k3/4p3/8/8/8/8/8/1NN1K3 w - - 0 1", 8);
        check("equal pieces", "r3k3/pppp4/8/8/8/8/8/R3K3 w - - 0 1", 8);
        check("a minor more", "r3k3/8/8/8/8/8/8/RN2K3 w - - 0 1", 14);
        check("a queen for a rook", "r3k3/8/8/8/8/8/8/Q3K3 w - - 0 1", 24);
        check("a rook more", "r3k3/8/8/8/8/8/8/R3K2R w - - 0 1", 44);
        check("two minors more", "n3k3/8/8/8/8/8/8/QB2K3 w - - 0 1", 64);
        check("the same bishop", "2b1k3/8/8/8/8/8/P7/3BK3 w - - 0 1", 64);
        check("opposite bishops", "2b1k3/8/8/8/8/8/P7/2B1K3 w - - 0 1", 24);
        check("two pawns more", "2b1k3/8/8/8/8/8/PP6/2B1K3 w - - 0 1", 32);
        check("and rooks", "r1b1k3/8/8/8/8/8/PP6/R1B1K3 w - - 0 1", 48);
        check("two bishops", "1bb1k3/8/8/8/8/8/PP6/2B1K3 w - - 0 1", 64);
        check("wrong rook's pawn", "k7/7p/8/8/8/8/P7/2B1K3 w - - 0 1", 0);
        check("right rook's pawn", "k7/7p/8/8/8/8/P7/3BK3 w - - 0 1", 64);
    }
}
