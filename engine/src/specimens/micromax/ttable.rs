//! The hash table: score, depth, bound and best move of positions.
//!
//! This module knows no board. It confuses positions with equal keys: the score may then be wrong, but a move
//! is played only if it is possible on the board.

use super::piece_values::Points;
use super::square0x88::Square0x88;
use crate::search_api::Bound;

/// The entry of a position.
#[derive(Debug, Clone, Copy)]
pub(super) struct TTEntry {
    key: u64,
    pub(super) value: Points,
    pub(super) depth: u8,
    pub(super) bound: Bound,
    pub(super) best: Option<(Square0x88, Square0x88)>,
}

/// A depth that no search exceeds: the score is final.
pub(super) const FINAL: u8 = 99;

/// A table of fixed size.
pub(super) struct TTable(Box<[Option<TTEntry>]>);

impl TTable {
    const PLACES: usize = 1 << 18;
    /// The number of slots where a position may be stored.
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

    /// Stores an entry; replaces that of the same position, or else the shallowest.
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

    /// Use in thousandths.
    pub(super) fn fullness(&self) -> u16 {
        self.0.iter().take(1_000).flatten().count() as u16
    }
}

impl TTEntry {
    /// Whether the entry causes a cutoff in this window.
    #[inline]
    pub(super) fn settles(&self, alpha: Points, beta: Points) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.value >= beta,
            Bound::Upper => self.value <= alpha,
        }
    }
}
