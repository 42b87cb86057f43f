//! Runs: consecutive slots that differ in the square of one man only. One operation on a set of squares shows
//! which of them are used.

use std::ops::Range;

use crate::tables::{Layout, Placement};
use crate::{Bitboard, Piece, Role, Square, attacks};
use crate::{Color, tables::MAX_MEN};

/// The most slots of a run.
const LONGEST: usize = 64;

/// Consecutive slots whose placements differ in the square of one man, which goes up from slot to slot.
#[derive(Debug, Clone)]
pub(crate) struct Run {
    /// The slots.
    pub(crate) slots: Range<usize>,
    /// The man that moves, by its number in a [`Placement`].
    pub(crate) man: usize,
    /// The placement of the first slot.
    pub(crate) squares: Placement,
}

impl Run {
    /// The square of the man in the first slot.
    pub(crate) fn first(&self) -> Square {
        self.squares.get(self.man)
    }

    /// The placements of the slots, for these squares of the man.
    fn with(&self, square: Square) -> (usize, Placement) {
        (self.slots.start + square.index() - self.first().index(), self.squares.with(self.man, square))
    }

    /// The places in the run of these squares of the man, from 0.
    pub(crate) fn places(&self, squares: Bitboard) -> impl Iterator<Item = usize> + use<> {
        let first = self.first().index();
        squares.into_iter().map(move |square| square.index() - first)
    }
}

impl Layout {
    /// The runs of these slots, in their order.
    pub(crate) fn runs(&self, slots: Range<usize>) -> impl Iterator<Item = Run> {
        let mut next = slots.start;
        std::iter::from_fn(move || {
            let run = (next < slots.end).then(|| self.run(next, slots.end))?;
            next = run.slots.end;
            Some(run)
        })
    }

    /// The longest run from a slot on that ends before `end`.
    fn run(&self, slot: usize, end: usize) -> Run {
        let squares = self.placement(slot);
        let (man, length) = self.rising(&squares);
        debug_assert!((1..=LONGEST).contains(&length) && man < MAX_MEN);
        Run { slots: slot..end.min(slot + length), man, squares }
    }

    /// The squares of the man of a run for which the slot is used.
    pub(crate) fn used(&self, run: &Run, side_to_move: Color) -> Bitboard {
        let fixed =
            || self.men().iter().zip(run.squares.iter()).enumerate().filter(|(man, _)| *man != run.man);
        let occupied: Bitboard = fixed().map(|(_, (_, square))| square).collect();
        if occupied.count() as usize + 1 != self.men().len() {
            return Bitboard::EMPTY;
        }
        let king = run.squares.get((!side_to_move).index());
        let mut used = !occupied & Bitboard(u64::MAX >> (LONGEST - run.slots.len()) << run.first().index());
        for (_, (&Piece { color, role }, square)) in
            fixed().filter(|(_, (piece, _))| piece.color == side_to_move)
        {
            if attacks::hits(role, color, square, king, occupied) {
                used &= attacks::between(square, king);
            }
        }
        let Piece { color, role } = self.men()[run.man];
        if color == side_to_move {
            used &= !match role {
                Role::Pawn => attacks::pawn(!color, king),
                _ => attacks::of(role, color, king, occupied),
            };
        }
        self.of_images(run, used)
    }

    /// Of these squares of the man of a run, those whose slot does not belong to the other image of the
    /// placement.
    pub(crate) fn of_images(&self, run: &Run, squares: Bitboard) -> Bitboard {
        if !self.has_two_images(&run.squares) {
            return squares;
        }
        let is_first = |square: &Square| {
            let (slot, squares) = run.with(*square);
            self.slot(&squares) == Some(slot)
        };
        squares.into_iter().filter(is_first).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs cover every slot once, and agree with the layout on each.
    #[test]
    fn runs_say_which_slots_are_used() {
        for name in ["KvK", "KPvK", "KQvK", "KRvKB", "KPPvK", "KNNvK", "KPvKP"] {
            let layout = Layout::new(name.parse().unwrap());
            // Runs are cut where a block begins.
            let (from, to) = (layout.slots() / 3 + 5, layout.slots().min(layout.slots() / 3 + 60_000));
            let from = from.min(to - 1);
            for side in Color::ALL {
                let mut next = from;
                for run in layout.runs(from..to) {
                    assert_eq!(run.slots.start, next, "{name}");
                    next = run.slots.end;
                    let used: Vec<usize> = run.places(layout.used(&run, side)).collect();
                    for slot in run.slots.clone() {
                        let square = Square::from_index(run.first().index() + slot - run.slots.start);
                        assert_eq!(layout.placement(slot), run.with(square).1, "{name} {slot}");
                        let is_used = used.contains(&(slot - run.slots.start));
                        assert_eq!(is_used, layout.is_used(slot, side), "{name} {slot} {side}");
                    }
                }
                assert_eq!(next, to, "{name}");
            }
        }
    }
}
