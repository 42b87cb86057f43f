//! Reads the embedded suites: one machine for all of their files.
//!
//! A file starts with comments, of which one is `# cases: N`. Then each line is a case: EPD ([`epd`]), a row
//! of CSV ([`csv`]), or plain text ([`lines`]). A suite declares its operations or columns and how one case
//! is read. The machine skips comments, counts lines, refuses an id that comes twice, and refuses a file with
//! more or fewer cases than it declares.

mod csv;
mod epd;

pub(crate) use self::csv::{CsvCase, CsvRow, csv};
pub(crate) use self::epd::{EpdCase, EpdLine, epd};

use std::collections::BTreeMap;

use crate::epd::EpdError;

const DECLARATION: &str = "# cases:";
/// How many characters of a wrong text an error shows.
const SHOWN: usize = 60;

/// A data file that cannot be read: which file, which line, and what was found there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {fault}")]
pub struct FormatError {
    /// Name of the file.
    pub file: String,
    /// Line, counted from 1.
    pub line: u64,
    /// What is wrong there.
    pub fault: FormatFault,
}

/// What is wrong with a line or a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FormatFault {
    /// Another text was expected.
    #[error("expected {expected}, got \"{got}\"")]
    Unexpected {
        /// The expected text.
        expected: String,
        /// The text that was found, shortened.
        got: String,
    },
    /// The line is not EPD.
    #[error("{fault}: \"{got}\"")]
    Epd {
        /// What is wrong with it.
        fault: EpdError,
        /// The line, shortened.
        got: String,
    },
    /// The file does not say how many cases it has.
    #[error("expected a line \"# cases: N\" before the first case")]
    Undeclared,
    /// The file has more or fewer cases than it declares.
    #[error("{declared} cases declared, {found} found")]
    Count {
        /// How many the file declares.
        declared: u64,
        /// How many it has.
        found: u64,
    },
    /// Two cases have the same id.
    #[error("\"{id}\" is in line {first} already")]
    Repeated {
        /// The id.
        id: String,
        /// The line of the first case with it.
        first: u64,
    },
    /// Counts that must add up do not.
    #[error("wins, draws and losses are {sum}, legal positions {legal}")]
    Sum {
        /// Wins, draws and losses together.
        sum: u64,
        /// The positions they should be.
        legal: u64,
    },
}

/// The place of a line in a file. Makes the errors for this line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'a> {
    file: &'a str,
    line: u64,
}

impl Place<'_> {
    /// An error at this line.
    pub(crate) fn error(&self, fault: FormatFault) -> FormatError {
        FormatError { file: self.file.to_owned(), line: self.line, fault }
    }

    /// The error that another text was expected.
    pub(crate) fn unexpected(&self, expected: impl Into<String>, got: &str) -> FormatError {
        self.error(FormatFault::Unexpected { expected: expected.into(), got: shown(got) })
    }

    /// A number in decimal.
    pub(crate) fn number<T: std::str::FromStr>(&self, expected: &str, text: &str) -> Result<T, FormatError> {
        text.parse().map_err(|_| self.unexpected(expected, text))
    }
}

/// The start of a text, for errors.
fn shown(text: &str) -> String {
    text.chars().take(SHOWN).collect()
}

/// Whether a line holds no case.
pub(crate) fn is_comment(line: &str) -> bool {
    line.starts_with('#') || line.trim().is_empty()
}

/// Reads a file with a case a line. `read` returns the id of a case, which no other case of the file has, and
/// the case.
pub(crate) fn lines<'a, C>(
    file: &'a str,
    text: &'a str,
    mut read: impl FnMut(&Place<'a>, &'a str) -> Result<(String, C), FormatError>,
) -> Result<Vec<C>, FormatError> {
    let numbered = (1..).zip(text.lines()).filter(|(_, line)| !is_comment(line));
    let read = |(line, text)| read(&Place { file, line }, text).map(|(id, case)| (line, id, case));
    collect(file, text, numbered.map(read))
}

/// Collects the cases, each with its line and its id, and checks their ids and their number.
fn collect<C>(
    file: &str,
    text: &str,
    cases: impl Iterator<Item = Result<(u64, String, C), FormatError>>,
) -> Result<Vec<C>, FormatError> {
    let (declaration, declared) = declared(file, text)?;
    let mut lines = BTreeMap::new();
    let mut found = Vec::new();
    for case in cases {
        let (line, id, case) = case?;
        if let Some(first) = lines.insert(id.clone(), line) {
            return Err(Place { file, line }.error(FormatFault::Repeated { id, first }));
        }
        found.push(case);
    }
    if found.len() as u64 == declared {
        Ok(found)
    } else {
        Err(declaration.error(FormatFault::Count { declared, found: found.len() as u64 }))
    }
}

/// Where a file declares its number of cases, and how many.
fn declared<'a>(file: &'a str, text: &str) -> Result<(Place<'a>, u64), FormatError> {
    let comments = (1..).zip(text.lines()).take_while(|(_, line)| is_comment(line));
    for (line, text) in comments {
        if let Some(declared) = text.strip_prefix(DECLARATION) {
            let place = Place { file, line };
            return Ok((place, place.number("a number of cases", declared.trim())?));
        }
    }
    Err(Place { file, line: 1 }.error(FormatFault::Undeclared))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line that is its own id.
    #[derive(Debug, PartialEq)]
    struct Word(String);

    fn read(text: &str) -> Result<Vec<Word>, String> {
        let cases = lines("x.txt", text, |place, line| match line {
            "bad" => Err(place.unexpected("a good word", line)),
            _ => Ok((line.to_owned(), Word(line.to_owned()))),
        });
        cases.map_err(|error| error.to_string())
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(read(text).unwrap_err(), expected);
    }

    #[test]
    fn comments_and_empty_lines_are_no_cases() {
        let words = read("# words\n# cases: 2\n\na\n# and\n  \nb\n").unwrap();
        assert_eq!(words, [Word("a".to_owned()), Word("b".to_owned())]);
    }

    #[test]
    fn errors_name_file_and_line() {
        check("", "x.txt:1: expected a line \"# cases: N\" before the first case");
        check("a\n# cases: 1", "x.txt:1: expected a line \"# cases: N\" before the first case");
        check("# cases: many", "x.txt:1: expected a number of cases, got \"many\"");
        check("#\n# cases: 2\na", "x.txt:2: 2 cases declared, 1 found");
        check("# cases: 0\na", "x.txt:1: 0 cases declared, 1 found");
        check("# cases: 1\n\nbad", "x.txt:3: expected a good word, got \"bad\"");
        check("# cases: 2\na\n\na", "x.txt:4: \"a\" is in line 2 already");
    }
}
