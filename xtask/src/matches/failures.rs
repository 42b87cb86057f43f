//! In how many games each engine crashed, hung, or gave an illegal move or none.

use arbiter::game::End;
use arbiter::tournament::schedule::ScheduledGame;

/// An engine that fails in so many of its games, one after the other, does not play.
const HOPELESS: u32 = 5;

/// The failures of the engines of a match, in the order of its games.
pub(super) struct Failures {
    games: Vec<u64>,
    /// In how many of its last games each engine failed.
    in_a_row: Vec<u32>,
}

impl Failures {
    pub(super) fn new(engines: usize) -> Self {
        Self { games: vec![0; engines], in_a_row: vec![0; engines] }
    }

    /// Adds a game.
    pub(super) fn add(&mut self, game: &ScheduledGame, end: &End) {
        let failed = end.failed().map(|side| side.fold_wb(game.white(), game.black()));
        for engine in [game.white(), game.black()] {
            let has_failed = failed == Some(engine);
            self.games[engine] += u64::from(has_failed);
            self.in_a_row[engine] = if has_failed { self.in_a_row[engine] + 1 } else { 0 };
        }
    }

    /// In how many games each engine failed.
    pub(super) fn of_engines(&self) -> &[u64] {
        &self.games
    }

    /// In how many games an engine failed.
    pub(super) fn total(&self) -> u64 {
        self.games.iter().sum()
    }

    /// An engine that does not play.
    pub(super) fn hopeless(&self) -> Option<usize> {
        self.in_a_row.iter().position(|failed| *failed >= HOPELESS)
    }
}
