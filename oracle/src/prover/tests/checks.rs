//! Discovered checks, moves that only look like checks, and defences that are easily overlooked.

use shakmaty::Position;

use super::*;
use crate::prover::certificate::{push_place, sorted_moves};

#[test]
fn bishops_and_pawns_mate() {
    check("7k/8/4B1K1/8/8/8/8/2B5 w - - 0 1", 1);
    check("7k/5K2/6P1/8/4B3/8/8/8 w - - 0 1", 1);
    check("8/8/8/4b3/8/6p1/5k2/7K b - - 0 1", 1);
}

#[test]
fn a_discovered_check_mates() {
    // On a file, by a bishop that does not give check itself.
    check("k7/2K5/8/B7/8/8/8/R7 w - - 0 1", 1);
    // On a diagonal, by the king.
    check("k7/8/2K5/8/8/8/8/6BB w - - 0 1", 1);
}

/// Each of these moves takes the last reply away without check: stalemate.
#[test]
fn a_line_that_stays_closed_is_no_discovered_check() {
    // The pawn stays on the file that it closes.
    check_none("k7/2K5/1P6/P7/8/8/8/R7 w - - 0 1", 1);
    // A pawn stands behind the bishop.
    check_none("k7/2K5/1P6/B7/8/P7/8/R7 w - - 0 1", 1);
}

/// All replies but one allow a mate in one. The search and the certificate find that one reply.
#[track_caller]
fn check_only_defence(fen: &str, defence: &str) {
    let root = root(fen);
    check_none(fen, -1);
    let mut text = "-1:".to_owned();
    let mut saving = Vec::new();
    for reply in sorted_moves(&root) {
        let mut after = root.clone();
        after.play_unchecked(reply);
        let ProverVerdict::Mate { proof, .. } = prove(&after, 1, &ProverLimits::default()).verdict else {
            saving.push(reply.to_uci(root.castles().mode()).to_string());
            continue;
        };
        text.push_str(proof.0.trim_start_matches("1:"));
    }
    assert_eq!(saving, [defence], "{fen}");
    // A proof without that reply.
    assert!(Certificate(text).replay(&root).is_err(), "{fen}");
}

#[test]
fn castling_is_a_defence() {
    check_only_defence("4k2r/R6p/8/8/8/8/8/KR6 b k - 0 1", "e8g8");
    check("4k2r/R6p/8/8/8/8/8/KR6 b - - 0 1", -1);
}

#[test]
fn a_promotion_to_a_knight_is_a_defence() {
    check_only_defence("8/8/6B1/8/8/2K1N3/1p5R/2k5 b - - 0 1", "b2b1n");
}

#[test]
fn en_passant_is_a_defence() {
    let fen = "8/8/R7/7k/5K1p/8/6P1/8 w - - 0 1";
    check("8/8/R7/7k/5K1b/8/6P1/8 w - - 0 1", 1);
    check_none(fen, 1);
    let root = root(fen);
    let step =
        |place: &usize| sorted_moves(&root)[*place].to_uci(root.castles().mode()).to_string() == "g2g4";
    let mut text = "1:".to_owned();
    push_place(&mut text, (0..sorted_moves(&root).len()).find(step).unwrap());
    assert!(Certificate(text).replay(&root).is_err());
    // Only if the pawn has just made its double step.
    check_none("8/8/R7/7k/5KPp/8/8/8 b - g3 0 1", -1);
    check("8/8/R7/7k/5KPp/8/8/8 b - - 0 1", 0);
}
