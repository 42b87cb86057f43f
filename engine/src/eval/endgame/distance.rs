//! Distances on the board, as kings walk them.
//!
//! Knows squares alone: no pieces, no sides.

use crate::Square;

/// The king's distance (Chebyshev distance).
#[inline]
pub(super) fn distance(a: Square, b: Square) -> i32 {
    files(a, b).max(ranks(a, b))
}

/// The distance in files.
#[inline]
pub(super) fn files(a: Square, b: Square) -> i32 {
    (file(a) - file(b)).abs()
}

/// The distance in ranks.
#[inline]
pub(super) fn ranks(a: Square, b: Square) -> i32 {
    (rank(a) - rank(b)).abs()
}

/// 0 for the a-file to 7 for the h-file.
#[inline]
pub(super) fn file(square: Square) -> i32 {
    (square as u8 & 7).into()
}

/// 0 for the first rank to 7 for the eighth.
#[inline]
pub(super) fn rank(square: Square) -> i32 {
    (square as u8 >> 3).into()
}

/// The Manhattan distance to the nearest of the four centre squares: 0 to 6, 6 in a corner.
#[inline]
pub(super) fn to_center(square: Square) -> i32 {
    TO_CENTER[square.index()].into()
}

/// The distance from the diagonal that joins the corners of one colour: 7 in those corners, 0 in the other
/// two. Along an edge it increases steadily towards these corners, unlike the king's distance.
#[inline]
pub(super) fn towards_corners(square: Square, light: bool) -> i32 {
    let dark = (7 - file(square) - rank(square)).abs();
    if light { (file(square) - rank(square)).abs() } else { dark }
}

static TO_CENTER: [u8; 64] = {
    let mut table = [0; 64];
    let mut index = 0;
    while index < 64 {
        table[index] = 6 - from_side(index & 7) - from_side(index >> 3);
        index += 1;
    }
    table
};

/// 0 on the two outer files or ranks, 3 on the two inner ones.
const fn from_side(line: usize) -> u8 {
    (if line < 4 { line } else { 7 - line }) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(name: &str) -> Square {
        name.parse().unwrap()
    }

    #[test]
    fn kings_walk_diagonals_as_fast_as_lines() {
        for (a, b, expected) in [("a1", "a1", 0), ("a1", "b2", 1), ("a1", "h8", 7), ("c2", "d6", 4)] {
            assert_eq!(distance(square(a), square(b)), expected, "{a} {b}");
            assert_eq!(distance(square(b), square(a)), expected, "{b} {a}");
        }
    }

    #[test]
    fn steps_to_the_centre() {
        for (at, center) in [("a1", 6), ("h4", 3), ("b2", 4), ("c6", 2), ("d4", 0), ("e5", 0), ("g8", 5)] {
            assert_eq!(to_center(square(at)), center, "{at}");
        }
    }

    #[test]
    fn corners_by_colour() {
        for (at, light, dark) in
            [("h1", 7, 0), ("a8", 7, 0), ("a1", 0, 7), ("h8", 0, 7), ("d4", 0, 1), ("g1", 6, 1)]
        {
            assert_eq!(towards_corners(square(at), true), light, "{at}");
            assert_eq!(towards_corners(square(at), false), dark, "{at}");
        }
    }
}
