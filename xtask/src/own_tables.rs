//! Our own tables of up to four men, for the positions of games. Each is read from the cache or built when a game
//! first needs it; building one of four men takes seconds, and the cache keeps it.
//!
//! Tables that the cache keeps are read block by block, so that they take [`BLOCKS`] MiB at most. Without a cache
//! they stay in memory: all tables of up to four men are about 0.68 GB.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::thread;

use arbiter::game::{TableResult, TableValue};
use arbiter::game_tables::SmallTables;
use engine::Position;
use engine::tables::builders::{self, MAX_QUICK_MEN, Setwise};
use engine::tables::file::{BlockCache, TableFile};
use engine::tables::{Material, Metric, Table, TableSet, Wdl, file};
use rayon::ThreadPoolBuilder;

use crate::{console, files, syzygy_sources, tables};

/// The folder of our tables within that of our caches.
pub(crate) const FOLDER: &str = "tables";

/// The most men of our tables.
pub(crate) const MOST_MEN: usize = MAX_QUICK_MEN;

/// MiB of blocks of tables in memory.
const BLOCKS: usize = 64;

/// The tables so far.
pub(crate) struct OwnTables {
    /// The folder in the cache; `None` if there is no place for a cache.
    folder: Option<PathBuf>,
    set: RwLock<TableSet>,
    blocks: Arc<BlockCache>,
    /// One thread at a time adds tables.
    adding: Mutex<()>,
}

impl OwnTables {
    /// No table yet.
    pub(crate) fn new() -> Self {
        let folder = syzygy_sources::cache_folder().ok().map(|cache| cache.join(FOLDER));
        let blocks = Arc::new(BlockCache::new(BLOCKS));
        Self { folder, set: RwLock::default(), blocks, adding: Mutex::default() }
    }

    fn has(&self, material: Material) -> bool {
        let set = self.set.read().unwrap_or_else(PoisonError::into_inner);
        Metric::ALL.into_iter().all(|metric| set.has(material, metric))
    }

    /// Adds the tables of these materials. A thread of its own does that: a thread of a pool that waits for others
    /// may begin another probe meanwhile, and wait for itself.
    fn add(&self, materials: &[Material]) -> Option<()> {
        if materials.iter().all(|&material| self.has(material)) {
            return Some(());
        }
        let add = || {
            let _adding = self.adding.lock().unwrap_or_else(PoisonError::into_inner);
            materials.iter().try_for_each(|&material| self.add_one(material))
        };
        thread::scope(|scope| scope.spawn(add).join()).ok().flatten()
    }

    fn add_one(&self, material: Material) -> Option<()> {
        if self.has(material) || self.add_kept(material).is_some() {
            return Some(());
        }
        let built = self.build(material)?;
        if self.add_kept(material).is_none() {
            let mut set = self.set.write().unwrap_or_else(PoisonError::into_inner);
            for table in built {
                set.add(table);
            }
        }
        Some(())
    }

    /// Adds the tables of a material that the cache keeps, if both are there and whole.
    fn add_kept(&self, material: Material) -> Option<()> {
        let folder = self.folder.as_ref()?;
        let [Some(dtm), Some(dtz)] = Metric::ALL.map(|metric| open(folder, material, metric, &self.blocks))
        else {
            return None;
        };
        let mut set = self.set.write().unwrap_or_else(PoisonError::into_inner);
        set.add_file(dtm);
        set.add_file(dtz);
        Some(())
    }

    /// Builds the tables of a material, and those that it leads to, and puts them into the cache.
    fn build(&self, material: Material) -> Option<Vec<Table>> {
        material.smaller().into_iter().try_for_each(|smaller| self.add_one(smaller))?;
        if material.men() == MAX_QUICK_MEN {
            console::message(&format!("note: building the table {material}, which the cache keeps"));
        }
        let smaller = self.set.read().unwrap_or_else(PoisonError::into_inner).clone();
        let built = on_one_thread(|| {
            let mut built = Vec::new();
            builders::tables(&Setwise, material, &Metric::ALL, &smaller, &mut |table| built.push(table))
                .ok()
                .map(|()| built)
        })??;
        if let Some(folder) = &self.folder {
            for table in &built {
                // Without a cache the next run builds the table again.
                let _ = files::write(&tables::path(folder, material, table.metric()), &file::encode(table));
            }
        }
        Some(built)
    }
}

/// Computes on one processor alone, since the clocks of other games run.
fn on_one_thread<T: Send>(compute: impl FnOnce() -> T + Send) -> Option<T> {
    Some(ThreadPoolBuilder::new().num_threads(1).build().ok()?.install(compute))
}

/// The table of the cache, if it is there and whole.
fn open(folder: &Path, material: Material, metric: Metric, blocks: &Arc<BlockCache>) -> Option<TableFile> {
    let table = tables::open(&tables::path(folder, material, metric), blocks).ok()?;
    let is_right = table.material() == material && table.metric() == metric && table.check_whole().is_ok();
    is_right.then_some(table)
}

impl SmallTables for OwnTables {
    fn most_men(&self) -> usize {
        MAX_QUICK_MEN
    }

    fn probe(&self, fen: &str) -> Option<TableValue> {
        let position = Position::from_fen(fen).ok()?;
        let (material, _) =
            Material::from_board(position.board()).filter(|(material, _)| material.men() <= MAX_QUICK_MEN)?;
        // An en passant capture leads to a smaller table.
        let smaller = if position.en_passant().is_some() { material.smaller() } else { Vec::new() };
        self.add(&smaller)?;
        self.add(&[material])?;
        let probe = self.set.read().unwrap_or_else(PoisonError::into_inner).probe_of(&position).ok()?;
        let result = match probe.wdl() {
            Wdl::Win => TableResult::Win,
            Wdl::Draw => TableResult::Draw,
            Wdl::Loss => TableResult::Loss,
        };
        Some(TableValue {
            result,
            plies_to_zero: probe.dtz.map(|dtz| dtz.0.unsigned_abs().into()),
            is_rounded: false,
            plies_to_mate: probe.dtm.map(|dtm| dtm.plies().into()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tables(folder: &Path) -> OwnTables {
        OwnTables { folder: Some(folder.to_owned()), ..OwnTables::new() }
    }

    fn won(result: TableResult, plies_to_mate: u32, plies_to_zero: u32) -> TableValue {
        let (plies_to_mate, plies_to_zero) = (Some(plies_to_mate), Some(plies_to_zero));
        TableValue { result, plies_to_zero, is_rounded: false, plies_to_mate }
    }

    #[test]
    fn a_table_is_built_once_and_read_from_the_cache() {
        let folder = tempfile::tempdir().unwrap();
        let fen = "8/1P6/7k/8/4K3/8/8/8 w - - 0 1";
        let expected = Some(won(TableResult::Win, 9, 1));
        assert_eq!(tables(folder.path()).probe(fen), expected);
        let path = tables::path(folder.path(), Material::KPVK, Metric::Dtm);
        let built = path.metadata().unwrap().modified().unwrap();
        assert_eq!(tables(folder.path()).probe(fen), expected);
        assert_eq!(path.metadata().unwrap().modified().unwrap(), built, "it is not built again");
        // A damaged file is replaced, also if its header is right.
        let whole = std::fs::read(&path).unwrap();
        let mut damaged = whole.clone();
        *damaged.last_mut().unwrap() ^= 1;
        for bytes in [b"none", &damaged[..]] {
            std::fs::write(&path, bytes).unwrap();
            assert_eq!(tables(folder.path()).probe(fen), expected);
            assert_eq!(std::fs::read(&path).unwrap(), whole);
        }
        assert_eq!(OwnTables { folder: None, ..OwnTables::new() }.probe(fen), expected);
    }

    #[test]
    fn a_table_is_built_by_one_thread() {
        assert_eq!(on_one_thread(rayon::current_num_threads), Some(1));
    }

    #[test]
    fn values_are_those_of_the_side_to_move() {
        let folder = tempfile::tempdir().unwrap();
        let tables = tables(folder.path());
        assert_eq!(tables.probe("8/8/8/8/8/1K6/2R5/1k6 w - - 60 99"), Some(won(TableResult::Win, 3, 3)));
        assert_eq!(tables.probe("1K6/2r5/1k6/8/8/8/8/8 b - - 0 1").unwrap().result, TableResult::Win);
        assert_eq!(tables.probe("8/8/8/8/8/1K6/8/1kR5 b - - 0 1").unwrap().result, TableResult::Draw);
        assert_eq!(tables.probe("8/8/8/8/8/8/PPPK4/k7 w - - 0 1"), None, "five men");
        assert_eq!(tables.probe("nothing"), None);
    }
}
