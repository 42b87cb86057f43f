//! Tests of the end of a search, with a scripted clock.

use super::*;
use crate::Square;
use crate::search_api::{Clock, TimeBudget};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Shows 100 seconds from the call with this number on.
struct Jumps {
    after: u64,
    calls: AtomicU64,
}

impl Clock for Jumps {
    fn elapsed(&self) -> Duration {
        Duration::from_secs(if self.calls.fetch_add(1, Relaxed) < self.after { 0 } else { 100 })
    }
}

fn jumps(after: u64) -> Control {
    Control::new(Jumps { after, calls: AtomicU64::new(0) })
}

fn seconds(soft: u64, hard: u64, depth: u16) -> Limits {
    let time = TimeBudget { soft: Some(Duration::from_secs(soft)), hard: Duration::from_secs(hard) };
    Limits { time: Some(time), ..to_depth(depth) }
}

/// The depth of the last complete iteration, and the result.
fn timed(fen: &str, limits: &Limits, control: &Control) -> (u16, SearchResult) {
    let mut depth = 0;
    let answer =
        AlphaBeta::new(&small()).search(&game(fen, ""), limits, control, &mut |report| depth = report.depth);
    (depth, answer)
}

const MIDDLEGAME: &str = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";
const MATE_IN_TWO: &str = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";

/// The clock is read every 512 nodes.
#[test]
fn the_hard_limit_ends_the_current_iteration() {
    let (_, answer) = timed(MIDDLEGAME, &seconds(1_000_000, 99, 60), &jumps(60));
    assert!(answer.nodes <= 61 * 512, "{}", answer.nodes);
    let (depth, _) = timed(MIDDLEGAME, &seconds(1_000_000, 101, 5), &jumps(0));
    assert_eq!(depth, 5);
}

/// A clear choice takes at least 0.45 of the soft limit, an unclear one at most about four times.
#[test]
fn no_iteration_starts_after_the_soft_limit() {
    assert_eq!(timed(MIDDLEGAME, &seconds(10, 1_000, 6), &jumps(0)).0, 1);
    assert_eq!(timed(MIDDLEGAME, &seconds(300, 1_000, 6), &jumps(0)).0, 6);
}

#[test]
fn an_only_move_takes_a_tenth_of_the_time() {
    let only = "7k/8/8/8/8/8/1r6/K6R b - - 0 1";
    let limits = |moves: &[&str]| Limits {
        moves: moves.iter().map(|text| read(&position(only), text)).collect(),
        ..seconds(300, 1_000, 6)
    };
    assert_eq!(timed(only, &limits(&["h8g8"]), &jumps(0)).0, 1);
    assert_eq!(timed(only, &limits(&["h8g8", "h8g7"]), &jumps(0)).0, 6);
}

#[test]
fn a_proven_mate_saves_time_only_with_a_clock() {
    assert!(timed(MATE_IN_TWO, &seconds(1_000, 1_000, 12), &jumps(u64::MAX)).0 < 8);
    assert_eq!(timed(MATE_IN_TWO, &to_depth(12), &Control::default()).0, 12);
}

#[test]
fn time_limits_are_off_while_pondering() {
    let control = jumps(0);
    control.set_pondering(true);
    assert_eq!(timed(MIDDLEGAME, &seconds(1, 1, 6), &control).0, 6);
    control.set_pondering(false);
    assert!(timed(MIDDLEGAME, &seconds(1, 1, 6), &control).0 <= 1);
}

#[test]
fn a_mate_that_is_too_long_does_not_end_the_search() {
    for (mate, whole) in [(1, true), (2, false)] {
        let limits = Limits { mate: Some(mate), ..to_depth(10) };
        assert_eq!(timed(MATE_IN_TWO, &limits, &Control::default()).0 == 10, whole, "mate {mate}");
    }
}

#[test]
fn mate_proofs_respect_the_node_limit() {
    for fen in [MATE_IN_TWO, "8/8/8/4k3/8/8/8/3QK3 w - - 0 1", "8/8/8/8/8/2k5/1q6/K7 w - - 0 1"] {
        for nodes in [50, 300, 1_000, 3_000, 10_000, 30_000] {
            let limits = Limits { nodes: Some(nodes), ..to_depth(40) };
            let (answer, _) = ask(&small(), &game(fen, ""), &limits);
            assert!(answer.nodes <= nodes, "{fen}: {} of {nodes}", answer.nodes);
        }
    }
}

#[test]
fn stop_ends_the_search_at_once() {
    let control = Control::default();
    let mut depths = Vec::new();
    let mut nodes = 0;
    let answer =
        AlphaBeta::new(&small()).search(&game(MIDDLEGAME, ""), &Limits::default(), &control, &mut |report| {
            depths.push(report.depth);
            if report.depth == 6 {
                nodes = report.nodes;
                control.stop();
            }
        });
    assert!(depths.iter().all(|&depth| depth <= 6), "{depths:?}");
    assert!(answer.nodes <= nodes + 512);
}

#[test]
fn illegal_searchmoves_are_ignored() {
    let limits = Limits { moves: vec![Move::new(Square::E2, Square::E5)], ..to_depth(2) };
    let (answer, _) = ask(&small(), &Game::new(Position::starting()), &limits);
    assert!(Position::starting().is_legal(answer.best.unwrap()));
}

#[test]
fn the_move_is_legal_however_small_the_limits() {
    for limits in [
        Limits { nodes: Some(0), ..Limits::default() },
        Limits { nodes: Some(1), ..Limits::default() },
        Limits { depth: Some(0), ..Limits::default() },
    ] {
        let game = game("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1", "");
        assert_eq!(best(&ask(&small(), &game, &limits).0), "e1e2");
    }
    let control = Control::default();
    control.stop();
    let answer = AlphaBeta::new(&small()).search(
        &Game::new(Position::starting()),
        &Limits::default(),
        &control,
        &mut |_| {},
    );
    assert!(Position::starting().is_legal(answer.best.unwrap()));
}

#[test]
fn the_limit_of_nodes_holds() {
    for nodes in [100, 5_000, 20_000] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let (answer, _) = ask(&small(), &Game::new(Position::starting()), &limits);
        assert_eq!(answer.nodes, nodes);
    }
}

#[test]
fn the_mate_limit_ends_the_search() {
    let limits = Limits { mate: Some(2), ..Limits::default() };
    let (answer, _) = ask(&small(), &game("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", ""), &limits);
    assert_eq!(answer.score.to_string(), "mate 2");
}
