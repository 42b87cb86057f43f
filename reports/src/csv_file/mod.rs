//! Rows as CSV: what a row is (`row`), rows to bytes (`write`) and back (`read`). Knows no report.

mod files;
mod read;
mod row;
mod write;

pub use files::Files;
pub(crate) use files::{file, rows_of};
pub(crate) use read::{Line, read_lines};
pub use read::{ReadError, ReadFault, read};
pub use row::{Row, columns};
pub use write::{RowWriter, to_bytes};
