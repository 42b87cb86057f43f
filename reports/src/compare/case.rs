//! The identity of a case. It is the same in both runs.

use std::borrow::Cow;
use std::collections::BTreeSet;

/// A case, or a case set.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Case<'a> {
    /// The check, which may be a family.
    pub(super) check: &'a str,
    /// Its id.
    pub(super) id: Cow<'a, str>,
    /// What was checked; empty in a run of one engine.
    pub(super) subject: &'a str,
}

impl<'a> Case<'a> {
    /// The check or the family that counts the findings of a check.
    pub(super) fn check(found: &'a str, counted: &BTreeSet<&'a str>) -> &'a str {
        found.split('/').next().and_then(|family| counted.get(family)).copied().unwrap_or(found)
    }

    /// Whether a check is about failures of the process. Their cases begin with the set in which it failed.
    pub(super) fn is_of_process(check: &str) -> bool {
        check.starts_with("process/")
    }

    /// The text of the case in a report.
    pub(super) fn shown(&self) -> String {
        if self.subject.is_empty() { self.id.to_string() } else { format!("{} of {}", self.id, self.subject) }
    }
}
