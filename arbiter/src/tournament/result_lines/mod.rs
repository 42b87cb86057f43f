//! The lines that fastchess and cutechess print about a match. Programs such as the client of `OpenBench`
//! parse them.
//!
//! The formats are those of the sources of fastchess (commit 74deac23) and cutechess (commit 5e84232b). An
//! infinite value is `inf`, and one that is not defined is `nan`, as both programs write them. The error of
//! an estimate is `nan` if it is infinite.
//!
//! Readers split the lines at spaces and colons, and read ASCII. A name is therefore one word: each space,
//! colon, control character and letter beyond ASCII becomes `_`. No line is empty: to the client of
//! `OpenBench` an empty line is the end.

mod cutechess;
mod fastchess;
mod number;
mod reason;
#[cfg(test)]
mod tests;

use super::schedule::ScheduledGame;
use super::standings::Standings;
use crate::game::GameResult;
use crate::statistics::Test;

suites::words! {
    /// Whose lines are printed.
    pub enum OutputStyle: "output" {
        /// Those of fastchess.
        Fastchess = "fastchess",
        /// Those of cutechess.
        Cutechess = "cutechess",
    }
}

/// What the engines of a match play with, the first engine's value first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Conditions {
    /// The time control: `8+0.08`, `40/60` (moves and seconds), `0.1/move`, `9 plies` or `1000 nodes`.
    pub time_control: [String; 2],
    /// The value of the option `Threads`, if the engine has it.
    pub threads: [Option<u64>; 2],
    /// The value of the option `Hash` in mebibytes, if the engine has it.
    pub hash: [Option<u64>; 2],
    /// The name of the file of openings, without its folder.
    pub book: Option<String>,
}

/// A sequential test and its state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SprtState {
    /// Its bounds, in the Elo of its model.
    pub elo: [f64; 2],
    /// What it says now.
    pub test: Test,
}

/// A match as these lines show it.
#[derive(Debug)]
pub struct MatchView<'a, K> {
    /// The names of the engines, in the order of the schedule.
    pub names: &'a [String],
    /// The standings.
    pub standings: &'a Standings<K>,
    /// What the engines play with.
    pub conditions: &'a Conditions,
    /// The sequential test between the first two engines, if there is one.
    pub sprt: Option<SprtState>,
}

impl<K> MatchView<'_, K> {
    /// The name of an engine.
    fn name(&self, engine: usize) -> String {
        self.names.get(engine).map(|name| word(name)).unwrap_or_default()
    }

    /// The length of the longest name, in letters, but at least 25.
    fn name_width(&self) -> usize {
        self.names.iter().map(|name| name.chars().count()).max().unwrap_or_default().max(25)
    }
}

/// The line of a game that begins: both programs write it alike. `games` is the number of games of the match.
pub fn started(game: &ScheduledGame, games: u64, names: &[String]) -> String {
    let [white, black] = players(game, names);
    format!("Started game {} of {games} ({white} vs {black})\n", game.number)
}

/// The line of a game that ended: both programs write it alike.
pub fn finished(game: &ScheduledGame, names: &[String], result: GameResult, reason: &str) -> String {
    let [white, black] = players(game, names);
    format!("Finished game {} ({white} vs {black}): {result} {{{}}}\n", game.number, clean(reason))
}

impl OutputStyle {
    /// The lines after a game of a match of two engines. fastchess prints none.
    pub fn after_game<K: Ord>(self, view: &MatchView<K>) -> String {
        match self {
            Self::Fastchess => String::new(),
            Self::Cutechess => cutechess::score(view),
        }
    }

    /// The lines that come from time to time and at the end: the Elo difference of two engines or the table
    /// of more, and the sequential test. fastchess counts complete pairs, and cutechess counts games; without
    /// any there are no lines.
    pub fn interval<K: Ord>(self, view: &MatchView<K>) -> String {
        match self {
            Self::Fastchess => fastchess::interval(view),
            Self::Cutechess => cutechess::interval(view),
        }
    }

    /// The last line of a match.
    pub fn end(self, sprt: Option<SprtState>) -> String {
        match self {
            Self::Fastchess => fastchess::end(sprt),
            Self::Cutechess => "Finished match\n".to_owned(),
        }
    }
}

fn players(game: &ScheduledGame, names: &[String]) -> [String; 2] {
    [game.white(), game.black()].map(|engine| names.get(engine).map(|name| word(name)).unwrap_or_default())
}

/// A name as one word of ASCII without colons.
fn word(name: &str) -> String {
    name.replace(|c: char| !c.is_ascii_graphic() || c == ':', "_")
}

/// A text of ASCII on one line.
fn clean(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            c if c.is_control() => ' ',
            c if c.is_ascii() => c,
            _ => '?',
        })
        .collect()
}
