//! Which endings are played, how many games of each, and how many have to be won.

use crate::Effort;

/// An ending that the first side named wins from most positions, or from some.
pub(super) struct Ending {
    /// The table, stronger side first.
    pub(super) men: &'static str,
    /// What is demanded of a subject with all its aids, and with all but tables; elsewhere the share is a figure.
    pub(super) demand: Option<Demand>,
    /// Games of a thorough run where something is demanded.
    thorough: usize,
}

/// The least share of games that must be won, in thousandths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Demand(u64);

impl Demand {
    /// So many of these games.
    pub(super) fn of(self, games: u64) -> u64 {
        (games * self.0).div_ceil(1_000)
    }
}

const ALL_WON: Option<Demand> = Some(Demand(1_000));

/// All. Every textbook gives the mates with a queen, a rook, two bishops, and a pawn that gets through: whoever is to move
/// and wins, wins every time. Bishop and knight need up to 33 moves, so that a few games may take more than fifty. Of the
/// others it is told how well they are played.
const ENDINGS: [Ending; 10] = [
    Ending { men: "KQvK", demand: ALL_WON, thorough: 500 },
    Ending { men: "KRvK", demand: ALL_WON, thorough: 500 },
    Ending { men: "KPvK", demand: ALL_WON, thorough: 500 },
    Ending { men: "KBBvK", demand: ALL_WON, thorough: 200 },
    Ending { men: "KBNvK", demand: Some(Demand(950)), thorough: 200 },
    Ending { men: "KQvKR", demand: None, thorough: 200 },
    Ending { men: "KRvKP", demand: None, thorough: 200 },
    Ending { men: "KQvKP", demand: None, thorough: 200 },
    Ending { men: "KRvKB", demand: None, thorough: 200 },
    Ending { men: "KRvKN", demand: None, thorough: 200 },
];

/// The ending by which combinations of aids are compared: there they differ.
const COMPARED: &str = "KRvK";

/// The endings of a run. A quick one needs no Syzygy tables.
pub(super) fn played(effort: Effort) -> Vec<&'static Ending> {
    ENDINGS.iter().filter(|ending| effort != Effort::Quick || ending.men.len() == "KRvK".len()).collect()
}

impl Ending {
    /// Games with one set of aids: one of which something may be demanded, or another.
    pub(super) fn games(&self, effort: Effort, is_demanding: bool) -> usize {
        match (effort, is_demanding) {
            (Effort::Quick, true) => 2,
            (Effort::Plain, true) => 4,
            (Effort::Plain, false) if self.men == COMPARED => 4,
            (Effort::Quick | Effort::Plain, false) => 0,
            (Effort::Thorough, true) => self.thorough,
            (Effort::Thorough, false) if self.men == COMPARED => 100,
            (Effort::Thorough, false) => 50,
        }
    }

    /// The most games with any set of aids.
    pub(super) fn most_games(&self, effort: Effort) -> usize {
        self.games(effort, true).max(self.games(effort, false))
    }
}
