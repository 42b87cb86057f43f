//! The halfmove clock in the hash tables and in certificates.

use shakmaty::Position;

use super::*;
use crate::prover::certificate::{ProvenEntry, ProvenPositions};
use crate::prover::table::{HashTable, Keys};

fn seed(clock: u32) -> Chess {
    root(&format!("8/8/8/8/8/1K6/2R5/1k6 w - - {clock} 120"))
}

/// The entry for one clock after a result was stored for another clock.
fn known(entered: u32, moves: u16, by: Option<u8>, asked: u32, asked_moves: u16) -> Option<bool> {
    let mut table = HashTable::new(1 << 16);
    Keys::from_position(&seed(entered)).enter(&mut table, moves, by);
    Keys::from_position(&seed(asked)).known(&table, asked_moves).decides(asked_moves)
}

#[test]
fn stored_results_hold_for_clocks_with_enough_time() {
    // Three moves take five plies: a clock of 95 leaves enough time, 96 does not.
    for (entered, asked, refuted) in
        [(0, 95, Some(false)), (95, 0, Some(false)), (96, 95, None), (96, 97, None), (96, 96, Some(false))]
    {
        assert_eq!(known(entered, 3, None, asked, 3), refuted, "{entered} {asked}");
    }
    // A refutation without the clock also holds with a clock, but not for more moves.
    assert_eq!(known(0, 3, None, 99, 3), Some(false));
    assert_eq!(known(0, 3, None, 0, 4), None);
    assert_eq!(known(0, 3, None, 0, 2), Some(false));
    for (entered, asked, mate) in [
        (0, 95, Some(true)),
        (95, 0, Some(true)),
        (0, 96, None),
        (0, 97, None),
        (96, 96, Some(true)),
        (96, 95, None),
    ] {
        assert_eq!(known(entered, 3, Some(0), asked, 3), mate, "{entered} {asked}");
    }
    // With more moves to go, a mate that comes too late is still no mate.
    assert_eq!(known(0, 3, Some(0), 96, 8), None);
    assert_eq!(known(0, 3, Some(0), 95, 8), Some(true));
    assert_eq!(known(0, 3, Some(0), 0, 2), None);
}

#[test]
fn proof_numbers_have_keys_of_their_own() {
    let key =
        |clock: u32, moves: u16, mated: bool| Keys::from_position(&seed(clock)).with_moves(moves, mated);
    // The key leaves the clock out if it cannot matter: five plies for the side that mates in 3, six for the
    // other.
    assert_eq!(key(0, 3, false), key(95, 3, false));
    assert_ne!(key(0, 3, false), key(96, 3, false));
    assert_eq!(key(0, 3, true), key(94, 3, true));
    assert_ne!(key(0, 3, true), key(95, 3, true));
    assert_ne!(key(96, 3, false), key(97, 3, false));
    assert_ne!(key(0, 3, false), key(0, 4, false));
    assert_ne!(key(0, 3, false), key(0, 3, true));
}

#[test]
fn castling_rights_and_en_passant_are_part_of_a_key() {
    let key = |fen: &str| Keys::from_position(&root(fen)).with_moves(3, true);
    assert_ne!(key("4k2r/R6p/8/8/8/8/8/KR6 b k - 0 1"), key("4k2r/R6p/8/8/8/8/8/KR6 b - - 0 1"));
    assert_ne!(key("8/8/R7/7k/5KPp/8/8/8 b - g3 0 1"), key("8/8/R7/7k/5KPp/8/8/8 b - - 0 1"));
    // No pawn can capture: it is the same position.
    assert_eq!(key("8/8/R7/7k/5KPb/8/8/8 b - g3 0 1"), key("8/8/R7/7k/5KPb/8/8/8 b - - 0 1"));
}

/// As in the description of the format: at most as many moves as there are to go, and a clock that is at most
/// that of the proof or that does not matter.
#[test]
fn a_proof_is_used_again_with_enough_time_and_moves() {
    let mv = seed(0).legal_moves()[0];
    let serves = |proven: u32, clock: u32, to_go: u16| {
        let mut standing = ProvenPositions::default();
        standing.enter(&seed(proven), ProvenEntry { moves: 3, clock: proven, mv });
        standing.serving(&seed(clock), to_go).is_some()
    };
    for (proven, clock, expected) in [
        (0, 0, true),
        (0, 95, true),
        (0, 96, false),
        (97, 97, true),
        (97, 96, true),
        (97, 98, false),
        (97, 0, true),
    ] {
        assert_eq!(serves(proven, clock, 3), expected, "{proven} {clock}");
        assert_eq!(serves(proven, clock, 9), expected, "{proven} {clock}");
        assert!(!serves(proven, clock, 2), "{proven} {clock}");
    }
}

/// A later proof replaces an earlier one, even if it can be used less often.
#[test]
fn a_later_proof_replaces_an_earlier_one() {
    let mv = seed(0).legal_moves()[0];
    let mut standing = ProvenPositions::default();
    standing.enter(&seed(97), ProvenEntry { moves: 3, clock: 97, mv });
    standing.enter(&seed(96), ProvenEntry { moves: 4, clock: 96, mv });
    assert_eq!(standing.serving(&seed(96), 4).map(|entry| entry.moves), Some(4));
    assert!(standing.serving(&seed(97), 4).is_none());
}

/// Black can only move its pawn, which would reset the clock. With the clock at 100 it is too late.
#[test]
fn no_reply_resets_a_clock_at_100() {
    let fen = |clock: u32| format!("k2N4/2K3Rp/1P6/8/8/8/8/8 w - - {clock} 120");
    check(&fen(98), 2);
    check_none(&fen(99), 2);
    let ProverVerdict::Mate { proof, .. } = prove(&root(&fen(98)), 2, &ProverLimits::default()).verdict
    else {
        panic!("no mate")
    };
    assert!(matches!(
        proof.replay(&root(&fen(99))),
        Err(CertificateError::Escape { escape: Escape::Clock, .. })
    ));
    // The same with a longer mate, which the proof-number search looks for.
    check_none("8/4p3/N7/8/8/3K4/1B6/1k6 w - - 97 120", 5);
}

/// If the game is over, no move is searched. Searching them would not be wrong, but would take most of the
/// time.
#[test]
fn a_clock_at_100_ends_the_search() {
    let late = root("8/8/b7/2R5/8/2K5/8/k7 w - - 98 120");
    let limits = ProverLimits { nodes: 60_000, ..ProverLimits::default() };
    assert_eq!(prove(&late, 4, &limits).verdict, ProverVerdict::Refuted);
}
