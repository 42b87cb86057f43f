//! Tests of the search, one for each rule. Each position is chosen so that the result changes if the rule is
//! broken.

mod draws;
mod extensions;
mod hash;
mod limits;
mod lines;
mod pruning;
mod quiescence;
mod reports;
mod tables;
mod threads;

use super::AlphaBeta;
use super::history::PieceTo;
use super::node::Node;
use super::table::TranspositionTable;
use super::window::Window;
use super::worker::{Shared, ThreadData, Worker};
use crate::eval::EvalOptions;
use crate::search_api::{Control, Limits, SearchInfo, SearchResult, Searcher, Settings};
use crate::tables::{TableSet, builders};
use crate::{CastlingMode, Game, Move, Position, Score};
use std::sync::Arc;

fn small() -> Settings {
    Settings { hash: 1, ..Settings::default() }
}

fn with_tables() -> Settings {
    Settings { tables: Some(Arc::new(three_men())), ..small() }
}

fn three_men() -> TableSet {
    builders::production(&["KQvK", "KRvK", "KPvK"].map(|name| name.parse().unwrap())).unwrap()
}

/// A game: a position and moves played from it.
fn game(fen: &str, moves: &str) -> Game {
    let mut game = Game::new(Position::from_fen(fen).unwrap());
    for mv in moves.split_whitespace() {
        let mv = game.position().parse_uci(mv, CastlingMode::Standard).unwrap();
        game.play(mv).unwrap();
    }
    game
}

fn ask(settings: &Settings, game: &Game, limits: &Limits) -> (SearchResult, Vec<SearchInfo>) {
    let mut reports = Vec::new();
    let answer = AlphaBeta::new(settings)
        .search(game, limits, &Control::default(), &mut |report| reports.push(report.clone()));
    (answer, reports)
}

fn to_depth(depth: u16) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

fn best(answer: &SearchResult) -> String {
    answer.best.map_or("none".to_owned(), |mv| mv.to_string())
}

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap()
}

fn read(position: &Position, text: &str) -> Move {
    position.parse_uci(text, CastlingMode::Standard).unwrap()
}

/// Runs a closure with a worker, to test single functions without deepening.
fn at<R>(game: &Game, ask: impl FnOnce(&mut Worker<'_>) -> R) -> R {
    at_with(None, &Limits::default(), game, ask)
}

fn at_with<R>(
    tables: Option<&TableSet>,
    limits: &Limits,
    game: &Game,
    ask: impl FnOnce(&mut Worker<'_>) -> R,
) -> R {
    let (table, control) = (TranspositionTable::new(1), Control::default());
    let shared = Shared::new(&table, tables, &control, limits, 1);
    let mut data = ThreadData::new(EvalOptions::default());
    let mut worker = Worker::new(&shared, &mut data, 0, game);
    worker.root_depth = 20;
    ask(&mut worker)
}

fn cp(hundredths: i32) -> Score {
    Score::centipawns(hundredths)
}

/// The root as a null-window node.
fn node(position: &Position, depth: i32, beta: i32, eval: i32) -> Node<'_> {
    let in_check = position.checkers().any();
    let eval = (!in_check).then_some(cp(eval));
    let window = Window::above(cp(beta - 1));
    Node {
        position,
        ply: 0,
        depth,
        window,
        cut: true,
        in_check,
        hash: None,
        entry: None,
        raw: eval,
        eval,
        improving: false,
    }
}

#[test]
fn positions_without_moves_are_reported() {
    for (fen, score) in
        [("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "cp 0"), ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "mate 0")]
    {
        let (answer, reports) = ask(&small(), &game(fen, ""), &to_depth(5));
        assert_eq!(answer.best, None);
        assert_eq!(reports.len(), 1);
        assert_eq!((reports[0].depth, reports[0].score.to_string()), (0, score.to_owned()));
    }
}

#[test]
fn one_thread_is_deterministic() {
    let game = game("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", "");
    for limits in [to_depth(9), Limits { nodes: Some(20_000), ..Limits::default() }] {
        assert_eq!(ask(&small(), &game, &limits), ask(&small(), &game, &limits));
    }
    let mut searcher = AlphaBeta::new(&small());
    let mut once = || searcher.search(&game, &to_depth(8), &Control::default(), &mut |_| {});
    let (first, again) = (once(), once());
    assert_ne!(first.nodes, again.nodes, "the hash table helps the second time");
    searcher.new_game();
    assert_eq!(searcher.search(&game, &to_depth(8), &Control::default(), &mut |_| {}).nodes, first.nodes);
}

#[test]
fn a_new_game_clears_the_table_and_the_histories() {
    let game = Game::new(Position::starting());
    let mut searcher = AlphaBeta::new(&small());
    searcher.search(&game, &to_depth(6), &Control::default(), &mut |_| {});
    let after = game.position().play(read(game.position(), "e2e4"));
    let steps = |searcher: &AlphaBeta| {
        let histories = &searcher.threads[0].histories;
        let worth = |mv: &Move| {
            histories.quiet(crate::Color::White, &[None; 3]).of(*mv, PieceTo::from_move(game.position(), *mv))
                != 0
        };
        game.position().legal_moves().iter().any(worth)
    };
    assert!(searcher.table.fullness() > 0 && steps(&searcher));
    searcher.new_game();
    assert_eq!((searcher.table.fullness(), searcher.table.get(after.key())), (0, None));
    assert!(!steps(&searcher));
}
