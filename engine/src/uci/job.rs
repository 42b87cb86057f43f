//! What a session has under way, and what must be said before its answer may be given.
//!
//! Does nothing by itself: the session asks and decides.

use std::sync::Arc;
use std::time::Duration;

use crate::search_api::{Control, Limits};

/// What is under way.
pub(super) enum JobState {
    /// Nothing.
    Idle,
    /// A job is being done.
    Busy {
        control: Arc<Control>,
        waits: AnswerWaits,
        /// What is answered if the searcher is not there in time, and when that is.
        fallback: String,
        due: Option<Duration>,
    },
    /// The job is done, but its answer may not be given yet.
    Held { answer: String, infinite: bool },
}

/// What has to be said before an answer may be given.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct AnswerWaits {
    /// `stop`.
    pub(super) infinite: bool,
    /// `ponderhit` or `stop`.
    pub(super) ponder: bool,
    /// `stop`, since without it there will be none.
    pub(super) endless: bool,
}

impl AnswerWaits {
    /// Whether the answer may be given as soon as it is there.
    pub(super) fn for_nothing(self) -> bool {
        !(self.infinite || self.ponder || self.endless)
    }
}

/// Whether a search ends by itself.
pub(super) fn has_an_end(limits: &Limits) -> bool {
    limits.depth.is_some() || limits.nodes.is_some() || limits.mate.is_some() || limits.time.is_some()
}
