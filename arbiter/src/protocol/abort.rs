//! What a check finds in a case, and why a case or a check ends early.

use suites::SkipReason;
use uci::Failure;

/// What a check finds in a case: `None` if all is well, else what the program does, in words.
pub(super) type Fault = Option<String>;

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
