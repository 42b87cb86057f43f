//! Confirms mates: what it proves is forced, whatever the opponent plays.
//!
//! The main search comes to its mates through reductions, null moves and hash entries. Here nothing of that counts: for
//! the attacker one move is enough, of the defender every legal move is refuted. The hash table's move is asked for as
//! a hint where to look first, never for a score. The search is a depth-first proof-number search ([`status`]) within
//! a number of plies; it deepens from the shortest mate on, and goes straight to the claim when that costs too much.
//!
//! What is a draw: a hundred plies without capture or pawn's move, unless the last one mates; a position that has
//! stood twice before in the game; dead material. The root is spared, for the game goes on; but a side that may claim a
//! draw at the root is not called mated.
//!
//! Why a proof holds although positions are remembered:
//! * A mate in `h` plies is used wherever its position stands with a clock of at most `100 - h`: no line of the proof
//!   reaches the hundredth ply before it ends. Where the clock has had a part, facts are kept for that clock alone.
//! * What has stood twice before in the game is the same at every node, so it belongs to the position.
//! * Repetition inside the searched line needs no rule. The mate that is announced is played by choosing in each
//!   position the move of the shortest proof ever found for it; the lengths fall with each ply, and what is proved at
//!   one clock is proved at any lower one, so no position comes back: the first time its proof was at most as
//!   long as the second time. Nor is a mate missed: a shortest one does not repeat positions.
//! * "No mate" is only ever used to stop looking.
//! * Tables are believed; but not where the clock, or a position that has stood twice, may interfere: there their
//!   distances guide the search.
//!
//! Knows no evaluation and no time. Work is bounded by a number of nodes, recursion by [`MOST_PLIES`].

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

/// The longest mates that are proved; longer claims are cut to it.
const MOST_PLIES: Ply = Ply(200);

/// What is forced from a position: a mate, with a whole main line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Proof {
    /// The moves to the end: the attacker's that prove it, the defender's that resist longest. As many plies as the
    /// mate needs at most: odd, the side to move mates; even, it is mated; none, it is checkmate.
    pub(crate) line: Vec<Move>,
}

/// Proves mates from the present position of a game.
pub(crate) struct Prover<'a> {
    game: &'a Game,
    tables: Option<&'a TableSet>,
    hint: &'a dyn Fn(&Position) -> Option<Move>,
    is_over: &'a dyn Fn() -> bool,
    /// All nodes, and how many of them may be used now.
    budget: u64,
    share: u64,
    nodes: u64,
    is_stopped: bool,
    attacker: Color,
    memory: ProofTable,
    /// Positions that stand for the third time when they come back.
    stood_twice: Vec<State>,
    /// What is overlooked: nothing, but in specimens.
    mutation: Option<Mutation>,
}

impl<'a> Prover<'a> {
    /// For the present position of a game. The hint tells the move that the main search would play; it need not be
    /// legal. After so many nodes, or once it is over, nothing more is proved.
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
            memory: ProofTable::default(),
            stood_twice: stood_twice(game),
            mutation: None,
        }
    }

    /// The same for a specimen, which overlooks this.
    pub(crate) fn with_mutation(mut self, mutation: Option<Mutation>) -> Self {
        self.mutation = mutation;
        if mutation == Some(Mutation::Repetition) {
            self.stood_twice.clear();
        }
        if mutation == Some(Mutation::MemoryClock) {
            self.memory.forget_clocks();
        }
        self
    }

    /// Proves that the side to move mates in at most so many plies, its first move among `moves` (empty: any).
    pub(crate) fn mates(&mut self, plies: Ply, moves: &[Move]) -> Option<Proof> {
        self.attacker = self.game.position().side_to_move();
        self.prove(plies, moves)
    }

    /// Proves that the side to move is mated in at most so many plies whatever it plays among `moves` (empty: all).
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

    /// Deepens to the claim: as long as a quarter of the budget lasts ply by ply, then at once.
    fn prove(&mut self, claim: Ply, moves: &[Move]) -> Option<Proof> {
        let root = *self.game.position();
        let legal = root.legal_moves();
        let moves: Vec<Move> =
            legal.into_iter().filter(|mv| moves.is_empty() || moves.contains(mv)).collect();
        self.memory.serve(self.attacker);
        let parity = u16::from(self.is_attacking(&root));
        let claim = Ply(claim.0.min(MOST_PLIES.0));
        let last = if claim.0 % 2 == parity { claim.0 } else { claim.0.saturating_sub(1) };
        // Some nodes are left for putting the line together.
        let all = self.budget.saturating_sub(self.nodes);
        let (all, deepening) = (self.nodes + (all - all / 8), self.nodes + all / 4);
        let mut plies = 2 - parity;
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

    /// Whether a position after the root, where somebody has a move, is a draw.
    fn is_drawn(&self, position: &Position) -> bool {
        position.halfmove_clock() >= FIFTY_MOVES
            || self.stood_twice.contains(position.state())
            || position.board().is_dead_material()
    }
}

/// The positions of a game that stand for the third time when they come back.
fn stood_twice(game: &Game) -> Vec<State> {
    // With a higher clock all is drawn that could come back.
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
