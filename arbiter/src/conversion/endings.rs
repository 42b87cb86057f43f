//! The endings that players play out, the number of games, and how many games the player has to win.

use crate::Effort;

/// An ending with starts that the first side wins.
pub(super) struct Ending {
    /// The table, stronger side first.
    pub(super) men: &'static str,
    /// The FEN of the first start, the stronger side to move: no other start of the table has a longer mate.
    pub(super) hardest: Option<&'static str>,
    /// The share of games that have to be won with all aids, and with all but tables. With other aids, or if
    /// `None`, the games are observed.
    pub(super) demand: Option<Demand>,
    /// Games of a thorough run with the aids of `demand`.
    thorough: usize,
}

/// The least share of games that must be won, in thousandths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Demand(u64);

impl Demand {
    /// How many of these games have to be won.
    pub(super) fn of(self, games: u64) -> u64 {
        (games * self.0).div_ceil(1_000)
    }
}

const ALL_WON: Option<Demand> = Some(Demand(1_000));

/// All endings. The mates with a queen, a rook, two bishops or a pawn that promotes are elementary, so all
/// games have to be won. Bishop and knight need up to 33 moves against the best defence, so a few games may
/// run into the fifty-move rule. The other endings are observed. The endings that engines find hard begin
/// with a longest mate, which `touchstone tables explore KRvKN --only longest-win` finds.
const ENDINGS: [Ending; 10] = [
    Ending { men: "KQvK", hardest: None, demand: ALL_WON, thorough: 500 },
    Ending { men: "KRvK", hardest: None, demand: ALL_WON, thorough: 500 },
    Ending { men: "KPvK", hardest: None, demand: ALL_WON, thorough: 500 },
    Ending { men: "KBBvK", hardest: None, demand: ALL_WON, thorough: 200 },
    Ending {
        men: "KBNvK",
        hardest: Some("8/8/8/8/8/8/2k5/KNB5 w - - 0 1"),
        demand: Some(Demand(950)),
        thorough: 200,
    },
    Ending { men: "KQvKR", hardest: Some("8/8/r7/8/3k4/8/8/K1Q5 w - - 0 1"), demand: None, thorough: 200 },
    Ending { men: "KRvKP", hardest: Some("8/8/K7/3p4/8/3k4/4R3/8 w - - 0 1"), demand: None, thorough: 200 },
    Ending { men: "KQvKP", hardest: Some("3Q4/3K4/8/8/8/3k4/3p4/8 w - - 0 1"), demand: None, thorough: 200 },
    Ending { men: "KRvKB", hardest: Some("8/8/8/8/8/8/8/2RK1b1k w - - 0 1"), demand: None, thorough: 200 },
    Ending { men: "KRvKN", hardest: Some("8/2R5/8/8/7k/3K4/8/4n3 w - - 0 1"), demand: None, thorough: 200 },
];

/// The ending by which combinations of aids are compared, since its results differ most.
const COMPARED: &str = "KRvK";

/// The names of the tables of the endings that are played.
pub fn materials() -> Vec<&'static str> {
    ENDINGS.iter().map(|ending| ending.men).collect()
}

/// The endings of a run. A quick one needs no Syzygy tables.
pub(super) fn played(effort: Effort) -> Vec<&'static Ending> {
    ENDINGS.iter().filter(|ending| effort != Effort::Quick || ending.men.len() == "KRvK".len()).collect()
}

impl Ending {
    /// The number of games with one set of aids. `is_demanding` says whether `demand` applies to this set.
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

    /// The greatest number of games with any set of aids.
    pub(super) fn most_games(&self, effort: Effort) -> usize {
        self.games(effort, true).max(self.games(effort, false))
    }
}
