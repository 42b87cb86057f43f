//! The findings that are new or gone, so that a row which only counts or repeats them is not listed beside them.

use suites::Difference;

use super::scope::is_of;

/// The findings that one of two runs has and the other has not, or tells otherwise.
#[derive(Debug, Default)]
pub(crate) struct Told(Vec<Changed>);

/// One of them: in the earlier run, in this one, or in both with other words.
#[derive(Debug)]
struct Changed {
    before: Option<Difference>,
    after: Option<Difference>,
}

impl Told {
    /// Takes note of a finding that changed.
    pub(crate) fn note(&mut self, before: Option<&Difference>, after: Option<&Difference>) {
        self.0.push(Changed { before: before.cloned(), after: after.cloned() });
    }

    /// By how many findings this run has more than the earlier one, of those of a subject and a check, or a family of checks,
    /// whose case is one of these; `None` if none of them changed.
    pub(crate) fn more(&self, subject: &str, check: &str, is_case: impl Fn(&str) -> bool) -> Option<i64> {
        let counts = |found: &Option<Difference>| {
            let is_one = |found: &Difference| {
                found.subject == subject && is_of(&found.check, check) && is_case(&found.case)
            };
            i64::from(found.as_ref().is_some_and(is_one))
        };
        let changes = self.0.iter().map(|changed| (counts(&changed.before), counts(&changed.after)));
        let of_these: Vec<(i64, i64)> = changes.filter(|change| *change != (0, 0)).collect();
        (!of_these.is_empty()).then(|| of_these.iter().map(|(before, after)| after - before).sum())
    }

    /// Whether a finding on this case changed.
    pub(crate) fn has(&self, subject: &str, check: &str, case: &str) -> bool {
        self.more(subject, check, |known| known == case).is_some()
    }
}

/// Whether a case is of this table or suite, with which its name begins.
pub(crate) fn is_in(case: &str, case_set: &str) -> bool {
    case.split('/').next() == Some(case_set)
}
