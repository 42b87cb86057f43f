//! The board: a mailbox array, with make and unmake.
//!
//! Knows no legality: kings can be captured. Knows no history and no clocks.

use super::square0x88::{BoardMove, MoveKind, Square0x88};
use crate::zobrist::splitmix64;
use crate::{Bitboard, Color, File, Piece, Position, Rank, Role, Square};

/// The state that a move changes besides the squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct BoardState {
    side_to_move: Color,
    /// The square that a pawn has just passed.
    en_passant: Option<Square0x88>,
    /// The square that a king has just passed in castling, where the rook is now.
    castled_over: Option<Square0x88>,
    /// One bit for each corner: neither king nor rook has moved.
    unmoved: u8,
    /// The key of the squares.
    key: u64,
    /// The squares of each side's men, so that empty squares are skipped.
    men: [Bitboard; 2],
}

/// The board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mailbox {
    men: [Option<Piece>; Square0x88::COUNT],
    state: BoardState,
}

/// The data to take a move back.
#[derive(Clone, Copy)]
pub(super) struct Undo {
    state: BoardState,
    taken: Option<Piece>,
}

impl Mailbox {
    /// The board of a position. Castling of Chess960 is not supported.
    pub(super) fn from_position(position: &Position) -> Self {
        let state = BoardState {
            side_to_move: position.side_to_move(),
            en_passant: position.en_passant().map(Square0x88::from_square),
            castled_over: None,
            unmoved: unmoved(position),
            key: 0,
            men: [Bitboard::EMPTY; 2],
        };
        let mut board = Self { men: [None; Square0x88::COUNT], state };
        for (square, piece) in position.board().iter() {
            board.put(Square0x88::from_square(square), piece);
        }
        board
    }

    #[inline]
    pub(super) fn man(&self, square: Square0x88) -> Option<Piece> {
        self.men[square.index()]
    }

    /// The squares of the side to move's men, starting at this square and wrapping around.
    #[inline]
    pub(super) fn men_from(&self, first: Square0x88) -> impl Iterator<Item = Square0x88> + use<> {
        let shift = first.square().index();
        let men = Bitboard(self.state.men[self.side_to_move().index()].0.rotate_right(shift as u32));
        men.into_iter().map(move |square| Square0x88::from_square(Square::from_index(square.index() + shift)))
    }

    #[inline]
    pub(super) fn side_to_move(&self) -> Color {
        self.state.side_to_move
    }

    #[inline]
    pub(super) fn en_passant(&self) -> Option<Square0x88> {
        self.state.en_passant
    }

    #[inline]
    pub(super) fn castled_over(&self) -> Option<Square0x88> {
        self.state.castled_over
    }

    /// Whether neither the king nor the rook of this corner has moved.
    pub(super) fn is_unmoved(&self, corner: Square0x88) -> bool {
        self.state.unmoved & corner_bits(corner) != 0
    }

    /// The key of the whole position. Different positions may, very rarely, share a key.
    #[inline]
    pub(super) fn key(&self) -> u64 {
        let BoardState { side_to_move, en_passant, castled_over, unmoved, key, .. } = self.state;
        let square = |square: Option<Square0x88>| square.map_or(0xff, |square| square.index() as u64);
        let rest = u64::from(unmoved) | square(en_passant) << 8 | square(castled_over) << 16;
        key ^ splitmix64(rest << 1 | side_to_move.index() as u64)
    }

    /// Plays a move.
    #[inline]
    pub(super) fn make(&mut self, step: BoardMove) -> Undo {
        let undo = Undo { state: self.state, taken: self.man(step.victim()) };
        self.lift(step.victim());
        if let Some(piece) = self.lift(step.from) {
            let role = if step.kind == MoveKind::Promotion { Role::Queen } else { piece.role };
            self.put(step.to, Piece { role, ..piece });
        }
        let (corner, between) = step.rook();
        self.make_null_move();
        match step.kind {
            MoveKind::Castling => {
                if let Some(rook) = self.lift(corner) {
                    self.put(between, rook);
                }
                self.state.castled_over = Some(between);
            }
            MoveKind::Double => self.state.en_passant = Some(halfway(step)),
            _ => {}
        }
        if self.state.unmoved != 0 {
            self.state.unmoved &= !(corner_bits(step.from) | corner_bits(step.to));
        }
        undo
    }

    /// Takes a move back.
    #[inline]
    pub(super) fn unmake(&mut self, step: BoardMove, undo: Undo) {
        let piece = self.men[step.to.index()].take();
        let role = if step.kind == MoveKind::Promotion { Some(Role::Pawn) } else { None };
        self.men[step.from.index()] = piece.map(|piece| Piece { role: role.unwrap_or(piece.role), ..piece });
        self.men[step.victim().index()] = undo.taken;
        if step.kind == MoveKind::Castling {
            let (corner, between) = step.rook();
            self.men[corner.index()] = self.men[between.index()].take();
        }
        self.state = undo.state;
    }

    /// Plays a null move.
    #[inline]
    pub(super) fn make_null_move(&mut self) -> Undo {
        let undo = Undo { state: self.state, taken: None };
        self.state.side_to_move = !self.state.side_to_move;
        self.state.en_passant = None;
        self.state.castled_over = None;
        undo
    }

    /// Takes a null move back.
    #[inline]
    pub(super) fn unmake_null_move(&mut self, undo: Undo) {
        self.state = undo.state;
    }

    #[inline]
    fn put(&mut self, square: Square0x88, piece: Piece) {
        self.men[square.index()] = Some(piece);
        self.toggle(square, piece);
    }

    #[inline]
    fn lift(&mut self, square: Square0x88) -> Option<Piece> {
        let piece = self.men[square.index()].take()?;
        self.toggle(square, piece);
        Some(piece)
    }

    #[inline]
    fn toggle(&mut self, square: Square0x88, piece: Piece) {
        let men = &mut self.state.men[piece.color.index()];
        *men ^= square.square().into();
        self.state.key ^= number(square, piece);
    }
}

/// The square that a double step passes.
fn halfway(step: BoardMove) -> Square0x88 {
    Square0x88::at(step.from.file(), u8::midpoint(step.from.rank(), step.to.rank()))
}

/// The castling rights lost by a move from or to this square: one for a rook's corner, both for the king's
/// square.
#[inline]
fn corner_bits(square: Square0x88) -> u8 {
    match (square.file(), square.rank()) {
        (0, 0) => 1,
        (7, 0) => 2,
        (4, 0) => 3,
        (0, 7) => 4,
        (7, 7) => 8,
        (4, 7) => 12,
        _ => 0,
    }
}

fn unmoved(position: &Position) -> u8 {
    let mut bits = 0;
    for color in Color::ALL {
        let rank = Rank::First.relative_to(color);
        if position.king(color) == Square::new(File::E, rank) {
            let rooks = position.castling().rooks_of(color).into_iter();
            let standard = rooks.filter(|rook| matches!(rook.file(), File::A | File::H));
            bits |= standard.map(Square0x88::from_square).map(corner_bits).fold(0, |all, bit| all | bit);
        }
    }
    bits
}

/// A random number for each piece on each square.
static NUMBERS: [[u64; Square0x88::COUNT]; 12] = {
    let mut numbers = [[0; Square0x88::COUNT]; 12];
    let mut index = 0;
    while index < 12 * Square0x88::COUNT {
        numbers[index / Square0x88::COUNT][index % Square0x88::COUNT] = splitmix64(index as u64 + (1 << 40));
        index += 1;
    }
    numbers
};

#[inline]
fn number(square: Square0x88, piece: Piece) -> u64 {
    NUMBERS[piece.color.index() * 6 + piece.role.index()][square.index()]
}
