//! The root: root moves, iterations, limits.
//!
//! Moves are legal only here: root moves and reported lines are those of the [`Position`].

use super::MicroMax;
use super::convert::{from_move, to_move, to_score};
use super::mailbox::Mailbox;
use super::piece_values::{DECIDED, INFINITY, Points};
use super::search::{Node, Search};
use super::square0x88::BoardMove;
use crate::Ply;
use crate::search_api::{Bound, Control, Limits, SearchInfo, SearchResult, Searcher, Setting, Settings};
use crate::{Game, Move, Position, Score};

/// The last iteration.
const MOST_DEPTH: u8 = 96;

/// A root move in the engine's and in the specimen's representation.
type First = (Move, BoardMove);

impl Searcher for MicroMax {
    fn name(&self) -> String {
        self.mode.name().to_owned()
    }

    fn configure(&mut self, _: &Settings) {}

    fn settings_used(&self) -> &'static [Setting] {
        &[]
    }

    fn new_game(&mut self) {
        self.ttable.clear();
    }

    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        listener: &mut dyn FnMut(&SearchInfo),
    ) -> SearchResult {
        let position = game.position();
        // As in the original: scores are relative to the root's static score, so older values do not compare.
        self.ttable.clear();
        let mut thought = Thought::new(position, self, limits, control);
        if let Some(score) = thought.ended(position) {
            listener(&thought.report(0, score, Vec::new()));
            return SearchResult { best: None, ponder: None, score, nodes: 0 };
        }
        thought.deepen(position, listener)
    }
}

/// A search of one position.
struct Thought<'a> {
    search: Search<'a>,
    firsts: Vec<First>,
    /// The answer if the specimen knows none of the allowed moves: an underpromotion, castling of Chess960.
    unknown: Option<Move>,
    score: Points,
    value: Points,
}

impl<'a> Thought<'a> {
    fn new(
        position: &Position,
        searcher: &'a mut MicroMax,
        limits: &'a Limits,
        control: &'a Control,
    ) -> Self {
        let board = Mailbox::from_position(position);
        let legal = position.legal_moves();
        let any_allowed = legal.iter().any(|mv| limits.moves.contains(mv));
        let allowed = legal.iter().copied().filter(|mv| !any_allowed || limits.moves.contains(mv));
        let firsts = allowed.clone().filter_map(|mv| Some((mv, from_move(&board, position, mv)?))).collect();
        let score = board.balance();
        let unknown = allowed.clone().next();
        let search = Search {
            board,
            mode: searcher.mode,
            ttable: &mut searcher.ttable,
            limits,
            control,
            nodes: 0,
            deepest: 0,
            next_poll: 0,
            stopped: false,
        };
        Self { search, firsts, unknown, score, value: score }
    }

    /// The result for a position without legal moves.
    fn ended(&self, position: &Position) -> Option<Score> {
        let mated = position.checkers().any();
        self.unknown.is_none().then_some(if mated { Score::mated_in(Ply(0)) } else { Score::DRAW })
    }

    fn deepen(&mut self, position: &Position, listener: &mut dyn FnMut(&SearchInfo)) -> SearchResult {
        let most = self.search.limits.depth.map_or(MOST_DEPTH, |depth| depth.min(MOST_DEPTH.into()) as u8);
        let mut line = Vec::new();
        for depth in 1..=most {
            if self.firsts.is_empty() || self.is_late() {
                break;
            }
            let found = self.iterate(depth);
            line = self.line(position, depth);
            if !found {
                break;
            }
            listener(&self.report(depth.into(), self.said(), line.clone()));
            if self.value.abs() > DECIDED {
                break;
            }
        }
        let best = self.firsts.first().map(|&(mv, _)| mv).or(self.unknown);
        SearchResult { best, ponder: line.get(1).copied(), score: self.said(), nodes: self.search.nodes }
    }

    /// Whether no further iteration may start.
    fn is_late(&self) -> bool {
        let Limits { time, nodes, .. } = self.search.limits;
        let soft =
            time.filter(|_| !self.search.control.is_pondering()).map(|time| time.soft.unwrap_or(time.hard));
        soft.is_some_and(|soft| self.search.control.elapsed() >= soft)
            || nodes.is_some_and(|most| self.search.nodes >= most)
            || self.search.control.is_stopped()
    }

    /// Searches the root moves to one depth and moves the best to the front. Returns whether it completed.
    fn iterate(&mut self, depth: u8) -> bool {
        let mut best = -INFINITY;
        for index in 0..self.firsts.len() {
            let value = self.try_first(self.firsts[index].1, depth, best);
            if self.search.stopped {
                return false;
            }
            if value > best {
                best = value;
                self.value = value;
                self.firsts[..=index].rotate_right(1);
            }
        }
        true
    }

    fn try_first(&mut self, step: BoardMove, depth: u8, best: Points) -> Points {
        let search = &mut self.search;
        let child = Node {
            alpha: -INFINITY,
            beta: -best,
            score: -self.score - search.board.gain(step),
            depth: depth - 1,
            ply: 1,
            last: Some(step.to),
            unproven: false,
            leaf: search.mode.leaf(),
        };
        let undo = search.board.make(step);
        let value = -search.value(&child);
        search.board.unmake(step, undo);
        value - Points::from(value > self.score)
    }

    /// The principal variation: the best root move, continued from the hash table while the moves are legal.
    fn line(&mut self, position: &Position, depth: u8) -> Vec<Move> {
        let Some(&(first, step)) = self.firsts.first() else { return Vec::new() };
        let search = &mut self.search;
        let (mut line, mut after) = (vec![first], position.play_unchecked(first));
        let mut board = search.board.clone();
        board.make(step);
        while line.len() < usize::from(depth) {
            let next =
                search.remembered(&board).and_then(|step| Some((to_move(&board, &after, step)?, step)));
            let Some((mv, step)) = next else { break };
            line.push(mv);
            after = after.play_unchecked(mv);
            board.make(step);
        }
        line
    }

    fn said(&self) -> Score {
        to_score(self.value)
    }

    fn report(&self, depth: u16, score: Score, line: Vec<Move>) -> SearchInfo {
        SearchInfo {
            depth,
            selective_depth: self.search.deepest,
            rank: 1,
            score,
            bound: Bound::Exact,
            nodes: self.search.nodes,
            hash_full: self.search.ttable.fullness(),
            table_hits: 0,
            line,
        }
    }
}
