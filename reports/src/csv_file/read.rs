//! CSV to rows. The columns must be the report's own, and every row complete and valid.
//!
//! Opens no file. Line ends may be `\n` or `\r\n`, so that a checked-out baseline can be read on every
//! system.

use csv::{ErrorKind, StringRecord};

use super::{Row, columns};

/// A report that cannot be read: which file, which line, and what is wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}{}: {fault}", line.map(|line| format!(":{line}")).unwrap_or_default())]
pub struct ReadError {
    /// File name of the report.
    pub file: &'static str,
    /// The line, counted from 1, where the row begins; the header is line 1. `None` if it is the whole file.
    pub line: Option<u64>,
    /// What is wrong.
    pub fault: ReadFault,
}

impl ReadError {
    pub(crate) fn new<R: Row>(line: impl Into<Option<u64>>, fault: ReadFault) -> Self {
        Self { file: R::FILE, line: line.into(), fault }
    }
}

/// What is wrong with a report.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadFault {
    /// The report is missing.
    #[error("missing")]
    Missing,
    /// A report that every run writes is missing.
    #[error("missing: there are no reports of a run here")]
    NoReports,
    /// A byte is not UTF-8.
    #[error("expected UTF-8, got byte 0x{0:02x}")]
    Encoding(u8),
    /// The columns are those of another report or version.
    #[error("expected the columns \"{expected}\", got \"{found}\"")]
    Columns {
        /// The columns of the report.
        expected: String,
        /// The first line.
        found: String,
    },
    /// A row has too few or too many fields.
    #[error("expected {expected} fields, got {found}")]
    FieldCount {
        /// How many columns the report has.
        expected: usize,
        /// How many fields the row has.
        found: usize,
    },
    /// A row has an odd number of quotes, so that the rows after it may be lost.
    #[error("expected quotes in pairs, got an odd number of them")]
    Quotes,
    /// A field does not fit its column.
    #[error("column {column}: {fault}, got \"{found}\"")]
    Field {
        /// The column.
        column: &'static str,
        /// What is wrong with the field.
        fault: String,
        /// The start of the field.
        found: String,
    },
    /// A row that serde or the CSV reader refuses; the column is not known.
    #[error("{0}")]
    Row(String),
    /// A JSON document that is malformed, or of another version.
    #[error("{0}")]
    Document(String),
}

/// A row, with its fields as text.
#[derive(Debug)]
pub(crate) struct Line<R> {
    pub(crate) row: R,
    pub(crate) fields: StringRecord,
}

/// The rows of a report, in the order of the file.
pub fn read<R: Row>(bytes: &[u8]) -> Result<Vec<R>, ReadError> {
    Ok(read_lines(bytes)?.into_iter().map(|line| line.row).collect())
}

pub(crate) fn read_lines<R: Row>(bytes: &[u8]) -> Result<Vec<Line<R>>, ReadError> {
    let text = decode::<R>(bytes)?;
    let refused = |error: csv::Error| ReadError::new::<R>(None, ReadFault::Row(error.to_string()));
    // Flexible: lengths are checked below, after the quotes.
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(bytes);
    let header = reader.headers().map_err(refused)?.clone();
    check_columns::<R>(&header)?;
    let mut lines = Vec::new();
    let mut fields = StringRecord::new();
    let mut begin = reader.position().byte();
    while reader.read_record(&mut fields).map_err(refused)? {
        let end = reader.position().byte();
        let raw = usize::try_from(begin).ok().zip(usize::try_from(end).ok());
        let raw = raw.and_then(|(begin, end)| text.get(begin..end)).unwrap_or_default();
        lines.push(Line { row: row(raw, &header, &fields)?, fields: fields.clone() });
        begin = end;
    }
    Ok(lines)
}

fn decode<R: Row>(bytes: &[u8]) -> Result<&str, ReadError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let (text, rest) = bytes.split_at(error.valid_up_to());
        let line = text.split(|&byte| byte == b'\n').count() as u64;
        ReadError::new::<R>(line, ReadFault::Encoding(rest[0]))
    })
}

fn check_columns<R: Row>(header: &StringRecord) -> Result<(), ReadError> {
    if *header == *columns::<R>() {
        return Ok(());
    }
    let found = beginning(&header.iter().collect::<Vec<_>>().join(","));
    Err(ReadError::new::<R>(1, ReadFault::Columns { expected: columns::<R>().join(","), found }))
}

/// The row of `fields`; `raw` is its text in the file.
fn row<R: Row>(raw: &str, header: &StringRecord, fields: &StringRecord) -> Result<R, ReadError> {
    let line = fields.position().map_or(1, csv::Position::line);
    // Quotes are written in pairs, around a field and within it.
    if !raw.matches('"').count().is_multiple_of(2) {
        return Err(ReadError::new::<R>(line, ReadFault::Quotes));
    }
    let (expected, found) = (columns::<R>().len(), fields.len());
    if found != expected {
        return Err(ReadError::new::<R>(line, ReadFault::FieldCount { expected, found }));
    }
    fields.deserialize(Some(header)).map_err(|error| misread::<R>(&error, line, fields))
}

fn misread<R: Row>(error: &csv::Error, line: u64, fields: &StringRecord) -> ReadError {
    let ErrorKind::Deserialize { err, .. } = error.kind() else {
        return ReadError::new::<R>(None, ReadFault::Row(error.to_string()));
    };
    let fault = beginning(&err.kind().to_string());
    let index = err.field().and_then(|index| usize::try_from(index).ok());
    let field = index.and_then(|index| Some((columns::<R>().get(index)?, fields.get(index)?)));
    let fault = match field {
        Some((column, found)) => ReadFault::Field { column, fault, found: beginning(found) },
        None => ReadFault::Row(fault),
    };
    ReadError::new::<R>(line, fault)
}

/// The start of a text, for messages.
fn beginning(text: &str) -> String {
    text.chars().take(100).collect()
}
