//! The suite itself: its proofs, and what its classes promise.

use std::collections::BTreeMap;

use rayon::prelude::*;
use shakmaty::{CastlingMode, Position};
use suites::mates::MateClaim;

use super::faulty::{SUITE, after, mate, perfect};
use super::game;
use oracle::prover::{Certificate, ProverLimits, ProverVerdict, prove_in};

/// Every mate of the suite is proven by what stands beside it.
#[test]
fn the_proofs_replay() {
    assert!(SUITE.cases.len() >= 300);
    for case in &SUITE.cases {
        let game = game(case).unwrap();
        let position = game.position();
        if let Some(moves) = mate(case) {
            let proven = Certificate(SUITE.proofs[&case.id].clone()).replay_in(&game);
            assert_eq!(proven.unwrap().moves, moves, "{}", case.id);
        }
        assert!(!super::truth::is_over(position), "{}", case.id);
    }
}

/// No mate of the suite is longer than need be, and those without are so. What takes longest is proven by the builder with
/// `--check` and by a thorough run.
#[test]
fn all_but_the_longest_of_the_suite_is_proven_again() {
    let limits = ProverLimits { nodes: 300_000, memory: 16 };
    let decided = SUITE.cases.par_iter().filter(|case| {
        let (MateClaim::Mate(moves) | MateClaim::NoMate(moves)) = case.claim;
        let found = match prove_in(&game(case).unwrap(), moves, &limits).verdict {
            ProverVerdict::Mate { moves, .. } => MateClaim::Mate(moves.into()),
            ProverVerdict::Mated { moves, .. } => MateClaim::Mate(-i32::from(moves)),
            ProverVerdict::Refuted => MateClaim::NoMate(moves),
            ProverVerdict::Undecided => {
                assert!(moves.abs() > 3, "{}", case.id);
                return false;
            }
        };
        assert_eq!(found, case.claim, "{}", case.id);
        true
    });
    let decided = decided.count();
    assert!(decided * 100 > 85 * SUITE.cases.len(), "{decided} of {}", SUITE.cases.len());
}

/// What the classes promise of their positions, where it can be seen.
#[test]
fn classes_hold_what_they_promise() {
    let mut lengths = BTreeMap::<i32, usize>::new();
    for case in &SUITE.cases {
        let game = game(case).unwrap();
        let position = game.position();
        if let Some(moves) = mate(case) {
            *lengths.entry(moves).or_default() += 1;
            let mv = super::line::legal(position, &perfect(case, position).best.unwrap()).unwrap();
            let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
            match case.class() {
                "quiet-key" => {
                    let gives_check = after(position, &[mv.to_uci(CastlingMode::Standard).to_string()]);
                    assert!(!mv.is_capture() && !mv.is_promotion() && !gives_check.is_check(), "{}", case.id);
                }
                "castling" => assert!(mv.is_castle(), "{}", case.id),
                "hundredth-ply" => {
                    assert_eq!(i64::from(position.halfmoves()) + i64::from(plies), 100, "{}", case.id);
                }
                "repetition" => assert!(!game.twice().is_empty() || case.moves.len() < 6, "{}", case.id),
                "memory-clock" => {
                    assert!(i64::from(position.halfmoves()) + i64::from(plies) > 90, "{}", case.id);
                }
                "table-clock" => assert_eq!(position.board().occupied().count(), 3, "{}", case.id),
                _ => {}
            }
        } else {
            assert!(matches!(case.class(), "too-late" | "false-mate"), "{}", case.id);
        }
    }
    for moves in (-6..=8).filter(|&moves| moves != 0) {
        assert!(lengths.get(&moves).is_some_and(|&cases| cases >= 8), "{moves}: {lengths:?}");
    }
}
