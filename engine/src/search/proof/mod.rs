//! The mate prover: proves that a mate is forced against every reply.
//!
//! Mates of the main search rest on reductions, null moves and hash entries. None of these count here: one
//! move is enough for the attacker, and every legal move of the defender must lose. The main hash table only
//! suggests the first move to try, never a score. The search is a depth-first proof-number search
//! ([`status`]) within a number of plies. It deepens from the shortest mate on, and jumps to the claim when
//! deepening costs too much.
//!
//! Draws are: a hundred plies without capture or pawn move, unless the last one mates; a position that
//! occurred twice before in the game; dead material. The root itself is exempt, because the game goes on; but
//! a side that may claim a draw at the root is not reported as mated.
//!
//! A proof remains valid although results are stored:
//!
//! * A mate in `h` plies is used wherever its position occurs with a clock of at most `100 - h`: no line of
//!   the proof then reaches the fifty-move draw. A result that depends on the clock is stored for that clock
//!   only.
//! * Positions that occurred twice in the game are the same at every node, so results need not distinguish
//!   them.
//! * Repetition inside the search needs no rule. The announced line chooses in each position the move of the
//!   shortest proof found. The distances decrease with each ply, and a proof at one clock holds at any lower
//!   clock, so no position repeats. No mate is missed either: a shortest mate does not repeat positions.
//! * "No mate" only ends a search early.
//! * Tables are trusted, unless the clock or a position that occurred twice may interfere. Then their
//!   distances only guide the search.
//!
//! Knows no evaluation and no time. A node budget bounds the work, and [`MOST_PLIES`] the recursion.

mod line;
mod solve;
mod status;
mod ttable;

#[cfg(test)]
mod tests;

use super::mutation::Mutation;
use crate::Ply;
use crate::outcome::FIFTY_MOVES;
use crate::state::State;
use crate::tables::TableSet;
use crate::{Color, Game, Move, Position};
use status::ProofStatus;
use ttable::ProofTable;

/// The longest mate that is proven, in plies; longer claims are cut to it.
const MOST_PLIES: Ply = Ply(200);

/// A proven mate with its main line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Proof {
    /// The moves to mate: the attacker's proven moves and the defender's longest resistance. The length is an
    /// upper bound of the distance: odd if the side to move mates, even if it is mated, 0 for checkmate.
    pub(crate) line: Vec<Move>,
}

/// Proves mates from the current position of a game.
pub(crate) struct Prover<'a> {
    game: &'a Game,
    tables: Option<&'a TableSet>,
    hint: &'a dyn Fn(&Position) -> Option<Move>,
    is_over: &'a dyn Fn() -> bool,
    /// All nodes, and the current limit.
    budget: u64,
    share: u64,
    nodes: u64,
    is_stopped: bool,
    attacker: Color,
    table: ProofTable,
    /// Positions whose next occurrence is the third.
    stood_twice: Vec<State>,
    /// The planted fault, in specimens.
    mutation: Option<Mutation>,
}

impl<'a> Prover<'a> {
    /// A prover for the current position of a game. `hint` suggests a move, which need not be legal. After
    /// `budget` nodes, or when `is_over` returns true, it proves nothing more.
    pub(crate) fn new(
        game: &'a Game,
        tables: Option<&'a TableSet>,
        hint: &'a dyn Fn(&Position) -> Option<Move>,
        is_over: &'a dyn Fn() -> bool,
        nodes: u64,
    ) -> Self {
        Self {
            game,
            tables,
            hint,
            is_over,
            budget: nodes,
            share: nodes,
            nodes: 0,
            is_stopped: false,
            attacker: game.position().side_to_move(),
            table: ProofTable::default(),
            stood_twice: stood_twice(game),
            mutation: None,
        }
    }

    /// The same with a planted fault, for specimens.
    pub(crate) fn with_mutation(mut self, mutation: Option<Mutation>) -> Self {
        self.mutation = mutation;
        if mutation == Some(Mutation::Repetition) {
            self.stood_twice.clear();
        }
        if mutation == Some(Mutation::MemoryClock) {
            self.table.ignore_clocks();
        }
        self
    }

    /// Proves that the side to move mates in at most this many plies, starting with one of `moves` (empty:
    /// any move).
    pub(crate) fn mates(&mut self, plies: Ply, moves: &[Move]) -> Option<Proof> {
        self.attacker = self.game.position().side_to_move();
        self.prove(plies, moves)
    }

    /// Proves that the side to move is mated in at most this many plies after each of `moves` (empty: all
    /// moves).
    pub(crate) fn is_mated(&mut self, plies: Ply, moves: &[Move]) -> Option<Proof> {
        let root = self.game.position();
        self.attacker = !root.side_to_move();
        if root.is_checkmate() {
            return Some(Proof { line: Vec::new() });
        }
        let may_claim = root.halfmove_clock() >= FIFTY_MOVES || self.game.repetitions() >= 3;
        if may_claim { None } else { self.prove(plies, moves) }
    }

    /// Nodes used so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Deepens to the claim: ply by ply for a quarter of the budget, then directly.
    fn prove(&mut self, claim: Ply, moves: &[Move]) -> Option<Proof> {
        let root = *self.game.position();
        let legal = root.legal_moves();
        let count = legal.len();
        let moves: Vec<Move> =
            legal.into_iter().filter(|mv| moves.is_empty() || moves.contains(mv)).collect();
        self.table.set_attacker(self.attacker);
        let parity = u16::from(self.is_attacking(&root));
        let claim = Ply(claim.0.min(MOST_PLIES.0));
        let last = if claim.0 % 2 == parity { claim.0 } else { claim.0.saturating_sub(1) };
        // Reserves some nodes for the line.
        let all = self.budget.saturating_sub(self.nodes);
        let (all, deepening) = (self.nodes + (all - all / 8), self.nodes + all / 4);
        // No mate is shorter than that of the tables, which ignore the clock; but the defender may be mated sooner if it
        // may not choose among all moves.
        let may_start = parity == 1 || moves.len() == count;
        let height = if may_start { self.table_height(&root).ok().flatten() } else { None };
        let least = height.map_or(0, |height| height.0);
        let mut plies = least.max(2 - parity);
        while plies <= last && !moves.is_empty() {
            self.share = if plies == last { all } else { deepening };
            let verdict = self.solve_root(&root, &moves, Ply(plies));
            self.share = self.budget;
            plies = match verdict {
                ProofStatus::Mate(height) => return self.whole_line(&root, &moves, height),
                ProofStatus::NoMate => plies + 2,
                ProofStatus::Open(_) if plies == last => return None,
                ProofStatus::Open(_) => last,
            };
        }
        None
    }

    fn is_attacking(&self, position: &Position) -> bool {
        position.side_to_move() == self.attacker
    }

    /// Whether a position below the root, where the side to move has a legal move, is a draw.
    fn is_drawn(&self, position: &Position) -> bool {
        position.halfmove_clock() >= FIFTY_MOVES
            || self.stood_twice.contains(position.state())
            || position.board().is_dead_material()
    }
}

/// The positions of a game whose next occurrence is the third.
fn stood_twice(game: &Game) -> Vec<State> {
    // With a higher clock, all positions that could repeat are draws already.
    let reversible = usize::from(game.position().halfmove_clock().min(FIFTY_MOVES));
    let past = &game.past()[game.past().len().saturating_sub(reversible)..];
    let states: Vec<&State> = past.iter().chain([game.position()]).map(Position::state).collect();
    let mut twice = Vec::new();
    for (index, &state) in states.iter().enumerate() {
        if states[..index].contains(&state) && !twice.contains(state) {
            twice.push(*state);
        }
    }
    twice
}
