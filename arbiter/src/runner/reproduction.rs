//! Whether a wrong answer came again when the same was asked.

use suites::{Difference, SkipReason};

use crate::player::NoAnswer;

/// Whether a wrong answer came again when the same was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reproduction {
    /// It came again in a process that was started for it.
    FreshProcess,
    /// It came again in the process that answered first, and not in a fresh one.
    SameProcess,
    /// It did not come again.
    Never,
    /// The player was not asked again.
    NotAsked(SkipReason),
}

/// The process that is asked again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Process {
    /// One that is started for it.
    Fresh,
    /// The one that answered first.
    Same,
}

/// Whether a wrong answer came again in this process, or why the player was not asked.
pub(crate) fn came_again<A>(came: bool, answer: Result<A, NoAnswer>) -> Result<bool, SkipReason> {
    if came { Ok(true) } else { answer.err().and_then(|why| why.not_asked()).map_or(Ok(false), Err) }
}

impl Reproduction {
    /// Asks a fresh process, and if the wrong answer does not come there, the same one. `comes_again` asks and says whether it
    /// came, or why the player was not asked.
    pub(crate) fn find(mut comes_again: impl FnMut(Process) -> Result<bool, SkipReason>) -> Self {
        let fresh = comes_again(Process::Fresh);
        if fresh == Ok(true) {
            return Self::FreshProcess;
        }
        let same = comes_again(Process::Same);
        if same == Ok(true) {
            return Self::SameProcess;
        }
        fresh.err().or(same.err()).map_or(Self::Never, Self::NotAsked)
    }

    /// Whether it came again.
    pub(crate) fn came_again(self) -> bool {
        matches!(self, Self::FreshProcess | Self::SameProcess)
    }

    /// Adds to a difference whether it came again. A difference that did not gets the id of a note, `flaky`. Returns the reason to
    /// skip the case if the player was not asked.
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

    /// The words for an explanation. None if a fresh process gives the wrong answer too.
    pub(crate) fn words(self) -> Option<&'static str> {
        match self {
            Self::FreshProcess | Self::NotAsked(_) => None,
            Self::SameProcess => Some("a fresh process does not repeat it, the first process does"),
            Self::Never => Some("it came once: neither a fresh process nor the first one repeats it"),
        }
    }
}
