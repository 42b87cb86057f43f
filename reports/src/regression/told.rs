//! The findings that are new or gone, so that a row which only counts or repeats them is not listed beside them.

use suites::Difference;

use super::counted::Counting;
use super::scope::is_of;
use crate::CheckRow;

/// The findings that one of two runs has and the other has not, or tells otherwise.
#[derive(Debug)]
pub(crate) struct Told<'a> {
    /// The rows of either run that count them.
    counting: [&'a Counting<'a>; 2],
    changed: Vec<Changed<'a>>,
}

/// One of them: in the earlier run, in this one, or in both with other words.
#[derive(Debug)]
struct Changed<'a> {
    before: Option<Counted<'a>>,
    after: Option<Counted<'a>>,
}

/// A finding, and the rows of its run that may count it.
#[derive(Debug)]
struct Counted<'a> {
    found: &'a Difference,
    rows: Vec<&'a CheckRow>,
}

impl<'a> Told<'a> {
    /// Nothing yet, of two runs with these rows.
    pub(crate) fn new(counting: [&'a Counting<'a>; 2]) -> Self {
        Self { counting, changed: Vec::new() }
    }

    /// Takes note of a finding that changed.
    pub(crate) fn note(&mut self, before: Option<&'a Difference>, after: Option<&'a Difference>) {
        let [counting_before, counting_after] = self.counting;
        let counted = |found: Option<&'a Difference>, counting: &Counting<'a>| {
            found.map(|found| Counted { found, rows: counting.of(found) })
        };
        let (before, after) = (counted(before, counting_before), counted(after, counting_after));
        self.changed.push(Changed { before, after });
    }

    /// Whether findings that changed account for what a row counts now, and what it counted before. Those that another row may
    /// count as well account for it if need be.
    pub(crate) fn account_for(&self, before: &CheckRow, after: &CheckRow) -> bool {
        let (mut surely, mut grew, mut least, mut most) = (false, 0, 0, 0);
        let mut count = |counted: &Option<Counted>, row: &CheckRow, by: i64| match counted {
            Some(Counted { rows, .. }) if rows.contains(&row) => {
                if rows.len() == 1 {
                    surely = true;
                    grew += by;
                } else {
                    least += by.min(0);
                    most += by.max(0);
                }
            }
            _ => {}
        };
        for changed in &self.changed {
            count(&changed.before, before, -1);
            count(&changed.after, after, 1);
        }
        let rest = after.differed as i64 - before.differed as i64 - grew;
        if rest == 0 { surely } else { (least..=most).contains(&rest) }
    }

    /// Whether a finding changed of a subject and a check, or a family of checks, whose case is one of these.
    pub(crate) fn has_any(&self, subject: &str, check: &str, is_case: impl Fn(&str) -> bool) -> bool {
        let is_one = |counted: &Option<Counted>| {
            counted.as_ref().is_some_and(|Counted { found, .. }| {
                found.subject == subject && is_of(&found.check, check) && is_case(&found.case)
            })
        };
        self.changed.iter().any(|changed| is_one(&changed.before) || is_one(&changed.after))
    }

    /// Whether a finding on this case changed.
    pub(crate) fn has(&self, subject: &str, check: &str, case: &str) -> bool {
        self.has_any(subject, check, |known| known == case)
    }
}
