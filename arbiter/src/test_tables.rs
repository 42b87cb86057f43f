//! A table of four men that several tests ask. It is built once.

use std::sync::LazyLock;

use engine::tables::{TableSet, builders};

/// Distances to mate of queen against rook, and of the smaller tables.
pub(crate) static QUEEN_AGAINST_ROOK: LazyLock<TableSet> = LazyLock::new(|| {
    let material = "KQvKR".parse().expect("the name of a table");
    builders::dtm_set(&builders::Setwise, &[material]).expect("a table of four men")
});
