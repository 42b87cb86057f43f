//! The problem of a case, and the reasons why a case or a check ends early.

use suites::{Answer, SkipReason};
use uci::Failure;

/// What the program does wrong in a case. `None` if nothing is wrong.
pub(super) type CaseProblem = Option<Answer>;

/// `readyok` did not come; the page of the check says within which time.
pub(super) fn no_readyok() -> Answer {
    Answer::Silent { awaited: "readyok".to_owned(), within: None }
}

/// Whether a check ran to its end.
pub(super) type CheckResult = Result<(), Abort>;

/// Why a case, or a check, ends early.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Abort {
    /// The program failed.
    Failed(Failure),
    /// It did not answer `readyok`. Other checks report that.
    NotReady,
    /// It does not have the feature of the check.
    Unsupported,
    /// It failed in a step that another check judges.
    FailedElsewhere,
    /// It failed so in a case before, and was not asked this one.
    NotAsked,
    /// It did too little in the time of the case to be judged.
    OutOfTime,
}

impl Abort {
    /// Why the cases that were not asked are skipped.
    pub(super) fn reason(&self) -> SkipReason {
        match self {
            Self::Failed(_) | Self::NotReady => SkipReason::GivenUp,
            Self::Unsupported => SkipReason::Unsupported,
            Self::FailedElsewhere | Self::NotAsked => SkipReason::FailedElsewhere,
            Self::OutOfTime => SkipReason::OutOfTime,
        }
    }
}

impl From<Failure> for Abort {
    fn from(failure: Failure) -> Self {
        Abort::Failed(failure)
    }
}
