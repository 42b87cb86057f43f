//! Material and piece-square tables.
//!
//! The tapered tables tuned on games are those of Ronald Friederich's `PeSTO` (2017). The endgame half of the
//! king's table centralises the king.

#![allow(clippy::inline_always, reason = "only inlined code is compiled for the processor of its caller")]

use super::EvalOptions;
use super::sink::{Term, TermSink};
use super::tapered::Tapered;
use super::weights;
use crate::side::Side;
use crate::{Board, Color, Role, Square};

/// Adds the material and piece-square values of one side.
#[inline(always)]
pub(super) fn enter<S: Side, K: TermSink>(board: &Board, options: EvalOptions, sink: &mut K) {
    role::<S, K>(board, Role::Pawn, &weights::PAWN, &weights::PAWN_SQUARES, sink);
    role::<S, K>(board, Role::Knight, &weights::KNIGHT, &weights::KNIGHT_SQUARES, sink);
    role::<S, K>(board, Role::Bishop, &weights::BISHOP, &weights::BISHOP_SQUARES, sink);
    role::<S, K>(board, Role::Rook, &weights::ROOK, &weights::ROOK_SQUARES, sink);
    role::<S, K>(board, Role::Queen, &weights::QUEEN, &weights::QUEEN_SQUARES, sink);
    if options.king_tables {
        squares::<S, K>(board, Role::King, &weights::KING_SQUARES, sink);
    }
}

#[inline(always)]
fn role<S: Side, K: TermSink>(
    board: &Board,
    role: Role,
    worth: &'static Tapered,
    table: &'static [Tapered; 32],
    sink: &mut K,
) {
    sink.add(Term::Material, S::US, worth, board.pieces(S::US, role).count());
    squares::<S, K>(board, role, table, sink);
}

#[inline(always)]
fn squares<S: Side, K: TermSink>(board: &Board, role: Role, table: &'static [Tapered; 32], sink: &mut K) {
    for square in board.pieces(S::US, role) {
        sink.add(Term::PieceSquares, S::US, &table[entry(S::US, square)], 1);
    }
}

/// The index of a square in a table: the eighth rank first, files a to d; files e to h are mirrored.
#[inline(always)]
fn entry(color: Color, square: Square) -> usize {
    let file = square.file().index();
    let rank = 7 - square.relative_to(color).rank().index();
    4 * rank + file.min(7 - file)
}
