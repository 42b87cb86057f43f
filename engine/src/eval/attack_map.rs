//! Who attacks what: filled in one walk over the pieces, read by king safety and threats.
//!
//! Knows no weights.

use super::spans::{double_pawn_attacks, pawn_attacks};
use crate::side::{Black, Side, White};
use crate::{Bitboard, Board, Role, Square, attacks};

/// What one side attacks. Sliders see through their own like, as in Stockfish: rooks through rooks and queens, bishops
/// through queens.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Attacked {
    /// By each role.
    pub(super) by: [Bitboard; 6],
    /// By any.
    pub(super) all: Bitboard,
    /// By two or more.
    pub(super) twice: Bitboard,
    /// How many pieces attack the enemy king's zone, by role.
    pub(super) zone_attackers: [u8; 6],
    /// How many attacks there are on the squares next to the enemy's king.
    pub(super) king_attacks: u32,
}

/// What both sides attack.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct AttackMap {
    sides: [Attacked; 2],
    /// The squares about each side's king that its enemy's pieces are counted on.
    zones: [Bitboard; 2],
    /// The squares next to each side's king.
    neighbours: [Bitboard; 2],
}

impl AttackMap {
    /// With the attacks of pawns and kings; pieces are to follow.
    pub(super) fn new(board: &Board, kings: [Square; 2]) -> Self {
        let mut map = Self::default();
        map.start::<White>(board, kings[White::US.index()]);
        map.start::<Black>(board, kings[Black::US.index()]);
        map
    }

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

    /// Enters what a piece attacks.
    #[inline]
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

    /// What the side attacks.
    #[inline]
    pub(super) fn of<S: Side>(&self) -> &Attacked {
        &self.sides[S::US.index()]
    }

    /// The squares about the side's king.
    #[inline]
    pub(super) fn zone<S: Side>(&self) -> Bitboard {
        self.zones[S::US.index()]
    }
}

/// The king's square and its neighbours; on an edge as if it stood one step from it, so that zones are alike in size.
fn zone(king: Square) -> Bitboard {
    let inner = |line: usize| line.clamp(1, 6);
    let centre = Square::from_index(8 * inner(king.rank().index()) + inner(king.file().index()));
    attacks::king(centre).with(centre) | attacks::king(king).with(king)
}
