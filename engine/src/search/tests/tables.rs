//! Tests of table probes in the search.

use super::*;
use crate::Ply;
use crate::ScoreKind;

#[test]
fn tables_give_the_distance_to_mate_in_the_tree() {
    let set = three_men();
    for (fen, expected) in [
        ("8/8/8/8/8/1KR5/8/1k6 b - - 0 1", Score::mated_in(Ply(2 + 5))),
        ("8/8/8/8/8/1KR5/8/1k6 w - - 0 1", Score::mate_in(Ply(3 + 5))),
        ("8/1P6/7k/8/4K3/8/8/8 w - - 0 1", Score::mate_in(Ply(9 + 5))),
        ("8/8/8/8/k7/P7/8/K7 w - - 0 1", Score::DRAW),
    ] {
        for depth in [0, 3] {
            let game = game(fen, "");
            let (score, nodes, hits) = at_with(Some(&set), &Limits::default(), &game, |worker| {
                let score = worker.search(game.position(), 5, depth, Window::FULL, false);
                worker.publish();
                (score, worker.nodes, worker.shared.table_hits())
            });
            assert_eq!((score, nodes, hits), (expected, 1, 1), "{fen} to depth {depth}");
        }
    }
}

#[test]
fn tables_are_not_used_against_the_clock_or_castling() {
    let set = three_men();
    for (fen, expected) in [
        ("8/8/8/8/8/1KR5/8/1k6 w - - 97 80", Some(Score::mate_in(Ply(3)))),
        ("8/8/8/8/8/1KR5/8/1k6 w - - 98 80", None),
        ("8/8/8/8/k7/P7/8/K7 w - - 99 80", Some(Score::DRAW)),
        ("k7/8/8/8/8/8/8/4K2R w K - 0 1", None),
    ] {
        let game = game(fen, "");
        let known =
            at_with(Some(&set), &Limits::default(), &game, |worker| worker.probe_tables(game.position(), 0));
        assert_eq!(known, expected, "{fen}");
        assert_eq!(at(&game, |worker| worker.probe_tables(game.position(), 0)), None, "without tables");
    }
}

#[test]
fn mates_of_tables_are_announced_from_depth_1() {
    let settings = with_tables();
    for (fen, score) in [
        ("8/8/8/8/8/1KR5/8/1k6 w - - 0 1", "mate 2"),
        ("8/8/8/8/8/1KR5/8/1k6 b - - 0 1", "mate -1"),
        ("8/1P6/7k/8/4K3/8/8/8 w - - 0 1", "mate 5"),
        ("8/8/8/8/8/2k5/1r6/K7 b - - 0 1", "mate 3"),
        ("8/8/8/8/8/k7/p7/K7 w - - 0 1", "cp 0"),
    ] {
        let (answer, reports) = ask(&settings, &game(fen, ""), &to_depth(1));
        assert_eq!(answer.score.to_string(), score, "{fen}");
        let report = reports.last().unwrap();
        match report.score.kind() {
            ScoreKind::Mate(plies) | ScoreKind::Mated(plies) => {
                assert_eq!(report.line.len(), usize::from(plies.0), "{fen}");
                let mut position = Position::from_fen(fen).unwrap();
                for &mv in &report.line {
                    position = position.play(mv);
                }
                assert!(position.is_checkmate(), "{fen}");
            }
            ScoreKind::Centipawns(_) => {}
        }
    }
}

#[test]
fn tables_are_probed_in_the_tree() {
    // Capturing the pawn leads to a drawn king and pawn ending; the other moves lose.
    let (answer, reports) = ask(&with_tables(), &game("8/8/8/8/3k4/8/p1K5/8 w - - 0 1", ""), &to_depth(2));
    assert_eq!(best(&answer), "c2b2");
    assert!(reports.last().unwrap().table_hits > 0);
}
