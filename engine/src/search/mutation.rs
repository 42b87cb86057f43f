//! Faults that can be planted in the mate prover, to test that checks find them.

/// A fault of the mate prover.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mutation {
    /// Ignores positions that occurred twice in the game, whose third occurrence is a draw.
    Repetition,
    /// Ignores the halfmove clock when a table knows the mate.
    TableClock,
    /// Ignores the halfmove clock when the prover's hash table knows the mate (or that there is none) from
    /// another clock.
    MemoryClock,
}

impl Mutation {
    /// All mutations.
    pub const ALL: [Self; 3] = [Self::Repetition, Self::TableClock, Self::MemoryClock];

    /// The name of the specimen.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Repetition => "forgets-repetition",
            Self::TableClock => "forgets-table-clock",
            Self::MemoryClock => "forgets-memory-clock",
        }
    }
}
