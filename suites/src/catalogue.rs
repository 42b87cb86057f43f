//! The catalogue of checks: an id, how grave a finding is, and a page that explains it.
//!
//! ```text
//! # protocol/uciok: it answers uci with uciok
//! severity: error
//!
//! Paragraphs of text, for people.
//! ```
//!
//! A file holds the pages of some families, one after the other.

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

/// How grave a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Severity {
    /// Allowed, and worth knowing.
    Note,
    /// Users will meet with it, or it is against a convention.
    Warning,
    /// It is wrong.
    #[default]
    Error,
}

impl Severity {
    /// All.
    pub const ALL: [Self; 3] = [Self::Note, Self::Warning, Self::Error];

    /// The name in files and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What is to be said of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// The id: a family, a slash and a name; or a family alone.
    pub id: &'static str,
    /// In a few words, what is checked.
    pub title: &'static str,
    /// How grave a finding is.
    pub severity: Severity,
    /// What is asked, what is right, and why.
    pub text: &'static str,
}

const FILES: [&str; 8] = [
    include_str!("../data/checks/process.md"),
    include_str!("../data/checks/protocol.md"),
    include_str!("../data/checks/movegen.md"),
    include_str!("../data/checks/trials.md"),
    include_str!("../data/checks/bestmove.md"),
    include_str!("../data/checks/time.md"),
    include_str!("../data/checks/moves.md"),
    include_str!("../data/checks/tables.md"),
];

/// All pages, in the order of the files. A page that is not whole is left out; a test sees to it that there is none.
pub fn pages() -> impl Iterator<Item = Page> {
    FILES.into_iter().flat_map(|file| file.strip_prefix("# ").unwrap_or(file).split("\n# ")).filter_map(page)
}

/// The pages by id: each finding of a long report asks for its own, and the files are read once for all of them.
static BY_ID: LazyLock<HashMap<&str, Page>> = LazyLock::new(|| pages().map(|page| (page.id, page)).collect());

/// The page of a check; that of its family if it has none of its own.
pub fn find(id: &str) -> Option<Page> {
    let family = id.split('/').next().unwrap_or(id);
    BY_ID.get(id).or_else(|| BY_ID.get(family)).copied()
}

/// How grave a finding of a check is: an error, if the catalogue says nothing else.
pub fn severity(id: &str) -> Severity {
    find(id).map_or(Severity::Error, |page| page.severity)
}

fn page(text: &'static str) -> Option<Page> {
    #[cfg(test)]
    tests::READ.with(|read| read.set(read.get() + 1));
    let (head, rest) = text.split_once('\n')?;
    let (id, title) = head.split_once(": ")?;
    let (severity, text) = rest.strip_prefix("severity: ")?.split_once('\n')?;
    let severity = Severity::ALL.into_iter().find(|known| known.name() == severity)?;
    Some(Page { id, title, severity, text: text.trim() })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use std::cell::Cell;

    use super::*;

    thread_local! {
        /// Pages that this thread has read from the files.
        pub(super) static READ: Cell<usize> = const { Cell::new(0) };
    }

    /// A report of a whole table asks a million times.
    #[test]
    fn the_files_are_read_once_however_often_a_page_is_asked_for() {
        assert_eq!(severity("truth"), Severity::Error);
        let read = READ.get();
        for _ in 0..1_000 {
            assert_eq!(severity("protocol/blanks"), find("protocol/blanks").unwrap().severity);
        }
        assert_eq!(READ.get(), read);
    }

    #[test]
    fn every_page_is_whole_and_stands_there_once() {
        let heads = FILES.iter().flat_map(|file| file.lines()).filter(|line| line.starts_with("# ")).count();
        assert_eq!(pages().count(), heads);
        let ids: BTreeSet<_> = pages().map(|page| page.id).collect();
        assert_eq!(ids.len(), heads);
        assert!(pages().all(|page| page.text.len() > 40 && !page.title.is_empty()));
    }

    #[test]
    fn a_check_without_a_page_has_that_of_its_family() {
        assert_eq!(find("perft").map(|page| page.id), Some("perft"));
        assert_eq!(find("perft/anything").map(|page| page.id), Some("perft"));
        assert_eq!(find("unheard-of"), None);
        assert_eq!(severity("unheard-of"), Severity::Error);
    }
}
