//! The orders of the men in the official files of three and four men. The writer does not search for these.
//!
//! A test searches for all of them once more. A wrong one gives other bytes, which the checksums of the files
//! show.

use crate::Color;
use crate::tables::Material;

/// The orders of one section: the place of each one in [`permutations::all`](super::permutations::all).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Known {
    /// The orders of the results, by side to move.
    pub(super) results: [usize; 2],
    /// The side to move whose distances are stored, and their order.
    pub(super) distances: (Color, usize),
}

/// The known orders of each section of a table: the orders of the results with White and with Black to move,
/// the side to move whose distances are stored, and their order. Orders are digits of base 36; no order is
/// needed where all positions have one value.
const ORDERS: [(&str, &str); 33] = [
    ("KRvK", "-1w1"),
    ("KQvK", "-2w1"),
    ("KPvK", "20w4 20w0 00w0 00w2"),
    ("KNvKN", "1---"),
    ("KNNvK", "31--"),
    ("KBvKN", "ca--"),
    ("KBvKB", "4---"),
    ("KBNvK", "88b9"),
    ("KBBvK", "10b0"),
    ("KRvKN", "06b0"),
    ("KRvKB", "1ib0"),
    ("KRvKR", "3-w4"),
    ("KRNvK", "-cw7"),
    ("KRBvK", "-ew7"),
    ("KRRvK", "-2w1"),
    ("KQvKN", "llwc"),
    ("KQvKB", "f9wc"),
    ("KQvKR", "bkwc"),
    ("KQvKQ", "3-w2"),
    ("KQNvK", "-8w8"),
    ("KQBvK", "-8w8"),
    ("KQRvK", "-8w8"),
    ("KQQvK", "-1w1"),
    ("KNvKP", "48ba 48ba 4ab4 42bf"),
    ("KNPvK", "28w8 88w8 88w8 8gw8"),
    ("KBvKP", "44b4 2aba 24b8 44b4"),
    ("KBPvK", "88w8 8gw8 8ew8 2gw8"),
    ("KRvKP", "08w0 02w0 02w0 08w0"),
    ("KRPvK", "-cwc -cwc -cwc -cwc"),
    ("KQvKP", "62w8 18w2 02w8 12w4"),
    ("KQPvK", "-kwb -kw6 -kw0 -kw0"),
    ("KPvKP", "2-w4 8-w2 b-w8 3-w8"),
    ("KPPvK", "00w0 00w0 01w0 01w0"),
];

/// The orders of a section, if the material is one of these.
pub(super) fn section(material: Material, leading_file: usize) -> Option<Known> {
    let name = material.to_string();
    let (_, sections) = ORDERS.iter().find(|(known, _)| *known == name)?;
    let letters: Vec<char> = sections.split(' ').nth(leading_file)?.chars().collect();
    let [white, black, side, order] = letters[..] else { return None };
    let place = |letter: char| letter.to_digit(36).unwrap_or_default() as usize;
    let side = if side == 'b' { Color::Black } else { Color::White };
    Some(Known { results: [place(white), place(black)], distances: (side, place(order)) })
}

#[cfg(test)]
mod tests {
    use super::super::{write, write_in};
    use super::*;
    use crate::tables::builders;

    /// A search for all orders gives the same files as the known orders.
    #[track_caller]
    fn check(men: usize) {
        let materials = Material::up_to(men);
        let tables = builders::production(&materials).unwrap();
        for material in materials.into_iter().filter(|material| material.men() == men) {
            let searched = write_in(material, &tables, |_, _| None).unwrap();
            assert_eq!(write(material, &tables).unwrap(), searched, "{material}");
        }
    }

    #[test]
    fn each_section_of_each_table_is_known() {
        for (name, sections) in ORDERS {
            let material: Material = name.parse().unwrap();
            assert_eq!(material.to_string(), name);
            let files = if material.has_pawns() { 4 } else { 1 };
            assert_eq!(sections.split(' ').count(), files, "{name}");
            assert!((0..files).all(|file| section(material, file).is_some()), "{name}");
            let is_order = |letter: char| letter == '-' || letter.is_digit(22) || letter == 'w';
            assert!(sections.chars().all(|letter| letter == ' ' || is_order(letter)), "{name}: {sections}");
        }
    }

    #[test]
    fn the_known_orders_are_the_best() {
        check(3);
    }

    #[test]
    #[ignore = "nightly: the tables of three men are asked by default"]
    fn the_known_orders_of_four_men_are_the_best() {
        check(4);
    }
}
