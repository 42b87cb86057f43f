//! Factors that scale down an advantage that is hard to win. A yes means that White does not win.

use shakmaty::{Bitboard, Color, Role};

use super::heuristic::{Claimed, EvaluatedPosition, Heuristic};

pub(super) const ALL: &[Heuristic] = &[
    Heuristic::says(
        "pawnless minors (printed)",
        &["KNvK", "KBvK", "KNNvK", "KBBvK", "KBNvK"],
        Claimed::NoWin,
        |seen| Some(pawnless_minors(seen)),
    ),
    Heuristic::says("opposite bishops (printed)", &["KBvKB"], Claimed::Draw, |seen| {
        Some(opposite_bishops(seen))
    }),
    Heuristic::says("scale (engine)", &["KBvKB", "KRvKR", "KQvKQ"], Claimed::Draw, |seen| {
        Some(seen.explained()?.scales.endgame <= HARDLY)
    }),
];

/// Up to this many 64ths, our evaluation counts an advantage as hard to win.
const HARDLY: u8 = 24;

/// A specimen, from a textbook chapter: a side without pawns, rooks and queens keeps a quarter of its
/// advantage.
fn pawnless_minors(seen: &EvaluatedPosition) -> bool {
    let white = seen.board().by_color(Color::White);
    let winning = [Role::Pawn, Role::Rook, Role::Queen];
    winning.into_iter().all(|role| (white & seen.board().by_role(role)).is_empty())
}

/// A specimen, from the same chapter: with bishops of opposite colours, the advantage keeps three quarters.
fn opposite_bishops(seen: &EvaluatedPosition) -> bool {
    (seen.board().bishops() & Bitboard::LIGHT_SQUARES).count() == 1
}
