//! Tests of pruning: each rule where it applies, and where it just fails to apply.

use super::*;
use crate::search::history::PieceTo;
use crate::search::packed::PackedMove;
use crate::search::prune::reverse_futility;
use crate::search::table::TTEntry;
use crate::search_api::Bound;

const OFFICERS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The null-move score of a node, for a worker prepared by a closure.
fn passing(node: &Node<'_>, prepare: impl FnOnce(&mut Worker<'_>)) -> Option<Score> {
    at(&Game::new(*node.position), |worker| {
        prepare(worker);
        worker.null_move(node, node.eval?)
    })
}

#[test]
fn null_moves_need_depth_a_piece_and_a_good_position() {
    let pawns = position("4k3/8/8/8/8/8/PPPP4/4K3 w - - 0 1");
    let knight = position("4k3/8/8/8/8/8/PPPP4/4K1N1 w - - 0 1");
    for (position, depth, eval, tried) in [
        (&pawns, 5, 400, false),
        (&knight, 5, 400, true),
        (&knight, 2, 400, false),
        (&knight, 3, 400, true),
        (&knight, 5, -301, false),
    ] {
        assert_eq!(passing(&node(position, depth, -300, eval), |_| {}).is_some(), tried, "{depth} {eval}");
    }
}

#[test]
fn no_null_move_follows_a_null_move_or_its_verification() {
    let position = position(OFFICERS);
    let second = Node { ply: 1, ..node(&position, 5, -300, 0) };
    let step = Some(PieceTo::from_move(&position, read(&position, "e2e4")));
    assert!(passing(&second, |worker| worker.data.frames[0].step = step).is_some());
    assert!(passing(&second, |_| {}).is_none());
    let verifying = |before| {
        passing(&second, |worker| {
            worker.data.frames[0].step = step;
            worker.no_null_before = before;
        })
    };
    assert!(verifying(2).is_none());
    assert!(verifying(1).is_some());
}

/// If Black had to move, it would be mated in two plies, according to the tables.
#[test]
fn a_mate_after_a_null_move_is_not_a_mate() {
    let position = position("8/8/8/8/8/1KR5/8/1k6 w - - 0 1");
    let node = node(&position, 5, 20, 20);
    let score = at_with(Some(&three_men()), &Limits::default(), &Game::new(position), |worker| {
        worker.null_move(&node, cp(20))
    });
    assert_eq!(score, Some(cp(20)));
}

/// According to the hash table the null move wins, as in zugzwang; no real move does.
#[test]
fn at_high_depth_null_moves_are_verified() {
    let position = position(OFFICERS);
    let passed = position.null_move().unwrap();
    let lost =
        TTEntry { best: PackedMove::NONE, score: cp(-900), eval: None, depth: 30, bound: Bound::Exact };
    for (depth, beta, believed) in [(9, 500, true), (10, 500, false), (10, -500, true)] {
        let said = passing(&node(&position, depth, beta, 500), |worker| {
            worker.shared.table.put(passed.key(), &lost);
        });
        assert_eq!(said, believed.then_some(cp(900)), "{depth} {beta}");
    }
}

#[test]
fn reverse_futility_pruning() {
    let position = position(OFFICERS);
    let far = |depth, eval, improving| {
        let node = Node { improving, ..node(&position, depth, 0, eval) };
        reverse_futility(&node, cp(eval)).is_some()
    };
    assert!(far(2, 150, false));
    assert!(!far(2, 149, false));
    assert!(far(2, 75, true));
    assert!(far(8, 600, false));
    assert!(!far(9, 5_000, false));
}

#[test]
fn no_pruning_in_check_in_the_principal_variation_or_with_mates() {
    let position = position(OFFICERS);
    let told = |change: &dyn Fn(&mut Node<'_>)| {
        let mut node = node(&position, 2, 0, 500);
        change(&mut node);
        at(&Game::new(position), |worker| worker.prune(&node)).is_some()
    };
    assert!(told(&|_| {}));
    assert!(!told(&|node| node.eval = None));
    assert!(!told(&|node| node.window = Window { alpha: cp(-50), beta: cp(0) }));
    assert!(!told(&|node| node.window = Window::above(Score::mated_in(crate::Ply(4)))));
}

#[test]
fn razoring() {
    let quiet = position(OFFICERS);
    let capture = position("rnb1kbnr/pppp1ppp/8/4p3/4P3/3q4/PPPP1PPP/RNBQKBNR w KQkq - 0 1");
    for (position, depth, eval, beta, razored) in [
        (&quiet, 1, 0, 381, true),
        (&quiet, 1, 0, 380, false),
        (&quiet, 3, 0, 1_821, true),
        (&quiet, 4, 0, 9_000, false),
        (&capture, 1, 0, 400, false),
    ] {
        let node = node(position, depth, beta, eval);
        let score = at(&Game::new(*position), |worker| worker.razor(&node, cp(eval)));
        assert_eq!(score.is_some(), razored, "{depth} {eval} {beta}");
        assert!(score.is_none_or(|score| score < cp(beta)));
    }
}

#[test]
fn probcut() {
    let hangs = position("4k3/8/8/3q4/4P3/8/4R3/K7 w - - 0 1");
    let quiet = position("4k3/8/3q4/8/4P3/8/4R3/K7 w - - 0 1");
    let entry = |score| TTEntry { best: PackedMove::NONE, score, eval: None, depth: 1, bound: Bound::Upper };
    for (position, depth, known, cuts) in [
        (&hangs, 5, None, true),
        (&hangs, 4, None, false),
        (&quiet, 5, None, false),
        (&hangs, 5, Some(entry(cp(179))), false),
        (&hangs, 5, Some(entry(cp(180))), true),
    ] {
        let node = Node { entry: known, ..node(position, depth, 0, -300) };
        let score = at(&Game::new(*position), |worker| worker.probcut(&node, cp(-300)));
        assert_eq!(score.is_some(), cuts, "{position:?} {depth} {known:?}");
        assert!(score.is_none_or(|score| score >= Score::DRAW));
    }
    // By the planted evaluation the queen would be enough; by the search it is not.
    let queen = position("rnb1kbnr/pppp1ppp/8/4p3/4P3/3q4/PP1P1PPP/RNBQKBNR w KQkq - 0 1");
    let node = node(&queen, 5, 3_000, 2_300);
    assert_eq!(at(&Game::new(queen), |worker| worker.probcut(&node, cp(2_300))), None);
}

/// Whether a move is pruned; `alpha` is 0.
fn pointless(node: &Node<'_>, text: &str, number: i32) -> bool {
    let mv = read(node.position, text);
    let noisy = crate::search::order::is_noisy(node.position, mv);
    at(&Game::new(*node.position), |worker| worker.is_pruned(node, mv, noisy, number, Score::DRAW))
}

#[test]
fn late_move_pruning() {
    let position = position("4k3/8/8/8/8/8/6P1/R3K3 w - - 0 1");
    let base = node(&position, 4, 1, 0);
    assert!(!pointless(&base, "g2g3", 10));
    assert!(pointless(&base, "g2g3", 11));
    assert!(!pointless(&Node { improving: true, ..base }, "g2g3", 11));
    assert!(!pointless(&Node { in_check: true, ..base }, "g2g3", 11));
    assert!(!pointless(&Node { depth: 5, ..base }, "g2g3", 11));
    assert!(!pointless(&base, "a1a8", 11), "it gives check");
    let lost = |alpha| {
        let mv = read(&position, "g2g3");
        at(&Game::new(position), |worker| worker.is_pruned(&base, mv, false, 11, alpha))
    };
    assert!(!lost(Score::mated_in(crate::Ply(8))));
    assert!(lost(cp(-20_000)));
}

#[test]
fn futility_pruning() {
    let position = position("4k3/8/8/8/8/8/6P1/R3K3 w - - 0 1");
    let hopeless = |depth, eval, text| pointless(&node(&position, depth, 1, eval), text, 1);
    assert!(hopeless(2, -250, "g2g3"));
    assert!(!hopeless(2, -249, "g2g3"));
    assert!(hopeless(8, -9_000, "g2g3"));
    assert!(!hopeless(9, -9_000, "g2g3"));
    assert!(!hopeless(2, -250, "a1a8"), "it gives check");
}

#[test]
fn pruning_by_exchange() {
    let position = position("7k/8/2p5/3p4/8/8/4Q3/3RK3 w - - 0 1");
    let loses = |depth, text| pointless(&node(&position, depth, 1, 0), text, 1);
    assert!(loses(5, "e2e4"));
    assert!(!loses(6, "e2e4"));
    assert!(!loses(1, "e2f3"));
    assert!(loses(4, "d1d5"));
    assert!(!loses(5, "d1d5"));
}

#[test]
fn pruning_by_history() {
    let position = position(OFFICERS);
    let mv = read(&position, "a2a3");
    let step = PieceTo::from_move(&position, mv);
    let left_out = |depth: i32, nudges: usize| {
        let node = Node { ply: 4, ..node(&position, depth, 1, 0) };
        at(&Game::new(position), |worker| {
            for frame in &mut worker.data.frames[..4] {
                frame.step = Some(step);
            }
            let earlier = worker.earlier(4);
            for _ in 0..nudges {
                worker.data.histories.nudge_quiet(crate::Color::White, mv, step, &earlier, -1_600);
            }
            worker.is_pruned(&node, mv, false, 1, Score::DRAW)
        })
    };
    assert!(!left_out(1, 0));
    assert!(left_out(1, 20));
    assert!(left_out(5, 20));
    assert!(!left_out(6, 20));
}
