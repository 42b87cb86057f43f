//! The hash tables of the search, of a fixed size.
//!
//! Keys have 128 bits and are stored in full. The tables cannot tell two positions with the same key apart. A
//! certificate proves each reported mate, independent of the hash tables.

use shakmaty::zobrist::Zobrist128;
use shakmaty::{Chess, EnPassantMode, Position};

use super::certificate::LAST_PLY;

/// Both halves of a key and its value, which is never 0. An empty slot is all zero.
type Slot = [u64; 3];

/// A hash table of pairs of slots. It begins small and grows as it fills, because most questions are answered
/// before clearing a large table would pay.
#[derive(Debug)]
pub(super) struct HashTable {
    slots: Vec<Slot>,
    filled: usize,
    /// The greatest number of slots.
    most: usize,
}

/// The number of slots at the beginning.
const FIRST: usize = 1 << 12;
/// The factor by which it grows.
const GROWTH: usize = 8;

impl HashTable {
    /// A hash table of at most this many bytes, also while it grows.
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

    /// Stores a value. Of the two entries of a pair it replaces the one with the lower worth.
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

/// Bounds of mates in a position in which the side that mates is to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct MateBounds {
    /// There is no mate in this many moves or fewer.
    pub(super) refuted: u16,
    /// There is a mate in this many moves; 0 if none is known.
    pub(super) mate: u16,
    /// The index of its first move in the order of the move generator.
    pub(super) by: u8,
}

impl MateBounds {
    fn packed(self) -> u64 {
        u64::from(self.by) << 32 | u64::from(self.refuted) << 16 | u64::from(self.mate)
    }

    fn unpacked(bits: u64) -> Self {
        Self { refuted: (bits >> 16) as u16, mate: bits as u16, by: (bits >> 32) as u8 }
    }

    /// Whether there is a mate in at most this many moves, if that is known.
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

/// The keys of a position: without the halfmove clock, and with it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Keys {
    free: u128,
    clocked: u128,
    /// Plies until the halfmove clock is at 100, if it is not reset.
    plies_left: u32,
}

/// Odd constants with well-mixed bits.
const SPREAD: [u128; 2] =
    [0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835, 0xC2B2_AE3D_27D4_EB4F_1656_67B1_9E37_79F9];

impl Keys {
    pub(super) fn from_position(position: &Chess) -> Self {
        let free = u128::from(position.zobrist_hash::<Zobrist128>(EnPassantMode::Legal));
        let clock = position.halfmoves();
        let clocked = free ^ u128::from(clock).wrapping_add(1).wrapping_mul(SPREAD[0]);
        Self { free, clocked, plies_left: LAST_PLY.saturating_sub(clock) }
    }

    /// The key for results within this many plies. The halfmove clock matters if the mating move could come
    /// after the hundredth ply.
    fn within(&self, plies: u32) -> u128 {
        if plies <= self.plies_left { self.free } else { self.clocked }
    }

    /// A key for one number of moves; `mated` says whether the side to be mated is to move.
    pub(super) fn with_moves(&self, moves: u16, mated: bool) -> u128 {
        let plies = 2 * u32::from(moves) - u32::from(!mated);
        self.within(plies) ^ u128::from(plies).wrapping_mul(SPREAD[1])
    }

    /// The bounds of mates in at most this many moves by the side to move, as a table has them.
    pub(super) fn known(&self, table: &HashTable, moves: u16) -> MateBounds {
        let mut known = table.get(self.free).map(MateBounds::unpacked).unwrap_or_default();
        // A clock makes no mate shorter, but with this clock the mate may come too late.
        if mating_ply(known.mate) > self.plies_left {
            known.mate = 0;
        }
        if mating_ply(moves) > self.plies_left && known.mate == 0 {
            let clocked = table.get(self.clocked).map(MateBounds::unpacked).unwrap_or_default();
            known = MateBounds { refuted: known.refuted.max(clocked.refuted), ..clocked };
        }
        known
    }

    /// Stores a result for mates in at most this many moves; `by` is the index of the first move of a mate.
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

/// The last ply on which a mate in this many moves can come.
fn mating_ply(moves: u16) -> u32 {
    (2 * u32::from(moves)).saturating_sub(1)
}
