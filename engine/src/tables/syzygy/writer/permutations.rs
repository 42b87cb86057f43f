//! The orders of the men from which the writer chooses the numbering of a table.

use super::exchange::exchange_sort;
use crate::tables::syzygy::file::number_of;
use crate::tables::syzygy::numbering::{Leading, Places, leading_side};
use crate::{Piece, Role};

/// An order of the kinds of men, in which the squares of the first kind vary fastest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Permutation {
    /// Each kind once.
    pub(super) kinds: Vec<Piece>,
    /// All men, in the sequence of the numbering.
    pub(super) sequence: Vec<Piece>,
    pub(super) places: Places,
}

/// All orders that a numbering may have, in the order in which they are tried.
pub(super) fn all(men: &[Piece]) -> Vec<Permutation> {
    let leading = Leading::new(men);
    let count = |kind: Piece| men.iter().filter(|man| **man == kind).count();
    let mut kinds = men.to_vec();
    kinds.sort_by_key(|&man| number_of(man));
    kinds.dedup();
    let mut orders = Vec::new();
    put_next(&kinds, 0, &mut vec![None; kinds.len()], &mut orders);
    if leading != Leading::Pawns {
        filter(&mut orders, |order| head(order, leading, &count).is_some());
    }
    let key = |kind: Piece| match leading {
        Leading::Pawns if kind.role == Role::Pawn => 13 + kind.color.index(),
        _ => count(kind),
    };
    exchange_sort(&mut orders, |one, other| {
        let keys = one.iter().zip(other).map(|(&one, &other)| (key(one), key(other)));
        keys.into_iter().find(|(one, other)| one != other).is_some_and(|(one, other)| one > other)
    });
    let permutation = |kinds: Vec<Piece>| {
        let (sequence, places) = sequence(&kinds, leading, men, &count);
        Permutation { kinds, sequence, places }
    };
    orders.into_iter().map(permutation).collect()
}

/// Puts each kind into each free place, the first kind outermost.
fn put_next(kinds: &[Piece], next: usize, places: &mut Vec<Option<Piece>>, orders: &mut Vec<Vec<Piece>>) {
    if next == kinds.len() {
        orders.push(places.iter().flatten().copied().collect());
        return;
    }
    for place in 0..places.len() {
        if places[place].is_none() {
            places[place] = Some(kinds[next]);
            put_next(kinds, next + 1, places, orders);
            places[place] = None;
        }
    }
}

/// Drops each order that is not wanted; the last order takes its place.
fn filter(orders: &mut Vec<Vec<Piece>>, is_wanted: impl Fn(&[Piece]) -> bool) {
    let mut place = 0;
    while place < orders.len() {
        if is_wanted(&orders[place]) {
            place += 1;
        } else {
            orders.swap_remove(place);
        }
    }
}

/// The last place from which on so many kinds as lead stand with one man each.
fn head(order: &[Piece], leading: Leading, count: &impl Fn(Piece) -> usize) -> Option<usize> {
    let len = if leading == Leading::Three { 3 } else { 2 };
    let is_head = |place: &usize| order[*place..*place + len].iter().all(|&kind| count(kind) == 1);
    (0..=order.len().checked_sub(len)?).rev().find(is_head)
}

/// The sequence of the men, and the places of the digits.
fn sequence(
    kinds: &[Piece],
    leading: Leading,
    men: &[Piece],
    count: &impl Fn(Piece) -> usize,
) -> (Vec<Piece>, Places) {
    let repeated = |kind: Piece| std::iter::repeat_n(kind, count(kind));
    let place_of = |kind: Piece| kinds.iter().position(|&other| other == kind).map(|place| place as u8);
    let (heads, places) = if leading == Leading::Pawns {
        let color = leading_side(men);
        let [first, second] = [color, !color].map(|color| Piece { color, role: Role::Pawn });
        let places = Places { leading: place_of(first).unwrap_or_default(), pawns: place_of(second) };
        let seconds = if places.pawns.is_some() { vec![second] } else { Vec::new() };
        ([vec![first], seconds].concat(), places)
    } else {
        let start = head(kinds, leading, count).unwrap_or_default();
        let len = if leading == Leading::Three { 3 } else { 2 };
        let mut heads = kinds[start..start + len].to_vec();
        heads.reverse();
        (heads, Places { leading: start as u8, pawns: None })
    };
    let rest = kinds.iter().copied().filter(|kind| !heads.contains(kind));
    (heads.iter().copied().chain(rest).flat_map(repeated).collect(), places)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::syzygy::file::men_of;

    fn check(name: &str, expected: &str) {
        let men = men_of(name.parse().unwrap());
        let orders = all(&men);
        let texts = orders.iter().map(|one| one.kinds.iter().map(|kind| kind.to_char()).collect::<String>());
        assert_eq!(texts.collect::<Vec<_>>().join(" "), expected, "{name}");
    }

    #[test]
    fn orders_stand_as_they_are_tried() {
        check("KPvK", "KkP kKP KPk kPK PKk PkK");
        check("KQvK", "QKk QkK KQk kQK KkQ kKQ");
    }
}
