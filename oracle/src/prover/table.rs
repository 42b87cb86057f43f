//! What the search remembers, in tables of a fixed size.
//!
//! Keys are 128 bits and stored whole: that two positions share one is left out of account. A mate told is proven by
//! its certificate whatever the tables say.

use shakmaty::zobrist::Zobrist128;
use shakmaty::{Chess, EnPassantMode, Position};

use super::certificate::LAST_PLY;

/// Both halves of a key, and what is known, which is never 0: all zero where nothing is.
type Slot = [u64; 3];

/// Slots in pairs, each pair the place of some keys. It begins small and grows with what is stored: most questions are
/// answered before memory would be cleared for many.
#[derive(Debug)]
pub(super) struct HashTable {
    slots: Vec<Slot>,
    filled: usize,
    /// How many slots there may be.
    most: usize,
}

/// With how many slots it begins.
const FIRST: usize = 1 << 12;
/// How many times it grows at once.
const GROWTH: usize = 8;

impl HashTable {
    /// A table of at most so many bytes, also while it grows.
    pub(super) fn new(bytes: usize) -> Self {
        let room = bytes / size_of::<Slot>();
        let most = (room - room / GROWTH).max(2) & !1;
        Self { slots: vec![[0; 3]; most.min(FIRST)], filled: 0, most }
    }

    pub(super) fn get(&self, key: u128) -> Option<u64> {
        let at = self.place(key);
        let slot = self.slots[at..at + 2].iter().find(|slot| has(slot, key))?;
        Some(slot[2])
    }

    /// Stores; of two others that want the same place the one goes that is worth less.
    pub(super) fn put(&mut self, key: u128, value: u64, worth: impl Fn(u64) -> u64 + Copy) {
        let at = self.place(key);
        let pair = &mut self.slots[at..at + 2];
        let [first, other] = [0, 1].map(|at| worth(pair[at][2]));
        let second = !has(&pair[0], key) && (has(&pair[1], key) || pair[0][2] != 0 && other <= first);
        let slot = &mut pair[usize::from(second)];
        self.filled += usize::from(slot[2] == 0);
        *slot = [key as u64, (key >> 64) as u64, value];
        if self.filled > self.slots.len() / 2 && self.slots.len() < self.most {
            self.grow(worth);
        }
    }

    fn grow(&mut self, worth: impl Fn(u64) -> u64 + Copy) {
        let slots = self.slots.len().saturating_mul(GROWTH).min(self.most) & !1;
        let smaller = std::mem::replace(&mut self.slots, vec![[0; 3]; slots]);
        self.filled = 0;
        for [low, high, value] in smaller.into_iter().filter(|slot| slot[2] != 0) {
            let at = self.place(u128::from(high) << 64 | u128::from(low));
            let pair = &mut self.slots[at..at + 2];
            let second = pair[0][2] != 0 && worth(pair[1][2]) <= worth(pair[0][2]);
            let slot = &mut pair[usize::from(second)];
            self.filled += usize::from(slot[2] == 0);
            *slot = [low, high, value];
        }
    }

    fn place(&self, key: u128) -> usize {
        let pairs = (self.slots.len() / 2) as u128;
        (((key & u128::from(u64::MAX)) * pairs) >> 64) as usize * 2
    }
}

fn has(slot: &Slot, key: u128) -> bool {
    slot[0] == key as u64 && slot[1] == (key >> 64) as u64
}

/// What is known of a position in which the side that mates is to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct MateBounds {
    /// There is no mate in so many moves or fewer.
    pub(super) refuted: u16,
    /// There is one in so many; 0 if none is known.
    pub(super) mate: u16,
    /// The place of its first move among the legal moves as they are generated.
    pub(super) by: u8,
}

impl MateBounds {
    fn packed(self) -> u64 {
        u64::from(self.by) << 32 | u64::from(self.refuted) << 16 | u64::from(self.mate)
    }

    fn unpacked(bits: u64) -> Self {
        Self { refuted: (bits >> 16) as u16, mate: bits as u16, by: (bits >> 32) as u8 }
    }

    /// Whether there is a mate in at most so many moves, if that is known.
    pub(super) fn decides(&self, moves: u16) -> Option<bool> {
        if self.refuted >= moves {
            Some(false)
        } else if self.mate > 0 && self.mate <= moves {
            Some(true)
        } else {
            None
        }
    }
}

/// The keys of a position: without its clock, and with it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Keys {
    free: u128,
    clocked: u128,
    /// After so many plies the clock stands at 100 if it is not reset.
    plies_left: u32,
}

/// Odd numbers with bits everywhere.
const SPREAD: [u128; 2] =
    [0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835, 0xC2B2_AE3D_27D4_EB4F_1656_67B1_9E37_79F9];

impl Keys {
    pub(super) fn of(position: &Chess) -> Self {
        let free = u128::from(position.zobrist_hash::<Zobrist128>(EnPassantMode::Legal));
        let clock = position.halfmoves();
        let clocked = free ^ u128::from(clock).wrapping_add(1).wrapping_mul(SPREAD[0]);
        Self { free, clocked, plies_left: LAST_PLY.saturating_sub(clock) }
    }

    /// The key under which it is known what becomes of it in so many plies. The clock matters if the mating move could
    /// come after the hundredth.
    fn within(&self, plies: u32) -> u128 {
        if plies <= self.plies_left { self.free } else { self.clocked }
    }

    /// The key for a number of moves of its own, with the side that is mated to move or not.
    pub(super) fn with_moves(&self, moves: u16, mated: bool) -> u128 {
        let plies = 2 * u32::from(moves) - u32::from(!mated);
        self.within(plies) ^ u128::from(plies).wrapping_mul(SPREAD[1])
    }

    /// What a table knows of mates in at most so many moves by the side to move.
    pub(super) fn known(&self, table: &HashTable, moves: u16) -> MateBounds {
        let mut known = table.get(self.free).map(MateBounds::unpacked).unwrap_or_default();
        // No clock makes a mate shorter; yet it may come too late for this one.
        if mating_ply(known.mate) > self.plies_left {
            known.mate = 0;
        }
        if mating_ply(moves) > self.plies_left && known.mate == 0 {
            let clocked = table.get(self.clocked).map(MateBounds::unpacked).unwrap_or_default();
            known = MateBounds { refuted: known.refuted.max(clocked.refuted), ..clocked };
        }
        known
    }

    /// Enters what has been found out about mates in at most so many moves; `by` says the first move of one.
    pub(super) fn enter(&self, table: &mut HashTable, moves: u16, by: Option<u8>) {
        let key = self.within(mating_ply(moves));
        let mut known = table.get(key).map(MateBounds::unpacked).unwrap_or_default();
        match by {
            Some(by) if known.mate == 0 || known.mate > moves => {
                known = MateBounds { mate: moves, by, ..known }
            }
            Some(_) => {}
            None => known.refuted = known.refuted.max(moves),
        }
        table.put(key, known.packed(), |bits| {
            let known = MateBounds::unpacked(bits);
            u64::from(known.refuted.max(known.mate))
        });
    }
}

/// The ply on which a mate in so many moves comes at the latest.
fn mating_ply(moves: u16) -> u32 {
    (2 * u32::from(moves)).saturating_sub(1)
}
