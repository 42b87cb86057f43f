//! Mobility, in the one pass over the pieces that also fills the attack map.
//!
//! Counting mobility is Eliot Slater's idea (1950). Excluding squares attacked by enemy pawns, and separate
//! tables for each role and count, are common since Stockfish.

#![allow(clippy::inline_always, reason = "only inlined code is compiled for the processor of its caller")]

use std::marker::PhantomData;

use super::attack_map::AttackMap;
use super::sink::{Term, TermSink};
use super::spans::ahead;
use super::tapered::Tapered;
use super::weights;
use crate::side::Side;
use crate::{Bitboard, Board, Rank, Role, Square, attacks};

/// Adds the mobility and the attacks of one side's pieces.
#[inline(always)]
pub(super) fn enter<S: Side, K: TermSink>(board: &Board, map: &mut AttackMap, sink: &mut K) {
    let safe = safe_squares::<S>(board, map);
    let queens = board.role(Role::Queen);
    let seen_by_bishops = board.occupied() & !queens;
    let seen_by_rooks = seen_by_bishops & !board.pieces(S::US, Role::Rook);
    let mut walk = Walk::<S, K> { board, map, sink, safe, side: PhantomData };
    walk.role(Role::Knight, &weights::KNIGHT_MOBILITY, attacks::knight);
    walk.role(Role::Bishop, &weights::BISHOP_MOBILITY, |from| attacks::bishop(from, seen_by_bishops));
    walk.role(Role::Rook, &weights::ROOK_MOBILITY, |from| attacks::rook(from, seen_by_rooks));
    walk.role(Role::Queen, &weights::QUEEN_MOBILITY, |from| attacks::queen(from, board.occupied()));
}

/// The mobility area: squares not attacked by enemy pawns and not occupied by the own king, or by own pawns
/// that are blocked or on their first square.
#[inline]
fn safe_squares<S: Side>(board: &Board, map: &AttackMap) -> Bitboard {
    let pawns = board.pieces(S::US, Role::Pawn);
    let blocked = ahead::<S::Them>(board.occupied());
    let home =
        Bitboard::rank(Rank::Second.relative_to(S::US)) | Bitboard::rank(Rank::Third.relative_to(S::US));
    let staying = pawns & (blocked | home) | board.pieces(S::US, Role::King);
    !(staying | map.of::<S::Them>().by[Role::Pawn.index()])
}

/// The pass over one side's pieces.
struct Walk<'a, S, K> {
    board: &'a Board,
    map: &'a mut AttackMap,
    sink: &'a mut K,
    safe: Bitboard,
    side: PhantomData<S>,
}

impl<S: Side, K: TermSink> Walk<'_, S, K> {
    #[inline(always)]
    fn role<const N: usize>(
        &mut self,
        role: Role,
        table: &'static [Tapered; N],
        attacked_from: impl Fn(Square) -> Bitboard,
    ) {
        for from in self.board.pieces(S::US, role) {
            let attacked = attacked_from(from);
            self.map.enter::<S>(role, attacked);
            let count = (attacked & self.safe).count() as usize;
            self.sink.add(Term::Mobility, S::US, &table[count.min(N - 1)], 1);
        }
    }
}
