//! Published perft counts, and comparisons of the perft functions.

use crate::support::{Rng, lines};
use engine::{PerftOptions, Position, divide, divide_with, perft, perft_with};

#[test]
fn counts_equal_the_published_counts() {
    let mut cases = 0;
    for line in lines(include_str!("../data/perft.txt")) {
        let (fen, counts) = line.split_once(" ; ").unwrap();
        let position = Position::from_fen(fen).unwrap();
        for count in counts.split(' ') {
            let (depth, nodes) = count.split_once(':').unwrap();
            assert_eq!(perft(&position, depth.parse().unwrap()).to_string(), nodes, "{fen} to depth {depth}");
            cases += 1;
        }
    }
    assert!(cases > 20, "only {cases} cases");
}

#[test]
fn all_functions_agree() {
    let mut rng = Rng(9);
    for _ in 0..20 {
        let position = rng.beginning();
        for depth in 0..=3 {
            let nodes = perft(&position, depth);
            let divided = divide(&position, depth);
            for (threads, hash_mb) in [(1, 0), (2, 0), (1, 1), (3, 1)] {
                let options = PerftOptions { threads, hash_mb };
                let counted = perft_with(&position, depth, options).unwrap();
                assert_eq!(counted, nodes, "{} to depth {depth}", position.to_fen());
                let counted = divide_with(&position, depth, options).unwrap();
                assert_eq!(counted, divided, "{} to depth {depth}", position.to_fen());
            }
            if depth > 0 {
                let sum: u64 = divided.iter().map(|&(_, nodes)| nodes).sum();
                assert_eq!(sum, nodes, "{} to depth {depth}", position.to_fen());
            }
        }
    }
}

/// Perft 2 is the number of replies to each move, added up.
#[test]
fn two_plies_are_the_replies_to_each_move() {
    let mut rng = Rng(4);
    // A knight that leaves f2 for d1 stands in the way of the rook.
    let in_the_way = Position::from_fen("4k3/8/8/8/8/8/PPP2n2/RK6 b A - 0 1").unwrap();
    // More bishops, rooks and queens than are kept as lines.
    let lines = Position::from_fen("rqbqkbqr/rbq3qb/8/8/4N3/2N5/PPP2PPP/R3K2R w KQ - 0 1").unwrap();
    // Castling opens or closes the back rank to the other king.
    let castling = [
        "8/8/8/8/8/8/7k/R3K3 w Q - 0 1",
        "8/8/8/8/8/8/k7/4K2R w K - 0 1",
        "8/8/8/8/8/8/8/k2bK2R w K - 0 1",
        "rnb1qbnr/pppppppp/8/8/8/2N5/PPPPPP1k/R3KB2 w Q - 0 1",
        "rnb1qbnr/pppppppp/8/8/8/6k1/PPPPP3/R2QK2R w KQ - 0 1",
    ];
    let castling = castling.map(|fen| Position::from_fen(fen).unwrap());
    for position in (0..300).flat_map(|_| rng.game()).chain([in_the_way, lines]).chain(castling) {
        let replies = |&mv: &_| position.play_unchecked(mv).legal_moves().len() as u64;
        let sum: u64 = position.legal_moves().iter().map(replies).sum();
        assert_eq!(perft(&position, 2), sum, "{}", position.to_fen());
    }
}

/// At this depth entries of the small table are overwritten and reused many times.
#[test]
fn a_small_hash_table_stays_exact() {
    let position = Position::starting();
    let counted = perft_with(&position, 6, PerftOptions { threads: 2, hash_mb: 1 }).unwrap();
    assert_eq!(counted, 119_060_324);
}

#[test]
fn a_hash_table_that_is_too_large_is_refused() {
    let options = PerftOptions { threads: 1, hash_mb: usize::MAX };
    let counted = perft_with(&Position::starting(), 1, options).map(drop);
    let divided = divide_with(&Position::starting(), 1, options).map(drop);
    for refused in [counted, divided] {
        assert_eq!(refused.unwrap_err().to_string(), format!("no memory for a table of {} MB", usize::MAX));
    }
}
