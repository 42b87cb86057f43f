//! Reports as files.

use std::collections::BTreeMap;

use super::{ReadError, Row, read, to_bytes};

/// Reports as files: bytes by name.
pub type Files = BTreeMap<String, Vec<u8>>;

/// The rows of a report; none if it is missing.
pub(crate) fn rows_of<R: Row>(files: &Files) -> Result<Vec<R>, ReadError> {
    files.get(R::FILE).map_or(Ok(Vec::new()), |bytes| read(bytes))
}

/// The report with these rows.
pub(crate) fn file<R: Row>(rows: impl Iterator<Item = R>) -> (String, Vec<u8>) {
    (R::FILE.to_owned(), to_bytes(rows))
}
