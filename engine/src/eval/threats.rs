//! Threats: pieces attacked by lesser pieces, or attacked and not defended.
//!
//! The parts and their names follow Stockfish.

#![allow(clippy::inline_always, reason = "only inlined code is compiled for the processor of its caller")]

use super::attack_map::AttackMap;
use super::sink::{Term, TermSink};
use super::spans::{ahead, pawn_attacks};
use super::tapered::Tapered;
use super::weights;
use crate::side::Side;
use crate::{Bitboard, Board, Rank, Role};

/// Adds the threats of one side.
#[inline(always)]
pub(super) fn enter<S: Side, K: TermSink>(board: &Board, map: &AttackMap, sink: &mut K) {
    by_pawns::<S, K>(board, map, sink);
    let (ours, enemy) = (map.of::<S>(), map.of::<S::Them>());
    let men = board.color(S::THEM) & !board.role(Role::King);
    // Strongly defended: by a pawn, or twice while attacked once.
    let held = enemy.by[Role::Pawn.index()] | enemy.twice & !ours.twice;
    let poorly_held = men & !held;
    let pieces = men & !board.role(Role::Pawn);

    let minors = ours.by[Role::Knight.index()] | ours.by[Role::Bishop.index()];
    by_role::<S, K>(board, minors & (poorly_held | pieces), &weights::THREAT_BY_MINOR, sink);
    by_role::<S, K>(board, ours.by[Role::Rook.index()] & poorly_held, &weights::THREAT_BY_ROOK, sink);

    let by_king = ours.by[Role::King.index()] & poorly_held;
    sink.add(Term::Threats, S::US, &weights::THREAT_BY_KING, u32::from(by_king.any()));

    let hanging = poorly_held & ours.all & (!enemy.all | pieces & ours.twice);
    sink.add(Term::Threats, S::US, &weights::HANGING, hanging.count());
}

/// Pieces attacked by pawns, now or after a safe step.
#[inline(always)]
fn by_pawns<S: Side, K: TermSink>(board: &Board, map: &AttackMap, sink: &mut K) {
    let (ours, enemy) = (map.of::<S>(), map.of::<S::Them>());
    let pieces = board.color(S::THEM) & !board.role(Role::Pawn) & !board.role(Role::King);
    let attacked = pieces & ours.by[Role::Pawn.index()];
    sink.add(Term::Threats, S::US, &weights::THREAT_BY_PAWN, attacked.count());

    let free = !board.occupied();
    let once = ahead::<S>(board.pieces(S::US, Role::Pawn)) & free;
    let steps = once | ahead::<S>(once & Bitboard::rank(Rank::Third.relative_to(S::US))) & free;
    let safe = steps & !enemy.by[Role::Pawn.index()] & (ours.all | !enemy.all);
    let pushed = pawn_attacks::<S>(safe) & pieces & !attacked;
    sink.add(Term::Threats, S::US, &weights::THREAT_BY_PUSH, pushed.count());
}

#[inline(always)]
fn by_role<S: Side, K: TermSink>(
    board: &Board,
    attacked: Bitboard,
    table: &'static [Tapered; 5],
    sink: &mut K,
) {
    for (weight, role) in table.iter().zip(Role::ALL) {
        sink.add(Term::Threats, S::US, weight, (attacked & board.role(role)).count());
    }
}
