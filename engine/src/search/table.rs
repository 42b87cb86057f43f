//! The transposition table, shared by all threads.
//!
//! An entry is two atomic words; the key is combined with the data by exclusive or, so that a mixture of two
//! writes does not match (Hyatt, Mann: A lock-less transposition-table implementation for parallel search,
//! 2002). Knows no position and no search.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use super::packed::PackedMove;
use crate::Score;
use crate::processor;
use crate::search_api::Bound;

const BUCKET: usize = 4;
const MIB: usize = 1 << 20;
/// Ages are counted modulo this number.
const AGES: u8 = 64;
/// The greatest difference of two ages.
const OLDEST: u8 = AGES - 1;

/// The data of an entry. Mate scores are relative to the stored position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TTEntry {
    pub(super) best: PackedMove,
    pub(super) score: Score,
    /// The static evaluation; `None` in check.
    pub(super) eval: Option<Score>,
    pub(super) depth: i32,
    pub(super) bound: Bound,
}

/// The lock, which is the key combined with the data, and the data.
type Slot = [AtomicU64; 2];
/// As long as a line of the cache.
type Bucket = [Slot; BUCKET];

/// The table. A table of size 0 finds nothing and stores nothing.
///
/// Clearing starts a new age and leaves the older entries in their slots. They are stale: they count as never
/// written. The slots are overwritten before ages come round to those of stale entries.
pub(super) struct TranspositionTable {
    /// The system provides each page as it is first used.
    slots: Vec<Slot>,
    /// The first slot of the first bucket: one that begins a line of the cache, if there is any.
    first: usize,
    age: AtomicU8,
    /// The age of a live entry is at most this many ages before the current one.
    live: u8,
    /// The age of any entry is at most this many ages before the current one.
    stored: u8,
}

/// Marks a missing evaluation.
const NO_EVAL: i16 = i16::MIN;

impl TTEntry {
    #[inline]
    fn pack(&self, age: u8) -> u64 {
        let eval = self.eval.map_or(NO_EVAL, |eval| eval.raw() as i16);
        let depth = self.depth.clamp(0, 255) as u64;
        let bound = match self.bound {
            Bound::Exact => 1,
            Bound::Lower => 2,
            Bound::Upper => 3,
        };
        u64::from(self.best.0)
            | u64::from((self.score.raw() as i16).cast_unsigned()) << 16
            | u64::from(eval.cast_unsigned()) << 32
            | depth << 48
            | (bound | u64::from(age) << 2) << 56
    }

    /// `None` if the slot was never written.
    #[inline]
    fn unpack(data: u64) -> Option<Self> {
        let word = |shift: u32| (data >> shift) as u16;
        let bound = match data >> 56 & 3 {
            0 => return None,
            1 => Bound::Exact,
            2 => Bound::Lower,
            _ => Bound::Upper,
        };
        let eval = word(32).cast_signed();
        Some(Self {
            best: PackedMove(word(0)),
            score: Score::from_raw(i32::from(word(16).cast_signed())),
            eval: (eval != NO_EVAL).then(|| Score::from_raw(i32::from(eval))),
            depth: i32::from((data >> 48) as u8),
            bound,
        })
    }
}

/// Whether a slot was ever written: each bound has a number.
#[inline]
fn is_written(data: u64) -> bool {
    data >> 56 & 3 != 0
}

#[inline]
fn age_of(data: u64) -> u8 {
    (data >> 58) as u8
}

/// How many ages before `age` an entry was written.
#[inline]
fn ages_since(age: u8, data: u64) -> u8 {
    (age + AGES - age_of(data)) % AGES
}

/// The data of a slot, if it has this key.
#[inline]
fn data_of_key([lock, data]: &Slot, key: u64) -> Option<u64> {
    let data = data.load(Relaxed);
    (lock.load(Relaxed) ^ data == key).then_some(data)
}

#[inline]
fn write([lock, data]: &Slot, key: u64, new: u64) {
    lock.store(key ^ new, Relaxed);
    data.store(new, Relaxed);
}

impl TranspositionTable {
    /// A table of this many MiB, or less if the machine provides less; 0 for none.
    pub(super) fn new(mib: usize) -> Self {
        let mut buckets = mib * MIB / size_of::<Bucket>();
        let mut slots: Vec<Slot> = loop {
            // Those of one bucket more, since some may lie before the first line of the cache.
            let wanted = if buckets == 0 { 0 } else { (buckets + 1) * BUCKET };
            match bytemuck::allocation::try_zeroed_vec(wanted) {
                Ok(slots) => break slots,
                Err(()) => buckets /= 2,
            }
        };
        // If no slot begins a line, the table begins anywhere.
        let first = slots.as_ptr().align_offset(size_of::<Bucket>()).min(slots.len().min(BUCKET));
        slots.truncate(first + buckets * BUCKET);
        Self { slots, first, age: AtomicU8::new(0), live: OLDEST, stored: 0 }
    }

    #[inline]
    fn buckets(&self) -> &[Bucket] {
        self.slots[self.first..].as_chunks().0
    }

    /// Whether the table has any slots.
    #[inline]
    pub(super) fn has_room(&self) -> bool {
        !self.buckets().is_empty()
    }

    /// Clears the table.
    pub(super) fn clear(&mut self) {
        if self.stored == OLDEST {
            return self.overwrite();
        }
        self.next_age();
        self.live = 0;
    }

    /// Starts a new age.
    pub(super) fn next_search(&mut self) {
        if self.live < OLDEST && self.stored == OLDEST {
            self.remove_stale();
        }
        self.next_age();
        self.live = (self.live + 1).min(OLDEST);
    }

    fn next_age(&mut self) {
        let age = self.age.get_mut();
        *age = (*age + 1) % AGES;
        self.stored = (self.stored + 1).min(OLDEST);
    }

    /// Overwrites all slots. The system then has provided all pages, and no search waits for one.
    pub(super) fn overwrite(&mut self) {
        self.slots.fill_with(Slot::default);
        (self.live, self.stored) = (OLDEST, 0);
    }

    /// Overwrites the slots of stale entries.
    #[cold]
    fn remove_stale(&mut self) {
        let (age, live) = (*self.age.get_mut(), self.live);
        for slot in &mut self.slots {
            let [_, data] = slot;
            let data = *data.get_mut();
            if is_written(data) && ages_since(age, data) > live {
                *slot = Slot::default();
            }
        }
        self.live = OLDEST;
    }

    /// Whether an entry was written before the table was cleared.
    #[inline]
    fn is_stale(&self, data: u64) -> bool {
        ages_since(self.age.load(Relaxed), data) > self.live
    }

    #[inline]
    fn bucket(&self, key: u64) -> Option<&Bucket> {
        let buckets = self.buckets();
        // The high half of the product spreads keys over any number of buckets.
        let index = (u128::from(key) * buckets.len() as u128) >> 64;
        buckets.get(index as usize)
    }

    /// Begins to load the bucket of a key, which will soon be read.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        if let Some(bucket) = self.bucket(key) {
            processor::prefetch(bucket);
        }
    }

    /// The entry of a key.
    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<TTEntry> {
        self.bucket(key)?.iter().find_map(|slot| self.read(slot, key)).and_then(TTEntry::unpack)
    }

    /// The data of a slot, if it is a live entry of this key.
    #[inline]
    fn read(&self, slot: &Slot, key: u64) -> Option<u64> {
        data_of_key(slot, key).filter(|&data| !self.is_stale(data))
    }

    /// Stores an entry. It replaces the entry of the same position unless that one is more valuable, or else
    /// the shallowest and oldest entry of the bucket.
    #[inline]
    pub(super) fn put(&self, key: u64, entry: &TTEntry) {
        let Some(bucket) = self.bucket(key) else { return };
        let age = self.age.load(Relaxed);
        if let Some((slot, old)) = bucket.iter().find_map(|slot| Some((slot, self.read(slot, key)?))) {
            let mut entry = *entry;
            if let Some(known) = TTEntry::unpack(old) {
                let keep = entry.bound != Bound::Exact && age_of(old) == age && known.depth > entry.depth + 3;
                if keep {
                    return;
                }
                if entry.best == PackedMove::NONE {
                    entry.best = known.best;
                }
            }
            return write(slot, key, entry.pack(age));
        }
        let worth = |[_, data]: &&Slot| {
            let data = data.load(Relaxed);
            let old = ages_since(age, data);
            let entry = TTEntry::unpack(data).filter(|_| old <= self.live);
            entry.map_or(i32::MIN, |entry| entry.depth - 4 * i32::from(old))
        };
        if let Some(slot) = bucket.iter().min_by_key(worth) {
            write(slot, key, entry.pack(age));
        }
    }

    /// Use by entries of the current search, in thousandths, by a sample.
    pub(super) fn fullness(&self) -> u16 {
        let age = self.age.load(Relaxed);
        let buckets = self.buckets();
        let sample = buckets.len().min(250);
        let used = |[_, data]: &&Slot| {
            let data = data.load(Relaxed);
            is_written(data) && age_of(data) == age
        };
        let used = buckets[..sample].iter().flatten().filter(used).count();
        (used * 1000).checked_div(sample * BUCKET).unwrap_or_default() as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ply;

    fn entry(depth: i32, bound: Bound) -> TTEntry {
        TTEntry { best: PackedMove(77), score: Score::mate_in(Ply(9)), eval: None, depth, bound }
    }

    /// Whatever the address that the system gives.
    #[test]
    fn a_table_has_as_many_buckets_as_its_size_has_room_for() {
        for mib in [0, 1, 3, 64] {
            let table = TranspositionTable::new(mib);
            assert_eq!(table.buckets().len(), mib * MIB / 64);
            let address = table.buckets().as_ptr().addr();
            assert!(mib == 0 || cfg!(target_pointer_width = "32") || address.is_multiple_of(64), "{address}");
        }
    }

    #[test]
    fn entries_come_back_as_they_were() {
        let table = TranspositionTable::new(1);
        for (key, eval) in
            [(1, None), (u64::MAX, Some(Score::centipawns(-312))), (1 << 63, Some(Score::DRAW))]
        {
            for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
                let entry = TTEntry { eval, ..entry(17, bound) };
                table.put(key, &entry);
                assert_eq!(table.get(key), Some(entry));
            }
        }
        assert_eq!(table.get(2), None);
    }

    /// Keys that share all but their lowest bits share a bucket.
    #[test]
    fn the_shallowest_and_oldest_entry_is_replaced() {
        let mut table = TranspositionTable::new(1);
        for (key, depth) in [(1, 9), (2, 3), (3, 8), (4, 7)] {
            table.put(key, &entry(depth, Bound::Exact));
        }
        table.put(5, &entry(1, Bound::Exact));
        assert_eq!((table.get(2), table.get(5).is_some()), (None, true));
        for _ in 0..2 {
            table.next_search();
        }
        table.put(5, &entry(4, Bound::Exact));
        table.put(6, &entry(1, Bound::Exact));
        assert!(table.get(4).is_none(), "depth 7, two searches old, is worth less than a young depth 4");
        assert!([1, 3, 5, 6].into_iter().all(|key| table.get(key).is_some()));
    }

    #[test]
    fn a_much_shallower_bound_does_not_replace_the_same_position() {
        let table = TranspositionTable::new(1);
        table.put(1, &entry(12, Bound::Exact));
        table.put(1, &entry(5, Bound::Upper));
        assert_eq!(table.get(1).map(|entry| entry.depth), Some(12));
        table.put(1, &TTEntry { best: PackedMove::NONE, ..entry(5, Bound::Exact) });
        assert_eq!(table.get(1), Some(entry(5, Bound::Exact)), "an exact one does, and keeps the move");
    }

    #[test]
    fn clearing_removes_all_entries() {
        let mut table = TranspositionTable::new(1);
        table.put(1, &entry(12, Bound::Exact));
        table.clear();
        assert_eq!((table.get(1), table.fullness()), (None, 0));
    }

    /// Compares the table with one whose slots are overwritten whenever it is cleared, over more searches
    /// than there are ages.
    #[test]
    fn stale_entries_count_as_never_written() {
        let (mut table, mut reference) = (TranspositionTable::new(1), TranspositionTable::new(1));
        let mut drawn = 0_u64;
        let mut draw = |below: u64| {
            drawn = crate::zobrist::splitmix64(drawn);
            drawn % below
        };
        let (mut cleared, mut hits) = (0, 0);
        // Clearings come often, seldom and not at all, so that either kind of overwriting occurs.
        for step in 0..600_u64 {
            let rare = [3, 40, u64::MAX][(step / 200) as usize];
            if draw(rare) == 0 {
                cleared += 1;
                table.clear();
                reference.overwrite();
            }
            table.next_search();
            reference.next_search();
            for _ in 0..40 {
                // Few buckets, so that entries are replaced.
                let key = draw(3) << 62 | (1 + draw(9));
                assert_eq!(table.get(key), reference.get(key), "step {step}");
                hits += u32::from(table.get(key).is_some());
                let bound = [Bound::Exact, Bound::Lower, Bound::Upper][draw(3) as usize];
                let entry = TTEntry { best: PackedMove(draw(3) as u16), ..entry(draw(9) as i32, bound) };
                table.put(key, &entry);
                reference.put(key, &entry);
            }
            assert_eq!(table.fullness(), reference.fullness());
        }
        assert!(cleared > 50 && hits > 1_000, "{cleared} {hits}");
    }

    #[test]
    fn without_slots_nothing_is_stored() {
        let mut table = TranspositionTable::new(0);
        table.next_search();
        for key in [0, 1, u64::MAX] {
            table.put(key, &entry(12, Bound::Exact));
            assert_eq!(table.get(key), None);
        }
        table.clear();
        assert_eq!((table.fullness(), table.has_room()), (0, false));
        assert!(TranspositionTable::new(1).has_room());
    }
}
