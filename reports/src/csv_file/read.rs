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
        Report::of::<R>().error(line, fault)
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
    let report = Report::of::<R>();
    let mut records = report.records(bytes)?;
    let mut lines = Vec::new();
    while let Some(fields) = records.next()? {
        let row =
            fields.deserialize(Some(&records.header)).map_err(|error| report.misread(&error, &fields))?;
        lines.push(Line { row, fields });
    }
    Ok(lines)
}

/// A report, whatever its rows. What is done here is compiled once for all reports.
#[derive(Clone, Copy)]
struct Report {
    file: &'static str,
    columns: &'static [&'static str],
}

/// The records of a report. Each has as many fields as the report has columns.
struct Records<'a> {
    report: Report,
    text: &'a str,
    reader: csv::Reader<&'a [u8]>,
    header: StringRecord,
    /// Where the next record begins, in bytes.
    begin: u64,
}

impl Report {
    fn of<R: Row>() -> Self {
        Self { file: R::FILE, columns: columns::<R>() }
    }

    fn error(self, line: impl Into<Option<u64>>, fault: ReadFault) -> ReadError {
        ReadError { file: self.file, line: line.into(), fault }
    }

    fn refused(self, error: &csv::Error) -> ReadError {
        self.error(None, ReadFault::Row(error.to_string()))
    }

    fn records(self, bytes: &[u8]) -> Result<Records<'_>, ReadError> {
        let text = self.decode(bytes)?;
        // Flexible: lengths are checked after the quotes.
        let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(bytes);
        let header = reader.headers().map_err(|error| self.refused(&error))?.clone();
        self.check_columns(&header)?;
        let begin = reader.position().byte();
        Ok(Records { report: self, text, reader, header, begin })
    }

    fn decode(self, bytes: &[u8]) -> Result<&str, ReadError> {
        std::str::from_utf8(bytes).map_err(|error| {
            let (text, rest) = bytes.split_at(error.valid_up_to());
            let line = text.split(|&byte| byte == b'\n').count() as u64;
            self.error(line, ReadFault::Encoding(rest[0]))
        })
    }

    fn check_columns(self, header: &StringRecord) -> Result<(), ReadError> {
        if *header == *self.columns {
            return Ok(());
        }
        let found = beginning(&header.iter().collect::<Vec<_>>().join(","));
        Err(self.error(1, ReadFault::Columns { expected: self.columns.join(","), found }))
    }

    fn misread(self, error: &csv::Error, fields: &StringRecord) -> ReadError {
        let ErrorKind::Deserialize { err, .. } = error.kind() else { return self.refused(error) };
        let fault = beginning(&err.kind().to_string());
        let index = err.field().and_then(|index| usize::try_from(index).ok());
        let field = index.and_then(|index| Some((self.columns.get(index)?, fields.get(index)?)));
        let fault = match field {
            Some((column, found)) => ReadFault::Field { column, fault, found: beginning(found) },
            None => ReadFault::Row(fault),
        };
        self.error(line_of(fields), fault)
    }
}

impl Records<'_> {
    fn next(&mut self) -> Result<Option<StringRecord>, ReadError> {
        let mut fields = StringRecord::new();
        if !self.reader.read_record(&mut fields).map_err(|error| self.report.refused(&error))? {
            return Ok(None);
        }
        let end = self.reader.position().byte();
        let raw = usize::try_from(self.begin).ok().zip(usize::try_from(end).ok());
        let raw = raw.and_then(|(begin, end)| self.text.get(begin..end)).unwrap_or_default();
        self.begin = end;
        // Quotes are written in pairs, around a field and within it.
        if !raw.matches('"').count().is_multiple_of(2) {
            return Err(self.report.error(line_of(&fields), ReadFault::Quotes));
        }
        let (expected, found) = (self.report.columns.len(), fields.len());
        if found != expected {
            return Err(self.report.error(line_of(&fields), ReadFault::FieldCount { expected, found }));
        }
        Ok(Some(fields))
    }
}

/// The line where a record begins, counted from 1.
fn line_of(fields: &StringRecord) -> u64 {
    fields.position().map_or(1, csv::Position::line)
}

/// The start of a text, for messages.
fn beginning(text: &str) -> String {
    text.chars().take(100).collect()
}
