//! CSV back to rows, strictly: the columns must be the report's own, every row whole, every figure a figure.
//!
//! Knows no report and opens no file. Line ends may be `\n` or `\r\n`, so that a checked-out baseline stays
//! readable everywhere.

use csv::{DeserializeErrorKind, ErrorKind, StringRecord};

use crate::{Row, columns};

/// Why a report could not be read. Lines count from 1, the header being the first.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The report is not there.
    #[error("{file}: missing")]
    Missing {
        /// Name of the report.
        file: &'static str,
    },
    /// Bytes that are no text.
    #[error("{file}:{line}: expected UTF-8, got byte 0x{byte:02x}")]
    Encoding {
        /// Name of the report.
        file: &'static str,
        /// Where the byte stands.
        line: u64,
        /// The first byte that is no text.
        byte: u8,
    },
    /// Another report, another version of it, or none.
    #[error("{file}:1: expected the columns \"{expected}\", got \"{found}\"")]
    Columns {
        /// Name of the report.
        file: &'static str,
        /// The columns of the report.
        expected: String,
        /// What stands in the first line.
        found: String,
    },
    /// A row cut short, or with a stray comma.
    #[error("{file}:{line}: expected {expected} fields, got {found}")]
    FieldCount {
        /// Name of the report.
        file: &'static str,
        /// Where the row begins.
        line: u64,
        /// How many columns the report has.
        expected: u64,
        /// How many fields the row has.
        found: u64,
    },
    /// A stray quote, which would swallow the rows after it.
    #[error(
        "{file}:{line}: expected quotes in pairs, got an odd number of them up to the row that begins here"
    )]
    Quote {
        /// Name of the report.
        file: &'static str,
        /// Where the last row begins.
        line: u64,
    },
    /// A field that is not what its column holds.
    #[error("{file}:{line}: column {column}: {fault}, got \"{found}\"")]
    Value {
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
    /// Anything else that the CSV reader refuses.
    #[error("{file}: {fault}")]
    Csv {
        /// Name of the report.
        file: &'static str,
        /// What the CSV reader says.
        fault: String,
    },
}

/// A row, with its fields as they were written.
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
    let mut reader = csv::Reader::from_reader(bytes);
    let header = reader.headers().map_err(|error| refused::<R>(&error))?.clone();
    if header != *columns::<R>() {
        let (expected, found) = (columns::<R>().join(","), header.iter().collect::<Vec<_>>().join(","));
        return Err(ReadError::Columns { file: R::FILE, expected, found: beginning(&found) });
    }
    let mut lines = Vec::new();
    let mut last = 1;
    let mut fault = None;
    for record in reader.records() {
        let line = record.map_err(|error| refused::<R>(&error)).and_then(|fields| {
            last = line_of(fields.position());
            let row = fields.deserialize(Some(&header)).map_err(|error| unreadable::<R>(&fields, &error))?;
            Ok(Line { row, fields })
        });
        match line {
            Ok(line) => lines.push(line),
            Err(error) => fault = fault.or(Some(error)),
        }
    }
    check_quotes::<R>(text, last)?;
    fault.map_or(Ok(lines), Err)
}

fn decode<R: Row>(bytes: &[u8]) -> Result<&str, ReadError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let (text, rest) = bytes.split_at(error.valid_up_to());
        let line = text.split(|&byte| byte == b'\n').count() as u64;
        ReadError::Encoding { file: R::FILE, line, byte: rest[0] }
    })
}

/// Written quotes come in pairs, around a field and within it: an odd number of them means that one was lost or
/// added, and that rows may hide inside a field.
fn check_quotes<R: Row>(text: &str, line: u64) -> Result<(), ReadError> {
    let paired = text.matches('"').count().is_multiple_of(2);
    if paired { Ok(()) } else { Err(ReadError::Quote { file: R::FILE, line }) }
}

fn refused<R: Row>(error: &csv::Error) -> ReadError {
    match error.kind() {
        &ErrorKind::UnequalLengths { ref pos, expected_len: expected, len: found } => {
            ReadError::FieldCount { file: R::FILE, line: line_of(pos.as_ref()), expected, found }
        }
        _ => ReadError::Csv { file: R::FILE, fault: error.to_string() },
    }
}

fn unreadable<R: Row>(fields: &StringRecord, error: &csv::Error) -> ReadError {
    let ErrorKind::Deserialize { err, .. } = error.kind() else { return refused::<R>(error) };
    let index = err.field().and_then(|index| usize::try_from(index).ok());
    let fault = match err.kind() {
        DeserializeErrorKind::Message(message) => message.clone(),
        kind => kind.to_string(),
    };
    ReadError::Value {
        file: R::FILE,
        line: line_of(fields.position()),
        column: index.and_then(|index| columns::<R>().get(index)).copied().unwrap_or("unknown"),
        fault,
        found: beginning(index.and_then(|index| fields.get(index)).unwrap_or_default()),
    }
}

fn line_of(position: Option<&csv::Position>) -> u64 {
    position.map_or(1, csv::Position::line)
}

/// As much of a text as a message can bear.
fn beginning(text: &str) -> String {
    text.chars().take(80).collect()
}
