//! Which piece stands where: the first field of a FEN, and nothing else.

use crate::{Bitboard, Color, Piece, Role, Square};

/// A placement of pieces: any placement, sound or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Board {
    roles: [Bitboard; 6],
    colors: [Bitboard; 2],
}

impl Board {
    /// No piece.
    pub const EMPTY: Self = Self { roles: [Bitboard::EMPTY; 6], colors: [Bitboard::EMPTY; 2] };

    /// The pieces of both sides.
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

    /// What stands on a square.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let role = Role::ALL.into_iter().find(|&role| self.role(role).contains(square))?;
        let color = if self.color(Color::White).contains(square) { Color::White } else { Color::Black };
        Some(Piece { color, role })
    }

    /// Puts a piece on a square, in place of what stood there.
    pub fn put(&mut self, square: Square, piece: Piece) {
        self.clear(square);
        self.roles[piece.role.index()] |= square.into();
        self.colors[piece.color.index()] |= square.into();
    }

    /// Empties a square.
    pub fn clear(&mut self, square: Square) {
        for set in self.roles.iter_mut().chain(&mut self.colors) {
            *set = set.without(square);
        }
    }

    /// All pieces with their squares, lowest square first.
    pub fn iter(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.occupied().into_iter().filter_map(|square| Some((square, self.piece_at(square)?)))
    }
}
