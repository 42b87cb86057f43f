//! PlayerFactory that are wrong in just one way, each found by just its count; and one that is right, which none finds.

use std::collections::BTreeMap;

use shakmaty::{CastlingMode, Move, Position};
use suites::SkipReason;
use suites::catalogue::Severity;
use suites::stalemates::{ProvedValue, StalemateCase};

use super::judge::Case;
use super::tests::{cases, try_out};
use super::*;
use crate::player::{Player, PlayerFactory};
use crate::runner::{CRASH, HANG, MOST, by_any_threads};
use uci::{Bound, Line, Score};

/// How a subject lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lie {
    /// Not at all.
    None,
    /// Who is stalemated, or will be, is mated.
    Mate,
    /// Who stalemates has mated.
    Mates,
    /// All is drawn.
    Draw,
    /// The score is true, the move gives away what there is.
    Move,
    /// There is never a move.
    NoMove,
    /// There is always a move.
    AnyMove,
    /// The king goes wherever it likes.
    Illegal,
    /// The move is none.
    Garbled,
    /// There are only bounds.
    NoScore,
    /// It is not asked, for time is over.
    IsNotAsked,
    /// It dies over each question.
    Dies,
    /// It dies over each third case.
    DiesAtTimes,
    /// It keeps everybody waiting over each third case.
    HangsAtTimes,
    /// It panics over each question.
    Panics,
    /// It does not even start.
    NeverStarts,
}

struct Liar {
    lie: Lie,
    /// If it searches selectively, the depth from which on it does not lie.
    heals: Option<u16>,
    /// What becomes of that depth, if it is not answered.
    late: Option<NoAnswer>,
    cases: BTreeMap<String, Case>,
}

impl Liar {
    fn new(lie: Lie, cases: &[StalemateCase]) -> Self {
        let cases = cases.iter().map(|case| (case.fen.clone(), Case::read(case).unwrap())).collect();
        Self { lie, heals: None, late: None, cases }
    }
}

impl PlayerFactory for Liar {
    fn name(&self) -> &'static str {
        "liar"
    }

    fn start(&self, _: Setup) -> Result<Box<dyn Player>, NoAnswer> {
        if self.lie == Lie::NeverStarts {
            return Err(NoAnswer::Broken("it is not at home".to_owned()));
        }
        let Self { lie, heals, late, cases } = self;
        Ok(Box::new(Lying { lie: *lie, heals: *heals, late: late.clone(), cases: cases.clone() }))
    }

    fn searches_selectively(&self) -> bool {
        self.heals.is_some()
    }

    fn has(&self, _: Aid) -> bool {
        false
    }

    fn replay(&self, _: Setup, question: &Question) -> String {
        question.commands().join("; ")
    }
}

struct Lying {
    lie: Lie,
    heals: Option<u16>,
    late: Option<NoAnswer>,
    cases: BTreeMap<String, Case>,
}

impl Player for Lying {
    fn forget(&mut self) -> Result<(), NoAnswer> {
        Ok(())
    }

    fn ask(&mut self, question: &Question) -> Result<Reply, NoAnswer> {
        let case = &self.cases[&question.fen];
        let heals = |heals| matches!(question.limit, Limit::Depth(depth) if depth >= heals);
        let lie = if self.heals.is_some_and(heals) { Lie::None } else { self.lie };
        if question.limit == Limit::Depth(LATE)
            && let Some(why) = &self.late
        {
            return Err(why.clone());
        }
        let third = self.cases.range(..question.fen.clone()).count() % 3 == 1;
        assert!(lie != Lie::Panics, "a subject that panics over {}", question.fen);
        if lie == Lie::IsNotAsked {
            return Err(NoAnswer::OutOfTime);
        }
        if lie == Lie::Dies || lie == Lie::DiesAtTimes && third {
            return Err(NoAnswer::Broken("it is dead".to_owned()));
        }
        if lie == Lie::HangsAtTimes && third {
            return Err(NoAnswer::Hung("it sleeps".to_owned()));
        }
        let drawn =
            matches!(case.worth, ProvedValue::Draw | ProvedValue::DrawOrBetter | ProvedValue::DrawOrWorse);
        let score = match case.worth {
            _ if lie == Lie::Draw => Score::Centipawns(0),
            _ if drawn && lie == Lie::Mate => Score::Mate(-1),
            _ if drawn && lie == Lie::Mates => Score::Mate(1),
            ProvedValue::Win => Score::Centipawns(judge::TOLERANCE + 1),
            ProvedValue::Loss => Score::Mate(-3),
            ProvedValue::Draw => Score::Centipawns(judge::TOLERANCE),
            ProvedValue::DrawOrBetter | ProvedValue::DrawOrWorse => Score::Centipawns(0),
        };
        let bound = if lie == Lie::NoScore { Bound::Lower } else { Bound::Exact };
        let line = Line { depth: 1, score, bound, nodes: None, pv: Vec::new() };
        let legal = case.position.legal_moves();
        let losing = |mv: &&Move| case.losing.contains(mv) == (lie == Lie::Move);
        let mv = legal.iter().find(losing).or(legal.first());
        let best = mv.map(|mv| mv.to_uci(CastlingMode::Standard).to_string());
        let best = match lie {
            Lie::NoMove => None,
            Lie::AnyMove => best.or(Some("e1e2".to_owned())),
            Lie::Illegal => best.map(|_| "a1a1".to_owned()),
            Lie::Garbled => best.map(|best| format!("{best}!?")),
            _ => best,
        };
        Ok(Reply { lines: vec![line], best, cut: false })
    }
}

/// Wrong scores, wins stalemated, draws missed, and what was not answered.
fn counts(outcome: &Outcome<Row>) -> [u64; 4] {
    let sum = |count: fn(&Row) -> u64| outcome.rows.iter().map(count).sum();
    [sum(|row| row.wrong_score), sum(|row| row.stalemated), sum(|row| row.missed), sum(|row| row.unanswered)]
}

/// Questions due, of the cases for which this holds.
fn due(cases: &[StalemateCase], holds: impl Fn(&Case) -> bool) -> u64 {
    let cases = cases.iter().map(|case| Case::read(case).unwrap());
    cases.filter(holds).map(|case| u64::from(7 - case.due)).sum()
}

#[test]
fn each_lie_is_found_by_its_count_and_by_no_other() {
    let cases = cases();
    let lost = |case: &Case, won: bool| !case.losing.is_empty() && (case.worth == ProvedValue::Win) == won;
    let all = 6 * cases.len() as u64;
    let ended = 6 * cases.iter().filter(|case| Case::read(case).unwrap().is_stalemate()).count() as u64;
    let given_up = 6 * u64::from(MOST / CRASH);
    let worth = |wrong: &'static [ProvedValue]| due(&cases, |case| wrong.contains(&case.worth));
    for (lie, expected) in [
        (Lie::None, [0; 4]),
        (Lie::Mate, [worth(&[ProvedValue::Draw, ProvedValue::DrawOrBetter]), 0, 0, 0]),
        (Lie::Mates, [worth(&[ProvedValue::Draw, ProvedValue::DrawOrWorse]), 0, 0, 0]),
        (Lie::Draw, [worth(&[ProvedValue::Win, ProvedValue::Loss]), 0, 0, 0]),
        (Lie::Move, [0, due(&cases, |case| lost(case, true)), due(&cases, |case| lost(case, false)), 0]),
        (Lie::NoMove, [0, 0, 0, all - ended]),
        (Lie::AnyMove, [0, 0, 0, ended]),
        (Lie::Illegal, [0, 0, 0, all - ended]),
        (Lie::Garbled, [0, 0, 0, all - ended]),
        (Lie::NoScore, [0, 0, 0, due(&cases, |case| !case.is_stalemate())]),
        (Lie::Dies, [0, 0, 0, given_up]),
        (Lie::NeverStarts, [0, 0, 0, given_up]),
    ] {
        let outcome = try_out(&Liar::new(lie, &cases), &cases, Effort::Plain);
        assert_eq!(counts(&outcome), expected, "{lie:?}");
        assert!(lie == Lie::None || expected.iter().sum::<u64>() > 0, "{lie:?}");
        let differed: u64 = outcome.findings.iter().map(|found| found.tally.differed).sum();
        assert_eq!(differed, expected.iter().sum::<u64>(), "{lie:?}: one fault a question");
        // A move that is left over where there is none harms no game.
        let warned: u64 =
            outcome.findings.iter().map(|found| found.tally.differed_with(Severity::Warning)).sum();
        assert_eq!(warned, if lie == Lie::AnyMove { differed } else { 0 }, "{lie:?}");
        let sum = |count: &dyn Fn(&Findings) -> u64| outcome.findings.iter().map(count).sum::<u64>();
        assert_eq!(sum(&|found| found.tally.total()), all, "{lie:?}");
        if lie == Lie::None {
            let due = due(&cases, |_| true);
            let figures = [sum(&|found| found.tally.agreed), sum(&|found| found.tally.observed)];
            assert_eq!(figures, [due, all - due]);
        }
    }
}

#[test]
fn who_searches_selectively_may_be_late_and_not_later() {
    let cases = cases();
    for lie in [Lie::Mate, Lie::Draw, Lie::Move] {
        let heals = |depth| Liar { heals: Some(depth), ..Liar::new(lie, &cases) };
        assert_eq!(counts(&try_out(&heals(LATE), &cases, Effort::Plain)), [0; 4], "{lie:?}");
        let never = counts(&try_out(&heals(LATE + 1), &cases, Effort::Plain));
        assert_eq!(never, counts(&try_out(&Liar::new(lie, &cases), &cases, Effort::Plain)), "{lie:?}");
    }
    // What is no matter of depth heals nowhere.
    let garbled = Liar { heals: Some(2), ..Liar::new(Lie::Garbled, &cases) };
    assert!(counts(&try_out(&garbled, &cases, Effort::Plain))[3] > 0);
}

/// A late answer that does not come heals nothing, and blames nobody who was not asked.
#[test]
fn a_late_answer_that_does_not_come_heals_nothing() {
    let cases = &cases()[..20];
    let lying = counts(&try_out(&Liar::new(Lie::Draw, cases), cases, Effort::Plain));
    assert!(lying[0] > 0);
    let tried = |why| {
        let liar = Liar { heals: Some(LATE), late: Some(why), ..Liar::new(Lie::Draw, cases) };
        try_out(&liar, cases, Effort::Plain)
    };
    assert_eq!(counts(&tried(NoAnswer::Broken("it is dead".to_owned()))), [0, 0, 0, lying[0]]);
    for (why, reason) in [
        (NoAnswer::OutOfTime, SkipReason::OutOfTime),
        (NoAnswer::GivenUp("too often".to_owned()), SkipReason::GivenUp),
    ] {
        let outcome = tried(why);
        assert_eq!(counts(&outcome), [0; 4]);
        let sum = |count: &dyn Fn(&Findings) -> u64| outcome.findings.iter().map(count).sum::<u64>();
        let skipped = sum(&|found| found.tally.skipped.get(&reason).copied().unwrap_or_default());
        // It says draw to everything: where that is right, or not due, it is observed.
        let figures = [sum(&|found| found.tally.agreed), sum(&|found| found.tally.observed)];
        assert_eq!((skipped, figures), (lying[0], [0, 6 * 20 - lying[0]]));
        assert_eq!(outcome.rows.iter().map(|row| row.positions).sum::<u64>(), 6 * 20 - lying[0]);
    }
}

/// Who breaks time and again is given up, by the order of the cases.
#[test]
fn the_number_of_threads_decides_nothing() {
    let cases = cases();
    for (lie, questions, broken) in [(Lie::DiesAtTimes, 6, MOST / CRASH), (Lie::HangsAtTimes, 1, MOST / HANG)]
    {
        let alone = by_any_threads(|| try_out(&Liar::new(lie, &cases), &cases, Effort::Plain));
        assert_eq!(counts(&alone), [0, 0, 0, u64::from(questions * broken)], "{lie:?}");
        let passed = |found: &Findings| found.tally.skipped.get(&SkipReason::GivenUp).copied();
        assert!(alone.findings.iter().filter_map(passed).sum::<u64>() > 6 * 100, "{lie:?}");
    }
}

#[test]
fn what_is_not_asked_is_neither_right_nor_wrong() {
    let cases = &cases()[..3];
    let outcome = try_out(&Liar::new(Lie::IsNotAsked, cases), cases, Effort::Plain);
    let [found] = &outcome.findings[..] else { panic!("one class") };
    assert_eq!((found.tally.compared(), found.tally.skipped[&SkipReason::OutOfTime]), (0, 18));
    assert!(outcome.rows.iter().all(|row| row.positions == 0 && row.agreed == 0));
}

#[test]
fn a_subject_that_panics_is_a_finding() {
    let cases = &cases()[..3];
    let outcome = try_out(&Liar::new(Lie::Panics, cases), cases, Effort::Plain);
    assert_eq!(counts(&outcome), [0, 0, 0, 18]);
}

#[test]
fn a_difference_says_what_was_said_and_how_to_see_it() {
    let line = "k7/2K5/8/8/8/8/8/1Q6 w - - result win; am Qb6; due 2; id \"bare king/01\";";
    let cases = suites::stalemates::parse("test.epd", &format!("# cases: 1\n{line}")).unwrap();
    let outcome = try_out(&Liar::new(Lie::Move, &cases), &cases, Effort::Quick);
    let [found] = &outcome.findings[..] else { panic!("one class") };
    let [first, second] = &found.differences[..] else { panic!("depths 2 and 3") };
    assert_eq!(first.case, "bare king/01/depth 2 without tables");
    assert_eq!(first.stored, "cp 26, the move b1b6");
    assert_eq!(first.expected, "win, not by Qb6");
    assert_eq!(first.explanation, "the move lets the other side have its stalemate");
    assert_eq!(second.replay, "position fen k7/2K5/8/8/8/8/8/1Q6 w - - 0 1; go depth 3");
}
