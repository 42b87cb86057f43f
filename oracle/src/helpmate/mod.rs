//! Whether a side can still mate, by any series of legal moves of both sides.
//!
//! FIDE's Laws of Chess ask this twice: a flag fall against a side that cannot mate is a draw (6.9), and a position
//! in which no side can mate ends the game (5.2.2). Neither repetition nor the halfmove clock counts.
//!
//! Material is looked at first. `reach` proves positions in which pawns block each other, and `search` looks for a
//! mate until it has visited all positions. `distance` gives the order of its visits.

mod distance;
mod reach;
mod search;
#[cfg(test)]
mod tests;

use derive_more::Display;
use shakmaty::{Chess, Color, Move, Position};

/// Whether a side can still mate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CanMate {
    /// It can. The moves of both sides lead to mate.
    Yes(Vec<Move>),
    /// It cannot.
    No(NoMate),
    /// So many positions do not decide it.
    Undecided,
}

/// How many positions [`cannot_mate`] visits at most. That takes less than a second and 50 MB.
pub const POSITIONS: usize = 100_000;
/// The same for a side with a queen, rook or knight: only forced moves keep it from mating.
const FORCED: usize = 200;

/// Why a side cannot mate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display)]
pub enum NoMate {
    /// No position with these men is a mate.
    #[display("too few men")]
    Material,
    /// The squares that each man can ever reach allow no mate.
    #[display("blocked men")]
    Blocked,
    /// All positions that can be reached were visited, except those behind captures and pawn moves after which
    /// material or blocked men allow no mate.
    #[display("no position that can be reached is a mate")]
    Exhaustion,
}

/// An answer with the number of positions that it took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// The answer.
    pub can_mate: CanMate,
    /// The positions that were visited.
    pub positions: usize,
}

/// Whether a side can still mate. At most so many positions are visited, and at least one. A side that has mated can mate.
pub fn can_mate(position: &Chess, winner: Color, most: usize) -> Decision {
    match cannot(position, winner) {
        Some(reason) => Decision { can_mate: CanMate::No(reason), positions: 1 },
        None => search::search(position, winner, most),
    }
}

/// Why a side cannot mate; `None` if it can, or if the budget of a judge does not decide it.
pub fn cannot_mate(position: &Chess, side: Color) -> Option<NoMate> {
    let board = position.board();
    let is_strong = (board.by_color(side) & (board.rooks_and_queens() | board.knights())).any();
    let most = if is_strong { FORCED } else { POSITIONS };
    match can_mate(position, side, most).can_mate {
        CanMate::No(reason) => Some(reason),
        CanMate::Yes(_) | CanMate::Undecided => None,
    }
}

/// Whether no side can mate; `None` if so many positions for each side do not decide it.
pub fn is_dead(position: &Chess, most: usize) -> Option<bool> {
    let mut is_dead = Some(true);
    for side in Color::ALL {
        match can_mate(position, side, most).can_mate {
            CanMate::No(_) => {}
            CanMate::Yes(_) => return Some(false),
            CanMate::Undecided => is_dead = None,
        }
    }
    is_dead
}

/// A side that can mate, and the moves of both sides that lead to it; `None` if no side can, or if so many positions for
/// each side do not decide it.
pub fn mating_line(position: &Chess, most: usize) -> Option<(Color, Vec<Move>)> {
    Color::ALL.into_iter().find_map(|side| match can_mate(position, side, most).can_mate {
        CanMate::Yes(moves) => Some((side, moves)),
        CanMate::No(_) | CanMate::Undecided => None,
    })
}

/// What proves without a search that a side cannot mate.
fn cannot(position: &Chess, winner: Color) -> Option<NoMate> {
    if position.has_insufficient_material(winner) {
        return Some(NoMate::Material);
    }
    let board = position.board();
    let pawns = |side: Color| board.pawns() & board.by_color(side);
    // Without pawns that block each other too few men are fixed.
    let facing = pawns(Color::White).shift(8) & pawns(Color::Black);
    let is_blocked = facing.any() && !reach::allows_mate(position, winner);
    is_blocked.then_some(NoMate::Blocked)
}
