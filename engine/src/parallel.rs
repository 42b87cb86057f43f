//! Results of work on all cores.

use rayon::prelude::*;

/// The items in their order. `collect` of rayon compiles a second way for items of unknown number, each time.
pub(crate) fn collected<I: IndexedParallelIterator>(items: I) -> Vec<I::Item> {
    let mut all = Vec::new();
    items.collect_into_vec(&mut all);
    all
}
