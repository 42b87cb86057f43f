//! What all data files have in common: a declared number of cases, `#` comments, and faults that say where.
//!
//! A file says `# cases: N` before its first case. A reader that finds another number refuses the file: a
//! suite that lost cases would otherwise pass unseen.

use std::collections::BTreeMap;

const DECLARATION: &str = "# cases:";
const SHOWN: usize = 60;

/// A data file that cannot be read: which, where, and what was found.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {fault}")]
pub struct FormatError {
    /// Name of the file.
    pub file: String,
    /// Line, counted from 1.
    pub line: u64,
    /// What is wrong there.
    pub fault: Fault,
}

/// What may be wrong with a line or a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Another text was expected.
    #[error("expected {expected}, got \"{got}\"")]
    Unexpected {
        /// What should stand here.
        expected: &'static str,
        /// What stands here, shortened.
        got: String,
    },
    /// The file does not say how many cases it has.
    #[error("expected a line \"# cases: N\" before the first case")]
    Undeclared,
    /// Cases were lost or added.
    #[error("{declared} cases declared, {found} found")]
    Count {
        /// How many the file says it has.
        declared: u64,
        /// How many it has.
        found: u64,
    },
    /// A name that must be unique is not.
    #[error("\"{name}\" stands in line {first} already")]
    Repeated {
        /// The name.
        name: String,
        /// The line where it stands first.
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

/// Follows a file while its cases are read: makes errors, and counts cases by their unique names.
pub(crate) struct Reader<'a> {
    file: &'a str,
    declared: u64,
    declared_in: u64,
    names: BTreeMap<String, u64>,
}

impl<'a> Reader<'a> {
    /// Reads the declaration out of `text`.
    pub(crate) fn new(file: &'a str, text: &str) -> Result<Self, FormatError> {
        let comments = (1..).zip(text.lines()).take_while(|(_, line)| is_comment(line));
        for (number, line) in comments {
            if let Some(declared) = line.strip_prefix(DECLARATION) {
                let reader = Self { file, declared: 0, declared_in: number, names: BTreeMap::new() };
                let declared = reader.number(number, "a number of cases", declared.trim())?;
                return Ok(Self { declared, ..reader });
            }
        }
        Err(FormatError { file: file.to_owned(), line: 1, fault: Fault::Undeclared })
    }

    /// An error at a line.
    pub(crate) fn error(&self, line: u64, fault: Fault) -> FormatError {
        FormatError { file: self.file.to_owned(), line, fault }
    }

    /// The error that another text was expected.
    pub(crate) fn unexpected(&self, line: u64, expected: &'static str, got: &str) -> FormatError {
        self.error(line, Fault::Unexpected { expected, got: got.chars().take(SHOWN).collect() })
    }

    /// A whole number in decimal.
    pub(crate) fn number<T: std::str::FromStr>(
        &self,
        line: u64,
        expected: &'static str,
        text: &str,
    ) -> Result<T, FormatError> {
        text.parse().map_err(|_| self.unexpected(line, expected, text))
    }

    /// Counts one case.
    pub(crate) fn count(&mut self, line: u64, name: &str) -> Result<(), FormatError> {
        match self.names.insert(name.to_owned(), line) {
            Some(first) => Err(self.error(line, Fault::Repeated { name: name.to_owned(), first })),
            None => Ok(()),
        }
    }

    /// Compares the number of cases with the declared one.
    pub(crate) fn finish(&self) -> Result<(), FormatError> {
        let found = self.names.len() as u64;
        if found == self.declared {
            Ok(())
        } else {
            Err(self.error(self.declared_in, Fault::Count { declared: self.declared, found }))
        }
    }
}

/// Whether a line holds no case.
pub(crate) fn is_comment(line: &str) -> bool {
    line.starts_with('#') || line.trim().is_empty()
}
