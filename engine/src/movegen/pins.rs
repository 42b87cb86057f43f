//! Checkers and pins of the king.

use crate::side::Side;
use crate::{Bitboard, Board, Role, Square, attacks};

/// Checkers and pins of the king of the side to move.
///
/// A pin is the line from the king (excluded) to the pinning piece (included). If the only piece in between
/// is an enemy piece, the line is in the set too. This is harmless: the line holds no piece of the side to
/// move, and lines around one king are never a single step of a rook, a bishop or a pawn apart.
pub(super) struct Pins {
    pub(super) checkers: Bitboard,
    /// Pins along files and ranks.
    pub(super) straight: Bitboard,
    /// Pins along diagonals.
    pub(super) diagonal: Bitboard,
}

impl Pins {
    #[inline(always)]
    pub(super) fn new<S: Side>(board: &Board, king: Square) -> Self {
        let (them, occupied) = (board.color(S::THEM), board.occupied());
        let leapers = attacks::pawn(S::US, king) & board.role(Role::Pawn)
            | attacks::knight(king) & board.role(Role::Knight);
        let mut checkers = leapers & them;
        let mut pins = |snipers: Bitboard| {
            let mut pins = Bitboard::EMPTY;
            for sniper in snipers & them {
                let way = attacks::between(king, sniper);
                let blockers = way & occupied;
                if blockers.is_empty() {
                    checkers |= sniper.into();
                } else if !blockers.many() {
                    pins |= way.with(sniper);
                }
            }
            pins
        };
        let queens = board.role(Role::Queen);
        let straight = pins(attacks::rook_lines(king) & (board.role(Role::Rook) | queens));
        let diagonal = pins(attacks::bishop_lines(king) & (board.role(Role::Bishop) | queens));
        Self { checkers, straight, diagonal }
    }
}
