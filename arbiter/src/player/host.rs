//! The host of a session of our engine in this process. It has a clock and no files, but may have the tables
//! of one folder.

use std::time::Duration;

use engine::search_api::Clock;
use engine::tables::TableSet;
use engine::uci::Host;

/// Returns the time since it was made.
pub type Stopwatch = Box<dyn Fn() -> Duration + Send + Sync>;

/// The host of a session.
pub(super) struct SessionHost {
    /// Makes the clock of a search.
    pub(super) clock: fn() -> Stopwatch,
    /// The tables in [`TABLE_FOLDER`].
    pub(super) tables: Option<TableSet>,
}

/// The folder of `TablePath`, the one into which `tables build` writes.
pub(super) const TABLE_FOLDER: &str = "target/tables";

impl Host for SessionHost {
    type Clock = RunningClock;

    fn start_clock(&self) -> RunningClock {
        RunningClock((self.clock)())
    }

    fn load_tables(&self, folder: &str, _cache: usize) -> Result<TableSet, String> {
        match &self.tables {
            Some(tables) if folder == TABLE_FOLDER => Ok(tables.clone()),
            _ => Err(format!("{folder}: no folder is opened here")),
        }
    }
}

/// A clock that runs.
pub(super) struct RunningClock(Stopwatch);

impl Clock for RunningClock {
    fn elapsed(&self) -> Duration {
        (self.0)()
    }
}
