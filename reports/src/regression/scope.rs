//! The scope of a run: what it was asked to check. A row of the baseline outside of the scope is neither gone
//! nor fixed.

use std::collections::BTreeSet;

use suites::Tally;

use crate::run::is_not_built;

/// What a row belongs to: subject, check, and table or suite.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'a> {
    /// `None` in reports without this column.
    pub(crate) subject: Option<&'a str>,
    pub(crate) check: &'a str,
    pub(crate) case_set: &'a str,
}

impl Place<'_> {
    fn is_of(&self, tally: &Triple) -> bool {
        let (subject, check, _) = tally;
        is_of(self.check, check) && self.subject.is_none_or(|own| own == subject)
    }

    /// Whether a run with this tally covers this place. It covers all checks of the subjects and case sets
    /// that it has.
    fn is_beside(&self, tally: &Triple) -> bool {
        let (subject, check, case_set) = tally;
        self.case_set == case_set && self.subject.map_or(is_of(self.check, check), |own| own == subject)
    }
}

/// Whether a check is this one or of this family: `mate/unsound` is of `mate`.
pub(crate) fn is_of(check: &str, family: &str) -> bool {
    check.strip_prefix(family).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Subject, check and case set of a tally.
type Triple = (String, String, String);

/// How far the scope goes beyond the checks that the run has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extent {
    Whole,
    Beside,
    Exactly,
}

/// The scope of a run. Checks that are not in this build are never in it.
#[derive(Debug, Clone)]
pub struct Scope {
    extent: Extent,
    run: BTreeSet<Triple>,
    not_built: BTreeSet<Triple>,
}

impl Scope {
    /// The whole baseline: for a run without restrictions.
    pub fn whole<'a>(run: impl IntoIterator<Item = &'a Tally>) -> Self {
        Self::new(Extent::Whole, run)
    }

    /// The subjects and case sets of the run, with all their checks: for a run of some tables or one suite.
    pub fn part<'a>(run: impl IntoIterator<Item = &'a Tally>) -> Self {
        Self::new(Extent::Beside, run)
    }

    /// Exactly the checks and case sets of the run: for a run of some checks.
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
