//! Tests of the mailbox board against the rules: perft, castling, en passant, promotion.

use super::super::movegen::Want;
use super::super::square0x88::Square0x88;
use super::*;
use crate::Role;

/// Perft without underpromotions, of the mailbox and of the rules.
fn perft(board: &mut Mailbox, position: &Position, depth: u8) -> (u64, u64) {
    let rules = position.legal_moves().into_iter();
    let rules = rules.filter(|mv| matches!(mv.promotion, None | Some(Role::Queen)));
    if depth == 0 {
        return (1, 1);
    }
    let theirs = rules.map(|mv| perft_rules(&position.play(mv), depth - 1)).sum();
    (perft_mailbox(board, depth), theirs)
}

fn perft_rules(position: &Position, depth: u8) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = position.legal_moves().into_iter();
    let known = moves.filter(|mv| matches!(mv.promotion, None | Some(Role::Queen)));
    known.map(|mv| perft_rules(&position.play(mv), depth - 1)).sum()
}

fn perft_mailbox(board: &mut Mailbox, depth: u8) -> u64 {
    if board.can_take_king() {
        return 0;
    }
    if depth == 0 {
        return 1;
    }
    let steps: Vec<_> =
        board.men_from(Square0x88::at(0, 0)).flat_map(|from| board.moves_from(from, Want::All)).collect();
    let mut sum = 0;
    for step in steps {
        let before = board.clone();
        let undo = board.make(step);
        sum += perft_mailbox(board, depth - 1);
        board.unmake(step, undo);
        assert_eq!(*board, before);
    }
    sum
}

/// Compares perft counts, at depths this much below those of the list.
fn perft_agrees(less: u8) {
    for (fen, depth) in [
        (START, 4),
        (BUSY, 3),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4),
        ("4k3/8/8/8/8/8/3pP2p/R3K2R w KQ - 0 1", 4),
    ] {
        let position = position(fen);
        let (ours, rules) = perft(&mut Mailbox::from_position(&position), &position, depth - less);
        assert_eq!(ours, rules, "{fen}");
    }
}

#[test]
fn moves_that_do_not_lose_the_king_are_the_legal_moves() {
    perft_agrees(1);
}

#[test]
#[ignore = "nightly: one ply deeper"]
fn moves_that_do_not_lose_the_king_are_the_legal_moves_one_ply_deeper() {
    perft_agrees(0);
}

#[test]
fn castling_en_passant_and_promotion_to_a_queen_are_played() {
    for (fen, depth, played) in [
        // Thirty points for castling, and no other gain.
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", 1, "e1h1"),
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", 1, "e1a1"),
        // Castling over an attacked square is not played, although the search likes castling.
        ("4kr2/8/8/8/8/8/8/4K2R w K - 0 1", 1, "e1e2"),
        ("k7/8/8/8/3Pp3/8/8/7K b - d3 0 1", 2, "e4d3"),
        ("8/8/2k5/8/8/4K3/6p1/8 b - - 0 1", 2, "g2g1q"),
        // A queen stalemates, a rook would win: it only promotes to queens.
        ("8/5P2/5K1k/8/8/8/8/8 w - - 0 1", 1, "f7f8q"),
    ] {
        for mode in Mode::ALL {
            assert_eq!(best(mode, fen, depth), played, "{} in {fen}", mode.name());
        }
    }
}

#[test]
fn it_promotes_to_queens_even_if_that_is_stalemate() {
    let underpromotion_wins = "8/5P1k/5K2/8/8/8/8/8 w - - 0 1";
    let position = position(underpromotion_wins);
    let queen = position.parse_uci("f7f8q", crate::CastlingMode::Standard).unwrap();
    assert!(position.play(queen).is_stalemate());
    for mode in Mode::ALL {
        for depth in 1..=6 {
            let thoughts = think(mode, underpromotion_wins, depth);
            let moves = thoughts.reports.iter().flat_map(|report| &report.line);
            let promotions = moves.chain(&thoughts.best).filter_map(|mv| mv.promotion);
            assert!(promotions.into_iter().all(|role| role == Role::Queen));
        }
        assert_ne!(best(mode, underpromotion_wins, 2), "f7f8q", "stalemate is seen one ply up");
    }
}

#[test]
fn a_wrong_hash_move_is_not_played() {
    let board = Mailbox::from_position(&position(START));
    let at = |square: &str| Square0x88::from_square(square.parse().unwrap());
    for (from, to, is_move) in [
        ("e2", "e4", true),
        ("a1", "a5", false),
        ("e4", "e5", false),
        ("e7", "e5", false),
        ("e1", "g1", false),
    ] {
        assert_eq!(board.move_between(at(from), at(to)).is_some(), is_move, "{from}{to}");
    }
}
