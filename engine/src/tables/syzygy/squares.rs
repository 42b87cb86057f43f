//! Numbers of squares, and of pairs of kings, as Syzygy tables count them.
//!
//! A square is its index: 0 for a1, 7 for h1, 63 for h8. Knows no men and no tables.

/// The count of numbers for three different men, up to the eight symmetries.
pub(super) const THREE_MEN: u64 = 31_332;
/// The count of numbers for the two kings, up to the eight symmetries.
pub(super) const TWO_KINGS: u64 = 462;
/// The most pawns that lead a table of five men.
const MAX_PAWNS: usize = 3;

/// The file of a square, 0 for a.
#[inline]
pub(super) const fn file(square: u8) -> u8 {
    square & 7
}

/// The rank of a square, 0 for the first.
#[inline]
pub(super) const fn rank(square: u8) -> u8 {
    square >> 3
}

/// The ten squares of the triangle a1, d1, d4: first those below the diagonal, then those on it.
pub(super) const TRIANGLE_SQUARES: [u8; 10] = [1, 2, 3, 10, 11, 19, 0, 9, 18, 27];

/// The numbers of the squares of the triangle a1, d1, d4; 0 elsewhere.
pub(super) static TRIANGLE: [u8; 64] = {
    let mut numbers = [0; 64];
    let mut number = 0;
    while number < 10 {
        numbers[TRIANGLE_SQUARES[number] as usize] = number as u8;
        number += 1;
    }
    numbers
};

/// The numbers of the squares of the diagonal from a1 to h8; 0 elsewhere.
pub(super) static DIAGONAL: [u8; 64] = {
    let mut numbers = [0; 64];
    let mut number = 0;
    while number < 8 {
        numbers[9 * number] = number as u8;
        number += 1;
    }
    numbers
};

/// The squares below the diagonal, rank by rank.
pub(super) static LOWER_SQUARES: [u8; 28] = {
    let mut squares = [0; 28];
    let (mut square, mut next) = (0, 0);
    while square < 64 {
        if rank(square) < file(square) {
            squares[next] = square;
            next += 1;
        }
        square += 1;
    }
    squares
};

/// The numbers of the squares below the diagonal; 0 elsewhere.
pub(super) static LOWER: [u8; 64] = {
    let mut numbers = [0; 64];
    let mut number = 0;
    while number < 28 {
        numbers[LOWER_SQUARES[number] as usize] = number as u8;
        number += 1;
    }
    numbers
};

/// Whether two squares are equal or adjacent.
const fn touch(one: u8, other: u8) -> bool {
    file(one).abs_diff(file(other)) < 2 && rank(one).abs_diff(rank(other)) < 2
}

/// The squares of the kings of each number: the first king is in the triangle.
pub(super) static KING_SQUARES: [(u8, u8); TWO_KINGS as usize] = {
    let mut pairs = [(0, 0); TWO_KINGS as usize];
    let mut next = 0;
    let mut pass = 0;
    // First those that the diagonal does not fix, then those on it.
    while pass < 2 {
        let mut number = if pass == 0 { 0 } else { 6 };
        while number < 10 {
            let first = TRIANGLE_SQUARES[number];
            let mut second = 0;
            while second < 64 {
                let is_kept = if pass == 1 {
                    file(second) == rank(second)
                } else {
                    number < 6 || rank(second) < file(second)
                };
                if is_kept && !touch(first, second) {
                    pairs[next] = (first, second);
                    next += 1;
                }
                second += 1;
            }
            number += 1;
        }
        pass += 1;
    }
    pairs
};

/// The numbers of pairs of kings, by the number of the first in the triangle and the square of the second; 0
/// where they touch.
pub(super) static KINGS: [[u16; 64]; 10] = {
    let mut numbers = [[0; 64]; 10];
    let mut number = 0;
    while number < KING_SQUARES.len() {
        let (first, second) = KING_SQUARES[number];
        numbers[TRIANGLE[first as usize] as usize][second as usize] = number as u16;
        number += 1;
    }
    numbers
};

/// The file of a square, mirrored to the files a to d.
const fn half_file(square: u8) -> u8 {
    if file(square) > 3 { 7 - file(square) } else { file(square) }
}

/// The number of a pawn's square, file by file. It decides which pawn leads: the one nearest to the edge
/// file, then to the second rank.
pub(super) static FLAP: [u8; 64] = {
    let mut numbers = [0; 64];
    let mut square = 8;
    while square < 56 {
        numbers[square as usize] = 6 * half_file(square) + rank(square) - 1;
        square += 1;
    }
    numbers
};

/// The number of a pawn's square by which the other leading pawns are counted. It is less than that of the
/// pawn that leads them.
pub(super) static PAWN_RANK: [u8; 64] = {
    let mut numbers = [0; 64];
    let mut square = 8;
    while square < 56 {
        numbers[square as usize] =
            47 - 12 * half_file(square) - 2 * (rank(square) - 1) - (file(square) > 3) as u8;
        square += 1;
    }
    numbers
};

/// The number of ways in which this many other pawns stand behind a leading pawn with this rank in
/// [`PAWN_RANK`].
const fn behind(rank: u32, others: usize) -> u32 {
    match others {
        0 => 1,
        1 => rank,
        _ => rank * rank.saturating_sub(1) / 2,
    }
}

/// The first number of the pawns, by their number less one and [`FLAP`] of the leading pawn.
pub(super) static PAWN_INDEX: [[u32; 24]; MAX_PAWNS] = PAWNS.0;
/// The count of numbers for the pawns, by their number less one and the file of the leading pawn.
pub(super) static PAWN_SPAN: [[u32; 4]; MAX_PAWNS] = PAWNS.1;

const PAWNS: ([[u32; 24]; MAX_PAWNS], [[u32; 4]; MAX_PAWNS]) = {
    let mut first = [[0; 24]; MAX_PAWNS];
    let mut span = [[0; 4]; MAX_PAWNS];
    let mut others = 0;
    while others < MAX_PAWNS {
        let mut flap = 0;
        while flap < 24 {
            let (file, rank) = (flap / 6, flap % 6);
            first[others][flap] = span[others][file];
            span[others][file] += behind((47 - 12 * file - 2 * rank) as u32, others);
            flap += 1;
        }
        others += 1;
    }
    (first, span)
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Published fixed points of the numbering of kings.
    #[test]
    fn pairs_of_kings_are_all_numbered() {
        let number = |first: usize, second: usize| KINGS[usize::from(TRIANGLE[first])][second];
        for (first, second, expected) in
            [(0, 18, 441), (0, 27, 442), (18, 0, 452), (27, 0, 457), (27, 63, 461)]
        {
            assert_eq!(number(first, second), expected, "{first} {second}");
        }
        assert!(KING_SQUARES.iter().all(|&pair| pair != (0, 0)));
    }

    #[test]
    fn pawns_are_all_numbered() {
        assert_eq!(PAWN_SPAN[0], [6; 4]);
        let sets = |pawns: usize| PAWN_SPAN[pawns - 1].iter().sum::<u32>();
        // Of two pawns each pair and its mirror image are one, and those whose leading pawn has an equal on
        // the other side are counted.
        assert_eq!([sets(1), sets(2), sets(3)], [24, 576, 8_924]);
        assert_eq!((FLAP[8], FLAP[15], PAWN_RANK[8], PAWN_RANK[15], PAWN_RANK[52]), (0, 0, 47, 46, 0));
    }
}
