//! The timeouts of a session.

use std::time::Duration;

/// How long a program may take for each step of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// From the start to `uciok`.
    pub start: Duration,
    /// From `isready` to `readyok`. An engine may allocate a hash table or load a network.
    pub ready: Duration,
    /// From `go` to `bestmove` if the search has no limit of time; then `stop` is sent.
    pub think: Duration,
    /// From `stop` to `bestmove`.
    pub stop: Duration,
    /// From `quit` to the end of the process; then the process is killed.
    pub quit: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            start: Duration::from_secs(10),
            ready: Duration::from_secs(10),
            think: Duration::from_secs(10),
            stop: Duration::from_secs(2),
            quit: Duration::from_secs(2),
        }
    }
}
