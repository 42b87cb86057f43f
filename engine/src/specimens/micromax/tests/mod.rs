//! Tests of the specimen and of its search.
//!
//! Scores and node counts are exact: the search is deterministic.

mod blind_spots;
mod rules;
mod searcher;

use super::mailbox::Mailbox;
use super::piece_values::{INFINITY, Points};
use super::search::{Node, Search};
use super::{Mode, TTable};
use crate::search_api::{Control, Limits, SearchInfo};
use crate::{Game, Move, Position, Score, specimens};

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap()
}

/// The score of a search of one position with a window, and its nodes.
fn search(mode: Mode, fen: &str, depth: u8, alpha: Points, beta: Points) -> (Points, u64) {
    let board = Mailbox::from_position(&position(fen));
    let (limits, control) = (Limits::default(), Control::default());
    let mut search = Search {
        board,
        mode,
        ttable: &mut TTable::new(),
        limits: &limits,
        control: &control,
        nodes: 0,
        deepest: 0,
        next_poll: 0,
        stopped: false,
    };
    let score = search.board.balance();
    let before = search.board.clone();
    let node = Node { alpha, beta, score, depth, ply: 0, last: None, unproven: false, leaf: mode.leaf() };
    let value = search.value(&node);
    assert_eq!(search.board, before, "all moves are taken back");
    (value, search.nodes)
}

fn open(mode: Mode, fen: &str, depth: u8) -> Points {
    search(mode, fen, depth, -INFINITY, INFINITY).0
}

struct SearchOutcome {
    best: Option<Move>,
    score: Score,
    nodes: u64,
    reports: Vec<SearchInfo>,
}

fn think_within(mode: Mode, fen: &str, limits: &Limits) -> SearchOutcome {
    let mut searcher = specimens::by_name(mode.name()).unwrap();
    let mut reports = Vec::new();
    let game = Game::new(position(fen));
    let answer =
        searcher.search(&game, limits, &Control::default(), &mut |report| reports.push(report.clone()));
    SearchOutcome { best: answer.best, score: answer.score, nodes: answer.nodes, reports }
}

fn think(mode: Mode, fen: &str, depth: u16) -> SearchOutcome {
    think_within(mode, fen, &Limits { depth: Some(depth), ..Limits::default() })
}

fn best(mode: Mode, fen: &str, depth: u16) -> String {
    think(mode, fen, depth).best.unwrap().to_string()
}

/// A linear congruential generator (Knuth's constants) with a fixed seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// A position with castling, pins, en passant and promotions ahead.
const BUSY: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
