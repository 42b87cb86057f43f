//! What the search remembers of positions in which the side that mates is to move.
//!
//! Keys are 128 bits and stored whole: that two positions share one is left out of account. A mate told is proven by
//! its certificate whatever the table says.

use shakmaty::zobrist::Zobrist128;
use shakmaty::{Chess, EnPassantMode, Position};

use super::certificate::LAST_PLY;

/// What is known of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Known {
    /// There is no mate in so many moves or fewer.
    pub(super) refuted: u16,
    /// The least number of moves of a mate, 0 if none is known.
    pub(super) mate: u16,
}

/// A key that no position has, nearly; it is not stored.
const EMPTY: u128 = 0;

#[derive(Debug, Clone, Copy)]
struct Slot {
    key: u128,
    known: Known,
}

/// Slots in pairs: of two positions that want the same place the one stays that took more work.
#[derive(Debug)]
pub(super) struct Table {
    slots: Vec<Slot>,
}

impl Table {
    /// A table of at most so many bytes, no greater than a search of `nodes` positions can fill.
    pub(super) fn new(bytes: usize, nodes: u64) -> Self {
        let room = bytes / size_of::<Slot>();
        let needed = usize::try_from(nodes.saturating_mul(2)).unwrap_or(usize::MAX);
        let slots = room.min(needed).max(2) & !1;
        Self { slots: vec![Slot { key: EMPTY, known: Known::default() }; slots] }
    }

    pub(super) fn get(&self, key: u128) -> Option<Known> {
        let at = self.place(key);
        let slot = self.slots[at..at + 2].iter().find(|slot| slot.key == key)?;
        Some(slot.known)
    }

    pub(super) fn put(&mut self, key: u128, known: Known) {
        let at = self.place(key);
        let pair = &mut self.slots[at..at + 2];
        let worth = |slot: &Slot| slot.known.refuted.max(slot.known.mate);
        let which =
            usize::from(pair[0].key != key && (pair[1].key == key || worth(&pair[1]) <= worth(&pair[0])));
        pair[which] = Slot { key, known };
    }

    fn place(&self, key: u128) -> usize {
        let pairs = (self.slots.len() / 2) as u128;
        ((key & u128::from(u64::MAX)) * pairs >> 64) as usize * 2
    }
}

/// The keys of a position: without its clock, and with it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Keys {
    free: u128,
    clocked: u128,
    /// The longest mate that the clock cannot hinder.
    free_moves: u16,
}

impl Keys {
    pub(super) fn of(position: &Chess) -> Self {
        let free = u128::from(position.zobrist_hash::<Zobrist128>(EnPassantMode::Legal));
        let clock = position.halfmoves();
        // Any odd number with bits everywhere; the clock is below 100.
        let spread = u128::from(clock + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835);
        Self { free, clocked: free ^ spread, free_moves: ((LAST_PLY + 1).saturating_sub(clock) / 2) as u16 }
    }

    /// The key under which it is known whether there is a mate in so many moves. The clock matters if the mating move
    /// could come after the hundredth ply.
    pub(super) fn for_moves(&self, moves: u16) -> u128 {
        if moves <= self.free_moves { self.free } else { self.clocked }
    }

    /// What a table knows of mates in at most so many moves.
    pub(super) fn known(&self, table: &Table, moves: u16) -> Known {
        let mut known = table.get(self.free).unwrap_or_default();
        // No clock makes a mate shorter; yet it may come too late for this one.
        if known.mate > self.free_moves {
            known.mate = 0;
        }
        if moves > self.free_moves && known.mate == 0 {
            let clocked = table.get(self.clocked).unwrap_or_default();
            known = Known { refuted: known.refuted.max(clocked.refuted), mate: clocked.mate };
        }
        known
    }
}
