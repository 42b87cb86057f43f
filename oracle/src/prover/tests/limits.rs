//! ProverLimits are kept, and what they cut short is never taken for known.

use super::*;
use crate::prover::table::HashTable;

/// A mate in 5 without a check at first.
const LONG: &str = "5k2/1R4p1/P4p2/2Pp4/3N3n/4P3/2P4P/2B4K w - - 2 39";

fn with(fen: &str, moves: i32, nodes: u64, memory: usize) -> ProverOutcome {
    prove(&root(fen), moves, &ProverLimits { nodes, memory })
}

#[test]
fn few_nodes_decide_nothing_and_are_not_exceeded() {
    let whole = with(LONG, 5, u64::MAX, 64);
    assert!(matches!(whole.verdict, ProverVerdict::Mate { moves: 5, .. }), "{whole:?}");
    for nodes in (0..20).chain((5..).map(|power| 1 << power).take_while(|&nodes| nodes < whole.nodes)) {
        assert_eq!(
            with(LONG, 5, nodes, 64),
            ProverOutcome { verdict: ProverVerdict::Undecided, nodes },
            "{nodes}"
        );
    }
    // One position less is not enough, and as many are.
    assert_eq!(with(LONG, 5, whole.nodes, 64), whole);
    assert_eq!(with(LONG, 5, whole.nodes - 1, 64).verdict, ProverVerdict::Undecided);
}

#[test]
fn little_memory_finds_the_same_or_nothing() {
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
fn an_answer_is_the_same_each_time() {
    for moves in [3, 4, 5, 6] {
        assert_eq!(with(LONG, moves, 5_000_000, 16), with(LONG, moves, 5_000_000, 16));
    }
}

/// Two kings that cannot leave their ranks: no mate before the fifty moves are over, by a search of a hundred plies.
#[test]
fn a_claim_may_be_long() {
    let fen = "k7/p1p1p1p1/P1P1P1P1/8/8/p1p1p1p1/P1P1P1P1/K7 w - - 0 1";
    for moves in [100, -100] {
        assert_eq!(with(fen, moves, 20_000_000, 64).verdict, ProverVerdict::Refuted);
    }
    // What is longer than the prover looks is not refuted.
    for moves in [101, -101, i32::MAX, i32::MIN] {
        assert_eq!(with(fen, moves, 20_000_000, 64).verdict, ProverVerdict::Undecided);
    }
}

/// Without memory no move can be tried that does not mate at once.
#[test]
fn tries_take_memory() {
    let fen = "8/8/8/8/8/1K6/2R5/1k6 w - - 0 1";
    assert_eq!(with(fen, 1, 1_000, 0).verdict, ProverVerdict::Refuted);
    assert_eq!(with(fen, 2, 1_000_000, 0).verdict, ProverVerdict::Undecided);
    // There is no mate in 2 here, but nothing to see it with.
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

/// How many of so many keys a table of so many bytes still knows.
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
fn tables_grow_as_far_as_they_may() {
    // A slot takes 24 bytes.
    assert!(kept(1 << 18, 100_000, |value| value) <= (1 << 18) / 24);
    // Also where all is worth the same.
    for worth in [(|value| value) as fn(u64) -> u64, |_| 0] {
        let many = kept(1 << 24, 20_000, worth);
        assert!(many > 14_000, "{many}");
    }
}

#[test]
fn keys_are_compared_whole() {
    let mut table = HashTable::new(1 << 16);
    table.put(1 << 64 | 7, 5, |_| 0);
    assert_eq!(table.get(1 << 64 | 7), Some(5));
    assert_eq!(table.get(2 << 64 | 7), None);
}
