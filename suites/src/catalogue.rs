//! The catalogue of checks: for each its id, the severity of a finding, and a page that explains it.
//!
//! ```text
//! # protocol/uciok: the engine answers uci with uciok
//! severity: error
//! wrong: does not answer uci with uciok
//!
//! Paragraphs of text, for people.
//! ```
//!
//! Each file has the pages of some families.

use std::collections::HashMap;
use std::sync::LazyLock;

crate::words! {
    /// How grave a finding is.
    #[derive(Default)]
    pub enum Severity: "severity" {
        /// Allowed by the rules or the protocol, and worth knowing.
        Note = "note",
        /// Against a convention, or users will notice it.
        Warning = "warning",
        /// Wrong.
        #[default]
        Error = "error",
    }
}

/// The page of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// The id: a family, a slash and a name; or a family alone.
    pub id: &'static str,
    /// What a correct engine or table does, in a few words.
    pub title: &'static str,
    /// How grave a finding is.
    pub severity: Severity,
    /// What is wrong in a finding, as a sentence without its subject.
    pub wrong: &'static str,
    /// What the check asks, which answers are right, and why.
    pub text: &'static str,
}

const FILES: [&str; 10] = [
    include_str!("../data/checks/process.md"),
    include_str!("../data/checks/protocol.md"),
    include_str!("../data/checks/movegen.md"),
    include_str!("../data/checks/suites.md"),
    include_str!("../data/checks/bestmove.md"),
    include_str!("../data/checks/time.md"),
    include_str!("../data/checks/game.md"),
    include_str!("../data/checks/moves.md"),
    include_str!("../data/checks/tables.md"),
    include_str!("../data/checks/library.md"),
];

/// All pages, in the order of the files. An incomplete page is left out; a test checks that there is none.
pub fn pages() -> impl Iterator<Item = Page> {
    FILES.into_iter().flat_map(|file| file.strip_prefix("# ").unwrap_or(file).split("\n# ")).filter_map(page)
}

/// The pages by id. The files are parsed once: a report of a whole table looks up a million findings.
static BY_ID: LazyLock<HashMap<&str, Page>> = LazyLock::new(|| pages().map(|page| (page.id, page)).collect());

/// The page of a check; that of its family if it has none of its own.
pub fn find(id: &str) -> Option<Page> {
    let family = id.split('/').next().unwrap_or(id);
    BY_ID.get(id).or_else(|| BY_ID.get(family)).copied()
}

/// The severity of a check's findings; error if the catalogue has no page.
pub fn severity(id: &str) -> Severity {
    find(id).map_or(Severity::Error, |page| page.severity)
}

/// What is wrong in a finding of a check, as a sentence without its subject; the id if the catalogue has no
/// page.
pub fn wrong(id: &str) -> &str {
    find(id).map_or(id, |page| page.wrong)
}

/// The order of findings within a severity: findings that break games come first. An entry is a family, a
/// check, or a slash and the last part of the ids of several checks.
const ORDER: [&str; 19] = [
    "movegen",
    "process",
    "protocol/bestmove-legal",
    "game/illegal-move",
    "bestmove/move",
    "mate/move",
    "time/illegal-move",
    "/unanswered",
    "mate/unsound",
    "mate/sign",
    "draw/move",
    "stalemate/missed",
    "/thrown",
    "time",
    "protocol",
    "mate",
    "game/win-to-loss",
    "game/win-to-draw",
    "game/draw-to-loss",
];

/// The place of a check in the order of findings of its severity; checks of one place are in the order of
/// their ids.
pub fn rank(id: &str) -> usize {
    let is_at = |place: &&str| {
        let rest = if place.starts_with('/') {
            id.strip_suffix(*place).map(|_| "")
        } else {
            id.strip_prefix(*place)
        };
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    ORDER.iter().position(is_at).unwrap_or(ORDER.len())
}

fn page(text: &'static str) -> Option<Page> {
    #[cfg(test)]
    tests::READ.with(|read| read.set(read.get() + 1));
    let (head, rest) = text.split_once('\n')?;
    let (id, title) = head.split_once(": ")?;
    let (severity, rest) = rest.strip_prefix("severity: ")?.split_once('\n')?;
    let (wrong, text) = rest.strip_prefix("wrong: ")?.split_once('\n')?;
    let severity = severity.parse().ok()?;
    Some(Page { id, title, severity, wrong, text: text.trim() })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use std::cell::Cell;

    use super::*;

    thread_local! {
        /// How many pages this thread has parsed.
        pub(super) static READ: Cell<usize> = const { Cell::new(0) };
    }

    #[test]
    fn the_files_are_parsed_once() {
        assert_eq!(severity("truth"), Severity::Error);
        let read = READ.get();
        for _ in 0..1_000 {
            assert_eq!(severity("protocol/blanks"), find("protocol/blanks").unwrap().severity);
        }
        assert_eq!(READ.get(), read);
    }

    #[test]
    fn every_page_is_complete_and_has_its_own_id() {
        let heads = FILES.iter().flat_map(|file| file.lines()).filter(|line| line.starts_with("# ")).count();
        assert_eq!(pages().count(), heads);
        let ids: BTreeSet<_> = pages().map(|page| page.id).collect();
        assert_eq!(ids.len(), heads);
        assert!(pages().all(|page| page.text.len() > 40 && !page.title.is_empty()));
        assert!(pages().all(|page| page.wrong.len() > 4 && page.wrong != page.title));
    }

    #[test]
    fn broken_move_generation_and_crashes_come_before_scores() {
        let sorted = [
            "movegen/pins",
            "process/crash",
            "bestmove/move",
            "draw/unanswered",
            "mate/unsound",
            "stalemate/thrown",
        ];
        let sorted = sorted.iter().chain(&["protocol/clock", "mate/line", "draw/score"]);
        assert!(
            sorted.clone().is_sorted_by_key(|id| rank(id)),
            "{:?}",
            sorted.map(|id| rank(id)).collect::<Vec<_>>()
        );
        assert_eq!(rank("certificate"), rank("draw/score"));
        assert!(
            ORDER
                .iter()
                .all(|place| pages().any(|page| page.id.starts_with(place) || page.id.ends_with(place)))
        );
    }

    #[test]
    fn a_check_without_a_page_has_that_of_its_family() {
        assert_eq!(find("perft").map(|page| page.id), Some("perft"));
        assert_eq!(find("perft/anything").map(|page| page.id), Some("perft"));
        assert_eq!(find("unheard-of"), None);
        assert_eq!(severity("unheard-of"), Severity::Error);
    }
}
