//! The classes of all positions of a material, by place, and how often each occurs. This module knows no
//! numberings.

use rayon::prelude::*;

use super::WriteError;
use super::class::{Class, Codes};
use super::classify::Classifier;
use crate::tables::syzygy::file::men_of;
use crate::tables::syzygy::numbering::{Leading, leading_side};
use crate::tables::syzygy::squares::{FLAP, KING_SQUARES};
use crate::tables::{MAX_MEN, Material, Metric, TableSet};
use crate::{Color, Piece, Role};

/// From this number of kings on, both kings stand on the diagonal.
const ON_DIAGONAL: usize = 441;

/// The classes of all placements of the men, in bytes.
pub(super) struct Classes {
    /// The men: those that lead first, if they are pawns.
    men: Vec<Piece>,
    leading: Leading,
    /// By place, then by side to move. The squares are the base-64 digits of a place. The digit of the
    /// leading pawn is its number among the files a to d.
    codes: Vec<[u8; 2]>,
    /// The classes, by their codes.
    list: Vec<Class>,
}

/// The classes by their codes, and how often each occurs.
pub(super) type Census = Vec<(Class, u64)>;

impl Classes {
    /// Finds the classes from the DTZ table of a material, in memory, the DTM tables of all smaller ones of
    /// up to four men, in memory, and the DTZ tables of those of five men.
    pub(super) fn new(material: Material, tables: &TableSet) -> Result<Self, WriteError> {
        let dtz = tables.get(material, Metric::Dtz).ok_or(WriteError::Missing(material, Metric::Dtz))?;
        for &smaller in &material.smaller() {
            let metric = if smaller.men() < MAX_MEN { Metric::Dtm } else { Metric::Dtz };
            if !tables.has(smaller, metric) {
                return Err(WriteError::Missing(smaller, metric));
            }
        }
        let numbers = Codes::from_table(dtz)?;
        let illegal = Codes::number(Class::Illegal);
        let mut classes = Self::unfilled(material);
        let (men, leading) = (&classes.men[..], classes.leading);
        let first = if leading == Leading::Pawns { 24 } else { 64 };
        let mut codes = vec![[illegal; 2]; first << (6 * (men.len() - 1))];
        for side in Color::ALL {
            Classifier { dtz, tables, side, men, leading, numbers: &numbers }.classify(&mut codes);
        }
        classes.codes = codes;
        classes.list = numbers.classes;
        Ok(classes)
    }

    /// The men of a material, without their classes.
    pub(super) fn unfilled(material: Material) -> Self {
        let mut men = men_of(material);
        let leading = Leading::new(&men);
        let first = Piece { color: leading_side(&men), role: Role::Pawn };
        men.sort_by_key(|&man| man != first);
        Self { men, leading, codes: Vec::new(), list: Vec::new() }
    }

    pub(super) fn men(&self) -> &[Piece] {
        &self.men
    }

    /// The classes by place, in bytes, by side to move.
    pub(super) fn codes(&self) -> &[[u8; 2]] {
        &self.codes
    }

    /// The bits of the square of a man in a place.
    pub(super) fn shift(&self, man: usize) -> u32 {
        6 * (self.men.len() - 1 - man) as u32
    }

    /// The part of the place of a placement that comes from the square of a man.
    #[inline]
    pub(super) fn digit(&self, man: usize, square: u8) -> usize {
        let digit =
            if man == 0 && self.leading == Leading::Pawns { FLAP[usize::from(square)] } else { square };
        usize::from(digit) << self.shift(man)
    }

    /// How often each class occurs with this side to move; identical men are told apart. With pawns, it
    /// counts the positions with a leading pawn on this file. Without pawns, it counts each placement up to
    /// the symmetries twice.
    pub(super) fn census(&self, side: Color, leading_file: usize) -> Census {
        let named = |counts: [u64; 256]| self.list.iter().copied().zip(counts).collect();
        if self.leading == Leading::Pawns {
            let span = 6 << (6 * (self.men.len() - 1));
            return named(count(&self.codes[leading_file * span..][..span], side));
        }
        let king = |color| self.men.iter().position(|man| *man == Piece { color, role: Role::King });
        let kings = [king(Color::White), king(Color::Black)].map(Option::unwrap_or_default);
        // White's king is the first of the men, Black's the second.
        debug_assert_eq!(kings, [0, 1]);
        let span = 1_usize << (6 * (self.men.len() - 2));
        let of_kings = |(number, &(white, black)): (usize, &(u8, u8))| {
            let start = self.digit(0, white) + self.digit(1, black);
            let mut counts = count(&self.codes[start..start + span], side);
            if number >= ON_DIAGONAL {
                // Placements that the diagonal mirror changes are there twice.
                let is_fixed = |place: usize| {
                    (0..self.men.len() - 2).all(|man| {
                        let square = place >> (6 * man) & 63;
                        square & 7 == square >> 3
                    })
                };
                for place in (0..span).filter(|&place| is_fixed(place)) {
                    counts[usize::from(self.codes[start + place][side.index()])] += 1;
                }
            } else {
                for count in &mut counts {
                    *count *= 2;
                }
            }
            counts
        };
        named(sum(KING_SQUARES.par_iter().enumerate().map(of_kings)))
    }
}

fn count(codes: &[[u8; 2]], side: Color) -> [u64; 256] {
    let of_part = |codes: &[[u8; 2]]| {
        let mut counts = [0; 256];
        for code in codes {
            counts[usize::from(code[side.index()])] += 1;
        }
        counts
    };
    sum(codes.par_chunks(1 << 20).map(of_part))
}

fn sum(parts: impl ParallelIterator<Item = [u64; 256]>) -> [u64; 256] {
    parts.reduce(
        || [0; 256],
        |mut one, other| {
            for (one, other) in one.iter_mut().zip(other) {
                *one += other;
            }
            one
        },
    )
}
