//! The prover keeps its limits, and an interrupted search stores no wrong result.

use super::*;
use crate::prover::table::HashTable;

/// A mate in 5 without a check at first.
const LONG: &str = "5k2/1R4p1/P4p2/2Pp4/3N3n/4P3/2P4P/2B4K w - - 2 39";

fn with(fen: &str, moves: i32, nodes: u64, memory: usize) -> ProverOutcome {
    prove(&root(fen), moves, &ProverLimits { nodes, memory })
}

#[test]
fn the_limit_of_nodes_is_kept() {
    let whole = with(LONG, 5, u64::MAX, 64);
    assert!(matches!(whole.verdict, ProverVerdict::Mate { moves: 5, .. }), "{whole:?}");
    for nodes in (0..20).chain((5..).map(|power| 1 << power).take_while(|&nodes| nodes < whole.nodes)) {
        assert_eq!(
            with(LONG, 5, nodes, 64),
            ProverOutcome { verdict: ProverVerdict::Undecided, nodes },
            "{nodes}"
        );
    }
    // This many positions are enough, and one fewer is not.
    assert_eq!(with(LONG, 5, whole.nodes, 64), whole);
    assert_eq!(with(LONG, 5, whole.nodes - 1, 64).verdict, ProverVerdict::Undecided);
}

#[test]
fn with_little_memory_the_result_is_the_same_or_undecided() {
    for memory in [0, 1, 2, 4, 1 << 10] {
        let outcome = with(LONG, 5, 20_000_000, memory);
        match outcome.verdict {
            ProverVerdict::Mate { moves, proof } => {
                assert_eq!(proof.replay(&root(LONG)).unwrap().moves, i32::from(moves));
                assert_eq!(moves, 5);
            }
            verdict => assert_eq!((verdict, memory), (ProverVerdict::Undecided, 0)),
        }
        if memory > 0 {
            assert_eq!(with(LONG, 4, 20_000_000, memory).verdict, ProverVerdict::Refuted);
        }
    }
}

#[test]
fn results_are_reproducible() {
    for moves in [3, 4, 5, 6] {
        assert_eq!(with(LONG, moves, 5_000_000, 16), with(LONG, moves, 5_000_000, 16));
    }
}

/// Two kings that cannot leave their ranks: there is no mate before the fifty-move rule ends the game, after
/// a hundred plies of search. A longer mate than the prover searches is not refuted.
#[track_caller]
fn check_long(moves: i32, expected: &ProverVerdict) {
    let fen = "k7/p1p1p1p1/P1P1P1P1/8/8/p1p1p1p1/P1P1P1P1/K7 w - - 0 1";
    assert_eq!(&with(fen, moves, 20_000_000, 64).verdict, expected);
}

#[test]
fn long_mates_can_be_refuted() {
    check_long(100, &ProverVerdict::Refuted);
    check_long(-101, &ProverVerdict::Undecided);
}

#[test]
#[ignore = "nightly: refutes a mate in 100 four times"]
fn mates_of_any_length_are_refuted_or_undecided() {
    check_long(-100, &ProverVerdict::Refuted);
    for moves in [101, i32::MAX, i32::MIN] {
        check_long(moves, &ProverVerdict::Undecided);
    }
}

/// Without memory, only moves that mate at once can be tried.
#[test]
fn moves_to_try_take_memory() {
    let fen = "8/8/8/8/8/1K6/2R5/1k6 w - - 0 1";
    assert_eq!(with(fen, 1, 1_000, 0).verdict, ProverVerdict::Refuted);
    assert_eq!(with(fen, 2, 1_000_000, 0).verdict, ProverVerdict::Undecided);
    // There is no mate in 2 here, but there is no memory to find that out.
    let longer = "8/8/8/8/8/2K5/4R3/1k6 w - - 0 1";
    assert_eq!(with(longer, 2, 1_000_000, 1).verdict, ProverVerdict::Refuted);
    assert_eq!(with(longer, 2, 1_000_000, 0).verdict, ProverVerdict::Undecided);
    // A proof of one move takes memory too.
    assert_eq!(with("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", 1, 1_000, 0).verdict, ProverVerdict::Undecided);
    assert!(matches!(
        with("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", 1, 1_000, 1).verdict,
        ProverVerdict::Mate { moves: 1, .. }
    ));
}

/// The number of keys that a hash table of this many bytes still holds after all were stored.
fn kept(bytes: usize, keys: u64, worth: fn(u64) -> u64) -> usize {
    let key = |number: u64| {
        u128::from(number.wrapping_mul(0x9E37_79B9_7F4A_7C15)) << 64
            | u128::from(number.wrapping_mul(0xD1B5_4A32_D192_ED03))
    };
    let mut table = HashTable::new(bytes);
    for number in 1..=keys {
        table.put(key(number), number, worth);
    }
    (1..=keys).filter(|&number| table.get(key(number)) == Some(number)).count()
}

#[test]
fn hash_tables_grow_to_their_limit() {
    // A slot takes 24 bytes.
    assert!(kept(1 << 18, 100_000, |value| value) <= (1 << 18) / 24);
    // Also if all values have the same worth.
    for worth in [(|value| value) as fn(u64) -> u64, |_| 0] {
        let many = kept(1 << 24, 20_000, worth);
        assert!(many > 14_000, "{many}");
    }
}

#[test]
fn all_bits_of_a_key_are_compared() {
    let mut table = HashTable::new(1 << 16);
    table.put(1 << 64 | 7, 5, |_| 0);
    assert_eq!(table.get(1 << 64 | 7), Some(5));
    assert_eq!(table.get(2 << 64 | 7), None);
}
