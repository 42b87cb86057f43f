//! Knights and bishops: bishop pair, outposts, bad bishops.
//!
//! The bishop pair is weighed as in Larry Kaufman's "The Evaluation of Material Imbalances" (1999); outposts
//! are Aron Nimzowitsch's; bad bishops are in every textbook.

#![allow(clippy::inline_always, reason = "only inlined code is compiled for the processor of its caller")]

use super::sink::{Term, TermSink};
use super::spans::{fill, pawn_attacks};
use super::weights;
use crate::side::Side;
use crate::{Bitboard, Board, Rank, Role};

/// Adds the terms of one side's minor pieces.
#[inline(always)]
pub(super) fn enter<S: Side, K: TermSink>(board: &Board, sink: &mut K) {
    let ours = board.pieces(S::US, Role::Pawn);
    let knights = board.pieces(S::US, Role::Knight);
    let bishops = board.pieces(S::US, Role::Bishop);
    let light = Bitboard::LIGHT_SQUARES;
    if !bishops.is_disjoint(light) && !bishops.is_disjoint(!light) {
        sink.add(Term::Minors, S::US, &weights::BISHOP_PAIR, 1);
    }
    let posts = outposts::<S>(ours, board.pieces(S::THEM, Role::Pawn));
    sink.add(Term::Minors, S::US, &weights::KNIGHT_OUTPOST, (knights & posts).count());
    sink.add(Term::Minors, S::US, &weights::BISHOP_OUTPOST, (bishops & posts).count());
    for color in [light, !light] {
        let pawns = (bishops & color).count() * (ours & color).count();
        sink.add(Term::Minors, S::US, &weights::BISHOP_PAWNS, pawns);
    }
}

/// Outpost squares: on the fourth to sixth rank, defended by a pawn, and safe from enemy pawns for good.
#[inline]
fn outposts<S: Side>(ours: Bitboard, theirs: Bitboard) -> Bitboard {
    let rank = |rank: Rank| Bitboard::rank(rank.relative_to(S::US));
    let ranks = rank(Rank::Fourth) | rank(Rank::Fifth) | rank(Rank::Sixth);
    let attackable = fill::<S::Them>(pawn_attacks::<S::Them>(theirs));
    ranks & pawn_attacks::<S>(ours) & !attackable
}
