//! The specimen's hash table: a value with its depth and its bound, and the move that was best.
//!
//! Knows no board. Two positions of one key are taken for one: the value may then be wrong, but a move is played only
//! if the board has it.

use super::piece_values::Points;
use super::square0x88::Square0x88;
use crate::search_api::Bound;

/// What is known of a position.
#[derive(Debug, Clone, Copy)]
pub(super) struct TTEntry {
    key: u64,
    pub(super) value: Points,
    pub(super) depth: u8,
    pub(super) bound: Bound,
    pub(super) best: Option<(Square0x88, Square0x88)>,
}

/// A depth that no search exceeds: the value is final.
pub(super) const FINAL: u8 = 99;

/// The table: a fixed number of places.
pub(super) struct TTable(Box<[Option<TTEntry>]>);

impl TTable {
    const PLACES: usize = 1 << 18;
    /// How many places a position may stand in.
    const NEIGHBOURS: usize = 4;

    pub(super) fn new() -> Self {
        Self(vec![None; Self::PLACES].into_boxed_slice())
    }

    pub(super) fn clear(&mut self) {
        self.0.fill(None);
    }

    #[inline]
    fn places(key: u64) -> std::ops::Range<usize> {
        let first = key as usize & (Self::PLACES - Self::NEIGHBOURS);
        first..first + Self::NEIGHBOURS
    }

    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<&TTEntry> {
        self.0[Self::places(key)].iter().flatten().find(|entry| entry.key == key)
    }

    /// Stores, in place of what is known of this position, or else of what was searched least deep.
    #[inline]
    pub(super) fn put(
        &mut self,
        key: u64,
        depth: u8,
        value: Points,
        bound: Bound,
        best: Option<(Square0x88, Square0x88)>,
    ) {
        let places = &mut self.0[Self::places(key)];
        let rank = |place: &Option<TTEntry>| match place {
            Some(entry) if entry.key == key => 0,
            None => 1,
            Some(entry) => 2 + u16::from(entry.depth),
        };
        if let Some(place) = places.iter_mut().min_by_key(|place| rank(place)) {
            *place = Some(TTEntry { key, value, depth, bound, best });
        }
    }

    /// How full it is, in thousandths.
    pub(super) fn fullness(&self) -> u16 {
        self.0.iter().take(1_000).flatten().count() as u16
    }
}

impl TTEntry {
    /// Whether the value says all that a search with this window would.
    #[inline]
    pub(super) fn settles(&self, alpha: Points, beta: Points) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.value >= beta,
            Bound::Upper => self.value <= alpha,
        }
    }
}
