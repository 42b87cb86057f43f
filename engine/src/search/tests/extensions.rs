//! Tests of extensions and reductions.

use super::*;
use crate::Color;
use crate::Ply;
use crate::search::history::PieceTo;
use crate::search::packed::PackedMove;
use crate::search::table::TTEntry;
use crate::search_api::Bound;

const STARTING: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn replies_to_check_are_extended_up_to_a_point() {
    let checked = position("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1");
    let quiet = position("4k3/8/8/8/8/4r3/8/3K4 w - - 0 1");
    for (position, text, ply, plies) in
        [(&checked, "e1e2", 5, 1), (&checked, "e1e2", 6, 0), (&quiet, "d1d2", 5, 0)]
    {
        let node = Node { ply, ..node(position, 4, 0, 0) };
        let extension = at(&Game::new(*position), |worker| {
            worker.root_depth = 3;
            worker.extension(&node, read(position, text))
        });
        assert_eq!(extension, plies, "{text} at {ply}");
    }
}

/// The extension of the hash move at depth 8, given its hash entry.
fn singular(fen: &str, text: &str, change: &dyn Fn(&mut Node<'_>, &mut TTEntry)) -> i32 {
    let position = position(fen);
    let mv = read(&position, text);
    let mut entry =
        TTEntry { best: PackedMove::new(mv), score: Score::DRAW, eval: None, depth: 6, bound: Bound::Lower };
    let mut node = Node { hash: Some(mv), ..node(&position, 8, 1, 0) };
    change(&mut node, &mut entry);
    node.entry = Some(entry);
    at(&Game::new(position), |worker| {
        let extension = worker.extension(&node, mv);
        assert_eq!(worker.data.frames[0].excluded, None);
        extension
    })
}

type Change = fn(&mut Node<'_>, &mut TTEntry);

/// Recapturing the queen is the only move; at the start of a game there are many.
#[test]
fn a_singular_hash_move_is_extended() {
    const RECAPTURE: (&str, &str) =
        ("rnb1kbnr/pppp1ppp/8/4p3/4P3/3q4/PP1P1PPP/RNBQKBNR w KQkq - 0 1", "f1d3");
    let only = |change: &dyn Fn(&mut Node<'_>, &mut TTEntry)| singular(RECAPTURE.0, RECAPTURE.1, change);
    assert_eq!(only(&|_, entry| entry.score = cp(850)), 1);
    let good = |node: &mut Node<'_>, entry: &mut TTEntry| {
        entry.score = cp(850);
        node.window = Window::above(cp(900));
    };
    assert_eq!(only(&good), 1);
    let changes: [(&str, Change); 5] = [
        ("not deep enough", |node, _| node.depth = 6),
        ("known less deep", |_, entry| entry.depth = 4),
        ("at most so good", |_, entry| entry.bound = Bound::Upper),
        ("a mate", |_, entry| entry.score = Score::mate_in(Ply(9))),
        ("not the hash move", |node, _| node.hash = None),
    ];
    for (what, change) in changes {
        let both = |node: &mut Node<'_>, entry: &mut TTEntry| {
            good(node, entry);
            change(node, entry);
        };
        assert_eq!(only(&both), 0, "{what}");
    }
    let many = |beta: i32| {
        singular(STARTING, "e2e4", &|node, entry| {
            entry.score = cp(-60);
            node.window = Window::above(cp(beta - 1));
        })
    };
    assert_eq!((many(-60), many(-59)), (-1, 0));
}

/// The reduction of a quiet move at depth 8.
fn reduced(number: i32, change: impl FnOnce(&mut Node<'_>, &mut Worker<'_>)) -> i32 {
    let position = position(STARTING);
    let mut node = node(&position, 8, 0, 0);
    at(&Game::new(position), |worker| {
        change(&mut node, worker);
        worker.reduction(&node, read(&position, "a2a3"), number, false)
    })
}

#[test]
fn late_moves_are_reduced() {
    let base = reduced(20, |_, _| {});
    assert!(reduced(3, |_, _| {}) < base && base < reduced(60, |_, _| {}), "they grow with the number");
    assert!(reduced(20, |node, _| node.depth = 3) < base, "and with the depth");
    assert_eq!(reduced(1, |_, _| {}), 0);
    assert_eq!(reduced(20, |node, _| node.depth = 1), 0);
    assert_eq!(reduced(20, |node, _| node.in_check = true), 0);
    assert_eq!(reduced(20, |node, _| node.cut = false), base - 1);
    assert_eq!(reduced(20, |node, _| node.improving = true), base - 1);
    assert_eq!(reduced(20, |node, _| node.window = Window::FULL), base - 1);
    let mv = read(&position(STARTING), "a2a3");
    assert_eq!(reduced(20, |_, worker| worker.data.frames[0].killers[1] = Some(mv)), base - 1);
    let history = |bonus: i32| {
        reduced(20, |_, worker| {
            for _ in 0..20 {
                let step = PieceTo::from_move(&position(STARTING), mv);
                worker.data.histories.nudge_quiet(Color::White, mv, step, &[None; 3], bonus);
            }
        })
    };
    assert_eq!((history(1_600), history(-1_600)), (base - 1, base + 1));
}

#[test]
fn checks_and_captures_are_reduced_less() {
    let position = position("4k3/8/2p5/3p4/1p6/8/Q7/R3K2R w - - 0 1");
    let reduction = |text: &str, noisy| {
        at(&Game::new(position), |worker| {
            worker.reduction(&node(&position, 8, 0, 0), read(&position, text), 20, noisy)
        })
    };
    assert_eq!(reduction("h1h8", false), reduction("h1h7", false) - 1);
    let plain = super::super::margins::late_move_reduction(8, 20);
    assert_eq!(reduction("a2d5", true), plain / 2, "it loses");
    let free = Position::from_fen("4k3/8/8/3p4/8/8/Q7/R3K2R w - - 0 1").unwrap();
    let gains =
        at(&Game::new(free), |worker| worker.reduction(&node(&free, 8, 0, 0), read(&free, "a2d5"), 20, true));
    assert_eq!(gains, 0);
}
