//! Players with one fault each, which only the count of this fault shows, and one without faults.

use std::collections::BTreeMap;

use oracle::board::uci_text;
use shakmaty::{CastlingMode, Position};
use suites::catalogue::Severity;
use suites::stalemates::{ProvedValue, StalemateCase};
use suites::{Findings, SkipReason};

use super::judge::StalematePosition;
use super::*;
use crate::findings::DRAW_TOLERANCE;
use crate::runner::{CRASH, HANG, MOST, by_any_threads};
use crate::scripted::ScriptedPlayer;
use uci::{Bound, Line, Score};

/// The fault of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Faulty {
    /// None.
    Never,
    /// It scores a draw as being mated.
    ScoresMated,
    /// It scores a draw as mate.
    ScoresMate,
    /// It scores everything as a draw.
    ScoresDraw,
    /// Its score is right, and its move gives the result away.
    Move,
    /// It never gives a move.
    NoMove,
    /// It always gives a move.
    AlwaysMoves,
    /// Its move is not legal.
    Illegal,
    /// Its move is not in UCI notation.
    Garbled,
    /// Its scores are bounds.
    OnlyBounds,
    /// It gives no score.
    NoScore,
    /// It gives no score for each third case.
    NoScoreAtTimes,
    /// There is no time to ask it.
    OutOfTime,
    /// It crashes over each question.
    Crashes,
    /// It crashes over each third case.
    CrashesAtTimes,
    /// It hangs over each third case.
    HangsAtTimes,
    /// It panics over each question.
    Panics,
    /// It does not start.
    NeverStarts,
}

/// A player with a fault.
struct FaultyPlayer {
    faulty: Faulty,
    /// If it searches selectively, the depth from which on it has no fault.
    right_from: Option<u16>,
    /// How it fails at a deeper search.
    deeper: Option<NoAnswer>,
}

impl FaultyPlayer {
    fn new(faulty: Faulty) -> Self {
        Self { faulty, right_from: None, deeper: None }
    }

    fn put_to(self, cases: &[StalemateCase], effort: Effort) -> SuiteOutcome<StalemateSubjectRow> {
        let positions: BTreeMap<String, StalematePosition> =
            cases.iter().map(|case| (case.fen.clone(), StalematePosition::read(case).unwrap())).collect();
        let searches_selectively = self.right_from.is_some();
        let never_starts = self.faulty == Faulty::NeverStarts;
        let player = ScriptedPlayer::new(move |question, _| self.answer(&positions, question));
        let player = if searches_selectively { player.searching_selectively() } else { player };
        let player = if never_starts { player.failing_at_start(crash()) } else { player };
        put_to(&player, cases, effort)
    }

    fn answer(
        &self,
        positions: &BTreeMap<String, StalematePosition>,
        question: &Question,
    ) -> Result<Reply, NoAnswer> {
        let case = &positions[&question.fen];
        let is_right = |from| matches!(question.limit, Limit::Depth(depth) if depth >= from);
        let faulty = if self.right_from.is_some_and(is_right) { Faulty::Never } else { self.faulty };
        if question.limit == Limit::Depth(DEEPER)
            && let Some(why) = &self.deeper
        {
            return Err(why.clone());
        }
        let is_third = positions.range(..question.fen.clone()).count() % 3 == 1;
        match faulty {
            Faulty::Panics => panic!("a player that panics over {}", question.fen),
            Faulty::OutOfTime => return Err(NoAnswer::OutOfTime),
            Faulty::Crashes => return Err(crash()),
            Faulty::CrashesAtTimes if is_third => return Err(crash()),
            Faulty::HangsAtTimes if is_third => return Err(NoAnswer::Hung("it sleeps".to_owned())),
            _ => {}
        }
        let is_drawn =
            matches!(case.worth, ProvedValue::Draw | ProvedValue::DrawOrBetter | ProvedValue::DrawOrWorse);
        let score = match case.worth {
            _ if faulty == Faulty::ScoresDraw => Score::Centipawns(0),
            _ if is_drawn && faulty == Faulty::ScoresMated => Score::Mate(-1),
            _ if is_drawn && faulty == Faulty::ScoresMate => Score::Mate(1),
            ProvedValue::Win => Score::Centipawns(DRAW_TOLERANCE + 1),
            ProvedValue::Loss => Score::Mate(-3),
            ProvedValue::Draw => Score::Centipawns(DRAW_TOLERANCE),
            ProvedValue::DrawOrBetter | ProvedValue::DrawOrWorse => Score::Centipawns(0),
        };
        let bound = if faulty == Faulty::OnlyBounds { Bound::Lower } else { Bound::Exact };
        let line = Line { depth: 9, score, bound, nodes: None, pv: Vec::new() };
        let legal = case.position.legal_moves();
        let is_wanted = |mv: &&shakmaty::Move| case.losing.contains(mv) == (faulty == Faulty::Move);
        let mv = legal.iter().find(is_wanted).or(legal.first());
        let best = mv.map(|&mv| uci_text(mv, CastlingMode::Standard));
        let best = match faulty {
            Faulty::NoMove => None,
            Faulty::AlwaysMoves => best.or(Some("e1e2".to_owned())),
            Faulty::Illegal => best.map(|_| "a1a1".to_owned()),
            Faulty::Garbled => best.map(|best| format!("{best}!?")),
            _ => best,
        };
        let has_none = faulty == Faulty::NoScore || is_third && faulty == Faulty::NoScoreAtTimes;
        Ok(Reply { lines: if has_none { Vec::new() } else { vec![line] }, best, cut: false })
    }
}

fn crash() -> NoAnswer {
    NoAnswer::Broken("it is dead".to_owned())
}

/// Wrong scores, wins given away by stalemate, draws missed, and missing answers.
fn counts(outcome: &SuiteOutcome<StalemateSubjectRow>) -> [u64; 4] {
    let sum = |count: fn(&StalemateSubjectRow) -> u64| outcome.rows.iter().map(count).sum();
    [sum(|row| row.wrong_score), sum(|row| row.stalemated), sum(|row| row.missed), sum(|row| row.unanswered)]
}

/// The sum of a figure over all findings.
fn sum(outcome: &SuiteOutcome<StalemateSubjectRow>, figure: impl Fn(&Findings) -> u64) -> u64 {
    outcome.findings.iter().map(figure).sum()
}

/// How many questions are due, of the cases that fulfil a condition.
fn due(cases: &[StalemateCase], holds: impl Fn(&StalematePosition) -> bool) -> u64 {
    let cases = cases.iter().map(|case| StalematePosition::read(case).unwrap());
    cases.filter(holds).map(|case| u64::from(7 - case.due)).sum()
}

#[test]
fn each_fault_shows_in_its_count_alone() {
    let cases = cases();
    let lost = |case: &StalematePosition, won: bool| {
        !case.losing.is_empty() && (case.worth == ProvedValue::Win) == won
    };
    let all = 6 * cases.len() as u64;
    let ended =
        6 * cases.iter().filter(|case| StalematePosition::read(case).unwrap().is_stalemate()).count() as u64;
    let given_up = 6 * u64::from(MOST / CRASH);
    let worth = |wrong: &'static [ProvedValue]| due(&cases, |case| wrong.contains(&case.worth));
    for (faulty, expected) in [
        (Faulty::Never, [0; 4]),
        (Faulty::ScoresMated, [worth(&[ProvedValue::Draw, ProvedValue::DrawOrBetter]), 0, 0, 0]),
        (Faulty::ScoresMate, [worth(&[ProvedValue::Draw, ProvedValue::DrawOrWorse]), 0, 0, 0]),
        (Faulty::ScoresDraw, [worth(&[ProvedValue::Win, ProvedValue::Loss]), 0, 0, 0]),
        (Faulty::Move, [0, due(&cases, |case| lost(case, true)), due(&cases, |case| lost(case, false)), 0]),
        (Faulty::NoMove, [0, 0, 0, all - ended]),
        (Faulty::AlwaysMoves, [0, 0, 0, ended]),
        (Faulty::Illegal, [0, 0, 0, all - ended]),
        (Faulty::Garbled, [0, 0, 0, all - ended]),
        (Faulty::OnlyBounds, [0; 4]),
        (Faulty::Crashes, [0, 0, 0, given_up]),
        (Faulty::NeverStarts, [0, 0, 0, given_up]),
    ] {
        let outcome = FaultyPlayer::new(faulty).put_to(&cases, Effort::Plain);
        assert_eq!(counts(&outcome), expected, "{faulty:?}");
        let may_pass = matches!(faulty, Faulty::Never | Faulty::OnlyBounds);
        assert!(may_pass || expected.iter().sum::<u64>() > 0, "{faulty:?}");
        let differed = sum(&outcome, |found| found.tally.differed);
        assert_eq!(differed, expected.iter().sum::<u64>(), "{faulty:?}: one fault a question");
        // A move in a stalemate harms no game.
        let warned = sum(&outcome, |found| found.tally.differed_with(Severity::Warning));
        assert_eq!(warned, if faulty == Faulty::AlwaysMoves { differed } else { 0 }, "{faulty:?}");
        assert_eq!(sum(&outcome, |found| found.tally.total()), all, "{faulty:?}");
        if faulty == Faulty::Never {
            let due = due(&cases, |_| true);
            let figures =
                [sum(&outcome, |found| found.tally.agreed), sum(&outcome, |found| found.tally.observed)];
            assert_eq!(figures, [due, all - due]);
        }
    }
}

#[test]
fn a_missing_score_is_a_fault_if_others_are_given() {
    let cases = cases();
    let due = due(&cases, |case| !case.is_stalemate());
    let never = FaultyPlayer::new(Faulty::NoScore).put_to(&cases, Effort::Plain);
    assert_eq!((counts(&never), sum(&never, |found| found.tally.differed)), ([0; 4], 0));
    let skipped = |found: &Findings| found.tally.skipped.get(&SkipReason::Unsupported).copied();
    assert_eq!(sum(&never, |found| skipped(found).unwrap_or_default()), due);
    let at_times = FaultyPlayer::new(Faulty::NoScoreAtTimes).put_to(&cases, Effort::Plain);
    assert!((1..due).contains(&counts(&at_times)[3]), "{:?}", counts(&at_times));
}

#[test]
fn a_deeper_search_decides_for_players_that_search_selectively() {
    let cases = cases();
    for faulty in [Faulty::ScoresMated, Faulty::ScoresDraw, Faulty::Move] {
        let right_from = |depth| {
            let player = FaultyPlayer { right_from: Some(depth), ..FaultyPlayer::new(faulty) };
            counts(&player.put_to(&cases, Effort::Plain))
        };
        assert_eq!(right_from(DEEPER), [0; 4], "{faulty:?}");
        let always = counts(&FaultyPlayer::new(faulty).put_to(&cases, Effort::Plain));
        assert_eq!(right_from(DEEPER + 1), always, "{faulty:?}");
    }
    // A move that is not legal is not searched deeper.
    let garbled = FaultyPlayer { right_from: Some(2), ..FaultyPlayer::new(Faulty::Garbled) };
    assert!(counts(&garbled.put_to(&cases, Effort::Plain))[3] > 0);
}

/// Below the depth at which a case is due, a program that gives a win away gets notes of one cause, and
/// nothing is asked of others.
#[test]
fn a_win_that_is_given_away_at_a_small_depth_is_a_note_for_programs() {
    for due in 2..=4 {
        let mut cases = cases();
        cases.retain(|case| case.worth == ProvedValue::Win && case.due == due);
        cases.retain(|case| !StalematePosition::read(case).unwrap().losing.is_empty());
        let player = FaultyPlayer { right_from: Some(due), ..FaultyPlayer::new(Faulty::Move) };
        let outcome = player.put_to(&cases, Effort::Plain);
        let shallow = u64::from(due - 1) * cases.len() as u64;
        assert!(shallow > 0, "due {due}");
        assert_eq!(sum(&outcome, |found| found.tally.differed_with(Severity::Note)), shallow);
        assert_eq!(sum(&outcome, |found| found.tally.differed), shallow);
        for found in outcome.findings.iter().flat_map(|found| &found.differences) {
            assert_eq!(
                (&*found.check, &found.cause),
                ("stalemate/shallow", &Some(SharedCause::Shallow.into()))
            );
        }
        assert_eq!(counts(&outcome), [0; 4]);
        assert!(outcome.rows.iter().all(|row| row.positions - row.due == row.observed), "{:?}", outcome.rows);
    }
}

#[test]
fn a_deeper_search_without_an_answer_is_no_agreement() {
    let cases = &cases()[..20];
    let faulty = counts(&FaultyPlayer::new(Faulty::ScoresDraw).put_to(cases, Effort::Plain));
    assert!(faulty[0] > 0);
    let put_to = |why| {
        let (right_from, deeper) = (Some(DEEPER), Some(why));
        FaultyPlayer { faulty: Faulty::ScoresDraw, right_from, deeper }.put_to(cases, Effort::Plain)
    };
    assert_eq!(counts(&put_to(crash())), [0, 0, 0, faulty[0]]);
    for (why, reason) in [
        (NoAnswer::OutOfTime, SkipReason::OutOfTime),
        (NoAnswer::GivenUp("too often".to_owned()), SkipReason::GivenUp),
    ] {
        let outcome = put_to(why);
        assert_eq!(counts(&outcome), [0; 4]);
        let skipped = sum(&outcome, |found| found.tally.skipped.get(&reason).copied().unwrap_or_default());
        // It scores everything as a draw: where that is right, or not due, it is observed.
        let figures =
            [sum(&outcome, |found| found.tally.agreed), sum(&outcome, |found| found.tally.observed)];
        assert_eq!((skipped, figures), (faulty[0], [0, 6 * 20 - faulty[0]]));
        assert_eq!(outcome.rows.iter().map(|row| row.positions).sum::<u64>(), 6 * 20 - faulty[0]);
    }
}

/// The order of the cases decides where a player is given up.
#[test]
fn the_number_of_threads_does_not_change_the_counts() {
    let cases = cases();
    for (faulty, questions, failures) in
        [(Faulty::CrashesAtTimes, 6, MOST / CRASH), (Faulty::HangsAtTimes, 1, MOST / HANG)]
    {
        let outcome = by_any_threads(|| FaultyPlayer::new(faulty).put_to(&cases, Effort::Plain));
        assert_eq!(counts(&outcome), [0, 0, 0, u64::from(questions * failures)], "{faulty:?}");
        let passed =
            sum(&outcome, |found| found.tally.skipped.get(&SkipReason::GivenUp).copied().unwrap_or_default());
        assert!(passed > 6 * 100, "{faulty:?}");
    }
}

#[test]
fn cases_that_are_not_asked_are_skipped() {
    let cases = &cases()[..3];
    let outcome = FaultyPlayer::new(Faulty::OutOfTime).put_to(cases, Effort::Plain);
    let [found] = &outcome.findings[..] else { panic!("one class") };
    assert_eq!((found.tally.compared(), found.tally.skipped[&SkipReason::OutOfTime]), (0, 18));
    assert!(outcome.rows.iter().all(|row| row.positions == 0 && row.agreed == 0));
}

#[test]
fn a_player_that_panics_is_a_finding() {
    let cases = &cases()[..3];
    let outcome = FaultyPlayer::new(Faulty::Panics).put_to(cases, Effort::Plain);
    assert_eq!(counts(&outcome), [0, 0, 0, 18]);
}

#[test]
fn a_difference_has_the_answer_and_its_replay() {
    let line = "k7/2K5/8/8/8/8/8/1Q6 w - - result win; am Qb6; due 2; id \"bare king/01\";";
    let cases = suites::stalemates::parse("test.epd", &format!("# cases: 1\n{line}")).unwrap();
    let outcome = FaultyPlayer::new(Faulty::Move).put_to(&cases, Effort::Quick);
    let [found] = &outcome.findings[..] else { panic!("one class") };
    let [first, second] = &found.differences[..] else { panic!("depths 2 and 3") };
    assert_eq!(first.case, "bare king/01/depth 2 without tables");
    assert_eq!(first.stored.to_string(), "cp 51, the move b1b6");
    assert_eq!(first.expected.to_string(), "win, not by Qb6");
    assert_eq!(first.explanation, "the move allows the other side to force stalemate");
    assert_eq!(
        second.replay,
        "knowledge+hash+king-tables: position fen k7/2K5/8/8/8/8/8/1Q6 w - - 0 1; go depth 3"
    );
}
