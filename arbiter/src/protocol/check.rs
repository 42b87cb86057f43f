//! A check: its id, why it matters, and what is done.

use suites::SkipReason;

use super::context::CheckContext;
use crate::Effort;
use uci::Failure;

/// One thing that UCI asks of a program, or that one meets with.
#[derive(Debug, Clone, Copy)]
pub struct Check {
    /// The id of its page in the catalogue.
    pub id: &'static str,
    /// Why it matters, in one sentence.
    pub why: &'static str,
    /// The least effort that holds it.
    pub least: Effort,
    /// Whether a busy machine may make a good program look bad: such a finding must come twice.
    pub timed: bool,
    pub(super) run: fn(&mut CheckContext) -> CheckResult,
}

impl Check {
    /// A check of every run.
    pub(super) const fn new(
        id: &'static str,
        why: &'static str,
        run: fn(&mut CheckContext) -> CheckResult,
    ) -> Self {
        Self { id, why, least: Effort::Quick, timed: false, run }
    }

    /// The same, left out of quick runs.
    pub(super) const fn slow(self) -> Self {
        Self { least: Effort::Plain, ..self }
    }

    /// The same, where time is judged.
    pub(super) const fn timed(self) -> Self {
        Self { timed: true, ..self }
    }
}

/// Whether a check came to its end.
pub(super) type CheckResult = Result<(), Abort>;

/// Why a case, or a check, ends early.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Abort {
    /// The program broke.
    Broken(Failure),
    /// It did not come as far as `readyok`, which is the finding of another check.
    NotReady,
    /// It does not offer what would be checked.
    Unsupported,
}

impl Abort {
    /// Why nothing was compared; `None` if that is a finding.
    pub(super) fn skip(&self) -> Option<SkipReason> {
        match self {
            Self::Broken(_) => None,
            Self::NotReady => Some(SkipReason::GivenUp),
            Self::Unsupported => Some(SkipReason::Unsupported),
        }
    }
}

impl From<Failure> for Abort {
    fn from(failure: Failure) -> Self {
        Self::Broken(failure)
    }
}
