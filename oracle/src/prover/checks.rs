//! Finds moves that mate at once: only moves that give check are played.

use shakmaty::{Bitboard, Chess, Move, Position, Role, Square, attacks};

use crate::board;

/// The squares from which each role would give check, and the men that can give a discovered check.
pub(super) struct CheckSquares {
    king: Square,
    by_role: [Bitboard; 5],
    uncovering: Bitboard,
}

impl CheckSquares {
    /// For the side to move.
    pub(super) fn from_position(position: &Chess) -> Option<Self> {
        let board = position.board();
        let us = position.us();
        let king = board.king_of(!position.turn())?;
        let occupied = board.occupied();
        let (rook, bishop) = (attacks::rook_attacks(king, occupied), attacks::bishop_attacks(king, occupied));
        let by_role = [
            attacks::pawn_attacks(!position.turn(), king),
            attacks::knight_attacks(king),
            bishop,
            rook,
            rook | bishop,
        ];
        // Sliders behind the first men around the king give a discovered check when these men move away.
        let mut uncovering = Bitboard::EMPTY;
        let behind = occupied ^ (occupied & (rook | bishop));
        let straight = attacks::rook_attacks(king, behind) & board.rooks_and_queens();
        let diagonal = attacks::bishop_attacks(king, behind) & board.bishops_and_queens();
        for slider in (straight | diagonal) & us {
            let between = attacks::between(king, slider) & occupied;
            if between.count() == 1 {
                uncovering |= between & us;
            }
        }
        Some(Self { king, by_role, uncovering })
    }

    /// Whether a legal move gives check. Castling, en passant and promotions are played to find out.
    pub(super) fn gives_check(&self, position: &Chess, mv: Move) -> bool {
        let Move::Normal { role, from, to, promotion: None, .. } = mv else {
            return board::after(position, mv).is_check();
        };
        let direct = role != Role::King && self.by_role[role as usize - 1].contains(to);
        direct || (self.uncovering.contains(from) && !attacks::aligned(self.king, from, to))
    }
}
