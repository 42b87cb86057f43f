//! Tests of quiescence search.

use super::*;
use crate::Ply;

/// The score at ply 3, and the number of nodes.
fn quiet(fen: &str, window: Window) -> (Score, u64) {
    let game = game(fen, "");
    at(&game, |worker| (worker.quiescence(game.position(), 3, window), worker.nodes))
}

#[test]
fn mate_and_stalemate_come_first() {
    for beta in [-5_000, 0, 5_000] {
        let window = Window::above(cp(beta));
        assert_eq!(quiet("7k/5Q2/6K1/8/8/p7/P7/8 b - - 0 1", window).0, Score::DRAW);
        assert_eq!(quiet("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", window).0, Score::mated_in(Ply(3)));
    }
}

#[test]
fn in_check_all_evasions_are_searched() {
    let (score, nodes) = quiet("k3r3/8/8/8/8/8/7Q/4K3 w - - 0 1", Window::FULL);
    assert!(score > cp(100) && nodes > 3, "{score}");
}

/// The node count shows which captures were searched; the position itself is one node.
#[test]
fn hopeless_captures_are_skipped() {
    let all = Window::FULL;
    for (fen, window, looked_at) in [
        ("4k3/2p5/3p4/8/8/8/3Q4/4K3 w - - 0 1", all, false),
        ("4k3/8/3p4/8/8/8/3Q4/4K3 w - - 0 1", all, true),
        ("4k3/8/3p4/8/8/8/3Q4/4K3 w - - 0 1", Window::above(cp(9_000)), false),
        ("4k3/8/3p4/8/8/8/3Q4/4K3 w - - 0 1", Window::above(cp(-9_000)), false),
        ("4k3/8/8/8/8/8/3Q4/4K3 w - - 0 1", all, false),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", all, true),
    ] {
        let nodes = quiet(fen, window).1;
        assert_eq!(nodes > 1, looked_at, "{fen} {window:?}: {nodes}");
    }
    assert_eq!(quiet("8/P6k/8/8/8/8/8/K7 w - - 0 1", all).1, 2, "promotions to less than a queen");
}

#[test]
fn a_side_that_need_not_capture_stands_pat() {
    let fen = "4k3/2p5/3p4/8/8/8/3Q4/4K3 w - - 0 1";
    let game = game(fen, "");
    let eval = at(&game, |worker| worker.evaluate(game.position()));
    assert_eq!(quiet(fen, Window::FULL).0, eval);
}
