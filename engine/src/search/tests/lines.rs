//! Tests of the root: moves, lines, aspiration window.

use super::*;
use crate::Ply;
use crate::search::root::RootMove;
use crate::search_api::Bound;

/// Both sides can give and prevent back-rank mates.
const BACK_RANKS: &str = "6k1/5ppp/8/8/8/q7/5PPP/1Q4K1 w - - 0 1";

/// A wrong guess costs time but does not change the score: the window is widened where it failed.
#[test]
fn aspiration_finds_the_score_of_the_full_window() {
    let set = three_men();
    for (fen, score) in [
        ("8/8/8/8/8/1KR5/8/1k6 w - - 0 1", Score::mate_in(Ply(3))),
        ("8/8/8/8/8/1KR5/8/1k6 b - - 0 1", Score::mated_in(Ply(2))),
        ("8/8/8/8/k7/P7/8/K7 w - - 0 1", Score::DRAW),
    ] {
        for guess in [-900, -300, 300, 900] {
            let game = game(fen, "");
            let found = at_with(Some(&set), &Limits::default(), &game, |worker| {
                let mut moves: Vec<RootMove> =
                    game.position().legal_moves().into_iter().map(RootMove::new).collect();
                moves[0].previous = cp(guess);
                worker.iterate(game.position(), &mut moves, 6);
                (moves[0].score, moves[0].bound)
            });
            assert_eq!(found, (score, Bound::Exact), "{fen}, expected {guess}");
        }
    }
}

/// Each rank searches the moves that no earlier rank took.
#[test]
fn with_as_many_lines_as_moves_every_move_is_listed_once() {
    let game = game("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "");
    let legal = game.position().legal_moves();
    let (_, reports) = ask(&Settings { multi_pv: 256, ..small() }, &game, &to_depth(2));
    assert!(reports.iter().all(|report| report.score > cp(-2_000)), "each was searched with a whole window");
    let mut named: Vec<Move> =
        reports.iter().filter(|report| report.depth == 2).map(|report| report.line[0]).collect();
    named.sort();
    named.dedup();
    assert_eq!(named.len(), legal.len());
}

#[test]
fn only_searchmoves_are_searched() {
    let game = game("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "");
    let read = |text| game.position().parse_uci(text, CastlingMode::Standard).unwrap();
    let limits = Limits { moves: vec![read("h2h3"), read("g2g3")], ..to_depth(5) };
    let (answer, reports) = ask(&Settings { multi_pv: 5, ..small() }, &game, &limits);
    assert!(["h2h3", "g2g3"].contains(&best(&answer).as_str()));
    assert_eq!(reports.iter().map(|report| report.rank).max(), Some(2));
}

#[test]
fn lines_are_distinct_and_in_order() {
    let settings = Settings { multi_pv: 4, ..small() };
    let game = game("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3", "");
    let (_, reports) = ask(&settings, &game, &to_depth(6));
    for depth in 1..=6 {
        let lines: Vec<&SearchInfo> = reports.iter().filter(|report| report.depth == depth).collect();
        assert_eq!(lines.iter().map(|line| line.rank).collect::<Vec<_>>(), [1, 2, 3, 4]);
        assert!(lines.is_sorted_by_key(|line| std::cmp::Reverse(line.score)), "{depth}");
        let mut first: Vec<_> = lines.iter().map(|line| line.line[0]).collect();
        first.sort();
        first.dedup();
        assert_eq!(first.len(), 4);
        assert!(lines.iter().all(|line| line.bound == Bound::Exact));
    }
}

#[test]
fn lines_are_legal() {
    for fen in [BACK_RANKS, "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"] {
        let game = game(fen, "");
        for report in ask(&small(), &game, &to_depth(9)).1 {
            let mut game = game.clone();
            for mv in report.line {
                game.play(mv).unwrap();
            }
        }
    }
}
