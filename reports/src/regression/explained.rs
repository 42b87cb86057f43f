//! The findings that changed between two runs. A changed row that only counts or repeats them is explained
//! and not listed.

use suites::Difference;

use super::attribution::Attribution;
use super::scope::is_of;
use crate::CheckRow;

/// The findings that only one of two runs has, or that the runs describe differently.
#[derive(Debug)]
pub(crate) struct ChangedFindings<'a> {
    /// The rows of either run that count findings.
    attribution: [&'a Attribution<'a>; 2],
    changed: Vec<Changed<'a>>,
}

/// One finding: in the baseline, in this run, or in both with different figures.
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

impl<'a> ChangedFindings<'a> {
    /// No findings yet; the rows of `checks.csv` of both runs are given.
    pub(crate) fn new(attribution: [&'a Attribution<'a>; 2]) -> Self {
        Self { attribution, changed: Vec::new() }
    }

    /// Adds a finding that changed.
    pub(crate) fn note(&mut self, before: Option<&'a Difference>, after: Option<&'a Difference>) {
        let [before_rows, after_rows] = self.attribution;
        let counted = |found: Option<&'a Difference>, attribution: &Attribution<'a>| {
            found.map(|found| Counted { found, rows: attribution.of(found) })
        };
        let (before, after) = (counted(before, before_rows), counted(after, after_rows));
        self.changed.push(Changed { before, after });
    }

    /// Whether the changed findings explain why a row counts more or fewer differences than before. A finding
    /// that several rows may count is used if it is needed.
    pub(crate) fn explain_count(&self, before: &CheckRow, after: &CheckRow) -> bool {
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

    /// Whether a finding changed that has this subject, this check or family, and a case that satisfies
    /// `is_case`.
    pub(crate) fn has_any(&self, subject: &str, check: &str, is_case: impl Fn(&str) -> bool) -> bool {
        let is_one = |counted: &Option<Counted>| {
            counted.as_ref().is_some_and(|Counted { found, .. }| {
                found.subject == subject && is_of(&found.check, check) && is_case(&found.case)
            })
        };
        self.changed.iter().any(|changed| is_one(&changed.before) || is_one(&changed.after))
    }

    /// Whether a finding for this case changed.
    pub(crate) fn has(&self, subject: &str, check: &str, case: &str) -> bool {
        self.has_any(subject, check, |known| known == case)
    }
}
