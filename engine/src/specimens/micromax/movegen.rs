//! The pseudo-legal move generator.
//!
//! Generates the moves of one piece at a time, so that a cutoff saves the rest. Knows no scores.

use arrayvec::ArrayVec;

use super::mailbox::Mailbox;
use super::square0x88::{BoardMove, MoveKind, Square0x88};
use crate::{Color, Piece, Role};

/// The moves of one piece: a queen has at most 27.
pub(super) type PieceMoves = ArrayVec<BoardMove, 32>;

/// The kind of moves to generate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Want {
    All,
    /// Captures, of the king too.
    Captures,
}

const STRAIGHT: [i8; 4] = [16, -16, 1, -1];
const DIAGONAL: [i8; 4] = [17, 15, -15, -17];
const EVERY_WAY: [i8; 8] = [16, -16, 1, -1, 17, 15, -15, -17];
const LEAPS: [i8; 8] = [33, 31, 18, 14, -14, -18, -31, -33];

impl Mailbox {
    /// The moves of the piece on a square; empty if it is not a piece of the side to move.
    #[inline]
    pub(super) fn moves_from(&self, from: Square0x88, want: Want) -> PieceMoves {
        let mut steps = PieceMoves::new();
        let Some(Piece { color, role }) = self.man(from) else { return steps };
        if color != self.side_to_move() {
            return steps;
        }
        let mut sink = MoveSink { board: self, from, us: color, want, steps: &mut steps };
        match role {
            Role::Pawn => sink.pawn(),
            Role::Knight => sink.leap(&LEAPS),
            Role::Bishop => sink.slide(&DIAGONAL),
            Role::Rook => sink.slide(&STRAIGHT),
            Role::Queen => sink.slide(&EVERY_WAY),
            Role::King => sink.king(),
        }
        steps
    }

    /// The move between two squares, if there is one.
    pub(super) fn move_between(&self, from: Square0x88, to: Square0x88) -> Option<BoardMove> {
        self.moves_from(from, Want::All).into_iter().find(|step| step.to == to)
    }

    /// Whether the side to move can capture the king.
    pub(super) fn can_take_king(&self) -> bool {
        let mut steps =
            self.men_from(Square0x88::at(0, 0)).flat_map(|from| self.moves_from(from, Want::Captures));
        steps.any(|step| step.kind == MoveKind::TakesKing)
    }
}

/// Collects the moves of one piece.
struct MoveSink<'a> {
    board: &'a Mailbox,
    from: Square0x88,
    us: Color,
    want: Want,
    steps: &'a mut PieceMoves,
}

impl MoveSink<'_> {
    #[inline]
    fn push(&mut self, to: Square0x88, kind: MoveKind) {
        self.steps.push(BoardMove { from: self.from, to, kind });
    }

    /// Adds the move to a square if it is possible. Returns whether a slider may continue.
    #[inline]
    fn offer(&mut self, to: Square0x88) -> bool {
        let met = self.board.man(to);
        if self.is_kings(to) {
            self.push(to, MoveKind::TakesKing);
        } else if met.map_or(self.want == Want::All, |piece| piece.color != self.us) {
            self.push(to, MoveKind::Plain);
        }
        met.is_none()
    }

    /// Whether a move to this square captures the king: it is there, or has just castled from or over it.
    #[inline]
    fn is_kings(&self, to: Square0x88) -> bool {
        self.board.man(to) == Some(Piece { color: !self.us, role: Role::King })
            || self.board.castled_over().is_some_and(|over| over.is_beside(to))
    }

    #[inline]
    fn leap(&mut self, ways: &[i8]) {
        let from = self.from;
        for to in ways.iter().filter_map(|&way| from.step(way)) {
            self.offer(to);
        }
    }

    #[inline]
    fn slide(&mut self, ways: &[i8]) {
        for &way in ways {
            let mut next = self.from.step(way);
            while let Some(to) = next
                && self.offer(to)
            {
                next = to.step(way);
            }
        }
    }

    fn pawn(&mut self) {
        let (forward, home, last) = self.us.pick((16, 1, 7), (-16, 6, 0));
        let from = self.from;
        for to in [forward - 1, forward + 1].into_iter().filter_map(|way| from.step(way)) {
            let enemy = self.board.man(to).is_some_and(|piece| piece.color != self.us);
            if self.is_kings(to) {
                self.push(to, MoveKind::TakesKing);
            } else if enemy {
                self.push(to, if to.rank() == last { MoveKind::Promotion } else { MoveKind::Plain });
            } else if self.board.en_passant() == Some(to) {
                self.push(to, MoveKind::EnPassant);
            }
        }
        let free = |square: &Square0x88| self.board.man(*square).is_none();
        let Some(one) = self.from.step(forward).filter(free).filter(|_| self.want == Want::All) else {
            return;
        };
        let two = one.step(forward).filter(free).filter(|_| self.from.rank() == home);
        self.push(one, if one.rank() == last { MoveKind::Promotion } else { MoveKind::Plain });
        if let Some(two) = two {
            self.push(two, MoveKind::Double);
        }
    }

    /// Castling ignores checks: the reply captures the king then.
    fn king(&mut self) {
        self.leap(&EVERY_WAY);
        if self.want == Want::Captures || self.from.file() != 4 {
            return;
        }
        let rank = self.from.rank();
        for (corner, target, between) in [(7, 6, 5..7), (0, 2, 1..4)] {
            let unmoved = rank == self.us.pick(0, 7) && self.board.is_unmoved(Square0x88::at(corner, rank));
            if unmoved && between.into_iter().all(|file| self.board.man(Square0x88::at(file, rank)).is_none())
            {
                self.push(Square0x88::at(target, rank), MoveKind::Castling);
            }
        }
    }
}
