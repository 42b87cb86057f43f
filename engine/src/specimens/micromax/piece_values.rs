//! Piece values, and the gain of a move, in the specimen's own points.
//!
//! The static score is updated incrementally: each move adds its gain. Values and bonuses are those that H.G.
//! Muller gives for micro-Max 3.2. As in the original, captured pieces keep their centre points, so the score
//! depends a little on the order of moves.

use super::mailbox::Mailbox;
use super::square0x88::{BoardMove, MoveKind, Square0x88};
use crate::{Piece, Role, Square};

/// A score in points; a pawn is 99. The range exceeds that of [`crate::Score`].
pub(super) type Points = i32;

/// The value of a king: the highest score.
pub(super) const INFINITY: Points = 80_000;
/// The value of mate, before the delay is subtracted.
pub(super) const MATE: Points = INFINITY / 2;
/// Scores beyond this are mates.
pub(super) const DECIDED: Points = INFINITY / 4;

const PAWN: Points = 99;
const PROMOTION: Points = 799;
const CASTLING: Points = 30;
const PAWN_STRUCTURE: Points = 9;

fn value(role: Role) -> Points {
    match role {
        Role::Pawn => PAWN,
        Role::Knight | Role::Bishop => 3 * PAWN,
        Role::Rook => 5 * PAWN,
        Role::Queen => 9 * PAWN,
        Role::King => 0,
    }
}

/// The distance from the centre in points: 0 on e4 and e5. (Squared; the centre is the e-file, and between
/// the fourth and the fifth rank.)
fn eccentricity(square: Square0x88) -> Points {
    const BY_FILE: [Points; 8] = [16, 9, 4, 1, 0, 1, 4, 9];
    const BY_RANK: [Points; 8] = [12, 6, 2, 0, 0, 2, 6, 12];
    BY_FILE[usize::from(square.file())] + BY_RANK[usize::from(square.rank())]
}

/// Rooks and queens have no centre points.
fn likes_the_centre(role: Role) -> bool {
    !matches!(role, Role::Rook | Role::Queen)
}

impl Mailbox {
    /// Material and centre points from the view of the side to move: the score at the root.
    pub(super) fn balance(&self) -> Points {
        let worth = |square: Square0x88| {
            self.man(square).map_or(0, |Piece { color, role }| {
                let centre = if likes_the_centre(role) { eccentricity(square) } else { 0 };
                let points = value(role) - centre;
                if color == self.side_to_move() { points } else { -points }
            })
        };
        Square::ALL.into_iter().map(Square0x88::from_square).map(worth).sum()
    }

    /// The gain of a move for the side that makes it, without the reply.
    #[inline]
    pub(super) fn gain(&self, step: BoardMove) -> Points {
        let Some(Piece { role, .. }) = self.man(step.from) else { return 0 };
        let mut gain = self.man(step.victim()).map_or(0, |taken| value(taken.role));
        if likes_the_centre(role) {
            gain += eccentricity(step.from) - eccentricity(step.to);
        }
        if role == Role::Pawn {
            gain += PAWN_STRUCTURE * self.structure(step.from);
        }
        match step.kind {
            MoveKind::Promotion => gain + PROMOTION,
            MoveKind::Castling => gain + CASTLING,
            _ => gain,
        }
    }

    /// Pawn structure: 1 for a pawn that leaves two pawns behind, two files to each side, 0 for one such
    /// pawn, -1 for none. Such pawns together guard the squares that the pawn no longer guards.
    #[inline]
    fn structure(&self, from: Square0x88) -> Points {
        let friend = |by: i8| from.step(by).is_some_and(|aside| self.man(aside) == self.man(from));
        Points::from(friend(2)) + Points::from(friend(-2)) - 1
    }
}
