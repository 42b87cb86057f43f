//! A search that has ended.

use std::time::Duration;

use crate::info::Info;
use crate::message::BestMove;

/// The answer to one `go`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Search {
    /// The lines of `info`, and when each arrived since `go`.
    pub infos: Vec<(Duration, Info)>,
    /// The move.
    pub best: BestMove,
    /// From the moment at which `go` was written to the pipe until `bestmove` arrived there.
    pub took: Duration,
    /// Whether `stop` had to be sent.
    pub stopped: bool,
}
