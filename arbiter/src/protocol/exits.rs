//! How the processes of a check ended after `quit`.

use suites::{Cause, End, Played, Replay};

/// How the processes of a check ended after `quit`. Those that were killed are not among them.
#[derive(Debug, Clone, Default)]
pub(super) struct Exits {
    /// How many ended with status 0.
    pub(super) clean: u32,
    pub(super) bad: Vec<BadExit>,
}

/// An end with a signal, or with a status other than 0.
#[derive(Debug, Clone)]
pub(super) struct BadExit {
    /// The signal or the status.
    pub(super) end: End,
    /// The cause that it shares with bad ends after other questions.
    pub(super) cause: Cause,
    /// The last lines of the session.
    pub(super) last_lines: String,
    /// The FEN of the last position, and the moves after it.
    pub(super) asked: (String, Option<Played>),
    /// The words after the last `go`.
    pub(super) limit: Option<String>,
    /// The command that sends the same lines and `quit`.
    pub(super) replay: Replay,
}

impl Exits {
    /// Adds those of another run of the check.
    pub(super) fn absorb(&mut self, other: &Self) {
        self.clean += other.clean;
        self.bad.extend_from_slice(&other.bad);
    }

    /// How many bad ends have this cause.
    pub(super) fn count(&self, cause: &Cause) -> usize {
        self.bad.iter().filter(|bad| bad.cause == *cause).count()
    }
}
