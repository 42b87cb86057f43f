//! Tries whether a program ends a search at the limit that it gets in a match. Where no clock limits the
//! searches, a program that ignores the limit would otherwise search until the patience of the match is over,
//! game by game.

use std::num::NonZeroU64;
use std::time::Duration;

use shakmaty::{ByColor, Color};
use uci::{Engine, Failure, Timeouts};

use super::host::Entrant;
use crate::game::{Clock, go};

/// The limits that are tried. Programs that search a hundred nodes a second reach them in time.
const NODES: NonZeroU64 = NonZeroU64::new(100).unwrap();
const DEPTH: NonZeroU64 = NonZeroU64::new(2).unwrap();
/// How long the search may take.
const WITHIN: Duration = Duration::from_secs(5);

/// A search that did not end by itself.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{engine} did not answer \"{command}\" within {} s, so that no search of the match would end", WITHIN.as_secs())]
pub struct Endless {
    /// The name of the engine.
    pub engine: String,
    /// The command.
    pub command: String,
}

/// Starts a program and asks for a short search, if no clock limits its searches in the match. A program that
/// crashes or does not start passes: the match tells that.
///
/// # Errors
/// If the search does not end by itself within five seconds.
pub fn ends_its_search(entrant: &Entrant) -> Result<(), Endless> {
    let Entrant { program, time_control } = entrant;
    let Some(control) = time_control.small(NODES, DEPTH) else { return Ok(()) };
    let clock = || Clock::new(control);
    let command = go(Color::White, &ByColor { white: clock(), black: clock() });
    let Ok(mut engine) = Engine::start(program, Timeouts::default()) else { return Ok(()) };
    engine.send("ucinewgame");
    let lines = ["position startpos".to_owned(), command.clone()];
    let search = engine.ready().and_then(|_| engine.search(&lines, WITHIN));
    let is_endless = search.as_ref().map_or_else(Failure::is_no_move, |search| search.stopped);
    if is_endless {
        return Err(Endless { engine: program.name.clone(), command });
    }
    engine.quit();
    Ok(())
}
