//! The attack map: filled in one pass over the pieces, used by king safety and threats.
//!
//! Knows no weights.

#![allow(clippy::inline_always, reason = "only inlined code is compiled for the processor of its caller")]

use super::spans::{double_pawn_attacks, pawn_attacks};
use crate::side::{Black, Side, White};
use crate::{Bitboard, Board, Role, Square, attacks};

/// The attacks of one side. As in Stockfish, sliders see through pieces of their own kind: rooks through
/// rooks and queens, bishops through queens.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Attacked {
    /// By role.
    pub(super) by: [Bitboard; 6],
    /// By any piece.
    pub(super) all: Bitboard,
    /// By two or more pieces.
    pub(super) twice: Bitboard,
    /// The number of pieces that attack the enemy king's zone, by role.
    pub(super) zone_attackers: [u8; 6],
    /// The number of attacks on squares next to the enemy king.
    pub(super) king_attacks: u32,
}

/// The attacks of both sides.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct AttackMap {
    sides: [Attacked; 2],
    /// The zone of each king.
    zones: [Bitboard; 2],
    /// The squares next to each king.
    neighbours: [Bitboard; 2],
}

impl AttackMap {
    /// Starts with the attacks of pawns and kings; pieces are added by [`AttackMap::enter`].
    #[inline(always)]
    pub(super) fn new(board: &Board, kings: [Square; 2]) -> Self {
        let mut map = Self::default();
        map.start::<White>(board, kings[<White>::US.index()]);
        map.start::<Black>(board, kings[<Black>::US.index()]);
        map
    }

    #[inline(always)]
    fn start<S: Side>(&mut self, board: &Board, king: Square) {
        let us = S::US.index();
        self.zones[us] = zone(king);
        self.neighbours[us] = attacks::king(king);
        let pawns = board.pieces(S::US, Role::Pawn);
        let (by_pawns, by_king) = (pawn_attacks::<S>(pawns), attacks::king(king));
        let side = &mut self.sides[us];
        side.by[Role::Pawn.index()] = by_pawns;
        side.by[Role::King.index()] = by_king;
        side.all = by_pawns | by_king;
        side.twice = double_pawn_attacks::<S>(pawns) | by_pawns & by_king;
    }

    /// Adds the attacks of a piece.
    #[inline(always)]
    pub(super) fn enter<S: Side>(&mut self, role: Role, attacked: Bitboard) {
        let zone = self.zones[S::THEM.index()];
        let near = self.neighbours[S::THEM.index()];
        let side = &mut self.sides[S::US.index()];
        side.twice |= side.all & attacked;
        side.all |= attacked;
        side.by[role.index()] |= attacked;
        if !attacked.is_disjoint(zone) {
            side.zone_attackers[role.index()] += 1;
            side.king_attacks += (attacked & near).count();
        }
    }

    /// The attacks of a side.
    #[inline]
    pub(super) fn of<S: Side>(&self) -> &Attacked {
        &self.sides[S::US.index()]
    }

    /// The zone of a side's king.
    #[inline]
    pub(super) fn zone<S: Side>(&self) -> Bitboard {
        self.zones[S::US.index()]
    }
}

/// The king's zone: its square and the neighbours, shifted one step inwards on an edge so that all zones have
/// equal size.
fn zone(king: Square) -> Bitboard {
    let inner = |line: usize| line.clamp(1, 6);
    let centre = Square::from_index(8 * inner(king.rank().index()) + inner(king.file().index()));
    attacks::king(centre).with(centre) | attacks::king(king).with(king)
}
