//! Decompressed blocks, of bounded size, shared by all files of a folder and all threads.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::block::Block;

/// Threads that probe different blocks seldom wait for each other.
const SHARDS: usize = 16;

/// A cache of decompressed blocks. When it is full, it drops the least recently used block.
#[derive(Debug)]
pub struct BlockCache {
    shards: [Mutex<Shard>; SHARDS],
    /// The bound of each shard, in bytes.
    bound: usize,
    /// The number of files that use this cache.
    files: AtomicU64,
}

/// The number of a file of this cache, and of a block.
pub(super) type Key = (u64, usize);

#[derive(Debug, Default)]
struct Shard {
    /// Each block, and when it was last used.
    blocks: BTreeMap<Key, (Arc<Block>, u64)>,
    /// Rises with each use.
    clock: u64,
    /// Bytes of all blocks.
    bytes: usize,
}

impl BlockCache {
    /// A cache of this many MiB.
    pub fn new(mebibytes: usize) -> Self {
        let bound = mebibytes.saturating_mul(1 << 20) / SHARDS;
        Self { shards: Default::default(), bound, files: AtomicU64::new(0) }
    }

    /// A number for another file.
    pub(super) fn number(&self) -> u64 {
        self.files.fetch_add(1, Ordering::Relaxed)
    }

    /// The block, from the cache or from `load`. While it loads, others may use the cache.
    pub(super) fn block<E>(
        &self,
        key: Key,
        load: impl FnOnce() -> Result<Block, E>,
    ) -> Result<Arc<Block>, E> {
        let shard = &self.shards[(key.0 as usize).wrapping_mul(7).wrapping_add(key.1) % SHARDS];
        let lock = || shard.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(block) = lock().get(key) {
            return Ok(block);
        }
        let block = Arc::new(load()?);
        lock().put(key, Arc::clone(&block), self.bound);
        Ok(block)
    }

    /// Bytes of all blocks that are kept.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        self.shards.iter().map(|shard| shard.lock().unwrap_or_else(PoisonError::into_inner).bytes).sum()
    }
}

impl Shard {
    fn get(&mut self, key: Key) -> Option<Arc<Block>> {
        self.clock += 1;
        let (block, used) = self.blocks.get_mut(&key)?;
        *used = self.clock;
        Some(Arc::clone(block))
    }

    /// Keeps a block, if it is not larger than the bound.
    fn put(&mut self, key: Key, block: Arc<Block>, bound: usize) {
        self.bytes += block.size();
        if let Some((old, _)) = self.blocks.insert(key, (block, self.clock)) {
            self.bytes -= old.size();
        }
        while self.bytes > bound {
            let oldest = self.blocks.iter().min_by_key(|(_, (_, used))| *used).map(|(&key, _)| key);
            let Some((gone, _)) = oldest.and_then(|key| self.blocks.remove(&key)) else { return };
            self.bytes -= gone.size();
        }
    }
}
