//! What a run was asked to cover. A row of the baseline outside of it is neither gone nor fixed: nobody looked.

use std::collections::BTreeSet;

use suites::Tally;

use crate::run::is_not_built;

/// Where a row stands: whose claim, which check, which table or suite.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'a> {
    /// `None` in reports that have no such column.
    pub(crate) subject: Option<&'a str>,
    pub(crate) check: &'a str,
    pub(crate) case_set: &'a str,
}

impl Place<'_> {
    fn is_of(&self, tally: &Triple) -> bool {
        let (subject, check, _) = tally;
        is_of(self.check, check) && self.subject.is_none_or(|own| own == subject)
    }

    /// Whether a run that has this tally was asked for this place. Of a subject and a case set that it has, it was
    /// asked for every check: one that is not there went missing.
    fn is_beside(&self, tally: &Triple) -> bool {
        let (subject, check, case_set) = tally;
        self.case_set == case_set && self.subject.map_or(is_of(self.check, check), |own| own == subject)
    }
}

/// Whether a check, such as that of a difference, is this one or of this family: `mate/unsound` is of `mate`.
pub(crate) fn is_of(check: &str, family: &str) -> bool {
    check.strip_prefix(family).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Subject, check and case set of a tally.
type Triple = (String, String, String);

/// How far a run's own checks speak for others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extent {
    Whole,
    Beside,
    Exactly,
}

/// What a run was asked to cover.
///
/// Checks that are not in this build are never covered, whatever else is.
#[derive(Debug, Clone)]
pub struct Scope {
    extent: Extent,
    run: BTreeSet<Triple>,
    not_built: BTreeSet<Triple>,
}

impl Scope {
    /// All that a baseline may hold: for a run that was not told to leave anything out.
    pub fn whole<'a>(run: impl IntoIterator<Item = &'a Tally>) -> Self {
        Self::new(Extent::Whole, run)
    }

    /// The subjects and case sets that the run has, with all their checks: for a run of some tables or one suite.
    pub fn part<'a>(run: impl IntoIterator<Item = &'a Tally>) -> Self {
        Self::new(Extent::Beside, run)
    }

    /// The checks that the run has on the case sets that it has them on, and no others: for a run of some checks.
    pub fn exactly<'a>(run: impl IntoIterator<Item = &'a Tally>) -> Self {
        Self::new(Extent::Exactly, run)
    }

    fn new<'a>(extent: Extent, run: impl IntoIterator<Item = &'a Tally>) -> Self {
        let triple = |tally: &Tally| (tally.subject.clone(), tally.check.clone(), tally.case_set.clone());
        let (not_built, run): (Vec<_>, Vec<_>) = run.into_iter().partition(|tally| is_not_built(tally));
        Self {
            extent,
            run: run.into_iter().map(triple).collect(),
            not_built: not_built.into_iter().map(triple).collect(),
        }
    }

    pub(crate) fn covers(&self, place: Place<'_>) -> bool {
        let built = !self.not_built.iter().any(|tally| place.is_of(tally));
        built
            && match self.extent {
                Extent::Whole => true,
                Extent::Beside => self.run.iter().any(|tally| place.is_beside(tally)),
                Extent::Exactly => {
                    self.run.iter().any(|tally| place.is_of(tally) && place.case_set == tally.2)
                }
            }
    }
}
