//! The world, as a session sees it: time and files, which the program brings.

use crate::search_api::Clock;
use crate::tables::TableSet;

/// What a session asks of the world.
pub trait Host {
    /// A clock.
    type Clock: Clock + 'static;

    /// A clock that starts now.
    fn start_clock(&self) -> Self::Clock;

    /// The tables in a folder, or why there are none.
    fn load_tables(&self, folder: &str) -> Result<TableSet, String>;
}
