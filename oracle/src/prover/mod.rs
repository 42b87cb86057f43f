//! Decides claims of mate outside the tables, on shakmaty's moves, and hands over what proves it.

use shakmaty::Chess;

/// How much work a claim may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Positions looked at.
    pub nodes: u64,
    /// Memory of the transposition table in MiB.
    pub memory: usize,
}

impl Default for Limits {
    /// Ten million positions, 64 MiB.
    fn default() -> Self {
        Self { nodes: 10_000_000, memory: 64 }
    }
}

/// What is known of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The side to move mates by force in `moves` moves, not in fewer.
    Mate {
        /// Moves of the side that mates.
        moves: u16,
        /// What proves that so many are enough.
        proof: Certificate,
    },
    /// The side to move is mated by force in `moves` moves at the latest, not sooner; 0 is checkmate.
    Mated {
        /// Moves of the side that mates.
        moves: u16,
        /// What proves that so many are enough.
        proof: Certificate,
    },
    /// Nobody mates in as many moves as were asked for.
    Refuted,
    /// The limits were reached before it was known.
    Undecided,
}

/// A proof tree of a mate: for the side that mates a move in each position, for the other side all moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate(pub String);

/// What a search has found and what it cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// What is known.
    pub verdict: Verdict,
    /// Positions looked at.
    pub nodes: u64,
}

/// Whether the side to move mates in at most so many moves (or, if `moves` is negative, is mated in at most so many),
/// the halfmove clock of the position counted: mate on the hundredth ply is mate.
pub fn prove(_position: &Chess, _moves: i32, _limits: &Limits) -> Outcome {
    Outcome { verdict: Verdict::Undecided, nodes: 0 }
}
