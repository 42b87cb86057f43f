//! The state of the current job of a session.
//!
//! Data only: the session decides.

use std::sync::Arc;
use std::time::Duration;

use crate::search_api::{Control, Limits};

/// The current job.
pub(super) enum JobState {
    /// No job.
    Idle,
    /// The search thread is working.
    Busy {
        control: Arc<Control>,
        waits: AnswerWaits,
        /// The answer if the searcher is not ready in time, and the time when it is due.
        fallback: String,
        due: Option<Duration>,
    },
    /// The job is done, but its answer is held back.
    Held { answer: String, infinite: bool },
}

/// The commands that an answer must wait for.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct AnswerWaits {
    /// `stop`.
    pub(super) infinite: bool,
    /// `ponderhit` or `stop`.
    pub(super) ponder: bool,
    /// `stop`, because the search has no limit.
    pub(super) endless: bool,
}

impl AnswerWaits {
    /// Whether the answer may be printed at once.
    pub(super) fn is_none(self) -> bool {
        !(self.infinite || self.ponder || self.endless)
    }
}

/// Whether a search has a limit.
pub(super) fn has_an_end(limits: &Limits) -> bool {
    limits.depth.is_some() || limits.nodes.is_some() || limits.mate.is_some() || limits.time.is_some()
}
