//! Squares, files and ranks.

use std::fmt::{self, Write};
use std::str::FromStr;

use crate::Color;

macro_rules! lines {
    ($(#[$doc:meta])* $name:ident, $first:literal, $($variant:ident)*) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        #[allow(missing_docs, reason = "the names say it")]
        pub enum $name { $($variant),* }

        impl $name {
            /// All eight, in order.
            pub const ALL: [Self; 8] = [$(Self::$variant),*];

            /// 0 to 7.
            #[inline]
            pub const fn index(self) -> usize {
                self as usize
            }

            /// The character in algebraic notation.
            pub const fn to_char(self) -> char {
                ($first + self as u8) as char
            }

            /// Parses the character of algebraic notation, lower case.
            pub fn from_char(letter: char) -> Option<Self> {
                Self::ALL.into_iter().find(|line| line.to_char() == letter)
            }
        }
    };
}

lines! {
    /// A file, from a to h.
    File, b'a', A B C D E F G H
}
lines! {
    /// A rank, from 1 to 8.
    Rank, b'1', First Second Third Fourth Fifth Sixth Seventh Eighth
}

impl Rank {
    /// The rank as seen by `color`: Black's first rank is the eighth.
    pub const fn relative_to(self, color: Color) -> Self {
        match color {
            Color::White => self,
            Color::Black => Self::ALL[7 - self as usize],
        }
    }
}

/// One of the 64 squares: a1 is 0, b1 is 1, h8 is 63.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[rustfmt::skip]
#[allow(missing_docs, reason = "the names say it")]
pub enum Square {
    A1, B1, C1, D1, E1, F1, G1, H1,
    A2, B2, C2, D2, E2, F2, G2, H2,
    A3, B3, C3, D3, E3, F3, G3, H3,
    A4, B4, C4, D4, E4, F4, G4, H4,
    A5, B5, C5, D5, E5, F5, G5, H5,
    A6, B6, C6, D6, E6, F6, G6, H6,
    A7, B7, C7, D7, E7, F7, G7, H7,
    A8, B8, C8, D8, E8, F8, G8, H8,
}

impl Square {
    /// All 64, a1 first, h8 last.
    pub const ALL: [Self; 64] = {
        let mut all = [Self::A1; 64];
        let mut index = 0;
        while index < 64 {
            all[index] = Self::from_index(index);
            index += 1;
        }
        all
    };

    /// The square of a file and a rank.
    #[inline]
    pub const fn new(file: File, rank: Rank) -> Self {
        Self::from_index(rank as usize * 8 + file as usize)
    }

    /// The square of an index; only the low six bits count.
    ///
    /// The match compiles to nothing: index and discriminant are equal.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "the inliner takes 64 arms for code")]
    #[allow(clippy::enum_glob_use, reason = "all of them")]
    #[rustfmt::skip]
    pub const fn from_index(index: usize) -> Self {
        use Square::*;
        match index & 63 {
            0 => A1, 1 => B1, 2 => C1, 3 => D1, 4 => E1, 5 => F1, 6 => G1, 7 => H1,
            8 => A2, 9 => B2, 10 => C2, 11 => D2, 12 => E2, 13 => F2, 14 => G2, 15 => H2,
            16 => A3, 17 => B3, 18 => C3, 19 => D3, 20 => E3, 21 => F3, 22 => G3, 23 => H3,
            24 => A4, 25 => B4, 26 => C4, 27 => D4, 28 => E4, 29 => F4, 30 => G4, 31 => H4,
            32 => A5, 33 => B5, 34 => C5, 35 => D5, 36 => E5, 37 => F5, 38 => G5, 39 => H5,
            40 => A6, 41 => B6, 42 => C6, 43 => D6, 44 => E6, 45 => F6, 46 => G6, 47 => H6,
            48 => A7, 49 => B7, 50 => C7, 51 => D7, 52 => E7, 53 => F7, 54 => G7, 55 => H7,
            56 => A8, 57 => B8, 58 => C8, 59 => D8, 60 => E8, 61 => F8, 62 => G8, _ => H8,
        }
    }

    /// 0 for a1 to 63 for h8.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Its file.
    #[inline]
    pub const fn file(self) -> File {
        File::ALL[self as usize & 7]
    }

    /// Its rank.
    #[inline]
    pub const fn rank(self) -> Rank {
        Rank::ALL[self as usize >> 3]
    }

    /// Moves by whole files and ranks; `None` off the board.
    #[allow(clippy::cast_sign_loss, reason = "both are 0 to 7 by then")]
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Self> {
        let file = self as i8 % 8 + files;
        let rank = self as i8 / 8 + ranks;
        if file < 0 || file > 7 || rank < 0 || rank > 7 {
            return None;
        }
        Some(Self::from_index((rank * 8 + file) as usize))
    }

    /// The square mirrored vertically: a1 becomes a8.
    #[inline]
    pub const fn flip_vertical(self) -> Self {
        Self::from_index(self as usize ^ 0x38)
    }

    /// The square mirrored horizontally: a1 becomes h1.
    #[inline]
    pub const fn flip_horizontal(self) -> Self {
        Self::from_index(self as usize ^ 0x07)
    }

    /// The square mirrored at the diagonal a1-h8: b1 becomes a2.
    #[inline]
    pub const fn flip_diagonal(self) -> Self {
        Self::from_index((self as usize >> 3) | ((self as usize & 7) << 3))
    }

    /// The square as seen by `color`: mirrored vertically for Black.
    #[inline]
    pub const fn relative_to(self, color: Color) -> Self {
        match color {
            Color::White => self,
            Color::Black => self.flip_vertical(),
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char(self.file().to_char())?;
        f.write_char(self.rank().to_char())
    }
}

/// A text that is not a square.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected a square such as e4, got \"{0}\"")]
pub struct ParseSquareError(String);

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut letters = text.chars();
        let file = letters.next().and_then(File::from_char);
        let rank = letters.next().and_then(Rank::from_char);
        match (file, rank, letters.next()) {
            (Some(file), Some(rank), None) => Ok(Self::new(file, rank)),
            _ => Err(ParseSquareError(text.chars().take(16).collect())),
        }
    }
}
