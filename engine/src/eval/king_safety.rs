//! King safety: attacks near the king, weighed together.
//!
//! Attack units select an entry of a growing table, as described on the Chess Programming Wiki ("King
//! Safety", after Stockfish's earliest form). The units of each attack follow Stockfish 10 and stand in
//! [`weights::units`]; they are not centipawns but an index into [`weights::KING_DANGER`].

#![allow(clippy::inline_always, reason = "only inlined code is compiled for the processor of its caller")]

use super::attack_map::AttackMap;
use super::sink::{Term, TermSink};
use super::weights::{self, units};
use crate::side::Side;
use crate::{Bitboard, Board, Role, Square, attacks};

/// Adds the danger to one side's king.
#[inline(always)]
pub(super) fn enter<S: Side, K: TermSink>(board: &Board, king: Square, map: &AttackMap, sink: &mut K) {
    let enemy = map.of::<S::Them>();
    let attackers: u8 = enemy.zone_attackers.iter().sum();
    let queens = board.pieces(S::THEM, Role::Queen);
    if u32::from(attackers) + queens.count() < 2 {
        return;
    }
    let weight: i32 =
        enemy.zone_attackers.iter().zip(units::ATTACKER).map(|(&n, each)| i32::from(n) * each).sum();
    let weak = weak_squares::<S>(map);
    let mut danger = i32::from(attackers) * weight
        + enemy.king_attacks.cast_signed() * units::ADJACENT
        + (map.zone::<S>() & weak).count().cast_signed() * units::WEAK
        + checks::<S>(board, king, map, weak)
        - units::CALM;
    if queens.is_empty() {
        danger -= units::NO_QUEEN;
    }
    let entry = (danger / units::TO_AN_ENTRY).max(0).unsigned_abs() as usize;
    let last = weights::KING_DANGER.len() - 1;
    sink.add(Term::KingSafety, S::US, &weights::KING_DANGER[entry.min(last)], 1);
}

/// Attacked squares of the zone that only the king or the queen defends, and not twice.
#[inline]
fn weak_squares<S: Side>(map: &AttackMap) -> Bitboard {
    let (ours, enemy) = (map.of::<S>(), map.of::<S::Them>());
    let poorly = ours.by[Role::King.index()] | ours.by[Role::Queen.index()] | !ours.all;
    enemy.all & !ours.twice & poorly
}

/// Units for the safe and unsafe checks of the enemy.
#[inline(always)]
fn checks<S: Side>(board: &Board, king: Square, map: &AttackMap, weak: Bitboard) -> i32 {
    let (ours, enemy) = (map.of::<S>(), map.of::<S::Them>());
    let safe = !board.color(S::THEM) & (!ours.all | weak & enemy.twice);
    let transparent = board.occupied() & !board.pieces(S::US, Role::Queen);
    let on_lines = attacks::rook(king, transparent);
    let on_diagonals = attacks::bishop(king, transparent);
    let from = [
        (Role::Knight, attacks::knight(king)),
        (Role::Bishop, on_diagonals),
        (Role::Rook, on_lines),
        (Role::Queen, on_lines | on_diagonals),
    ];
    let mut sum = 0;
    let mut unsafe_from = Bitboard::EMPTY;
    for (role, lines) in from {
        let checks = lines & enemy.by[role.index()] & !board.color(S::THEM);
        if checks.is_disjoint(safe) {
            unsafe_from |= checks;
        } else {
            sum += units::SAFE_CHECK[role.index()];
        }
    }
    sum + unsafe_from.count().cast_signed() * units::UNSAFE_CHECK
}
