//! CSV to rows. The columns must be the report's own, and every row complete and valid.
//!
//! Opens no file. Line ends may be `\n` or `\r\n`, so that a checked-out baseline can be read on every system.

use csv::{ErrorKind, StringRecord};

use super::{Row, columns};

/// Why a report cannot be read. Lines are counted from 1; the header is line 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The report is missing.
    #[error("{file}: missing")]
    Missing {
        /// Name of the report.
        file: &'static str,
    },
    /// The bytes are not UTF-8.
    #[error("{file}:{line}: expected UTF-8, got byte 0x{byte:02x}")]
    Encoding {
        /// Name of the report.
        file: &'static str,
        /// Where the byte stands.
        line: u64,
        /// The first wrong byte.
        byte: u8,
    },
    /// The columns are those of another report or version.
    #[error("{file}:1: expected the columns \"{expected}\", got \"{found}\"")]
    Columns {
        /// Name of the report.
        file: &'static str,
        /// The columns of the report.
        expected: String,
        /// What stands in the first line.
        found: String,
    },
    /// A row has too few or too many fields.
    #[error("{file}:{line}: expected {expected} fields, got {found}")]
    FieldCount {
        /// Name of the report.
        file: &'static str,
        /// Where the row begins.
        line: u64,
        /// How many columns the report has.
        expected: usize,
        /// How many fields the row has.
        found: usize,
    },
    /// A row has an odd number of quotes, so that the rows after it may be lost.
    #[error("{file}:{line}: expected quotes in pairs, got an odd number of them")]
    Quote {
        /// Name of the report.
        file: &'static str,
        /// Where the row begins.
        line: u64,
    },
    /// A field does not fit its column.
    #[error("{file}:{line}: column {column}: {fault}, got \"{found}\"")]
    Field {
        /// Name of the report.
        file: &'static str,
        /// Where the row begins.
        line: u64,
        /// The column.
        column: &'static str,
        /// What is wrong with it.
        fault: String,
        /// The beginning of what stands there.
        found: String,
    },
    /// A row does not fit its report; the column is not known.
    #[error("{file}:{line}: {fault}")]
    Content {
        /// Name of the report.
        file: &'static str,
        /// Where the row begins.
        line: u64,
        /// What is wrong.
        fault: String,
    },
    /// Any other error of the CSV reader.
    #[error("{file}: {fault}")]
    Csv {
        /// Name of the report.
        file: &'static str,
        /// The error of the CSV reader.
        fault: String,
    },
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
    let refused = |error: csv::Error| ReadError::Csv { file: R::FILE, fault: error.to_string() };
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
        ReadError::Encoding { file: R::FILE, line, byte: rest[0] }
    })
}

fn check_columns<R: Row>(header: &StringRecord) -> Result<(), ReadError> {
    if *header == *columns::<R>() {
        return Ok(());
    }
    let found = beginning(&header.iter().collect::<Vec<_>>().join(","));
    Err(ReadError::Columns { file: R::FILE, expected: columns::<R>().join(","), found })
}

/// The row of `fields`; `raw` is its text in the file.
fn row<R: Row>(raw: &str, header: &StringRecord, fields: &StringRecord) -> Result<R, ReadError> {
    let line = fields.position().map_or(1, csv::Position::line);
    // Quotes are written in pairs, around a field and within it.
    if !raw.matches('"').count().is_multiple_of(2) {
        return Err(ReadError::Quote { file: R::FILE, line });
    }
    let (expected, found) = (columns::<R>().len(), fields.len());
    if found != expected {
        return Err(ReadError::FieldCount { file: R::FILE, line, expected, found });
    }
    fields.deserialize(Some(header)).map_err(|error| misread::<R>(&error, line, fields))
}

fn misread<R: Row>(error: &csv::Error, line: u64, fields: &StringRecord) -> ReadError {
    let ErrorKind::Deserialize { err, .. } = error.kind() else {
        return ReadError::Csv { file: R::FILE, fault: error.to_string() };
    };
    let fault = beginning(&err.kind().to_string());
    let index = err.field().and_then(|index| usize::try_from(index).ok());
    match index.and_then(|index| Some((columns::<R>().get(index)?, fields.get(index)?))) {
        Some((column, found)) => {
            ReadError::Field { file: R::FILE, line, column, fault, found: beginning(found) }
        }
        None => ReadError::Content { file: R::FILE, line, fault },
    }
}

/// The start of a text, for messages.
fn beginning(text: &str) -> String {
    text.chars().take(100).collect()
}
