//! Players with one fault each, and files with wrong best moves.

use std::time::Duration;

use shakmaty::{CastlingMode, Position};
use suites::epd_files::EpdFile;
use suites::{Evidence, SkipReason, Tally};

use super::*;
use crate::NoProgress;
use crate::player::{InProcess, PlayerFactory};
use crate::scripted::ScriptedPlayer;
use oracle::authorities::Authorities;
use oracle::board::{self, Accept};
use oracle::knowledge::three_men;
use uci::Reply;

/// The move in answer to a question that comes after so many others.
type Plays = fn(&Question, u32) -> Result<String, NoAnswer>;

fn read(text: &str) -> BestMoveFile {
    BestMoveFile::read(EpdFile::parse("x.epd", text.as_bytes()).unwrap().best_moves)
}

fn put_to(
    players: &dyn PlayerFactory,
    authorities: &Authorities<'_>,
    limit: Option<Limit>,
    text: &str,
) -> SuiteOutcome<BestMoveRow> {
    let (effort, seed, progress) = (Effort::Plain, 1, &NoProgress);
    run(&SuiteContext { players, authorities, effort, seed, limit, progress }, &read(text))
}

fn put(
    authorities: &Authorities<'_>,
    limit: Option<Limit>,
    text: &str,
    plays: Plays,
) -> SuiteOutcome<BestMoveRow> {
    let player = ScriptedPlayer::new(move |question, before| {
        Ok(Reply { best: Some(plays(question, before.in_all)?), ..Reply::default() })
    });
    put_to(&player, authorities, limit, text)
}

fn with_tables(text: &str, plays: Plays) -> SuiteOutcome<BestMoveRow> {
    put(&Authorities { truth: Some(three_men().unwrap()), ..Authorities::default() }, None, text, plays)
}

fn alone(text: &str, plays: Plays) -> SuiteOutcome<BestMoveRow> {
    put(&Authorities::default(), None, text, plays)
}

/// Subject and check of each tally, with the agreed, different and observed cases.
fn tallies(outcome: &SuiteOutcome<BestMoveRow>) -> Vec<(String, u64, u64, u64)> {
    let of = |tally: &Tally| {
        let name = format!("{} {}", tally.subject, tally.check);
        (name, tally.agreed, tally.differed, tally.observed)
    };
    outcome.findings.iter().map(|findings| of(&findings.tally)).collect()
}

fn verdicts(outcome: &SuiteOutcome<BestMoveRow>) -> Vec<&'static str> {
    outcome.rows.iter().map(|row| row.verdict.name()).collect()
}

/// Check, stored, expected, source and explanation of each finding.
fn differences(outcome: &SuiteOutcome<BestMoveRow>) -> Vec<[String; 5]> {
    let all = outcome.findings.iter().flat_map(|findings| &findings.differences);
    all.map(|found| {
        [
            found.check.clone(),
            found.stored.to_string(),
            found.expected.to_string(),
            found.source.clone(),
            found.explanation.clone(),
        ]
    })
    .collect()
}

fn expected(rows: &[(&str, u64, u64, u64)]) -> Vec<(String, u64, u64, u64)> {
    rows.iter()
        .map(|&(name, agreed, differed, observed)| (name.to_owned(), agreed, differed, observed))
        .collect()
}

const TACTICS: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; id \"own.001\"; c0 \"Rd8=10, Rd7=4\";\n\
                       rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2 bm Qh4#; c0 \"Qh4=10\";\n\
                       rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 am f3 g4; id \"own.003\";\n";

#[test]
fn solved_positions_and_points_are_counted() {
    let solved = alone(TACTICS, |question, _| {
        Ok(match &question.fen[..1] {
            "6" => "d1d8",
            "r" if question.fen.contains(" b ") => "d8h4",
            _ => "e2e4",
        }
        .to_owned())
    });
    assert_eq!(verdicts(&solved), ["solved", "solved", "solved"]);
    let none = alone(TACTICS, |question, _| {
        Ok(match &question.fen[..1] {
            "6" => "d1d7",
            "r" if question.fen.contains(" b ") => "a7a6",
            _ => "g2g4",
        }
        .to_owned())
    });
    assert_eq!(verdicts(&none), ["missed", "missed", "missed"]);
    // Without proved results nothing agrees and nothing differs.
    for outcome in [&solved, &none] {
        let both = [("player bestmove/solved", 0, 0, 3), ("player bestmove/thrown", 0, 0, 2)];
        assert_eq!(tallies(outcome), expected(&both));
        assert_eq!(outcome.findings[0].tally.evidence, Evidence::Opinion);
    }
    let points = |outcome: &SuiteOutcome<BestMoveRow>| -> Vec<_> {
        outcome.rows.iter().map(|row| (row.points, row.most_points)).collect()
    };
    assert_eq!(points(&solved), [(Some(10), Some(10)), (Some(10), Some(10)), (None, None)]);
    assert_eq!(points(&none), [(Some(4), Some(10)), (Some(0), Some(10)), (None, None)]);
    let BestMoveRow { suite, line, id, best, avoid, played, .. } = &none.rows[2];
    assert_eq!(
        (&**suite, *line, &**id, &**best, &**avoid, &**played),
        ("x.epd", 3, "own.003", "", "f3 g4", "g4")
    );
}

/// Only one move wins, by the tables.
const ONLY: &str = "8/8/8/2k5/4K3/3P4/8/8 w - -";

#[test]
fn tables_overrule_files_and_find_wins_that_are_given_away() {
    let text = format!("{ONLY} bm Ke5;\n{ONLY} bm d4;\n{ONLY} am Ke5;\n{ONLY} bm d4 Ke5;\n{ONLY} am d4;\n");
    let right = with_tables(&text, |_, _| Ok("e4e5".to_owned()));
    assert_eq!(verdicts(&right), ["solved", "overruled", "overruled", "solved", "solved"]);
    let both = [
        ("player bestmove/solved", 0, 0, 5),
        ("player bestmove/thrown", 0, 0, 5),
        ("x.epd bestmove/claim", 2, 3, 0),
    ];
    assert_eq!(tallies(&right), expected(&both));
    let table = "certified production table";
    let wrong = ["bestmove/claim", "bm d4", "Ke5 wins", table, "after d4+ the game is drawn"];
    let only = ["bestmove/claim", "am Ke5", "Ke5 wins", table, "all other moves are worse"];
    let stored = |mut found: [&'static str; 5], text| {
        found[1] = text;
        found
    };
    assert_eq!(differences(&right), [stored(wrong, "bm d4+"), only, stored(wrong, "bm d4+")]);
    let claims = &right.findings[2].differences;
    assert_eq!((&*claims[0].subject, &*claims[0].case), ("x.epd", "x.epd/2"));
    assert!(claims[0].replay.starts_with("cargo xtask tables probe \"8/8/8/2k5/3PK3/8/8/8 b - - 0 1\""));

    let thrown = with_tables(&text, |_, _| Ok("d3d4".to_owned()));
    assert_eq!(verdicts(&thrown), ["thrown"; 5]);
    assert_eq!(
        tallies(&thrown),
        expected(&[
            ("player bestmove/solved", 0, 0, 5),
            ("player bestmove/thrown", 0, 5, 0),
            ("x.epd bestmove/claim", 2, 3, 0)
        ])
    );
    let first = ["bestmove/thrown", "the move d4+ (d3d4)", "Ke5 wins", table, "after d4+ the game is drawn"];
    assert_eq!(differences(&thrown)[0], first);
    // Without tables nothing is proved.
    let unproved = alone(&text, |_, _| Ok("d3d4".to_owned()));
    assert_eq!(verdicts(&unproved), ["missed", "solved", "solved", "solved", "missed"]);
    assert_eq!(tallies(&unproved), expected(&[("player bestmove/solved", 0, 0, 5)]));
}

/// Tables ignore the halfmove clock.
#[test]
fn a_win_that_the_fifty_move_rule_may_draw_is_not_proved() {
    let late = with_tables(&format!("{ONLY} bm d4; hmvc 90;\n"), |_, _| Ok("d3d4".to_owned()));
    assert_eq!(verdicts(&late), ["solved"]);
    // Draws are proved all the same.
    let both = [("player bestmove/solved", 0, 0, 1), ("player bestmove/thrown", 0, 0, 1)];
    assert_eq!(tallies(&late), expected(&both));
}

/// Mate in three, or stalemate at once; and a draw by taking, or mate by the other side.
const DECIDED: &str = "7k/5Q2/8/6K1/8/8/8/8 w - - bm Kg6;\n8/8/8/8/8/k7/3q4/2K5 w - - bm Kb1;\n";

#[test]
fn the_prover_overrules_where_there_are_no_tables() {
    let outcome = alone(DECIDED, |question, _| {
        Ok(if question.fen.starts_with('7') { "g5g6" } else { "c1b1" }.to_owned())
    });
    assert_eq!(verdicts(&outcome), ["thrown", "thrown"]);
    let stalemate = ["mate in 3 is forced", "shakmaty and mate prover", "Kg6 is stalemate"];
    let mated = ["Kxd2 draws", "mate prover and shakmaty", "after Kb1 the opponent mates in 1"];
    let of =
        |check, stored, [expected, source, why]: [&'static str; 3]| [check, stored, expected, source, why];
    assert_eq!(
        differences(&outcome),
        [
            of("bestmove/thrown", "the move Kg6 (g5g6)", stalemate),
            of("bestmove/thrown", "the move Kb1 (c1b1)", mated),
            of("bestmove/claim", "bm Kg6", stalemate),
            of("bestmove/claim", "bm Kb1", mated),
        ]
    );
    let replays: Vec<_> = outcome.findings[2].differences.iter().map(|found| &*found.replay).collect();
    assert_eq!(
        replays,
        [
            "cargo xtask prove \"7k/5Q2/8/6K1/8/8/8/8 w - - 0 1\" --mate 3",
            "cargo xtask prove \"8/8/8/8/8/k7/3q4/1K6 b - - 1 1\" --mate 1",
        ]
    );
    let right = alone(DECIDED, |question, _| {
        Ok(if question.fen.starts_with('7') { "f7f6" } else { "c1d2" }.to_owned())
    });
    assert_eq!(verdicts(&right), ["overruled", "overruled"]);
}

/// The move allows mate in one, but no other move is proved to be better.
#[test]
fn a_losing_move_is_no_finding_where_no_better_one_is_proved() {
    let text = "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2 bm e4;\n";
    let outcome = alone(text, |_, _| Ok("g2g4".to_owned()));
    assert_eq!(verdicts(&outcome), ["missed"]);
    assert_eq!(tallies(&outcome), expected(&[("player bestmove/solved", 0, 0, 1)]));
}

/// Wrong the first time, and right when it is asked again.
fn once(wrong: Result<String, NoAnswer>, asked: u32) -> Result<String, NoAnswer> {
    if asked == 0 { wrong } else { Ok("e4e5".to_owned()) }
}

#[test]
fn a_fault_has_to_come_again() {
    let text = format!("{ONLY} bm Ke5;\n");
    let check = |plays: Plays, verdict: &str, check: &str| {
        let outcome = with_tables(&text, plays);
        let rows = differences(&outcome);
        let found: Vec<&str> = rows.iter().map(|found| &*found[0]).collect();
        assert_eq!((verdicts(&outcome), found), (vec![verdict], vec![check]));
        outcome
    };
    check(|_, _| Ok("a1b9".to_owned()), "bad move", "bestmove/move");
    check(|_, _| Ok("e4e6".to_owned()), "bad move", "bestmove/move");
    check(|_, _| Err(NoAnswer::Broken("it dies".to_owned())), "unanswered", "bestmove/unanswered");
    check(|_, _| Err(NoAnswer::Hung("it sleeps".to_owned())), "unanswered", "bestmove/unanswered");
    check(|_, _| Ok("d3d4".to_owned()), "thrown", "bestmove/thrown");
    let flaky: [Plays; 2] =
        [|_, asked| once(Ok("a1b9".to_owned()), asked), |_, asked| once(Ok("d3d4".to_owned()), asked)];
    for plays in flaky {
        let outcome = check(plays, "flaky", "bestmove/flaky");
        assert!(differences(&outcome)[0][4].contains(&Reproduction::Never.words().unwrap()), "{outcome:#?}");
    }
    // A player that crashes once is asked again, and this answer counts.
    let outcome = with_tables(&text, |_, asked| once(Err(NoAnswer::Broken("it dies".to_owned())), asked));
    assert_eq!((verdicts(&outcome), differences(&outcome).len()), (vec!["solved"], 0));
}

#[test]
fn positions_that_are_not_asked_are_skipped_without_a_proof() {
    let text = format!("{DECIDED}8/8/8/8/8/8/8/8 w - - bm Kb1;\n");
    let outcome = alone(&text, |_, _| Err(NoAnswer::OutOfTime));
    assert_eq!(verdicts(&outcome), ["not asked", "not asked", "malformed"]);
    let [solved, claims] = &outcome.findings[..] else { panic!("{outcome:#?}") };
    assert_eq!((solved.tally.total(), solved.tally.skipped[&SkipReason::OutOfTime]), (2, 2));
    assert_eq!((claims.tally.total(), claims.tally.skipped[&SkipReason::Malformed]), (1, 1));
    let again =
        alone(DECIDED, |_, asked| if asked < 1 { Ok("a1b9".to_owned()) } else { Err(NoAnswer::OutOfTime) });
    assert_eq!(verdicts(&again), ["not asked", "not asked"]);
}

/// The move that solves the position if the question is as it should be.
fn if_right(is_right: bool) -> String {
    if is_right { "e4e5" } else { "e4e3" }.to_owned()
}

fn is_time(limit: Limit) -> bool {
    matches!(limit, Limit::MoveTime(_))
}

#[test]
fn the_limit_is_that_of_the_user() {
    let text = format!("{ONLY} bm Ke5;\n");
    let asked = |limit, plays: Plays| verdicts(&put(&Authorities::default(), limit, &text, plays))[0];
    assert_eq!(asked(None, |question, _| Ok(if_right(question.limit == Limit::Nodes(100_000)))), "solved");
    let nodes = Some(Limit::Nodes(7));
    assert_eq!(asked(nodes, |question, _| Ok(if_right(question.limit == Limit::Nodes(7)))), "solved");
    let time = Some(Limit::MoveTime(Duration::from_millis(9)));
    assert_eq!(asked(time, |question, _| Ok(if_right(is_time(question.limit)))), "solved");
}

#[test]
fn a_player_of_random_moves_has_no_agreement() {
    let text = format!("{TACTICS}{DECIDED}{ONLY} bm Ke5;\n{ONLY} am d4;\n");
    let outcome = with_tables(&text, |question, asked| {
        let position = board::position_of_any_mode(&question.fen, Accept::Unreachable).unwrap();
        let moves = position.legal_moves();
        let mv = moves[(question.fen.len() + asked as usize) % moves.len()];
        Ok(board::uci_text(mv, CastlingMode::Standard))
    });
    let own =
        outcome.findings.iter().map(|findings| &findings.tally).filter(|tally| tally.subject == "player");
    assert!(own.clone().all(|tally| tally.agreed == 0), "{outcome:#?}");
    assert_eq!(own.map(Tally::answered).max(), Some(7));
}

#[test]
fn our_engine_solves_easy_positions_and_gives_no_win_away() {
    let engine = InProcess::engine();
    let authorities = Authorities { truth: Some(three_men().unwrap()), ..Authorities::default() };
    let text = format!("{TACTICS}{DECIDED}{ONLY} bm Ke5;\n");
    let outcome = put_to(&engine, &authorities, Some(Limit::Nodes(20_000)), &text);
    assert_eq!(verdicts(&outcome), ["solved", "solved", "solved", "overruled", "overruled", "solved"]);
    let differed = |subject: &str| {
        let own = outcome.findings.iter().filter(|findings| findings.tally.subject == subject);
        own.map(|findings| findings.tally.differed).sum::<u64>()
    };
    assert_eq!((differed("engine"), differed("x.epd")), (0, 2));
}
