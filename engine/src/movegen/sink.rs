//! Receivers of generated moves.

use crate::side::back;
use crate::{Bitboard, Move, MoveList, Role, Square};

/// Receives legal moves from the generator, as target sets where possible.
pub(crate) trait MoveSink {
    /// Moves of one piece other than a pawn, to empty squares or captures.
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard);
    /// Pawn moves by the same step; no promotions, no en passant.
    fn pawns(&mut self, targets: Bitboard, step: i8);
    /// Promotions by the same step: each target stands for four moves.
    fn promotions(&mut self, targets: Bitboard, step: i8);
    /// One en passant capture.
    fn en_passant(&mut self, from: Square, to: Square);
    /// Castling of the king with the rook.
    fn castling(&mut self, king: Square, rook: Square);
}

impl MoveSink for MoveList {
    #[inline(always)]
    fn piece(&mut self, _role: Role, from: Square, targets: Bitboard) {
        for to in targets {
            self.push(Move::new(from, to));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, step: i8) {
        for to in targets {
            self.push(Move::new(back(to, step), to));
        }
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, step: i8) {
        for to in targets {
            for role in Role::PROMOTIONS {
                self.push(Move::promoting(back(to, step), to, role));
            }
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.push(Move::new(from, to));
    }

    #[inline(always)]
    fn castling(&mut self, king: Square, rook: Square) {
        self.push(Move::new(king, rook));
    }
}

/// Counts moves without making any.
#[derive(Default)]
pub(crate) struct MoveCounter(pub(crate) u64);

impl MoveSink for MoveCounter {
    #[inline(always)]
    fn piece(&mut self, _role: Role, _from: Square, targets: Bitboard) {
        self.0 += u64::from(targets.count());
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, _step: i8) {
        self.0 += u64::from(targets.count());
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, _step: i8) {
        self.0 += 4 * u64::from(targets.count());
    }

    #[inline(always)]
    fn en_passant(&mut self, _from: Square, _to: Square) {
        self.0 += 1;
    }

    #[inline(always)]
    fn castling(&mut self, _king: Square, _rook: Square) {
        self.0 += 1;
    }
}

/// Looks for one move without making any.
pub(crate) struct MoveFinder {
    wanted: Move,
    pub(crate) is_found: bool,
}

impl MoveFinder {
    pub(crate) const fn new(wanted: Move) -> Self {
        Self { wanted, is_found: false }
    }

    #[inline(always)]
    fn is_pawn_move(&self, targets: Bitboard, step: i8) -> bool {
        targets.contains(self.wanted.to) && back(self.wanted.to, step) == self.wanted.from
    }
}

impl MoveSink for MoveFinder {
    #[inline(always)]
    fn piece(&mut self, _role: Role, from: Square, targets: Bitboard) {
        let Move { from: wanted, to, promotion } = self.wanted;
        self.is_found |= from == wanted && promotion.is_none() && targets.contains(to);
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, step: i8) {
        self.is_found |= self.wanted.promotion.is_none() && self.is_pawn_move(targets, step);
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, step: i8) {
        let promotes = self.wanted.promotion.is_some_and(|role| Role::PROMOTIONS.contains(&role));
        self.is_found |= promotes && self.is_pawn_move(targets, step);
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.is_found |= self.wanted == Move::new(from, to);
    }

    #[inline(always)]
    fn castling(&mut self, king: Square, rook: Square) {
        self.is_found |= self.wanted == Move::new(king, rook);
    }
}
