//! Pawn fills and spans: front spans, files, attack spans.
//!
//! As described by Gerd Isenberg on the Chess Programming Wiki. Knows directions; no pieces.

use crate::side::{Side, shift};
use crate::{Bitboard, File, Square};

const NOT_A: Bitboard = Bitboard(!Bitboard::file(File::A).0);
const NOT_H: Bitboard = Bitboard(!Bitboard::file(File::H).0);

/// The squares one step forward.
#[inline]
pub(super) fn ahead<S: Side>(squares: Bitboard) -> Bitboard {
    shift(squares, S::FORWARD)
}

/// The neighbours on the same rank.
#[inline]
pub(super) fn beside(squares: Bitboard) -> Bitboard {
    Bitboard((squares & NOT_A).0 >> 1 | (squares & NOT_H).0 << 1)
}

/// The squares attacked by pawns on these.
#[inline]
pub(super) fn pawn_attacks<S: Side>(pawns: Bitboard) -> Bitboard {
    beside(ahead::<S>(pawns))
}

/// The squares attacked by two pawns on these.
#[inline]
pub(super) fn double_pawn_attacks<S: Side>(pawns: Bitboard) -> Bitboard {
    let stops = ahead::<S>(pawns);
    Bitboard((stops & NOT_A).0 >> 1 & (stops & NOT_H).0 << 1)
}

/// These squares and all squares before them on their files (Kogge-Stone fill).
#[inline]
pub(super) fn fill<S: Side>(squares: Bitboard) -> Bitboard {
    let mut filled = squares;
    for steps in [1, 2, 4] {
        filled |= shift(filled, steps * S::FORWARD);
    }
    filled
}

/// All squares before these, on their files.
#[inline]
pub(super) fn front<S: Side>(squares: Bitboard) -> Bitboard {
    fill::<S>(ahead::<S>(squares))
}

/// All squares of the files of these.
#[inline]
pub(super) fn files<S: Side>(squares: Bitboard) -> Bitboard {
    fill::<S>(squares) | fill::<S::Them>(squares)
}

/// The king's distance between two squares on an empty board.
#[inline]
pub(super) fn distance(a: Square, b: Square) -> u32 {
    let files = a.file().index().abs_diff(b.file().index());
    files.max(a.rank().index().abs_diff(b.rank().index())) as u32
}

/// The rank as seen by the side: 0 for its first rank.
#[inline]
pub(super) fn rank_of<S: Side>(square: Square) -> usize {
    square.rank().relative_to(S::US).index()
}
