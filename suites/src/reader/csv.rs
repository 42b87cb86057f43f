//! Suites in CSV: columns checked by name, a case a row.

use super::{FormatError, Place, collect, is_comment};

/// A case that is a row of CSV.
pub(crate) trait CsvCase: Sized {
    /// The columns, from left to right.
    const COLUMNS: &'static [&'static str];

    /// Reads one row, which has a field for each column.
    fn from_row(row: &CsvRow<'_>) -> Result<Self, FormatError>;

    /// The id, which no other row of the file has.
    fn id(&self) -> String;
}

/// One row.
pub(crate) struct CsvRow<'a> {
    place: Place<'a>,
    fields: csv::StringRecord,
}

impl<'a> CsvRow<'a> {
    /// A field by its place in the list of columns.
    pub(crate) fn get(&self, column: usize) -> &str {
        self.fields.get(column).unwrap_or_default()
    }

    /// The text of the row, for errors.
    pub(crate) fn text(&self) -> String {
        self.fields.iter().collect::<Vec<_>>().join(",")
    }

    /// The line of the row.
    pub(crate) fn place(&self) -> &Place<'a> {
        &self.place
    }

    /// A number in decimal; `None` if the field is empty.
    pub(crate) fn optional<T: std::str::FromStr>(
        &self,
        column: usize,
        expected: &str,
    ) -> Result<Option<T>, FormatError> {
        match self.get(column) {
            "" => Ok(None),
            text => self.place.number(expected, text).map(Some),
        }
    }
}

/// Reads a suite; `file` names it in errors. A row is one line: fields hold no line ends.
pub(crate) fn csv<C: CsvCase>(file: &str, text: &str) -> Result<Vec<C>, FormatError> {
    let mut rows = (1..).zip(text.lines()).filter(|(_, text)| !is_comment(text)).map(|(line, text)| {
        let place = Place { file, line };
        // Setting up a reader takes longer than splitting a line without quotes.
        if !text.contains('"') {
            return Ok(CsvRow { place, fields: text.split(',').collect() });
        }
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
        let mut fields = csv::StringRecord::new();
        match reader.read_record(&mut fields) {
            Ok(_) => Ok(CsvRow { place, fields }),
            Err(error) => Err(place.unexpected("a row of CSV", &error.to_string())),
        }
    });
    if let Some(header) = rows.next().transpose()?
        && header.fields != *C::COLUMNS
    {
        let expected = format!("the columns \"{}\"", C::COLUMNS.join(","));
        return Err(header.place.unexpected(expected, &header.text()));
    }
    collect(file, text, rows.map(|row| case(&row?)))
}

fn case<C: CsvCase>(row: &CsvRow<'_>) -> Result<(u64, String, C), FormatError> {
    if row.fields.len() != C::COLUMNS.len() {
        return Err(row.place.unexpected(format!("{} fields", C::COLUMNS.len()), &row.text()));
    }
    let case = C::from_row(row)?;
    Ok((row.place.line, case.id(), case))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq)]
    struct Pair(String, Option<u8>);

    impl CsvCase for Pair {
        const COLUMNS: &'static [&'static str] = &["name", "count"];

        fn from_row(row: &CsvRow<'_>) -> Result<Self, FormatError> {
            Ok(Self(row.get(0).to_owned(), row.optional(1, "a count or nothing")?))
        }

        fn id(&self) -> String {
            self.0.clone()
        }
    }

    #[test]
    fn rows_are_read_by_their_columns() {
        let pairs = csv::<Pair>("x.csv", "# cases: 2\nname,count\na,1\n# and\nb,\n").unwrap();
        assert_eq!(pairs, [Pair("a".to_owned(), Some(1)), Pair("b".to_owned(), None)]);
    }

    #[test]
    fn errors_name_file_and_line() {
        let check = |text: &str, expected: &str| {
            assert_eq!(csv::<Pair>("x.csv", text).unwrap_err().to_string(), expected);
        };
        check(
            "# cases: 1\ncount,name\n1,a\n",
            "x.csv:2: expected the columns \"name,count\", got \"count,name\"",
        );
        check("# cases: 1\nname,count\na\n", "x.csv:3: expected 2 fields, got \"a\"");
        check("# cases: 1\nname,count\na,x\n", "x.csv:3: expected a count or nothing, got \"x\"");
        check("# cases: 2\nname,count\n#\na,\na,\n", "x.csv:5: \"a\" is in line 4 already");
    }
}
