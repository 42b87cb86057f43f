//! The names of the suites on the command line, and what each needs.

use clap::ValueEnum;

/// A suite, of move generation or for players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum SuiteName {
    /// Perft of standard positions with published or proven counts.
    Perft,
    /// Perft of Chess960 positions with published or proven counts.
    Chess960,
    /// Perft of random positions.
    Random,
    /// Stalemates, by class and depth.
    Stalemates,
    /// Mates to announce, and positions without a mate.
    Mates,
    /// Best moves of the files of --epd.
    #[value(name = "bestmove")]
    BestMove,
    /// Won endings to play out.
    Conversion,
    /// Positions that the rules of draws decide.
    Draws,
    /// The heuristics of our evaluation against the tables.
    Knowledge,
    /// The functions of our engine's library: FENs, moves, games, time limits, table files.
    Library,
}

impl SuiteName {
    /// The suites for players that have positions of their own.
    pub(crate) const FOR_PLAYERS: [Self; 4] = [Self::Stalemates, Self::Mates, Self::Conversion, Self::Draws];

    /// The suites that read files of positions.
    pub(crate) const READING: [Self; 3] = [Self::Mates, Self::BestMove, Self::Perft];

    /// The suites of a plain run.
    pub(crate) const ALL: [Self; 9] = [
        Self::Perft,
        Self::Chess960,
        Self::Random,
        Self::Stalemates,
        Self::Mates,
        Self::Conversion,
        Self::Draws,
        Self::Knowledge,
        Self::Library,
    ];

    /// Whether it is a suite for players.
    pub(crate) fn is_for_players(self) -> bool {
        Self::FOR_PLAYERS.contains(&self) || self == Self::BestMove
    }

    /// Whether the user may set the limit of its searches.
    pub(crate) fn takes_limit(self) -> bool {
        self.is_for_players() && self != Self::Stalemates
    }

    /// Its name on the command line.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }

    /// Whether certified tables judge it.
    pub(crate) fn needs_tables(self) -> bool {
        matches!(self, Self::Conversion | Self::Knowledge | Self::Library)
    }
}
