//! The names of the suites on the command line, and what each needs.

use clap::ValueEnum;

/// A suite: of moves, or one that is put to a subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SuiteName {
    /// Positions of standard chess with published or proven counts.
    Perft,
    /// Positions of Chess960 likewise.
    Chess960,
    /// Positions drawn at random.
    Random,
    /// Stalemates, by class and depth.
    Stalemates,
    /// Mates to announce, and positions without.
    Mates,
    /// Best moves of a file that --epd names.
    #[value(name = "bestmove")]
    BestMove,
    /// Won endings, played out.
    Conversion,
    /// Positions that rules of draws decide.
    Draws,
    /// The heuristics of our evaluation against the tables.
    Knowledge,
}

impl SuiteName {
    /// Those that are put to a subject.
    pub(crate) const TRIALS: [Self; 4] = [Self::Stalemates, Self::Mates, Self::Conversion, Self::Draws];

    /// Those that read files of positions.
    pub(crate) const READING: [Self; 3] = [Self::Mates, Self::BestMove, Self::Perft];

    /// All of a plain run.
    pub(crate) const ALL: [Self; 8] = [
        Self::Perft,
        Self::Chess960,
        Self::Random,
        Self::Stalemates,
        Self::Mates,
        Self::Conversion,
        Self::Draws,
        Self::Knowledge,
    ];

    /// Whether it is put to a subject.
    pub(crate) fn is_trial(self) -> bool {
        Self::TRIALS.contains(&self) || self == Self::BestMove
    }

    /// Whether a subject is asked within a limit that the user may set.
    pub(crate) fn takes_limit(self) -> bool {
        self.is_trial() && self != Self::Stalemates
    }

    /// Its name on the command line.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }

    /// Whether the certified tables are its judge.
    pub(crate) fn needs_tables(self) -> bool {
        matches!(self, Self::Conversion | Self::Knowledge)
    }
}
