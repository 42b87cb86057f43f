//! Players with one fault each, and a perfect one that reads the proofs of the suite.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use shakmaty::{CastlingMode, Chess, Position};
use suites::Evidence;
use suites::mates::{MateCase, MateClaim, MateSuite};

use super::verdict::gravity;
use super::{MateRow, MateVerdict, game, position, run};
use crate::player::{InProcess, NoAnswer, PlayerFactory};
use crate::runner::{CRASH, HANG, MOST, by_any_threads};
use crate::scripted::ScriptedPlayer;
use crate::{Effort, NoProgress, SuiteContext, SuiteOutcome};
use oracle::authorities::Authorities;
use oracle::board::{self, Spelling, legal_move, uci_moves, uci_text};
use oracle::prover::{Certificate, ProverLimits, ProverVerdict, prove};
use suites::SharedCause;
use uci::{Bound, Limit, Line, Reply, Score};

pub(super) static SUITE: LazyLock<MateSuite> = LazyLock::new(|| MateSuite::embedded().unwrap());
/// Every third case.
static SOME: LazyLock<MateSuite> = LazyLock::new(|| {
    let cases = SUITE.cases.iter().step_by(3).cloned().collect();
    MateSuite { cases, proofs: SUITE.proofs.clone() }
});

/// The answer to a case, made from the perfect one.
pub(super) type Answers = fn(&MateCase, &Chess, Reply) -> Result<Reply, NoAnswer>;

/// A player of the suite that answers so.
pub(super) fn player(answers: Answers) -> ScriptedPlayer {
    ScriptedPlayer::new(move |question, _| {
        assert!(matches!(question.limit, Limit::Nodes(_)));
        let is_asked = |case: &&MateCase| case.fen == question.fen && case.moves == question.moves;
        let case = SUITE.cases.iter().find(is_asked).expect("it is in the suite");
        let position = game(case).unwrap().position().clone();
        answers(case, &position, perfect(case, &position))
    })
}

/// An answer that announces a mate.
pub(super) fn announces(moves: i32, pv: Vec<String>) -> Reply {
    let best = pv.first().cloned();
    let line = Line { depth: 9, score: Score::Mate(moves), bound: Bound::Exact, nodes: Some(77), pv };
    Reply { lines: vec![line], best, cut: false }
}

/// The perfect answer to a case.
pub(super) fn perfect(case: &MateCase, position: &Chess) -> Reply {
    match case.claim {
        MateClaim::Mate(moves) => announces(moves, line_of(&SUITE.proofs[&case.id], position)),
        MateClaim::NoMate(_) => {
            let mut reply = announces(1, uci_moves(position).into_iter().take(1).collect());
            reply.lines[0].score = Score::Centipawns(20);
            reply
        }
    }
}

fn line_of(proof: &str, position: &Chess) -> Vec<String> {
    let proven = Certificate(proof.to_owned()).replay(position).unwrap();
    proven.line.iter().map(|&mv| uci_text(mv, CastlingMode::Standard)).collect()
}

/// The position after a line of legal moves.
pub(super) fn after(position: &Chess, line: &[String]) -> Chess {
    line.iter().fold(position.clone(), |position, text| {
        board::after(&position, legal_move(&position, text, Spelling::Tolerant).unwrap())
    })
}

pub(super) fn put_to(
    players: &dyn PlayerFactory,
    effort: Effort,
    suite: &MateSuite,
) -> SuiteOutcome<MateRow> {
    let authorities = &Authorities::default();
    let context = SuiteContext { players, authorities, effort, seed: 1, limit: None, progress: &NoProgress };
    run(&context, suite, super::Announcements::default())
}

/// Checks that these cases, and no others, get this verdict, and that no other case differs.
#[track_caller]
fn check(answers: Answers, verdict: MateVerdict, of: impl Fn(&MateCase) -> bool) {
    check_on(&SOME, answers, verdict, of);
}

#[track_caller]
fn check_on(suite: &MateSuite, answers: Answers, verdict: MateVerdict, of: impl Fn(&MateCase) -> bool) {
    let outcome = put_to(&player(answers), Effort::Plain, suite);
    let expected: Vec<&str> = suite.cases.iter().filter(|case| of(case)).map(|case| &*case.id).collect();
    assert!(!expected.is_empty());
    let found = outcome.rows.iter().filter(|row| row.verdict == verdict).map(|row| &*row.case);
    assert_eq!(found.collect::<Vec<_>>(), expected);
    let differences = outcome.findings.iter().flat_map(|findings| &findings.differences);
    let is_fault = gravity(verdict) > gravity(MateVerdict::Longer);
    let cases: Vec<&str> = differences.map(|difference| &*difference.case).collect();
    assert_eq!(cases, if is_fault { expected } else { Vec::new() });
    let total: u64 = outcome.findings.iter().map(|findings| findings.tally.answered()).sum();
    assert_eq!(total, suite.cases.len() as u64);
    for findings in &outcome.findings {
        assert_eq!(findings.tally.differed, findings.differences.len() as u64);
        let class = format!("{}/", findings.tally.case_set);
        assert!(findings.differences.iter().all(|difference| difference.case.starts_with(&class)));
    }
}

pub(super) fn mate(case: &MateCase) -> Option<i32> {
    match case.claim {
        MateClaim::Mate(moves) => Some(moves),
        MateClaim::NoMate(_) => None,
    }
}

fn with_mate(mut reply: Reply, moves: i32) -> Reply {
    reply.lines[0].score = Score::Mate(moves);
    reply
}

#[test]
fn a_perfect_player_has_no_finding() {
    check_on(&SUITE, |_, _, reply| Ok(reply), MateVerdict::Exact, |case| mate(case).is_some());
}

#[test]
fn a_mate_that_is_too_short_is_reported() {
    let answers: Answers = |case, _, reply| {
        Ok(match mate(case).filter(|moves| moves.abs() > 1) {
            Some(moves) => with_mate(reply, moves - moves.signum()),
            None => reply,
        })
    };
    check(answers, MateVerdict::Unsound, |case| mate(case).is_some_and(|moves| moves.abs() > 1));
}

#[test]
fn a_mate_that_is_longer_than_the_shortest_is_no_difference() {
    let answers: Answers = |case, _, reply| {
        Ok(match mate(case) {
            Some(moves) => with_mate(reply, moves + moves.signum()),
            None => reply,
        })
    };
    check(answers, MateVerdict::Longer, |case| mate(case).is_some());
}

#[test]
fn a_mate_that_is_not_found_is_no_difference() {
    let answers: Answers = |_, _, mut reply| {
        reply.lines[0].score = Score::Centipawns(30);
        Ok(reply)
    };
    check(answers, MateVerdict::NotFound, |case| mate(case).is_some());
    // A player that never announces a mate does not tell the two kinds of cases apart.
    check(answers, MateVerdict::NotToldApart, |case| mate(case).is_none());
    check(|_, _, reply| Ok(reply), MateVerdict::None, |case| mate(case).is_none());
}

#[test]
fn a_wrong_sign_is_reported() {
    let answers: Answers =
        |case, _, reply| Ok(mate(case).map_or(reply.clone(), |moves| with_mate(reply, -moves)));
    check(answers, MateVerdict::WrongSign, |case| mate(case).is_some());
}

#[test]
fn a_line_with_an_illegal_move_is_reported() {
    let answers: Answers = |case, _, mut reply| {
        if mate(case).is_some() {
            "a1a1".clone_into(reply.lines[0].pv.last_mut().unwrap());
        }
        Ok(reply)
    };
    check(answers, MateVerdict::BadLine, |case| mate(case).is_some());
}

/// The line with a last move that does not mate, if there is one.
fn without_mate(position: &Chess, pv: &[String]) -> Option<Vec<String>> {
    let (_, start) = pv.split_last()?;
    let last = after(position, start);
    let quiet =
        uci_moves(&last).into_iter().find(|mv| !after(&last, std::slice::from_ref(mv)).is_checkmate())?;
    Some([start, &[quiet]].concat())
}

#[test]
fn a_line_that_does_not_mate_is_reported() {
    let answers: Answers = |case, position, mut reply| {
        if mate(case).is_some()
            && let Some(pv) = without_mate(position, &reply.lines[0].pv)
        {
            reply.lines[0].pv = pv;
        }
        Ok(reply)
    };
    check(answers, MateVerdict::BadLine, |case| {
        let position = game(case).unwrap().position().clone();
        mate(case).is_some() && without_mate(&position, &perfect(case, &position).lines[0].pv).is_some()
    });
}

#[test]
fn a_shorter_line_is_no_difference() {
    let answers: Answers = |_, _, mut reply| {
        reply.lines[0].pv.truncate(1);
        Ok(reply)
    };
    check(answers, MateVerdict::Exact, |case| mate(case).is_some());
}

#[test]
fn a_missing_answer_is_reported() {
    let crashes: Answers = |case, _, reply| match case.class() {
        "en-passant" => Err(NoAnswer::Broken("it is dead".to_owned())),
        _ => Ok(reply),
    };
    check(crashes, MateVerdict::Unanswered, |case| case.class() == "en-passant");
    let panics: Answers = |case, _, reply| {
        assert_ne!(case.class(), "castling");
        Ok(reply)
    };
    check(panics, MateVerdict::Unanswered, |case| case.class() == "castling");
}

#[test]
fn a_move_that_is_not_legal_is_reported() {
    let answers: Answers = |case, _, mut reply| {
        match case.class() {
            "castling" => reply.best = None,
            "en-passant" => reply.best = Some("a1a1".to_owned()),
            _ => {}
        }
        Ok(reply)
    };
    check(answers, MateVerdict::BadMove, |case| matches!(case.class(), "castling" | "en-passant"));
}

#[test]
fn a_move_that_gives_the_mate_away_is_reported() {
    let answers: Answers = |case, position, mut reply| {
        if mate(case) == Some(1) {
            reply.best = without_mate(position, &reply.lines[0].pv).and_then(|pv| pv.first().cloned());
        }
        Ok(reply)
    };
    check(answers, MateVerdict::Thrown, |case| mate(case) == Some(1));
}

#[test]
fn a_mate_with_one_refutation_is_reported() {
    let answers: Answers = |case, _, reply| {
        Ok(match case.claim {
            MateClaim::NoMate(moves) if case.class() == "false-mate" => with_mate(reply, moves),
            _ => reply,
        })
    };
    check(answers, MateVerdict::Unsound, |case| case.class() == "false-mate");
}

/// The answer of a player that reads the halfmove clock as 0.
fn without_clock(case: &MateCase) -> Option<Reply> {
    let mut setup = board::setup(&case.fen).unwrap();
    setup.halfmoves = 0;
    let (MateClaim::Mate(most) | MateClaim::NoMate(most)) = case.claim;
    let position = position(&board::fen_of(setup)).unwrap();
    let (moves, proof) = match prove(&position, most, &ProverLimits { nodes: 2_000_000, memory: 64 }).verdict
    {
        ProverVerdict::Mate { moves, proof } => (i32::from(moves), proof),
        ProverVerdict::Mated { moves, proof } => (-i32::from(moves), proof),
        ProverVerdict::Refuted | ProverVerdict::Undecided => return None,
    };
    Some(announces(moves, line_of(&proof.0, &position)))
}

#[test]
fn ignoring_the_halfmove_clock_is_reported_where_it_matters() {
    let answers: Answers = |case, _, reply| match case.class() {
        "too-late" | "hundredth-ply" => without_clock(case).ok_or(NoAnswer::Broken("undecided".to_owned())),
        _ => Ok(reply),
    };
    check(answers, MateVerdict::Unsound, |case| case.class() == "too-late");
    let cases = SUITE.cases.iter().filter(|case| case.class() == "too-late").cloned().collect();
    let outcome = put_to(&player(answers), Effort::Plain, &MateSuite { cases, ..SUITE.clone() });
    let found: Vec<_> = outcome.findings.iter().flat_map(|findings| &findings.differences).collect();
    let clocks = [SharedCause::Clock, SharedCause::FenClock].map(|cause| Some(cause.into()));
    assert!(!found.is_empty() && found.iter().all(|found| clocks.contains(&found.cause)), "{found:#?}");
}

#[test]
fn only_the_last_line_of_an_iteration_is_judged() {
    let early: Answers = |_, _, mut reply| {
        let line = Line { score: Score::Mate(1), pv: vec!["a1a1".to_owned()], ..reply.lines[0].clone() };
        reply.lines.insert(0, line);
        Ok(reply)
    };
    check(early, MateVerdict::Exact, |case| mate(case).is_some());
    let earlier: Answers = |case, _, reply| {
        let line = reply.lines[0].clone();
        let mut reply = reply;
        reply.lines.insert(0, line);
        reply.lines[0].depth = 8;
        reply.lines[0].score = Score::Mate(mate(case).map_or(1, |moves| if moves == 1 { -1 } else { 1 }));
        Ok(reply)
    };
    let outcome = put_to(&player(earlier), Effort::Plain, &SOME);
    let wrong = |row: &MateRow| matches!(row.verdict, MateVerdict::Unsound | MateVerdict::WrongSign);
    assert!(outcome.rows.iter().all(wrong));
}

#[test]
fn a_bound_counts_as_an_announcement() {
    let answers: Answers = |case, _, mut reply| {
        if case.class() == "false-mate" {
            reply.lines[0].bound = Bound::Lower;
            reply.lines[0].score = Score::Mate(2);
        }
        Ok(reply)
    };
    check(answers, MateVerdict::Unsound, |case| case.class() == "false-mate");
}

#[test]
fn verdicts_do_not_depend_on_the_number_of_threads() {
    fn third(id: &str) -> bool {
        SOME.cases.iter().position(|some| some.id == id).unwrap() % 3 == 1
    }
    let crashes: Answers = |case, _, reply| if third(&case.id) { panic!("3") } else { Ok(reply) };
    let hangs: Answers =
        |case, _, reply| if third(&case.id) { Err(NoAnswer::Hung(String::new())) } else { Ok(reply) };
    for (answers, failures) in [(crashes, MOST / CRASH), (hangs, MOST / HANG)] {
        let outcome = by_any_threads(|| put_to(&player(answers), Effort::Plain, &SOME));
        let count = |verdict| outcome.rows.iter().filter(|row| row.verdict == verdict).count();
        let [failed, passed] = [MateVerdict::Unanswered, MateVerdict::NotAsked].map(count);
        assert_eq!(failed, failures as usize);
        assert!(passed > 100, "{passed}");
    }
}

#[test]
fn a_quick_run_asks_a_share_of_each_class() {
    let outcome = put_to(&player(|_, _, reply| Ok(reply)), Effort::Quick, &SUITE);
    assert!(outcome.rows.len().abs_diff(SUITE.cases.len() / 4) <= 1);
    assert!(outcome.findings.iter().all(|found| found.tally.evidence == Evidence::Sample { seed: 1 }));
    let classes = |cases: &[MateCase]| {
        let mut classes: Vec<String> = cases.iter().map(|case| case.class().to_owned()).collect();
        classes.dedup();
        classes
    };
    let found: Vec<String> = outcome.findings.into_iter().map(|found| found.tally.case_set).collect();
    assert_eq!(found, classes(&SUITE.cases));
}

/// Every tenth case, asked of our own search.
#[test]
fn our_engine_announces_no_mate_that_is_not_there() {
    let cases = SUITE.cases.iter().step_by(10).cloned().collect();
    let suite = MateSuite { cases, proofs: BTreeMap::new() };
    let engine = InProcess::engine().with_option("Tables", "false").with_aids(&[]);
    let outcome = put_to(&engine, Effort::Plain, &suite);
    for findings in &outcome.findings {
        assert_eq!(findings.differences, []);
    }
    let found = outcome.rows.iter().filter(|row| row.verdict == MateVerdict::Exact).count();
    assert!(found * 2 > outcome.rows.len(), "{found} of {}", outcome.rows.len());
}

/// A thorough run proves the suite again.
#[test]
fn a_thorough_run_judges_the_suite_too() {
    let wrong = |id: &str, fen: &str, claim| MateCase {
        id: id.to_owned(),
        fen: fen.to_owned(),
        moves: Vec::new(),
        claim,
    };
    let two = "8/8/8/8/8/1K6/2R5/1k6 w - - 0 1";
    let cases = vec![
        wrong("mate/1", two, MateClaim::Mate(2)),
        wrong("mate/2", two, MateClaim::Mate(3)),
        wrong("mate/3", two, MateClaim::NoMate(4)),
        wrong("mate/4", two, MateClaim::Mate(1)),
    ];
    let suite = MateSuite { cases, proofs: BTreeMap::new() };
    let engine = InProcess::engine().with_option("Tables", "false").with_aids(&[]);
    let outcome = put_to(&engine, Effort::Thorough, &suite);
    let file = outcome.findings.last().unwrap();
    assert_eq!((&*file.tally.subject, file.tally.agreed, file.tally.differed), ("mates.epd", 1, 3));
    assert!(file.differences.iter().all(|difference| difference.source == "mate prover"));
}
