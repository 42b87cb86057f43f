//! The rows of a data file in CSV: comments skipped, columns checked by name, lines known.

use crate::format::{FormatError, Reader};

/// One row, with the line it stands in.
pub(crate) struct Row {
    /// Line in the file, from 1.
    pub(crate) line: u64,
    fields: csv::StringRecord,
}

impl Row {
    /// A field by its place in the list of columns.
    pub(crate) fn get(&self, column: usize) -> &str {
        self.fields.get(column).unwrap_or_default()
    }

    /// The row as it stands in the file, for errors.
    pub(crate) fn text(&self) -> String {
        self.fields.iter().collect::<Vec<_>>().join(",")
    }
}

/// Reads all rows; the header must be `columns`, and each row as long.
pub(crate) fn read(reader: &Reader<'_>, columns: &[&str], text: &str) -> Result<Vec<Row>, FormatError> {
    let mut rows = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    let mut header_seen = false;
    let mut found = Vec::new();
    for record in rows.records() {
        let fields = record.map_err(|error| {
            let line = error.position().map_or(1, csv::Position::line);
            reader.unexpected(line, "a row of CSV", &error.to_string())
        })?;
        let row = Row { line: fields.position().map_or(1, csv::Position::line), fields };
        if header_seen {
            if row.fields.len() != columns.len() {
                return Err(reader.unexpected(row.line, "as many fields as columns", &row.text()));
            }
            found.push(row);
        } else if row.fields == *columns {
            header_seen = true;
        } else {
            return Err(reader.unexpected(row.line, "the header with all columns", &row.text()));
        }
    }
    Ok(found)
}
