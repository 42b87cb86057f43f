//! The part of a user's file that one suite reads.

/// Lines that cannot be read, counted from 1, and why.
pub type Malformed = Vec<(u64, String)>;

/// The cases of one suite in a user's file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileSuite<C> {
    /// Name of the file.
    pub name: String,
    /// The cases, in the order of their lines.
    pub cases: Vec<C>,
    /// The lines that this suite cannot read.
    pub malformed: Malformed,
}

impl<C> FileSuite<C> {
    /// No cases yet.
    pub(super) fn new(name: &str) -> Self {
        Self { name: name.to_owned(), cases: Vec::new(), malformed: Vec::new() }
    }

    /// Adds the case of a line, or why it cannot be read.
    pub(super) fn add(&mut self, line: u64, case: Result<C, String>) {
        match case {
            Ok(case) => self.cases.push(case),
            Err(why) => self.malformed.push((line, why)),
        }
    }
}

/// The start of a text, for messages.
pub(super) fn shown(text: &str) -> String {
    text.chars().take(20).collect()
}
