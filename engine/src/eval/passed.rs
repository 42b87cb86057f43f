//! Passed pawns: the path before them, and the kings.
//!
//! The parts (free path, safe step, blockade, distances of the kings) are those of textbooks on endgame
//! evaluation. The rook behind the pawn is Siegbert Tarrasch's rule; weighing each by rank is Stockfish's.
//! The value of being passed is in `pawns`, the race against a lone king in `race`.

#![allow(clippy::inline_always, reason = "only inlined code is compiled for the processor of its caller")]

use super::attack_map::AttackMap;
use super::sink::{Term, TermSink};
use super::spans::{ahead, distance, fill, front, rank_of};
use super::weights::{self, units};
use crate::side::Side;
use crate::{Bitboard, Board, Role, Square};

/// Adds the terms of one side's passed pawns.
#[inline(always)]
pub(super) fn enter<S: Side, K: TermSink>(
    board: &Board,
    kings: [Square; 2],
    passed: Bitboard,
    map: &AttackMap,
    sink: &mut K,
) {
    for pawn in passed & board.color(S::US) {
        way::<S, K>(board, pawn, map, sink);
        escort::<S, K>(kings, pawn, sink);
    }
}

/// Whether the path is blocked, attacked or free.
fn way<S: Side, K: TermSink>(board: &Board, pawn: Square, map: &AttackMap, sink: &mut K) {
    let rank = rank_of::<S>(pawn);
    let path = front::<S>(pawn.into());
    let stop = ahead::<S>(pawn.into());
    let mut add = |weight, holds: bool| {
        if holds {
            sink.add(Term::Passed, S::US, weight, 1);
        }
    };
    add(&weights::PASSED_BLOCKED[rank], !stop.is_disjoint(board.color(S::THEM)));
    add(&weights::PASSED_FREE[rank], path.is_disjoint(board.occupied()));
    add(&weights::PASSED_SAFE_STEP[rank], stop.is_disjoint(map.of::<S::Them>().all | board.occupied()));
    let behind = fill::<S::Them>(pawn.into()) & board.pieces(S::US, Role::Rook);
    add(&weights::ROOK_BEHIND_PASSED, behind.any());
}

/// The distances of the kings from the square before the pawn.
fn escort<S: Side, K: TermSink>(kings: [Square; 2], pawn: Square, sink: &mut K) {
    let rank = rank_of::<S>(pawn);
    let Some(stop) = ahead::<S>(pawn.into()).first() else { return };
    let steps = |king: Square| distance(king, stop).min(units::FAR.unsigned_abs());
    sink.add(Term::Passed, S::US, &weights::PASSED_OWN_KING[rank], steps(kings[S::US.index()]));
    sink.add(Term::Passed, S::US, &weights::PASSED_ENEMY_KING[rank], steps(kings[S::THEM.index()]));
}
