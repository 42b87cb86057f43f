//! Material signatures: the number of men of each role and side, as a key.
//!
//! Dispatch by material is Steven Edwards's idea, as Steve Maughan describes it for Maverick. There the key
//! is incremental; here it is computed on demand, only near the end of a game. Knows no squares and no
//! values.

use std::fmt;

use crate::{Board, Color, Role};

/// The numbers of each role without kings: four bits a role, White's in the twenty lowest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Signature(u64);

/// The counted roles, in the order of their bits.
const COUNTED: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
const BITS_OF_SIDE: u32 = 20;

impl Signature {
    /// An impossible signature: more of everything than fits on a board.
    pub(super) const NONE: Self = Self(u64::MAX);

    const fn one(side: usize, role: Role) -> u64 {
        1 << (BITS_OF_SIDE as usize * side + 4 * role.index())
    }

    /// The signature of a name such as `KRvKP`, White's side first. `None` if the name is invalid or a side
    /// has more than fifteen men.
    pub(super) const fn named(name: &str) -> Option<Self> {
        let letters = name.as_bytes();
        if letters.is_empty() || letters.len() > 32 {
            return None;
        }
        let (mut key, mut side, mut kings, mut at) = (0, 0, 0, 0);
        while at < letters.len() {
            match letters[at] {
                b'K' if kings == side && (at == 0 || letters[at - 1] == b'v') => kings += 1,
                b'v' if side == 0 && kings == 1 => side = 1,
                b'P' if kings > side => key += Self::one(side, Role::Pawn),
                b'N' if kings > side => key += Self::one(side, Role::Knight),
                b'B' if kings > side => key += Self::one(side, Role::Bishop),
                b'R' if kings > side => key += Self::one(side, Role::Rook),
                b'Q' if kings > side => key += Self::one(side, Role::Queen),
                _ => return None,
            }
            at += 1;
        }
        if kings == 2 { Some(Self(key)) } else { None }
    }

    /// The signature of a board.
    #[inline]
    pub(super) fn from_board(board: &Board) -> Self {
        let mut key = 0;
        for color in Color::ALL {
            for role in COUNTED {
                key += u64::from(board.pieces(color, role).count()) * Self::one(color.index(), role);
            }
        }
        Self(key)
    }

    /// The signature with colours swapped.
    pub(super) const fn flipped(self) -> Self {
        let side = (1 << BITS_OF_SIDE) - 1;
        Self(((self.0 & side) << BITS_OF_SIDE) | (self.0 >> BITS_OF_SIDE))
    }

    /// Equality as a `const fn`.
    pub(super) const fn is(self, other: Self) -> bool {
        self.0 == other.0
    }

    /// A hash of this many bits (Knuth's multiplicative hashing).
    #[inline]
    pub(super) const fn hash(self, bits: u32) -> usize {
        (self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - bits)) as usize
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (side, king) in ["K", "vK"].into_iter().enumerate() {
            f.write_str(king)?;
            for role in COUNTED.into_iter().rev() {
                let count = (self.0 / Self::one(side, role)) & 15;
                let letter = role.to_char().to_ascii_uppercase();
                (0..count).try_for_each(|_| write!(f, "{letter}"))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;

    #[test]
    fn names_are_read_and_printed() {
        for name in ["KvK", "KPvK", "KRvKP", "KBNvK", "KvKQ", "KQRBNPvKQRBNP", "KNNvKP", "KPPPPPPPPvK"] {
            assert_eq!(Signature::named(name).unwrap().to_string(), name);
        }
    }

    #[test]
    fn what_is_no_name_is_refused() {
        for name in ["", "K", "KP", "KPv", "vK", "KPvKvK", "KXvK", "PKvK", "KKvK", "KPvKK", "kpvk", "KPvP"] {
            assert_eq!(Signature::named(name), None, "{name}");
        }
    }

    #[test]
    fn boards_have_the_signature_of_their_name() {
        for (fen, name) in [
            ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "KPvK"),
            ("4k3/4p3/8/8/8/8/8/R3K3 b - - 0 1", "KRvKP"),
            ("r3k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "KPvKR"),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", "KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP"),
        ] {
            let board = *Position::from_fen(fen).unwrap().board();
            assert_eq!(Signature::from_board(&board).to_string(), name);
            assert_eq!(Signature::from_board(&board.flip_colors()), Signature::from_board(&board).flipped());
        }
    }
}
