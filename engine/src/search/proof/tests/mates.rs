//! Known mates with their exact lengths, for both sides.

use super::{game, length, mv, position, prove, text};
use crate::{Bitboard, CastlingRights, Game, Position, Setup};

/// Position, plies, and the first move if it is unique.
const MATES: &[(&str, u16, &str)] = &[
    // Back rank, with the king's support, smothered.
    ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 1, "a1a8"),
    ("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", 1, ""),
    ("r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1", 1, "h5f7"),
    ("3r2k1/5ppp/8/8/8/8/3R1PPP/3R2K1 w - - 0 1", 1, "d2d8"),
    // Only a knight promotion; only en passant; only castling.
    ("6nr/5Ppk/6pp/8/8/8/8/6K1 w - - 0 1", 1, "f7f8n"),
    ("8/8/5P1k/5PpP/8/8/8/2B3KR w - g6 0 1", 1, "f5g6"),
    ("4R3/8/8/8/2p5/2pk4/8/R3K3 w Q - 0 1", 1, "e1c1"),
    // Only a rook promotion, because a queen stalemates.
    ("8/5P1k/5K2/8/8/8/8/8 w - - 0 1", 3, "f7f8r"),
    ("8/6P1/7k/5K2/8/8/8/8 w - - 0 1", 3, ""),
    // A quiet sacrifice (Morphy).
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 3, "a1a6"),
    ("7k/8/R7/1R6/8/8/8/K7 w - - 0 1", 3, ""),
    ("r2k4/pp1b3p/8/2p1p1b1/2P5/1P1p2n1/P4r2/RK6 b - - 5 32", 3, "g3e4"),
    ("5rk1/4b1pp/4p3/3n4/p3p2n/6K1/5r2/8 b - - 3 44", 3, ""),
    ("6k1/6pp/p3p3/2P1p3/1n2P1PP/p1b1K3/5r2/1r1R3n b - - 8 36", 3, ""),
    ("7k/5Q2/8/6K1/8/8/8/8 w - - 0 1", 5, ""),
    ("8/2P5/k1K5/8/8/8/8/8 w - - 0 1", 5, "c7c8q"),
    ("8/8/8/1k6/8/1K6/PP6/RQ6 w - - 0 1", 5, ""),
    ("4rrk1/1p4bp/2n3p1/Pppp4/3P1B2/8/1PP2PKP/4q3 b - - 0 29", 5, ""),
    ("6k1/5R2/P6p/1P3p1P/3P1p2/3P1B2/3K1P2/8 w - - 1 43", 5, ""),
    ("r6r/pp3kpp/5n2/8/P3p3/2PpPnPb/1P6/4RN1K b - - 3 27", 5, ""),
    ("5r1k/6pp/8/6N1/8/1Q6/8/6K1 w - - 0 1", 7, "g5f7"),
    ("k3qQ2/bp6/2pN4/P3P2p/P5r1/2P1P2P/6P1/5R1K w - - 1 32", 7, ""),
    ("4kr2/1p5p/p3p3/4p1p1/2prPPPb/8/4K3/8 b - - 0 33", 7, ""),
    ("6k1/p1pb1p2/7p/6p1/1b5r/p7/8/5K2 b - - 1 41", 7, ""),
    ("8/8/8/8/3k4/8/1R6/R3K3 w Q - 0 1", 9, ""),
    ("6k1/6p1/3bp1p1/3p2r1/1pp5/7p/4K3/8 b - - 1 45", 9, ""),
    ("4r1k1/pp3p1p/3q1p2/3p4/7n/1R3P1P/P4r2/6RK b - - 1 34", 11, ""),
    // Mated after every move; or mated already.
    ("8/8/8/8/8/8/1q6/K1k5 w - - 0 1", 0, ""),
    ("7k/1R6/R7/8/8/8/8/K7 b - - 0 1", 2, "h8g8"),
    ("8/8/8/8/8/2k5/8/K1q5 w - - 0 1", 2, "a1a2"),
    ("8/8/8/8/8/k1K5/8/7R b - - 0 1", 4, ""),
    ("k7/8/2K5/8/8/8/8/7Q b - - 0 1", 4, ""),
    ("5r1k/5Npp/8/8/8/1Q6/8/6K1 b - - 0 1", 6, ""),
    ("8/8/8/R7/3k4/8/1R6/4K3 b - - 1 1", 8, ""),
];

/// The same position with colours swapped.
fn flip(position: &Position) -> Position {
    let setup = position.to_setup();
    let squares = |squares: Bitboard| squares.flip_vertical();
    let flipped = Setup {
        board: setup.board.flip_colors(),
        side_to_move: !setup.side_to_move,
        castling: CastlingRights::from_rooks(squares(setup.castling.rooks())),
        en_passant: setup.en_passant.and_then(|square| squares(square.into()).first()),
        ..setup
    };
    Position::from_setup(&flipped).unwrap()
}

/// A claim of the true length or more is proven with the true length; a shorter claim is not.
fn are_proven_at_their_length(mates: impl Iterator<Item = &'static (&'static str, u16, &'static str)>) {
    for &(fen, plies, first) in mates {
        let game = game(fen, "");
        assert_eq!(length(&Game::new(flip(game.position())), plies), Some(plies), "{fen}");
        assert_eq!(plies.checked_sub(2).and_then(|less| length(&game, less)), None, "{fen}");
        if plies < 8 {
            assert_eq!(length(&game, plies + 2), Some(plies), "{fen}");
        }
        let line = prove(&game, None, plies, &[]).unwrap_or_else(|| panic!("{fen}")).line;
        assert_eq!(line.len(), usize::from(plies), "{fen}");
        let line = text(&game, &line);
        assert!(line.starts_with(first), "{fen}: {line}");
    }
}

#[test]
fn known_short_mates_are_proven_at_their_length() {
    are_proven_at_their_length(MATES.iter().filter(|(_, plies, _)| *plies <= 6));
}

#[test]
#[ignore = "nightly: mates of four moves and more"]
fn known_long_mates_are_proven_at_their_length() {
    are_proven_at_their_length(MATES.iter().filter(|(_, plies, _)| *plies > 6));
}

/// One defence suffices: the only move, a stalemate, a capture, a check.
#[test]
fn mates_with_a_defence_are_not_proven() {
    for (fen, plies) in [
        // The rook returns; the pawn makes room; the bishop interposes.
        ("r5k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 3),
        ("6k1/5pp1/7p/8/8/8/8/R5K1 w - - 0 1", 3),
        ("6k1/5ppp/8/2b5/8/8/8/R5K1 w - - 0 1", 3),
        // Knights alone force nothing; a queen stalemates; bare kings.
        ("7k/5K2/8/5NN1/8/8/8/8 w - - 0 1", 1),
        ("8/8/8/8/8/k7/8/K1q5 w - - 0 1", 3),
        ("7k/5Q2/5K2/8/8/8/8/8 b - - 0 1", 2),
        ("k7/P7/1K6/8/8/8/8/7R b - - 0 1", 2),
        ("8/8/4k3/8/4K3/8/8/8 w - - 0 1", 9),
        ("8/8/4k3/8/4K3/8/8/8 w - - 0 1", 8),
        // The king has no move, but the check can be answered.
        ("5rk1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 1),
    ] {
        assert_eq!(length(&game(fen, ""), plies), None, "{fen}");
    }
}

/// Root moves may be restricted: the attacker must mate with one of them, the defender has only them.
#[test]
fn root_moves_can_be_restricted() {
    let root = "7k/8/R7/1R6/8/8/8/K7 w - - 0 1";
    let ladder = position(root);
    for (moves, expected) in [
        (&["b5b7"][..], Some(3)),
        (&["a6a7"], Some(3)),
        (&["a1a2"], None),
        (&["a1a2", "b5b7"], Some(3)),
        (&["b5b1"], None),
    ] {
        let moves: Vec<_> = moves.iter().map(|text| mv(&ladder, text)).collect();
        let proof = prove(&game(root, ""), None, 3, &moves);
        assert_eq!(proof.as_ref().map(|proof| proof.line.len()), expected, "{moves:?}");
        assert!(proof.is_none_or(|proof| moves.contains(&proof.line[0])), "{moves:?}");
    }
    // The king may leave the rank or stay on it.
    let root = "6k1/8/8/R7/8/8/8/1R4K1 b - - 0 1";
    let stays = [mv(&position(root), "g8h8")];
    assert_eq!(prove(&game(root, ""), None, 4, &stays).map(|proof| proof.line.len()), Some(4));
    assert_eq!(length(&game(root, ""), 4), None);
}
