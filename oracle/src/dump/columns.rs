//! The columns of a dump, from its first line or from a list that the user gives.

use std::fmt;

use super::fields::{UnclosedQuote, fields};

/// The separators of fields, in the order in which they are tried.
const SEPARATORS: [char; 3] = ['\t', ';', ','];
/// The columns that are read.
const READ: [&str; 3] = ["fen", "wdl", "dtm"];
/// A column that is not read, in a list.
const NOT_READ: &str = "_";

/// The columns of a dump in their order: `fen`, and `wdl`, `dtm` or both. Other columns are not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Columns {
    pub(super) fen: usize,
    pub(super) wdl: Option<usize>,
    pub(super) dtm: Option<usize>,
    /// The number of columns.
    pub(super) count: usize,
    /// The names of columns that are not read.
    pub(super) others: Vec<String>,
}

/// Errors in the names of columns.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ColumnsError {
    /// There is no column with positions.
    #[error("there is no column fen")]
    NoFen,
    /// There is no column with values.
    #[error("there is no column wdl and no column dtm")]
    NoValue,
    /// Two columns have the same name.
    #[error("there are two columns {0}")]
    Twice(&'static str),
    /// The list has an unknown name.
    #[error("expected fen, wdl, dtm, or {NOT_READ} for a column that is not read, got \"{0}\"")]
    Unknown(String),
}

impl Columns {
    /// The columns of a file without a header, as a list with commas: `fen,_,wdl`. The names are `fen`,
    /// `wdl`, `dtm`, and `_` for a column that is not read.
    pub fn listed(list: &str) -> Result<Self, ColumnsError> {
        let names: Vec<String> = list.split(',').map(normal).collect();
        let unknown = |name: &&String| !READ.contains(&name.as_str()) && *name != NOT_READ;
        if let Some(name) = names.iter().find(unknown) {
            return Err(ColumnsError::Unknown(name.chars().take(40).collect()));
        }
        Self::named(&names)
    }

    fn named(names: &[String]) -> Result<Self, ColumnsError> {
        let place = |wanted: &'static str| {
            let mut places = (0..names.len()).filter(|&place| names[place] == wanted);
            match (places.next(), places.next()) {
                (_, Some(_)) => Err(ColumnsError::Twice(wanted)),
                (place, None) => Ok(place),
            }
        };
        let [fen, wdl, dtm] = READ.map(place);
        let (fen, wdl, dtm) = (fen?.ok_or(ColumnsError::NoFen)?, wdl?, dtm?);
        if wdl.is_none() && dtm.is_none() {
            return Err(ColumnsError::NoValue);
        }
        let is_other =
            |name: &&String| !READ.contains(&name.as_str()) && *name != NOT_READ && !name.is_empty();
        let others = names.iter().filter(is_other);
        Ok(Self { fen, wdl, dtm, count: names.len(), others: others.cloned().collect() })
    }
}

impl fmt::Display for Columns {
    /// A list that gives the same columns, with `_` for those that are not read.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for place in 0..self.count {
            let name = match Some(place) {
                read if read == Some(self.fen) => "fen",
                read if read == self.wdl => "wdl",
                read if read == self.dtm => "dtm",
                _ => NOT_READ,
            };
            write!(f, "{}{name}", if place == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

/// The columns, and the separator of fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) columns: Columns,
    pub(super) separator: char,
}

/// Why the layout cannot be found from the first line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LayoutError {
    /// Neither the first line nor an option names the columns.
    #[error(
        "expected the names of the columns, fen and wdl or dtm, got \"{0}\"; where no line names them, say which they are: \
         --columns fen,wdl,dtm"
    )]
    NoHeader(String),
    /// The first line names columns that cannot be used.
    #[error("{0}, got \"{1}\"")]
    Header(ColumnsError, String),
    /// The first line names the columns, and so does an option.
    #[error("it names the columns itself, \"{0}\": leave out --columns")]
    HeaderToo(String),
    /// The number of columns is not that of the option.
    #[error(
        "--columns names {expected} columns, but \"{found}\" does not have as many fields, whether comma, semicolon or tab separates them; name each column, with {NOT_READ} for one that is not read"
    )]
    Count {
        /// The number of columns in the option.
        expected: usize,
        /// The start of the line.
        found: String,
    },
    /// The file is not text.
    #[error("expected text, or text packed with gzip or zstd, got \"{0}\"")]
    Binary(String),
}

impl Layout {
    /// The layout of a file whose first line names the columns.
    pub(super) fn of_header(line: &str) -> Result<Self, LayoutError> {
        let (separator, names) = header(line)?.ok_or_else(|| LayoutError::NoHeader(excerpt(line)))?;
        let columns = Columns::named(&names).map_err(|error| LayoutError::Header(error, excerpt(line)))?;
        Ok(Self { columns, separator })
    }

    /// The layout of a file with these columns, whose first line is a row.
    pub(super) fn of_row(columns: &Columns, line: &str) -> Result<Self, LayoutError> {
        if header(line)?.is_some() {
            return Err(LayoutError::HeaderToo(excerpt(line)));
        }
        let fits =
            |separator: &char| fields(line, *separator).is_ok_and(|fields| fields.len() == columns.count);
        let separator = SEPARATORS
            .into_iter()
            .find(fits)
            .ok_or_else(|| LayoutError::Count { expected: columns.count, found: excerpt(line) })?;
        Ok(Self { columns: columns.clone(), separator })
    }
}

/// The names of columns in a line and their separator, if at least one is a known name.
fn header(line: &str) -> Result<Option<(char, Vec<String>)>, LayoutError> {
    if line.chars().any(|letter| letter.is_control() && letter != '\t') {
        return Err(LayoutError::Binary(line.escape_debug().take(40).collect()));
    }
    let parted = SEPARATORS.into_iter().filter_map(|separator| {
        let names: Result<Vec<String>, UnclosedQuote> =
            fields(line, separator).map(|fields| fields.into_iter().map(normal).collect());
        Some((separator, names.ok()?))
    });
    let known = |names: &[String]| names.iter().filter(|name| READ.contains(&name.as_str())).count();
    // The separator that gives more known names; of equals the first.
    Ok(parted.rev().max_by_key(|(_, names)| known(names)).filter(|(_, names)| known(names) > 0))
}

/// A name in the form in which names are compared.
fn normal(name: impl AsRef<str>) -> String {
    name.as_ref().trim().trim_matches('"').to_lowercase()
}

/// The start of a line, so that the user finds it.
pub(super) fn excerpt(text: &str) -> String {
    text.chars().take(120).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn listed(list: &str, expected: &str) {
        let got = match Columns::listed(list) {
            Ok(columns @ Columns { fen, wdl, dtm, count, .. }) => {
                assert_eq!(Columns::listed(&columns.to_string()).unwrap(), columns);
                format!("{fen} {wdl:?} {dtm:?} of {count}")
            }
            Err(error) => error.to_string(),
        };
        assert_eq!(got, expected, "{list}");
    }

    #[test]
    fn lists() {
        listed("fen,wdl,dtm", "0 Some(1) Some(2) of 3");
        listed("_, DTM ,_,Fen", "3 None Some(1) of 4");
        listed("wdl,fen", "1 Some(0) None of 2");
        listed("", "expected fen, wdl, dtm, or _ for a column that is not read, got \"\"");
        listed("fen,wld", "expected fen, wdl, dtm, or _ for a column that is not read, got \"wld\"");
        listed("fen,wdl,", "expected fen, wdl, dtm, or _ for a column that is not read, got \"\"");
        listed("fen,_", "there is no column wdl and no column dtm");
        listed("wdl,dtm", "there is no column fen");
        listed("fen,wdl,fen", "there are two columns fen");
        listed("fen,dtm,dtm", "there are two columns dtm");
    }

    #[track_caller]
    fn header(line: &str, expected: &str) {
        let got = match Layout::of_header(line) {
            Ok(Layout { columns: Columns { fen, wdl, dtm, count, others }, separator }) => {
                format!("{fen} {wdl:?} {dtm:?} of {count} {separator:?} {}", others.join(" "))
            }
            Err(error) => error.to_string(),
        };
        assert!(got.starts_with(expected), "{line}: {got}");
    }

    #[test]
    fn headers() {
        header("fen,wdl,dtm", "0 Some(1) Some(2) of 3 ',' ");
        header(" DTM ;id; \"FEN\";", "2 None Some(0) of 4 ';' id");
        header("id\tfen\tdtz\twdl", "1 Some(3) None of 4 '\\t' id dtz");
        header("note, with a comma;fen;wdl", "1 Some(2) None of 3 ';' note, with a comma");
        header("fen,wld", "there is no column wdl and no column dtm, got \"fen,wld\"");
        header("wdl,dtm", "there is no column fen, got");
        header("fen;wdl;WDL", "there are two columns wdl, got");
        header("", "expected the names of the columns, fen and wdl or dtm, got \"\"; where no line");
        header("8/8/8/8/8/8/8/K6k w - - 0 1,draw,", "expected the names of the columns");
        header("fen,wdl\0", "expected text, or text packed with gzip or zstd, got \"fen,wdl\\0\"");
    }

    #[track_caller]
    fn row(list: &str, line: &str, expected: &str) {
        let got = match Layout::of_row(&Columns::listed(list).unwrap(), line) {
            Ok(Layout { separator, .. }) => format!("{separator:?}"),
            Err(error) => error.to_string(),
        };
        assert!(got.starts_with(expected), "{line}: {got}");
    }

    #[test]
    fn rows_without_a_header() {
        row("fen,wdl", "8/8/8/8/8/8/8/K6k w - - 0 1,draw", "','");
        row("fen,wdl", "8/8/8/8/8/8/8/K6k w - - 0 1\tdraw", "'\\t'");
        row("fen,wdl", "8/8/8/8/8/8/8/K6k w - - 0 1;draw", "';'");
        row("fen,_,wdl", "8/8/8/8/8/8/8/K6k w - - 0 1;a, b;draw", "';'");
        row("fen,wdl", "8/8/8/8/8/8/8/K6k w - - 0 1;draw;3", "--columns names 2 columns, but");
        row("fen,wdl", "FEN;draw", "it names the columns itself, \"FEN;draw\": leave out --columns");
    }
}
