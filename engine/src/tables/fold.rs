//! Symmetry: the eight images of a board (two with pawns), and the king pairs that represent their classes.

use crate::{Bitboard, Square};

/// One of the eight symmetries of the board: bit 0 mirrors the files, bit 1 the ranks, bit 2 then mirrors at
/// the diagonal a1-h8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Symmetry(u8);

static IMAGES: [[Square; 64]; 8] = {
    let mut images = [[Square::A1; 64]; 8];
    let mut symmetry = 0;
    while symmetry < 8 {
        let mut index = 0;
        while index < 64 {
            let mut square = Square::from_index(index);
            if symmetry & 1 != 0 {
                square = square.flip_horizontal();
            }
            if symmetry & 2 != 0 {
                square = square.flip_vertical();
            }
            if symmetry & 4 != 0 {
                square = square.flip_diagonal();
            }
            images[symmetry][index] = square;
            index += 1;
        }
        symmetry += 1;
    }
    images
};

impl Symmetry {
    /// Leaves the board as it is.
    pub(super) const IDENTITY: Self = Self(0);

    #[inline]
    pub(super) fn image(self, square: Square) -> Square {
        IMAGES[usize::from(self.0 & 7)][square.index()]
    }

    /// The images of a set of squares.
    #[inline]
    pub(super) fn images(self, mut squares: Bitboard) -> Bitboard {
        if self.0 & 1 != 0 {
            squares = squares.flip_horizontal();
        }
        if self.0 & 2 != 0 {
            squares = squares.flip_vertical();
        }
        if self.0 & 4 != 0 {
            squares = squares.flip_diagonal();
        }
        squares
    }

    /// The squares whose images are these: the reverse of [`Symmetry::images`].
    #[inline]
    pub(super) fn origins(self, mut squares: Bitboard) -> Bitboard {
        if self.0 & 4 != 0 {
            squares = squares.flip_diagonal();
        }
        if self.0 & 2 != 0 {
            squares = squares.flip_vertical();
        }
        if self.0 & 1 != 0 {
            squares = squares.flip_horizontal();
        }
        squares
    }

    /// This symmetry, followed by the mirror at the diagonal.
    pub(super) fn then_diagonal(self) -> Self {
        // The diagonal mirror always comes last, so it is a single bit.
        Self(self.0 ^ 4)
    }
}

/// The representative of a pair of kings.
#[derive(Debug, Clone, Copy)]
pub(super) struct KingPair {
    /// Number of the class, or [`KingPair::ADJACENT`].
    class: u16,
    /// The symmetry that maps the pair to its representative.
    pub(super) symmetry: Symmetry,
    /// Whether both kings are on the diagonal in the representative, so that the diagonal mirror fixes them.
    pub(super) on_diagonal: bool,
}

impl KingPair {
    const ADJACENT: u16 = u16::MAX;

    /// The class, unless the kings are adjacent.
    #[inline]
    pub(super) fn class(self) -> Option<usize> {
        (self.class != Self::ADJACENT).then_some(usize::from(self.class))
    }
}

/// All king pairs under one group of symmetries.
#[derive(Debug)]
pub(super) struct KingPairs {
    pairs: [[KingPair; 64]; 64],
    representatives: [(Square, Square); Self::MOST],
    classes: usize,
}

/// Without pawns: White's king in the triangle a1, d1, d4; 462 classes.
pub(super) static PAWNLESS: KingPairs = KingPairs::new(false);
/// With pawns: White's king on the files a to d; 1806 classes.
pub(super) static WITH_PAWNS: KingPairs = KingPairs::new(true);

impl KingPairs {
    const MOST: usize = 1806;

    const fn new(pawns: bool) -> Self {
        let none = KingPair { class: KingPair::ADJACENT, symmetry: Symmetry(0), on_diagonal: false };
        let mut all = Self {
            pairs: [[none; 64]; 64],
            representatives: [(Square::A1, Square::A1); Self::MOST],
            classes: 0,
        };
        let mut index = 0;
        // Representatives come first, so that every other pair finds its class.
        while index < 2 * 4096 {
            let (white, black) = (Square::from_index(index >> 6), Square::from_index(index));
            let symmetry = folding(white, black, pawns);
            let folded_white = IMAGES[symmetry.0 as usize][white.index()];
            let folded_black = IMAGES[symmetry.0 as usize][black.index()];
            if !touch(white, black) && (symmetry.0 == 0) == (index < 4096) {
                let class = if symmetry.0 == 0 {
                    all.representatives[all.classes] = (white, black);
                    all.classes += 1;
                    (all.classes - 1) as u16
                } else {
                    all.pairs[folded_white.index()][folded_black.index()].class
                };
                let on_diagonal = !pawns && is_on_diagonal(folded_white) && is_on_diagonal(folded_black);
                all.pairs[white.index()][black.index()] = KingPair { class, symmetry, on_diagonal };
            }
            index += 1;
        }
        all
    }

    /// Number of classes.
    pub(super) fn classes(&self) -> usize {
        self.classes
    }

    #[inline]
    pub(super) fn pair(&self, white: Square, black: Square) -> KingPair {
        self.pairs[white.index()][black.index()]
    }

    /// The squares of White's and Black's king in a class.
    pub(super) fn representative(&self, class: usize) -> (Square, Square) {
        self.representatives[class]
    }
}

/// The symmetry that maps a king pair to its representative.
const fn folding(white: Square, black: Square, pawns: bool) -> Symmetry {
    let mut bits: usize = if white.index() & 7 > 3 { 1 } else { 0 };
    if pawns {
        return Symmetry(bits as u8);
    }
    if white.index() >> 3 > 3 {
        bits |= 2;
    }
    let (white, black) = (IMAGES[bits][white.index()], IMAGES[bits][black.index()]);
    if is_above_diagonal(white) || is_on_diagonal(white) && is_above_diagonal(black) {
        bits |= 4;
    }
    Symmetry(bits as u8)
}

const fn is_on_diagonal(square: Square) -> bool {
    square.index() & 7 == square.index() >> 3
}

const fn is_above_diagonal(square: Square) -> bool {
    square.index() & 7 < square.index() >> 3
}

/// Whether two squares are equal or adjacent.
const fn touch(one: Square, other: Square) -> bool {
    (one.index() & 7).abs_diff(other.index() & 7) <= 1 && (one.index() >> 3).abs_diff(other.index() >> 3) <= 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_have_the_published_count() {
        assert_eq!(PAWNLESS.classes(), 462);
        assert_eq!(WITH_PAWNS.classes(), 1806);
    }

    #[test]
    fn sets_and_squares_have_the_same_images() {
        for symmetry in (0..8).map(Symmetry) {
            for square in Square::ALL {
                let image = Bitboard::from_square(symmetry.image(square));
                assert_eq!(symmetry.images(Bitboard::from_square(square)), image, "{symmetry:?} {square}");
                assert_eq!(symmetry.origins(image), Bitboard::from_square(square), "{symmetry:?} {square}");
            }
        }
    }

    #[test]
    fn every_pair_folds_to_the_representative_of_its_class() {
        for pairs in [&PAWNLESS, &WITH_PAWNS] {
            let mut apart = 0;
            for (white, black) in Square::ALL.iter().flat_map(|&w| Square::ALL.map(|b| (w, b))) {
                let pair = pairs.pair(white, black);
                let Some(class) = pair.class() else { continue };
                apart += 1;
                let folded = (pair.symmetry.image(white), pair.symmetry.image(black));
                assert_eq!(pairs.representative(class), folded);
            }
            assert_eq!(apart, 3612);
        }
    }
}
