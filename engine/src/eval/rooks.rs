//! Rooks on files without own pawns, and on the seventh rank.
//!
//! Textbook rules since Nimzowitsch's "My System" (1925).

#![allow(clippy::inline_always, reason = "only inlined code is compiled for the processor of its caller")]

use super::sink::{Term, TermSink};
use super::spans::files;
use super::weights;
use crate::side::Side;
use crate::{Bitboard, Board, Rank, Role, Square};

/// Adds the terms of one side's rooks.
#[inline(always)]
pub(super) fn enter<S: Side, K: TermSink>(board: &Board, enemy_king: Square, sink: &mut K) {
    let rooks = board.pieces(S::US, Role::Rook);
    if rooks.is_empty() {
        return;
    }
    let theirs = board.pieces(S::THEM, Role::Pawn);
    let without_ours = rooks & !files::<S>(board.pieces(S::US, Role::Pawn));
    let open = without_ours & !files::<S>(theirs);
    sink.add(Term::Rooks, S::US, &weights::ROOK_OPEN_FILE, open.count());
    sink.add(Term::Rooks, S::US, &weights::ROOK_HALF_OPEN_FILE, (without_ours & !open).count());

    // Only with pawns to attack there, or a king on the last rank.
    let seventh = Bitboard::rank(Rank::Seventh.relative_to(S::US));
    if !theirs.is_disjoint(seventh) || S::LAST_RANK.contains(enemy_king) {
        sink.add(Term::Rooks, S::US, &weights::ROOK_ON_SEVENTH, (rooks & seventh).count());
    }
}
