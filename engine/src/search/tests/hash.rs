//! Tests of the hash table and the histories in the search.

use super::*;
use crate::Color;
use crate::Ply;
use crate::search::history::PieceTo;
use crate::search::packed::PackedMove;
use crate::search::quiescence::usable;
use crate::search::table::TTEntry;
use crate::search_api::Bound;

const QUIET: &str = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";

fn entry(score: Score, depth: i32, bound: Bound) -> TTEntry {
    TTEntry { best: PackedMove::NONE, score, eval: None, depth, bound }
}

#[test]
fn mates_are_stored_relative_to_the_node() {
    let game = game(QUIET, "");
    for (stored, read) in [
        (Score::mate_in(Ply(8)), Score::mate_in(Ply(12))),
        (Score::mated_in(Ply(9)), Score::mated_in(Ply(13))),
        (cp(55), cp(55)),
    ] {
        let found = at(&game, |worker| {
            worker.store(game.position(), 3, 5, stored, None, None, Bound::Exact);
            let empty = Window::above(Score::DRAW);
            (worker.search(game.position(), 7, 5, empty, true), worker.nodes)
        });
        assert_eq!(found, (read, 1));
    }
}

#[test]
fn entries_cut_by_bound_and_depth_and_not_near_the_fifty_move_draw() {
    let fresh = position("4k3/8/8/8/8/8/8/R3K3 w - - 89 80");
    let stale = position("4k3/8/8/8/8/8/8/R3K3 w - - 90 80");
    for (bound, score, depth, position, decides) in [
        (Bound::Exact, 10, 5, &fresh, true),
        (Bound::Exact, 10, 5, &stale, false),
        (Bound::Exact, 10, 4, &fresh, false),
        (Bound::Lower, 1, 5, &fresh, true),
        (Bound::Lower, 0, 5, &fresh, false),
        (Bound::Upper, 0, 5, &fresh, true),
        (Bound::Upper, 1, 5, &fresh, false),
    ] {
        let said = usable(&entry(cp(score), depth, bound), 5, Window::above(Score::DRAW), 0, position);
        assert_eq!(said, decides.then_some(cp(score)), "{bound:?} {score} {depth}");
    }
}

#[test]
fn entries_do_not_cut_in_the_principal_variation() {
    let game = game(QUIET, "");
    for depth in [0, 3] {
        let score = at(&game, |worker| {
            worker.shared.table.put(game.position().key(), &entry(cp(3_333), 9, Bound::Exact));
            worker.search(game.position(), 2, depth, Window::FULL, false)
        });
        assert_ne!(score, cp(3_333));
    }
}

#[test]
fn without_a_hash_move_the_depth_is_reduced() {
    let game = game(QUIET, "");
    let first = PackedMove::new(read(game.position(), "h2h3"));
    for (depth, best, searched) in
        [(3, PackedMove::NONE, 3), (4, PackedMove::NONE, 3), (5, PackedMove::NONE, 4), (5, first, 5)]
    {
        let found = at(&game, |worker| {
            let key = game.position().key();
            worker.shared.table.put(key, &TTEntry { best, ..entry(Score::DRAW, 0, Bound::Upper) });
            worker.search(game.position(), 0, depth, Window::FULL, false);
            worker.shared.table.get(key).unwrap().depth
        });
        assert_eq!(found, searched, "{depth}");
    }
}

/// No later visit would find the move.
#[test]
fn without_a_table_the_depth_is_not_reduced() {
    let game = game(QUIET, "");
    let nodes = |depth| {
        let (table, control, limits) = (TranspositionTable::new(0), Control::default(), Limits::default());
        let shared = Shared::new(&table, None, &control, &limits, 1);
        let mut data = ThreadData::new(EvalOptions::default());
        let mut worker = Worker::new(&shared, &mut data, 0, &game);
        worker.root_depth = 20;
        worker.search(game.position(), 0, depth, Window::FULL, false);
        worker.nodes
    };
    assert!(nodes(4) > nodes(3), "{} and {}", nodes(4), nodes(3));
}

#[test]
fn the_search_works_without_a_table() {
    let none = Settings { hash: 0, ..Settings::default() };
    let mate = game("8/8/8/8/8/1K6/2R5/1k6 w - - 0 1", "");
    let (answer, reports) = ask(&none, &mate, &to_depth(6));
    assert_eq!(answer.score, Score::mate_in(Ply(3)));
    assert!(reports.iter().all(|report| report.hash_full == 0));
    let middle = game(QUIET, "");
    assert_eq!(ask(&none, &middle, &to_depth(8)), ask(&none, &middle, &to_depth(8)));
    let mut searcher = AlphaBeta::new(&small());
    searcher.configure(&none);
    let mut nodes = || searcher.search(&middle, &to_depth(8), &Control::default(), &mut |_| {}).nodes;
    assert_eq!(nodes(), ask(&none, &middle, &to_depth(8)).0.nodes);
    assert!(nodes() > ask(&small(), &middle, &to_depth(8)).0.nodes);
}

/// The hash move loses the queen: the move that fails high after it gets a bonus, the hash move a malus.
#[test]
fn moves_that_fail_high_get_a_bonus_and_those_before_them_a_malus() {
    let game = game("4k3/pp3p2/8/8/8/8/PP1Q1P2/4K3 w - - 0 1", "");
    let position = game.position();
    let blunder = read(position, "d2d7");
    let node = Node { ply: 1, hash: Some(blunder), ..node(position, 3, 300, 900) };
    at(&game, |worker| {
        let before = PieceTo::new(Color::Black, crate::Role::King, crate::Square::E8);
        worker.data.frames[0].step = Some(before);
        let best = worker.search_moves(&node).mv.unwrap();
        let worth = |mv: Move, earlier: [Option<PieceTo>; 3]| {
            worker.data.histories.quiet(Color::White, &earlier).of(mv, PieceTo::from_move(position, mv))
        };
        assert_ne!(best, blunder);
        assert_eq!(worker.data.frames[1].killers[0], Some(best));
        assert!(worth(best, [None; 3]) > 0 && worth(blunder, [None; 3]) < 0);
        assert!(worth(best, [Some(before), None, None]) > worth(best, [None; 3]), "continuation");
    });
}
