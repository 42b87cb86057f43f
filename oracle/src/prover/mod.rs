//! Decides whether there is a mate in a position outside the tables, with shakmaty's moves, and proves it.
//!
//! The shortest mate is searched first, so the number of moves found is the least, and a refutation covers
//! every shorter mate. The halfmove clock counts: mate on the hundredth ply is mate; with the clock at 100
//! and no mate the game is drawn, and the side to be mated has escaped, as it has by stalemate. In a game, a
//! position that stood on the board twice before is drawn when it occurs again. Within the line of a mate,
//! repetition needs no rule: a side that mates in the fewest moves does not return to a position, because it
//! could have played the later move the first time. For the same reason it does not return to the root.
//!
//! * `search` decides, with the hash tables of `table`, and `checks` for mates in one;
//! * `certificate` is the proof as text; `writer` writes it with the help of the search, and `replay`
//!   verifies it with shakmaty's moves and without the search.

mod certificate;
mod checks;
mod proof_number_search;
mod proof_numbers;
mod replay;
mod reply_history;
mod search;
mod table;
mod writer;

#[cfg(test)]
mod tests;

use std::collections::HashSet;

use shakmaty::Chess;

pub use certificate::Certificate;
pub use replay::{CertificateError, Escape, Proven};

use crate::board::Game;
use search::{LimitReached, Search};

/// The limits of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProverLimits {
    /// Positions searched.
    pub nodes: u64,
    /// Memory in MiB for hash tables and the proof.
    pub memory: usize,
}

impl Default for ProverLimits {
    /// Ten million positions, 64 MiB.
    fn default() -> Self {
        Self { nodes: 10_000_000, memory: 64 }
    }
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProverVerdict {
    /// The side to move mates by force in `moves` moves, not in fewer.
    Mate {
        /// Moves of the side that mates.
        moves: u16,
        /// The proof that the mate takes at most this many moves.
        proof: Certificate,
    },
    /// The side to move is mated by force in `moves` moves, not sooner; 0 is checkmate.
    Mated {
        /// Moves of the side that mates.
        moves: u16,
        /// The proof that the mate takes at most this many moves.
        proof: Certificate,
    },
    /// There is no mate in as many moves as were asked for.
    Refuted,
    /// A limit was reached first.
    Undecided,
}

/// The result of a search and its cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProverOutcome {
    /// The result.
    pub verdict: ProverVerdict,
    /// Positions searched.
    pub nodes: u64,
}

/// The greatest number of moves that is searched. The prover leaves longer mates undecided.
pub const MOST_MOVES: u16 = 100;

/// Whether the side to move mates in at most `moves` moves. If `moves` is negative: whether it is mated in at
/// most that many moves; 0 asks whether it is checkmated. The halfmove clock of the position counts.
///
/// The result and its cost are the same on every machine.
pub fn prove(position: &Chess, moves: i32, limits: &ProverLimits) -> ProverOutcome {
    prove_among(position, moves, limits, HashSet::new())
}

/// The same for the present position of a game, in which positions that stood on the board twice are drawn
/// when they occur again.
pub fn prove_in(game: &Game, moves: i32, limits: &ProverLimits) -> ProverOutcome {
    prove_among(game.position(), moves, limits, stood_twice(game))
}

/// The positions of a game that are drawn when they occur again, without the present one.
fn stood_twice(game: &Game) -> HashSet<Chess> {
    game.twice().into_iter().filter(|&position| position != game.position()).cloned().collect()
}

fn prove_among(position: &Chess, moves: i32, limits: &ProverLimits, drawn: HashSet<Chess>) -> ProverOutcome {
    let mut search = Search::new(limits, drawn);
    let most = u16::try_from(moves.unsigned_abs()).unwrap_or(MOST_MOVES).min(MOST_MOVES);
    let found =
        if moves > 0 { mate(&mut search, position, most) } else { mated(&mut search, position, most) };
    let verdict = match found {
        // The prover did not search for longer mates.
        Ok(ProverVerdict::Refuted) if moves.unsigned_abs() > u32::from(MOST_MOVES) => {
            ProverVerdict::Undecided
        }
        Ok(verdict) => verdict,
        Err(LimitReached) => ProverVerdict::Undecided,
    };
    ProverOutcome { verdict, nodes: search.nodes() }
}

fn mate(search: &mut Search, position: &Chess, most: u16) -> Result<ProverVerdict, LimitReached> {
    let Some(moves) = search.least(position, most)? else { return Ok(ProverVerdict::Refuted) };
    let proof = writer::write(search, position, i32::from(moves))?;
    Ok(ProverVerdict::Mate { moves, proof })
}

fn mated(search: &mut Search, position: &Chess, most: u16) -> Result<ProverVerdict, LimitReached> {
    let Some(moves) = search.least_mated(position, most)? else { return Ok(ProverVerdict::Refuted) };
    let proof = writer::write(search, position, -i32::from(moves))?;
    Ok(ProverVerdict::Mated { moves, proof })
}
