//! `stalemates.csv`: every stalemate of the tables, one for each symmetry class.

use serde::{Deserialize, Serialize};

use crate::Row;

/// One stalemate.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct StalemateRow {
    /// The table, as Syzygy names it.
    pub table: String,
    /// The position; the side to move is stalemated.
    pub fen: String,
    /// Where the king is caught and by what, such as `corner` or `edge`.
    pub kind: String,
}

impl Row for StalemateRow {
    const FILE: &'static str = "stalemates.csv";
}
