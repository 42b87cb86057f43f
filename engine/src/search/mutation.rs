//! What a prover of mates can be made to overlook, so that checks can be seen to find it. The engine's own overlooks nothing.

/// One thing that is overlooked when a mate is proved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mutation {
    /// Positions that stood twice in the game, so that their third occurrence is a draw.
    Repetition,
    /// The halfmove clock, where a table knows the mate.
    TableClock,
    /// The halfmove clock, where a mate was found before, or none, of the same position at another clock.
    MemoryClock,
}

impl Mutation {
    /// All.
    pub const ALL: [Self; 3] = [Self::Repetition, Self::TableClock, Self::MemoryClock];

    /// The name of the specimen that overlooks this.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Repetition => "forgets-repetition",
            Self::TableClock => "forgets-table-clock",
            Self::MemoryClock => "forgets-memory-clock",
        }
    }
}
