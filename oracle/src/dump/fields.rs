//! One line of a dump split into its fields.

use std::borrow::Cow;

/// A quote that is not closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a quote is not closed")]
pub(super) struct UnclosedQuote;

/// Splits one line into fields. Each line is read by itself, so that an unclosed quote spoils no other line.
pub(super) fn fields(line: &str, separator: char) -> Result<Vec<Cow<'_, str>>, UnclosedQuote> {
    // Most lines have no quotes, and setting up a CSV reader takes longer than splitting them.
    if !line.contains('"') {
        return Ok(line.split(separator).map(Cow::Borrowed).collect());
    }
    if line.matches('"').count() % 2 == 1 {
        return Err(UnclosedQuote);
    }
    // Only a line feed ends a record: otherwise a stray carriage return would hide the rest of the line.
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(separator as u8)
        .terminator(csv::Terminator::Any(b'\n'))
        .from_reader(line.as_bytes());
    match reader.records().next() {
        Some(Ok(record)) => Ok(record.iter().map(|field| Cow::Owned(field.to_owned())).collect()),
        _ => Err(UnclosedQuote),
    }
}
