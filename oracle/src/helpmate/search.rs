//! Looks for a mate that both sides help to reach, the most promising positions first, until all are visited.
//!
//! Two rough distances to mate and breadth take turns. By each distance those positions come first in which a man
//! stands where it has not stood before at this distance. That leads out of regions in which the distance does not
//! fall.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use indexmap::IndexSet;
use shakmaty::{Bitboard, Board, Chess, Color, Move, Position, Role};

use super::distance::distances;
use super::{CanMate, Decision, NoMate, cannot};

/// The queue of breadth. Those before it are of distances.
const BREADTH: usize = 2;
/// Which queue is served in turn.
const TURNS: [usize; 7] = [0, 1, 0, 1, 0, 1, BREADTH];

/// Looks for a mate, or visits all positions that can be reached.
pub(super) fn search(root: &Chess, winner: Color, most: usize) -> Decision {
    let mut search = Search {
        winner,
        seen: IndexSet::new(),
        nodes: Vec::new(),
        queues: Default::default(),
        stood: HashMap::new(),
        turn: 0,
    };
    let can_mate = search.run(root, most);
    Decision { can_mate, positions: search.seen.len() }
}

struct Node {
    /// The number of the node before it, and the move between them.
    step: Option<(usize, Move)>,
    plies: u32,
    is_done: bool,
}

/// The squares on which the men of each color and role have stood.
#[derive(Default)]
struct Stood([[Bitboard; 6]; 2]);

impl Stood {
    /// Adds the men of a board. Whether one of them has not stood there before.
    fn add(&mut self, board: &Board) -> bool {
        let mut is_new = false;
        for (color, roles) in Color::ALL.into_iter().zip(&mut self.0) {
            for (role, stood) in Role::ALL.into_iter().zip(roles) {
                let men = board.by_piece(role.of(color));
                is_new |= !men.is_subset(*stood);
                *stood |= men;
            }
        }
        is_new
    }
}

/// Whether all men have stood there before; the distance; the plies; the number of the node.
type Key = (bool, u32, u32, usize);

struct Search {
    winner: Color,
    seen: IndexSet<Chess>,
    /// One for each position of `seen`.
    nodes: Vec<Node>,
    queues: [BinaryHeap<Reverse<Key>>; BREADTH + 1],
    /// By queue, distance, number of men and side to move.
    stood: HashMap<(usize, u32, usize, Color), Stood>,
    turn: usize,
}

impl Search {
    fn run(&mut self, root: &Chess, most: usize) -> CanMate {
        if self.visit(root.clone(), None) {
            return CanMate::Yes(Vec::new());
        }
        while let Some(at) = self.next() {
            let position = self.seen[at].clone();
            let is_zeroed = self.nodes[at].step.is_some_and(|(_, mv)| mv.is_zeroing());
            if is_zeroed && cannot(&position, self.winner).is_some() {
                continue;
            }
            for mv in position.legal_moves() {
                if self.seen.len() >= most {
                    return CanMate::Undecided;
                }
                let mut after = position.clone();
                after.play_unchecked(mv);
                if self.visit(after, Some((at, mv))) {
                    return CanMate::Yes(self.line());
                }
            }
        }
        CanMate::No(NoMate::Exhaustion)
    }

    /// Adds a position that is new. Whether it is a mate.
    fn visit(&mut self, position: Chess, step: Option<(usize, Move)>) -> bool {
        let plies = step.map_or(0, |(from, _)| self.nodes[from].plies + 1);
        let (at, is_new) = self.seen.insert_full(position);
        if !is_new {
            return false;
        }
        self.nodes.push(Node { step, plies, is_done: false });
        let position = &self.seen[at];
        let (board, turn) = (position.board(), position.turn());
        if turn != self.winner && position.is_checkmate() {
            return true;
        }
        for (queue, far) in distances(position, self.winner).into_iter().enumerate() {
            let stood = self.stood.entry((queue, far, board.occupied().count(), turn)).or_default();
            self.queues[queue].push(Reverse((!stood.add(board), far, plies, at)));
        }
        self.queues[BREADTH].push(Reverse((false, 0, plies, at)));
        false
    }

    /// The next position, each once.
    fn next(&mut self) -> Option<usize> {
        while self.queues.iter().any(|queue| !queue.is_empty()) {
            self.turn = (self.turn + 1) % TURNS.len();
            let Some(Reverse((.., at))) = self.queues[TURNS[self.turn]].pop() else { continue };
            if !std::mem::replace(&mut self.nodes[at].is_done, true) {
                return Some(at);
            }
        }
        None
    }

    /// The moves to the last position.
    fn line(&self) -> Vec<Move> {
        let step = |at: usize| self.nodes[at].step;
        let steps = std::iter::successors(step(self.nodes.len() - 1), |(from, _)| step(*from));
        let mut line: Vec<Move> = steps.map(|(_, mv)| mv).collect();
        line.reverse();
        line
    }
}
