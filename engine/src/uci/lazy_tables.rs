//! The endgame tables of a searcher: those of a folder, and those of three men. The latter are built in
//! memory on first use if the folder lacks them.
//!
//! Opens no folder: the caller passes its tables.

use std::sync::{Arc, LazyLock, OnceLock};
use std::{panic, thread};

use rayon::ThreadPoolBuilder;

use crate::tables::{Material, Metric, TableSet, builders};

/// The tables of three men, built once for all sessions of a process.
static BASIC: LazyLock<Arc<TableSet>> = LazyLock::new(|| Arc::new(completed(&TableSet::new())));

/// Tables that are completed on first use.
#[derive(Debug, Default)]
pub(super) struct LazyTables {
    loaded: TableSet,
    all: OnceLock<Arc<TableSet>>,
}

impl LazyTables {
    /// Starts from the tables of a folder.
    pub(super) fn new(loaded: TableSet) -> Self {
        Self { loaded, all: OnceLock::new() }
    }

    /// The faults of files of the folder that were found to be damaged since the last call.
    pub(super) fn new_faults(&self) -> impl Iterator<Item = String> {
        self.loaded.new_faults()
    }

    /// All tables. The first call in a process may take a tenth of a second.
    pub(super) fn tables(&self) -> Arc<TableSet> {
        let all = || {
            if self.loaded.is_empty() { Arc::clone(&BASIC) } else { Arc::new(completed(&self.loaded)) }
        };
        Arc::clone(self.all.get_or_init(all))
    }
}

/// Adds the missing tables of three men.
fn completed(loaded: &TableSet) -> TableSet {
    let basic = ["KQvK", "KRvK", "KPvK"].into_iter().filter_map(|name| name.parse().ok());
    let lacking: Vec<Material> = basic.filter(|&material| !loaded.has(material, Metric::Dtm)).collect();
    let mut set = loaded.clone();
    for table in on_threads_of_its_own(|| builders::production(&lacking)).iter().flat_map(TableSet::iter) {
        if !loaded.has(table.material(), table.metric()) {
            set.add(table.clone());
        }
    }
    set
}

/// Runs `work` on a thread pool of its own. All threads of the caller's pool may be waiting for the result,
/// and would never run it.
fn on_threads_of_its_own<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let on_pool = || match ThreadPoolBuilder::new().build() {
        Ok(pool) => pool.install(work),
        Err(_) => work(),
    };
    // A thread outside any pool takes no other work while it waits.
    thread::scope(|scope| scope.spawn(on_pool).join()).unwrap_or_else(|panic| panic::resume_unwind(panic))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each thread of the pool waits for a search on another thread, as games played side by side do.
    #[test]
    fn all_threads_of_the_pool_may_wait_for_the_tables() {
        let tables = LazyTables::default();
        let search = || tables.tables().iter().count();
        let found = rayon::broadcast(|_| thread::scope(|scope| scope.spawn(search).join().unwrap()));
        assert!(found.iter().all(|&count| count == search()), "{found:?}");
    }

    fn names(tables: &LazyTables) -> Vec<String> {
        tables.tables().iter().map(|table| format!("{}.{}", table.material(), table.metric())).collect()
    }

    #[test]
    fn tables_of_three_men_are_always_available() {
        let built = names(&LazyTables::default());
        for name in ["KQvK.dtm", "KRvK.dtm", "KPvK.dtm"] {
            assert!(built.contains(&name.to_owned()), "{name}: {built:?}");
        }
    }

    #[test]
    fn tables_of_the_folder_are_kept() {
        let all = builders::production(&["KPvK".parse().unwrap()]).unwrap();
        let mut folder = TableSet::new();
        let rook: Material = "KRvK".parse().unwrap();
        folder.add(all.get(rook, Metric::Dtm).unwrap().clone());
        let tables = LazyTables::new(folder.clone());
        let (given, there) = (folder.get(rook, Metric::Dtm), tables.tables());
        assert!(there.get(rook, Metric::Dtm) == given);
        assert!(names(&tables).contains(&"KPvK.dtm".to_owned()));
    }
}
