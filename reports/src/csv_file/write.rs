//! Rows to CSV: a header, then the rows. Lines end with `\n`; fields are quoted only where necessary. Opens
//! no file.

use std::io::{self, Write};
use std::marker::PhantomData;

use super::{Row, columns};
use crate::order::sorted;

/// Writes a report row by row, in the order given, for reports that are too long to sort in memory. The
/// header is written even if there are no rows.
///
/// # Examples
/// ```
/// use reports::{RowWriter, StalemateKind, StalemateRow};
///
/// let mut writer = RowWriter::new(Vec::new())?;
/// writer.write(&StalemateRow {
///     table: "KQvK".to_owned(),
///     fen: "k7/2Q5/1K6/8/8/8/8/8 b - - 0 1".to_owned(),
///     kind: StalemateKind::Corner,
/// })?;
/// assert_eq!(writer.finish()?, b"table,fen,kind\nKQvK,k7/2Q5/1K6/8/8/8/8/8 b - - 0 1,corner\n");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct RowWriter<W: Write, R> {
    writer: csv::Writer<W>,
    row: PhantomData<fn(&R)>,
}

impl<W: Write, R: Row> RowWriter<W, R> {
    /// Writes the header.
    pub fn new(sink: W) -> io::Result<Self> {
        let mut writer = csv::WriterBuilder::new()
            .has_headers(false)
            .terminator(csv::Terminator::Any(b'\n'))
            .from_writer(sink);
        writer.write_record(columns::<R>())?;
        Ok(Self { writer, row: PhantomData })
    }

    /// Writes one row.
    pub fn write(&mut self, row: &R) -> io::Result<()> {
        Ok(self.writer.serialize(row)?)
    }

    /// Flushes, and returns the sink.
    pub fn finish(self) -> io::Result<W> {
        self.writer.into_inner().map_err(csv::IntoInnerError::into_error)
    }
}

/// A whole report: the header and the sorted rows.
///
/// # Panics
/// Never: rows are text and numbers, and writing to memory does not fail.
pub fn to_bytes<R: Row>(rows: impl IntoIterator<Item = R>) -> Vec<u8> {
    let rows = sorted(rows.into_iter().collect::<Vec<R>>());
    write_all(&rows).expect("a row is text and numbers, and writing to memory does not fail")
}

fn write_all<R: Row>(rows: &[R]) -> io::Result<Vec<u8>> {
    let mut writer = RowWriter::new(Vec::new())?;
    for row in rows {
        writer.write(row)?;
    }
    writer.finish()
}
