//! Tests of the reports: mates are proven, and the last line starts with the best move.

use super::*;
use crate::Ply;
use crate::ScoreKind;
use crate::search::confirm::MateProofs;
use crate::search::root::RootMove;

/// Ra6 mates in two; other rook moves do not.
const MATE_IN_TWO: &str = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
/// Kh8 is mated at once; other moves are not.
const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/8/R5K1 b - - 0 1";
const WON: i32 = 25_000;

fn roots(game: &Game, moves: &[(&str, Score)]) -> Vec<RootMove> {
    let root =
        |&(text, score): &(&str, Score)| RootMove { score, ..RootMove::new(read(game.position(), text)) };
    moves.iter().map(root).collect()
}

#[test]
fn a_mate_is_reported_if_it_is_proven() {
    let ra6 = |plies| ("a1a6", Score::mate_in(Ply(plies)));
    let kh8 = ("g8h8", Score::mated_in(Ply(2)));
    for (fen, moves, rank, nodes, told) in [
        (MATE_IN_TWO, vec![ra6(3)], 0, None, Score::mate_in(Ply(3))),
        (MATE_IN_TWO, vec![ra6(3)], 0, Some(0), cp(WON)),
        (MATE_IN_TWO, vec![ra6(1)], 0, None, cp(WON)),
        (MATE_IN_TWO, vec![("a1a2", Score::mate_in(Ply(3)))], 0, None, cp(WON)),
        (MATE_IN_TWO, vec![("a1a2", cp(300))], 0, None, cp(300)),
        (BACK_RANK, vec![kh8], 0, None, kh8.1),
        (BACK_RANK, vec![kh8], 0, Some(0), cp(-WON)),
        (BACK_RANK, vec![kh8, ("h7h6", -Score::INFINITE)], 0, None, cp(-WON)),
        (BACK_RANK, vec![("h7h6", Score::DRAW), kh8], 1, None, kh8.1),
    ] {
        let game = game(fen, "");
        let roots = roots(&game, &moves);
        let (score, line) = at_with(None, &Limits { nodes, ..Limits::default() }, &game, |worker| {
            worker.score_to_report(&game, &roots, rank, &mut MateProofs::default())
        });
        assert_eq!(score, told, "{fen} {moves:?} {nodes:?}");
        assert_eq!(line[0], roots[rank].mv);
    }
}

#[test]
fn a_proof_stays_valid_when_more_is_claimed() {
    let game = game(MATE_IN_TWO, "");
    let sure = Score::mate_in(Ply(3));
    let claims = |moves: &[(&str, Score)]| roots(&game, moves);
    at(&game, |worker| {
        let mut proofs = MateProofs::default();
        let first = claims(&[("a1a6", sure)]);
        assert_eq!(worker.score_to_report(&game, &first, 0, &mut proofs).0, sure);
        let quicker = claims(&[("a1a6", Score::mate_in(Ply(1)))]);
        assert_eq!(worker.score_to_report(&game, &quicker, 0, &mut proofs).0, sure, "of the same move");
        let other = claims(&[("a1a2", Score::mate_in(Ply(1))), ("a1a6", -Score::INFINITE)]);
        let said = worker.lines_to_report(&game, &other, 1, &mut proofs);
        assert_eq!((said[0].score, said[0].line[0]), (sure, first[0].mv), "of another move");
        let said = worker.lines_to_report(&game, &other, 1, &mut MateProofs::default());
        assert_eq!((said[0].score, said[0].line[0]), (cp(WON), other[0].mv), "nothing was proven");
        let no_win = claims(&[("a1a2", cp(100)), ("a1a6", -Score::INFINITE)]);
        assert_eq!(worker.lines_to_report(&game, &no_win, 1, &mut proofs)[0].score, cp(100));
    });
}

#[test]
fn one_lost_move_does_not_make_a_lost_position() {
    let game = game(BACK_RANK, "");
    let lost = Score::mated_in(Ply(2));
    at(&game, |worker| {
        let mut proofs = MateProofs::default();
        let second = roots(&game, &[("h7h6", Score::DRAW), ("g8h8", lost)]);
        assert_eq!(worker.score_to_report(&game, &second, 1, &mut proofs).0, lost);
        let first = roots(&game, &[("g8h8", lost), ("h7h6", -Score::INFINITE)]);
        assert_eq!(worker.score_to_report(&game, &first, 0, &mut proofs).0, cp(-WON));
    });
}

#[test]
fn lines_are_sorted_by_their_reported_scores() {
    let game = game(MATE_IN_TWO, "");
    let moves = roots(&game, &[("a1a2", Score::mate_in(Ply(1))), ("a1a6", Score::mate_in(Ply(3)))]);
    let said = at(&game, |worker| worker.lines_to_report(&game, &moves, 2, &mut MateProofs::default()));
    assert_eq!(said.iter().map(|said| said.score).collect::<Vec<_>>(), [Score::mate_in(Ply(3)), cp(WON)]);
    assert_eq!(said[0].line[0], moves[1].mv);
}

/// Whenever the nodes run out, the last reported line starts with the best move.
#[test]
fn the_best_move_was_reported() {
    let game = game("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", "");
    let mut unfinished = 0;
    for nodes in (1..=60).map(|step| step * 150) {
        let (answer, reports) = ask(&small(), &game, &Limits { nodes: Some(nodes), ..Limits::default() });
        let last = reports.last().unwrap();
        assert_eq!((last.line.first().copied(), last.score), (answer.best, answer.score), "{nodes}");
        let before = reports.iter().rev().nth(1);
        unfinished += usize::from(before.is_some_and(|before| before.line[0] != last.line[0]));
    }
    assert!(unfinished > 0);
}

/// The tables lengthen the line to the mate.
#[test]
fn the_selective_depth_covers_the_line() {
    let game = game("8/1P6/k7/8/K7/8/8/8 w - - 0 1", "");
    let (_, reports) = ask(&with_tables(), &game, &Limits { depth: Some(1), ..Limits::default() });
    let last = reports.last().unwrap();
    assert_eq!(last.line.len(), 13);
    assert!(usize::from(last.selective_depth) >= last.line.len(), "{last:?}");
}

#[test]
fn every_reported_mate_is_a_mate() {
    for (fen, depth, score) in [
        ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", 2, "mate 1"),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 6, "mate 2"),
        ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", 3, "mate 1"),
        ("8/8/8/8/8/5k2/6p1/6K1 w - - 0 1", 1, "cp"),
    ] {
        let (answer, reports) = ask(&small(), &game(fen, ""), &to_depth(depth));
        assert!(answer.score.to_string().starts_with(score), "{fen}: {}", answer.score);
        for report in reports {
            if let ScoreKind::Mate(plies) | ScoreKind::Mated(plies) = report.score.kind() {
                assert_eq!(report.line.len(), usize::from(plies.0), "{fen}");
            }
        }
    }
}
