//! Whether a wrong answer came again when the same was asked.

use suites::{Difference, SkipReason};

use crate::player::NoAnswer;

/// Whether a wrong answer came again when the same was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reproduction {
    /// It came again in a process that was started for it.
    FreshProcess,
    /// It came again in the process that answered first, and in no fresh one.
    SameProcess,
    /// It did not come again.
    Never,
    /// The player was not asked again.
    NotAsked(SkipReason),
}

impl Reproduction {
    /// It did not come again, or the player could not be asked, as the errors say.
    pub(crate) fn never(errors: [Option<NoAnswer>; 2]) -> Self {
        let not_asked = errors.into_iter().flatten().find_map(|why| why.not_asked());
        not_asked.map_or(Self::Never, Self::NotAsked)
    }

    /// Whether it came again.
    pub(crate) fn came_again(self) -> bool {
        matches!(self, Self::FreshProcess | Self::SameProcess)
    }

    /// Adds to a difference whether it came again; returns the reason to skip the case if the player was not asked. What did not
    /// come again gets the id of a note, `flaky`.
    pub(crate) fn record_in(self, found: &mut Difference, flaky: &str) -> Option<SkipReason> {
        if let Self::NotAsked(reason) = self {
            return Some(reason);
        }
        if let Some(words) = self.words() {
            found.explanation = format!("{}; {words}", found.explanation);
        }
        if self == Self::Never {
            flaky.clone_into(&mut found.check);
        }
        None
    }

    /// The same in words; nothing where another process says it too.
    pub(crate) fn words(self) -> Option<&'static str> {
        match self {
            Self::FreshProcess | Self::NotAsked(_) => None,
            Self::SameProcess => Some("another process does not say so, the one that did says it again"),
            Self::Never => {
                Some("it came once: neither another process nor the one that said it says it again")
            }
        }
    }
}
