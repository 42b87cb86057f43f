//! The board: which piece stands on which square.

use crate::{Bitboard, Color, Piece, Role, Square, attacks};

/// A placement of pieces, legal or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Board {
    roles: [Bitboard; 6],
    colors: [Bitboard; 2],
}

impl Board {
    /// The empty board.
    pub const EMPTY: Self = Self { roles: [Bitboard::EMPTY; 6], colors: [Bitboard::EMPTY; 2] };

    /// The occupied squares.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// The pieces of one side.
    #[inline]
    pub fn color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// The pieces of one role, of both sides.
    #[inline]
    pub fn role(&self, role: Role) -> Bitboard {
        self.roles[role.index()]
    }

    /// The pieces of one side and role.
    #[inline]
    pub fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.color(color) & self.role(role)
    }

    /// The piece on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        Some(Piece { color: self.color_at(square)?, role: self.role_at(square)? })
    }

    /// The role of the piece on a square.
    #[inline]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        Role::ALL.into_iter().find(|&role| self.role(role).contains(square))
    }

    /// The side of the piece on a square.
    #[inline]
    pub fn color_at(&self, square: Square) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.color(color).contains(square))
    }

    /// The square of a side's king; the first, if there are several.
    #[inline]
    pub fn king(&self, color: Color) -> Option<Square> {
        self.pieces(color, Role::King).first()
    }

    /// The pieces of one side that attack a square, given the occupied squares.
    #[inline]
    pub fn attackers(&self, square: Square, by: Color, occupied: Bitboard) -> Bitboard {
        let [pawns, knights, bishops, rooks, queens, kings] = self.roles;
        let leapers = attacks::pawn(!by, square) & pawns
            | attacks::knight(square) & knights
            | attacks::king(square) & kings;
        let sliders = attacks::bishop(square, occupied) & (bishops | queens)
            | attacks::rook(square, occupied) & (rooks | queens);
        (leapers | sliders) & self.color(by)
    }

    /// The board mirrored vertically with colours swapped.
    pub fn flip_colors(&self) -> Self {
        let [white, black] = self.colors.map(Bitboard::flip_vertical);
        Self { roles: self.roles.map(Bitboard::flip_vertical), colors: [black, white] }
    }

    /// Puts a piece on a square; a piece that stood there is replaced.
    #[inline]
    pub fn put(&mut self, square: Square, piece: Piece) {
        if self.occupied().contains(square) {
            self.clear(square);
        }
        self.toggle(piece.color, piece.role, square.into());
    }

    /// Empties a square.
    #[inline]
    pub fn clear(&mut self, square: Square) {
        for set in self.roles.iter_mut().chain(&mut self.colors) {
            *set = set.without(square);
        }
    }

    /// Toggles a piece on each of the squares.
    #[inline]
    pub(crate) fn toggle(&mut self, color: Color, role: Role, squares: Bitboard) {
        self.roles[role.index()] = self.roles[role.index()] ^ squares;
        self.colors[color.index()] = self.colors[color.index()] ^ squares;
    }

    /// All pieces with their squares, in order of the squares.
    pub fn iter(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.occupied().into_iter().filter_map(|square| Some((square, self.piece_at(square)?)))
    }
}
