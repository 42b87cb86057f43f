//! Changes grouped by verdict and cause.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use suites::catalogue::{self, Severity};

use crate::{CompareRow, CompareVerdict};

/// Changes with the same verdict, severity and cause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeGroup<'a> {
    /// The changes, the one with the fewest men first. At least one.
    pub rows: Vec<&'a CompareRow>,
}

impl<'a> ChangeGroup<'a> {
    /// The change that stands for all.
    ///
    /// # Panics
    /// Never: a group has at least one change.
    pub fn first(&self) -> &'a CompareRow {
        self.rows.first().expect("a group has a change")
    }

    /// What the changes mean.
    pub fn verdict(&self) -> CompareVerdict {
        self.first().verdict
    }
}

/// The groups, the worst verdict first, then the gravest. Notes that only one version has come last.
pub(super) fn of<'a>(
    rows: impl Iterator<Item = &'a CompareRow>,
    fails_from: Severity,
) -> Vec<ChangeGroup<'a>> {
    let mut groups = BTreeMap::<_, Vec<&CompareRow>>::new();
    for row in rows {
        // A row without a cause is a case set that only one of the two compared.
        let cause = if row.cause.is_empty() { (&row.check, &row.b) } else { (&row.cause, &row.cause) };
        groups
            .entry((row.of_note(fails_from), row.verdict, Reverse(row.severity), cause))
            .or_default()
            .push(row);
    }
    let mut groups: Vec<ChangeGroup> = groups
        .into_values()
        .map(|mut rows| {
            rows.sort_by_key(|row| (catalogue::rank(&row.check), men(&row.fen), *row));
            ChangeGroup { rows }
        })
        .collect();
    groups.sort_by_key(|group| {
        let first = group.first();
        let is_note = first.of_note(fails_from).is_some();
        (is_note, first.verdict, Reverse(first.severity), catalogue::rank(&first.check))
    });
    groups
}

fn men(fen: &str) -> usize {
    fen.split(' ').next().unwrap_or_default().chars().filter(char::is_ascii_alphabetic).count()
}
