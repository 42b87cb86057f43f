//! The counts of the embedded perft suites, counted again by shakmaty, and the rules of chess that the suites
//! cover.

use oracle::board::{self, Accept};
use shakmaty::{CastlingMode, Chess, Move, Position};
use suites::perft::{Castling, PerftSuite};

const SHALLOW: u64 = 100_000;

fn mode(castling: Castling) -> CastlingMode {
    match castling {
        Castling::Standard => CastlingMode::Standard,
        Castling::Chess960 => CastlingMode::Chess960,
    }
}

fn position(suite: &PerftSuite, fen: &str) -> Chess {
    board::position_in(fen, mode(suite.castling), Accept::Legal).unwrap()
}

#[test]
fn shakmaty_counts_the_same() {
    for suite in PerftSuite::embedded().unwrap() {
        for case in &suite.cases {
            let position = position(&suite, &case.fen);
            for count in case.counts_within(SHALLOW) {
                let nodes = shakmaty::perft(&position, count.depth);
                assert_eq!(nodes, count.nodes, "{} {} depth {}", suite.name, case.id, count.depth);
            }
        }
    }
}

/// Each kind of move, and mate, stalemate and double check, occurs at the root of at least two cases.
#[test]
fn every_rule_is_covered() {
    let mut promotions = [0; 4];
    let (mut en_passant, mut castles, mut castles_960) = (0, 0, 0);
    let (mut stalemates, mut mates, mut double_checks) = (0, 0, 0);
    for suite in PerftSuite::embedded().unwrap() {
        for case in &suite.cases {
            let root = position(&suite, &case.fen);
            stalemates += u32::from(root.is_stalemate());
            mates += u32::from(root.is_checkmate());
            double_checks += u32::from(root.checkers().count() == 2);
            for m in root.legal_moves() {
                match m {
                    Move::EnPassant { .. } => en_passant += 1,
                    Move::Castle { .. } if suite.castling == Castling::Chess960 => castles_960 += 1,
                    Move::Castle { .. } => castles += 1,
                    Move::Normal { promotion: Some(role), .. } => promotions[role as usize - 2] += 1,
                    _ => {}
                }
            }
        }
    }
    let met = [en_passant, castles, castles_960, stalemates, mates, double_checks];
    assert!(met.iter().chain(&promotions).all(|&count| count >= 2), "{met:?} {promotions:?}");
}
