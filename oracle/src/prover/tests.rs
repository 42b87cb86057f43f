use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, PositionError};

use super::*;

pub(super) fn position(fen: &str) -> Chess {
    let position = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard);
    position.or_else(PositionError::ignore_impossible_check).unwrap()
}

/// The mate that is proven, and that its certificate proves no less: positive for mate, negative for mated.
#[track_caller]
pub(super) fn proven(fen: &str, moves: i32) -> Option<i32> {
    let root = position(fen);
    let (found, proof) = match prove(&root, moves, &Limits::default()).verdict {
        Verdict::Mate { moves, proof } => (i32::from(moves), proof),
        Verdict::Mated { moves, proof } => (-i32::from(moves), proof),
        Verdict::Refuted => return None,
        Verdict::Undecided => panic!("undecided: {fen}"),
    };
    let replayed = proof.replay(&root).unwrap_or_else(|fault| panic!("{fen} {proof:?}: {fault}"));
    assert_eq!(replayed.moves, found, "{fen} {proof:?}");
    Some(found)
}

#[test]
fn smoke() {
    let c = prove(&position("8/8/8/8/8/1K6/2R5/1k6 w - - 0 1"), 5, &Limits::default());
    println!("{c:?}");
    assert_eq!(proven("8/8/8/8/8/1K6/2R5/1k6 w - - 0 1", 5), Some(2));
    assert_eq!(proven("8/8/8/8/8/1K6/2R5/1k6 b - - 0 1", -5), Some(-1));
    assert_eq!(proven("8/8/8/8/8/1K6/2R5/1k6 w - - 97 90", 5), Some(2));
    assert_eq!(proven("8/8/8/8/8/1K6/2R5/1k6 w - - 98 90", 5), None);
}
