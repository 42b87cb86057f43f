//! The proofs of the suite, and the features of its classes.

use std::collections::BTreeMap;

use rayon::prelude::*;
use shakmaty::{Position, Role};
use suites::mates::{MateCase, MateClaim};

use oracle::board::{Spelling, after, legal_move};

use super::faulty::{SUITE, mate, perfect};
use super::game;
use oracle::prover::{Certificate, ProverLimits, ProverVerdict, prove_in};

/// Every mate of the suite has a proof.
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
        assert!(!position.legal_moves().is_empty(), "{}", case.id);
    }
}

/// The mates of the suite are the shortest, and the other positions have none. The builder with `--check` and
/// a thorough run also prove the cases that are undecided here.
#[test]
#[ignore = "nightly: all cases"]
fn most_cases_are_proved_again() {
    prove_again(&SUITE.cases);
}

#[test]
fn most_cases_of_a_sample_are_proved_again() {
    let sample: Vec<MateCase> = SUITE.cases.iter().step_by(5).cloned().collect();
    prove_again(&sample);
}

fn prove_again(cases: &[MateCase]) {
    let limits = ProverLimits { nodes: 300_000, memory: 16 };
    let decided = cases.par_iter().filter(|case| {
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
    assert!(decided * 100 > 85 * cases.len(), "{decided} of {}", cases.len());
}

#[test]
fn cases_have_the_features_of_their_classes() {
    let mut lengths = BTreeMap::<i32, usize>::new();
    for case in &SUITE.cases {
        let game = game(case).unwrap();
        let position = game.position();
        if let Some(moves) = mate(case) {
            *lengths.entry(moves).or_default() += 1;
            let best = perfect(case, position).best.unwrap();
            let mv = legal_move(position, &best, Spelling::Tolerant).unwrap();
            let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
            match case.class() {
                "quiet-key" => {
                    let after = after(position, mv);
                    assert!(!mv.is_capture() && !mv.is_promotion() && !after.is_check(), "{}", case.id);
                }
                "castling" => assert!(mv.is_castle(), "{}", case.id),
                "edge-case" => {
                    let underpromotes = mv.promotion().is_some_and(|role| role != Role::Queen);
                    let gives_away = !after(position, mv).capture_moves().is_empty();
                    assert!(underpromotes || mv.is_en_passant() || gives_away, "{}", case.id);
                }
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
