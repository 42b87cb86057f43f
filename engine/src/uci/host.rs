//! The environment of a session: clock and files, provided by the program.

use crate::search_api::Clock;
use crate::tables::TableSet;

/// Provides a clock and table files to a session.
pub trait Host {
    /// A clock.
    type Clock: Clock + 'static;

    /// Starts a clock.
    fn start_clock(&self) -> Self::Clock;

    /// Opens the tables in a folder, with a cache of this many MiB for their blocks.
    fn load_tables(&self, folder: &str, cache: usize) -> Result<TableSet, String>;
}
