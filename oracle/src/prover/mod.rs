//! Decides claims of mate outside the tables, on shakmaty's moves, and hands over what proves it.
//!
//! A claim is decided one move at a time, the shortest mate first: what is told is the least number of moves, and a
//! refutation covers every shorter mate. The halfmove clock of the position counts: mate on the hundredth ply is mate;
//! with the clock at 100 and no mate the game is drawn, and the side to be mated has escaped, as it has by stalemate.
//! In a game, a position that stood twice before is a draw when it comes again. Within the line repetition needs no rule:
//! a side that mates in the fewest moves comes back to no position, for the first time it stood it could have played as
//! the second time. For the same reason it does not come back to the present position, whatever stood before.
//!
//! * `search` decides, with `table` as its memory and `checks` to find what mates at once;
//! * `certificate` is the proof as text; `writer` puts it down with the search, `replay` believes it only as far as
//!   shakmaty's moves bear it out, and knows nothing of the search.

mod certificate;
mod checks;
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
pub use replay::{Escape, Fault, Proven};

use crate::board::Game;
use search::{Search, Spent};

/// How much work a claim may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Positions looked at.
    pub nodes: u64,
    /// Memory in MiB for what the search remembers, and the proof.
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

/// What a search has found and what it cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// What is known.
    pub verdict: Verdict,
    /// Positions looked at.
    pub nodes: u64,
}

/// The most moves that are looked ahead; a longer claim that is not proved with so many is undecided.
pub const MOST_MOVES: u16 = 100;

/// Whether the side to move mates in at most so many moves (or, if `moves` is negative, is mated in at most so many;
/// 0 asks whether it is checkmated), the halfmove clock of the position counted: mate on the hundredth ply is mate.
///
/// The same question has the same answer, at the same cost, on every machine.
pub fn prove(position: &Chess, moves: i32, limits: &Limits) -> Outcome {
    prove_among(position, moves, limits, HashSet::new())
}

/// The same of the present position of a game, in which what stood twice before is a draw.
pub fn prove_in(game: &Game, moves: i32, limits: &Limits) -> Outcome {
    prove_among(game.position(), moves, limits, stood_twice(game))
}

/// The positions of a game that are drawn when they come again, but for the present one.
fn stood_twice(game: &Game) -> HashSet<Chess> {
    game.twice().into_iter().filter(|&position| position != game.position()).cloned().collect()
}

fn prove_among(position: &Chess, moves: i32, limits: &Limits, drawn: HashSet<Chess>) -> Outcome {
    let mut search = Search::new(limits, drawn);
    let most = u16::try_from(moves.unsigned_abs()).unwrap_or(MOST_MOVES).min(MOST_MOVES);
    let found =
        if moves > 0 { mate(&mut search, position, most) } else { mated(&mut search, position, most) };
    let verdict = match found {
        // Longer ones were not looked for.
        Ok(Verdict::Refuted) if moves.unsigned_abs() > u32::from(MOST_MOVES) => Verdict::Undecided,
        Ok(verdict) => verdict,
        Err(Spent) => Verdict::Undecided,
    };
    Outcome { verdict, nodes: search.nodes() }
}

fn mate(search: &mut Search, position: &Chess, most: u16) -> Result<Verdict, Spent> {
    let Some(moves) = search.least(position, most)? else { return Ok(Verdict::Refuted) };
    let proof = writer::write(search, position, i32::from(moves))?;
    Ok(Verdict::Mate { moves, proof })
}

fn mated(search: &mut Search, position: &Chess, most: u16) -> Result<Verdict, Spent> {
    let Some(moves) = search.least_mated(position, most)? else { return Ok(Verdict::Refuted) };
    let proof = writer::write(search, position, -i32::from(moves))?;
    Ok(Verdict::Mated { moves, proof })
}
