//! What decides the moves of a king, its castling, and the pins of its men.

use crate::castling::CastlingSide;
use crate::side::Side;
use crate::state::State;
use crate::{Bitboard, Role, Square, attacks};

/// What the side to move attacks or pins around the other king, where that decides replies.
pub(super) struct Watched {
    /// For each role, the squares from which a piece attacks a square that the king may enter or pass, gives
    /// check or pins.
    pub(super) from: [Bitboard; 6],
    /// The squares on which one man more or fewer opens or closes a line of a bishop, rook or queen to one of these, or makes or ends a check
    /// or a pin. The back rank too, if the king may castle: a man on it may stand in the way.
    pub(super) lines: Bitboard,
    /// The men of the other side that are pinned, and those of side `S` that would give check if they moved.
    pub(super) pinned: Bitboard,
}

impl Watched {
    /// Around the king of the enemy of side `S`.
    #[inline(always)]
    pub(super) fn new<S: Side>(state: &State, king: Square) -> Self {
        let board = &state.board;
        let (us, them) = (board.color(S::US), board.color(S::THEM));
        let occupied = us | them;
        let queens = board.role(Role::Queen);
        let straight = us & (board.role(Role::Rook) | queens);
        let diagonal = us & (board.role(Role::Bishop) | queens);

        let mut entered = attacks::king(king) & !them;
        let (mut lines, mut pinned) = (Bitboard::EMPTY, Bitboard::EMPTY);
        let rooks = state.castling.rooks_of(S::THEM);
        if rooks.any() {
            lines |= S::Them::BACK_RANK;
        }
        for rook in rooks {
            if attacks::between(king, rook).is_disjoint(occupied) {
                let king_to = CastlingSide::from_squares(king, rook).king_target(S::THEM);
                entered |= attacks::between(king, king_to).with(king_to);
            }
        }

        // If one of two men between leaves, the other one is pinned. Of three, two remain.
        for sniper in attacks::rook_lines(king) & straight | attacks::bishop_lines(king) & diagonal {
            let between = attacks::between(king, sniper);
            let men = between & occupied;
            if men.count() <= 2 {
                lines |= between;
            }
            if !men.many() {
                pinned |= men;
            }
        }
        let behind = |near: Bitboard| occupied & !near;
        let mut by_rook = attacks::rook_on::<S::Processor>(king, occupied);
        by_rook |= attacks::rook_on::<S::Processor>(king, behind(by_rook));
        let mut by_bishop = attacks::bishop_on::<S::Processor>(king, occupied);
        by_bishop |= attacks::bishop_on::<S::Processor>(king, behind(by_bishop));
        let mut by_pawn = attacks::pawn(S::THEM, king);
        let mut by_knight = attacks::knight(king);
        let mut by_king = Bitboard::EMPTY;

        let (mut files_and_ranks, mut diagonals) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for sniper in straight {
            files_and_ranks |= attacks::rook_on::<S::Processor>(sniper, occupied);
        }
        for sniper in diagonal {
            diagonals |= attacks::bishop_on::<S::Processor>(sniper, occupied);
        }
        for square in entered {
            let straight_to = attacks::rook_on::<S::Processor>(square, occupied);
            let diagonal_to = attacks::bishop_on::<S::Processor>(square, occupied);
            by_rook |= straight_to;
            by_bishop |= diagonal_to;
            by_pawn |= attacks::pawn(S::THEM, square);
            by_knight |= attacks::knight(square);
            by_king |= attacks::king(square);
            // A man that both the slider and the square see is the only one between them; an empty square lies on an open line.
            lines |= straight_to & files_and_ranks | diagonal_to & diagonals;
        }
        Self { from: [by_pawn, by_knight, by_bishop, by_rook, by_rook | by_bishop, by_king], lines, pinned }
    }
}
