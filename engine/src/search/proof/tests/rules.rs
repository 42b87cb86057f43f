//! Tests of draws and of the bounds on the work.

use std::cell::Cell;

use super::{PLENTY, brute, game, length, mv, position, prove};
use crate::Ply;
use crate::search::proof::Prover;
use crate::search_api::Control;
use crate::{Game, Move, Position};

/// A mate on the hundredth ply counts; one ply later the game is drawn. A pawn move resets the clock.
#[test]
fn fifty_moves() {
    for (fen, plies, expected) in [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 99 80", 1, Some(1)),
        // Nobody claimed the draw: the game ends with this mate.
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 100 80", 1, Some(1)),
        ("7k/8/R7/1R6/8/8/8/K7 w - - 97 80", 3, Some(3)),
        ("7k/8/R7/1R6/8/8/8/K7 w - - 98 80", 3, None),
        ("7k/8/R7/1R6/8/8/8/K7 w - - 98 80", 9, None),
        ("7k/1R6/R7/8/8/8/8/K7 b - - 98 80", 2, Some(2)),
        ("7k/1R6/R7/8/8/8/8/K7 b - - 99 80", 2, None),
        // The mated side may claim a draw before its move; on the board, mate is mate.
        ("7k/1R6/6R1/8/8/8/8/K7 b - - 100 80", 2, None),
        ("8/8/8/8/8/8/1q6/K1k5 w - - 100 80", 0, Some(0)),
        ("8/6P1/7k/5K2/8/8/8/8 w - - 99 80", 3, Some(3)),
        ("8/5P1k/5K2/8/8/8/8/8 w - - 99 80", 3, Some(3)),
    ] {
        assert_eq!(length(&game(fen, ""), plies), expected, "{fen} in {plies}");
    }
}

/// The only key move leads to a position that occurred twice. A single occurrence does not matter.
#[test]
fn no_mate_through_a_third_occurrence() {
    let fen = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
    let cycle = "a1a6 b8c7 a6a1 c7b8 ";
    for (cycles, expected) in [(0, Some(3)), (1, Some(3)), (2, None)] {
        let game = game(fen, &cycle.repeat(cycles));
        assert_eq!(length(&game, 3), expected, "{cycles}");
        assert_eq!(brute::shortest(&game, 3), expected, "{cycles}");
    }
}

/// A side that may claim a draw now is not reported as mated.
#[test]
fn a_side_that_may_claim_a_draw_is_not_mated() {
    let fen = "8/8/8/8/8/k1K5/8/7R b - - 0 1";
    let cycle = "a3a4 h1h2 a4a3 h2h1 ";
    for (cycles, expected) in [(1, Some(4)), (2, None)] {
        let game = game(fen, &cycle.repeat(cycles));
        // After this move no position has occurred before.
        let new = [mv(game.position(), "a3a2")];
        assert_eq!(prove(&game, None, 4, &new).map(|proof| proof.line.len()), expected, "{cycles}");
    }
}

/// Results for one attacker are not used for the other.
#[test]
fn one_prover_serves_both_sides() {
    let game = game("7k/8/R6p/1R6/8/8/8/K7 w - - 0 1", "");
    let control = Control::default();
    let is_over = || control.is_stopped();
    let mut prover = Prover::new(&game, None, &|_| None, &is_over, PLENTY);
    let key = [mv(game.position(), "b5b7")];
    assert_eq!(prover.is_mated(Ply(4), &key), None);
    assert_eq!(prover.mates(Ply(3), &key).map(|proof| proof.line.len()), Some(3));
    assert_eq!(prover.is_mated(Ply(4), &key), None);
}

/// The node budget is never exceeded, and results with a small budget are right.
#[test]
fn the_budget_is_respected() {
    let game = game("5r1k/6pp/8/6N1/8/1Q6/8/6K1 w - - 0 1", "");
    let control = Control::default();
    let is_over = || control.is_stopped();
    let mut proved = 0;
    for nodes in (0..200).chain([500, 1_000, 2_000, 4_000]) {
        let mut prover = Prover::new(&game, None, &|_| None, &is_over, nodes);
        let first = prover.mates(Ply(7), &[]);
        let second = prover.is_mated(Ply(8), &[]);
        assert!(prover.nodes() <= nodes, "{} of {nodes}", prover.nodes());
        assert!(first.is_none_or(|proof| proof.line.len() == 7) && second.is_none(), "{nodes}");
        let first = Prover::new(&game, None, &|_| None, &is_over, nodes).mates(Ply(7), &[]);
        proved += u32::from(first.is_some());
    }
    assert!((1..200).contains(&proved), "{proved}");
}

/// The stop flag is obeyed at once at the start, and later within 256 nodes.
#[test]
fn stop_is_obeyed() {
    let game = game("r4rk1/pp3ppp/8/6N1/2Q5/8/PP3PPP/6K1 w - - 0 1", "");
    for patience in [0, 10, 1_000] {
        let control = Control::default();
        let is_over = || control.is_stopped();
        let asked = Cell::new(0);
        let hint = |_: &Position| {
            asked.set(asked.get() + 1);
            if asked.get() > patience {
                control.stop();
            }
            None
        };
        if patience == 0 {
            control.stop();
        }
        let (mut prover, seen) = (Prover::new(&game, None, &hint, &is_over, PLENTY), &asked);
        assert_eq!(prover.mates(Ply(15), &[]), None);
        assert!(prover.nodes() < PLENTY / 4, "{patience}: {}", prover.nodes());
        assert!(seen.get() <= patience + 256, "{patience}: {}", seen.get());
    }
}

/// Hints affect the order only: bad and illegal hints change no result, good hints save work.
#[test]
fn hints_only_save_work() {
    let game = game("6k1/5R2/P6p/1P3p1P/3P1p2/3P1B2/3K1P2/8 w - - 1 43", "");
    let nonsense = mv(&position("8/8/8/8/8/8/8/K1k5 w - - 0 1"), "a1a2");
    let last = |position: &Position| position.legal_moves().last().copied();
    let run = |hint: &dyn Fn(&Position) -> Option<Move>| {
        let control = Control::default();
        let is_over = || control.is_stopped();
        let mut prover = Prover::new(&game, None, hint, &is_over, PLENTY);
        (prover.mates(Ply(5), &[]).unwrap().line.len(), prover.nodes())
    };
    let (length, plain) = run(&|_| None);
    assert_eq!((length, run(&|_| Some(nonsense)).0, run(&last).0), (5, 5, 5));
    let told = |position: &Position| {
        let game = Game::new(*position);
        [1, 3, 5].into_iter().find_map(|plies| prove(&game, None, plies, &[])).map(|proof| proof.line[0])
    };
    assert!(run(&told).1 < plain);
}

/// The clock is checked before the attacker's last move and in every line: the longest resistance resets the
/// clock, but another defence reaches the draw.
#[test]
fn no_mate_if_a_side_line_reaches_the_fifty_move_draw() {
    for (men, clock) in [
        ("2B5/8/8/8/8/1kp2R1p/8/1Q3K2", 95),
        ("8/2pR1R2/2p5/8/1k2K3/8/8/1R6", 97),
        ("8/2K5/1Q5Q/6N1/3p4/8/1k6/8", 95),
        ("8/8/K4pR1/8/3k4/8/2QR4/8", 95),
    ] {
        let length = |clock: u16| length(&game(&format!("{men} b - - {clock} 80"), ""), 6);
        assert!(length(0).is_some(), "{men}");
        assert_eq!(length(clock), None, "{men}");
    }
}
