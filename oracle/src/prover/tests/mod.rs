mod brute_force;
mod certificates;
mod checks;
mod clock;
mod history;
mod limits;
mod tables;

use super::*;
use crate::board::{self, Accept};

#[track_caller]
fn root(fen: &str) -> Chess {
    board::position_of_any_mode(fen, Accept::Unreachable).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// The mate proven with a valid certificate, negative for being mated. `None` if there is none in this many
/// moves.
#[track_caller]
fn proven(root: &Chess, moves: i32) -> Option<i32> {
    let fen = board::fen(root);
    let (found, proof) = match prove(root, moves, &ProverLimits::default()).verdict {
        ProverVerdict::Mate { moves, proof } => (i32::from(moves), proof),
        ProverVerdict::Mated { moves, proof } => (-i32::from(moves), proof),
        ProverVerdict::Refuted => return None,
        ProverVerdict::Undecided => panic!("undecided: {fen}"),
    };
    let replayed = proof.replay(root).unwrap_or_else(|fault| panic!("{fen} {proof:?}: {fault}"));
    assert_eq!(replayed.moves, found, "{fen} {proof:?}");
    // The line has the moves of both sides and ends with a move of the side that mates.
    let plies = 2 * found.unsigned_abs() as usize - usize::from(found > 0);
    assert_eq!(replayed.line.len(), plies, "{fen} {proof:?}");
    Some(found)
}

/// This is the shortest mate, and no shorter one is reported.
#[track_caller]
fn check(fen: &str, expected: i32) {
    let root = root(fen);
    assert_eq!(proven(&root, expected), Some(expected), "{fen}");
    assert_eq!(proven(&root, expected + 2 * expected.signum()), Some(expected), "{fen}");
    if expected != 0 {
        assert_eq!(proven(&root, expected - expected.signum()), None, "{fen}");
    }
}

#[track_caller]
fn check_none(fen: &str, moves: i32) {
    assert_eq!(proven(&root(fen), moves), None, "{fen}");
}

#[test]
fn mates_of_each_kind() {
    check("8/8/8/8/8/1K6/2R5/1k6 w - - 0 1", 2);
    check("8/8/8/8/8/1KR5/8/1k6 b - - 0 1", -1);
    // Castling, en passant or underpromotion is the only mating move.
    check("8/2n5/8/7N/5P2/8/7R/k3K2R w K - 0 1", 1);
    check("8/8/4R1Q1/4Pp2/4k1K1/4N3/8/3Q4 w - f6 0 1", 1);
    check("8/1P2R3/k7/4Q3/8/8/5Q1K/8 w - - 0 1", 1);
    // A queen would stalemate. A rook mates in 7, and there is no mate in 6.
    check("8/1P6/k7/8/K7/8/8/8 w - - 0 1", 7);
    check("8/1P6/7k/8/4K3/8/8/8 w - - 0 1", 5);
    // Bare kings.
    check_none("8/8/8/8/8/1K6/8/1k6 w - - 0 1", 100);
    check_none("8/8/8/8/8/1K6/8/1k6 w - - 0 1", -100);
    // A smothered mate.
    check("6rk/6pp/8/6N1/8/8/8/7K w - - 0 1", 1);
}

#[test]
fn ends_of_the_game() {
    check("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", 0);
    check("7k/6Q1/6K1/8/8/8/8/8 b - - 100 99", 0);
    // Stalemate is not mate, for either side, in any number of moves.
    for moves in [-100, -1, 0, 1, 100] {
        check_none("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", moves);
    }
    // A side that is checkmated does not mate.
    check_none("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", 3);
}

/// Mate in 2 takes three plies, being mated in 1 takes two.
#[test]
fn mate_comes_on_the_hundredth_ply_at_the_latest() {
    let mates = |clock: u32| root(&format!("8/8/8/8/8/1K6/2R5/1k6 w - - {clock} 120"));
    let mated = |clock: u32| root(&format!("8/8/8/8/8/1KR5/8/1k6 b - - {clock} 120"));
    for clock in [0, 50, 96, 97] {
        assert_eq!(proven(&mates(clock), 10), Some(2), "{clock}");
        assert_eq!(proven(&mated(clock + 1), -10), Some(-1), "{clock}");
    }
    for clock in [98, 99, 100, 101] {
        assert_eq!(proven(&mates(clock), 10), None, "{clock}");
        assert_eq!(proven(&mated(clock + 1), -10), None, "{clock}");
    }
    assert_eq!(proven(&root("7k/8/5KQ1/8/8/8/8/8 w - - 99 120"), 9), Some(1));
    assert_eq!(proven(&root("7k/8/5KQ1/8/8/8/8/8 w - - 100 120"), 9), None);
    // A pawn move resets the clock.
    check("k7/7P/1K6/8/8/8/8/8 w - - 99 120", 1);
    check("8/k6P/8/1K6/8/8/8/6R1 w - - 98 120", 2);
}
