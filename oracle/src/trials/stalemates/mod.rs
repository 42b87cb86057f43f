//! The suite of stalemates, put to a subject: is stalemate a draw to it, does it keep out of it when it wins, does it
//! find it when it loses?
//!
//! Each case is asked at each depth of the effort, with tables and without where the subject can go without. What a case
//! may expect is proved in `proof`, with which the suite was built; `judge` knows what is wrong with an answer.

pub mod classes;
pub mod judge;
pub mod plain;
pub mod proof;

#[cfg(test)]
mod liars;
#[cfg(test)]
mod tests;

use suites::stalemates::{Class, StalemateCase};
use suites::{Difference, Evidence, Findings, Tally, Verdict};

use super::blank::{Right, is_told_apart};
use super::guarded::{Pool, Turn};
use super::{Effort, Outcome, Trial};
use crate::subject::{Aid, Limit, NoAnswer, Question, Reply, Setup, Subject};
use judge::{Case, Fault, Unreadable};

/// Id of the check in reports.
const CHECK: &str = "stalemate";
/// The depth at which those who may be late have to know.
const LATE: u16 = 16;
/// A quick run asks for one case in so many.
const QUICK_STRIDE: usize = 3;

/// One class at one depth, with tables or without.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// What the positions have in common.
    pub class: Class,
    /// How deep the subject searched.
    pub depth: u16,
    /// Whether it had its tables.
    pub tables: bool,
    /// Positions asked for.
    pub positions: u64,
    /// Of these, due at this depth.
    pub due: u64,
    /// Of those that are due, positions without a fault, but for those that are observed.
    pub agreed: u64,
    /// Positions without a fault of which nothing was demanded: they are not due, or any player gets them right and this one
    /// does not tell them from others.
    pub observed: u64,
    /// Positions with a score that is not true.
    pub wrong_score: u64,
    /// Positions with a move that lets a win go by stalemate.
    pub stalemated: u64,
    /// Positions with a move that misses the stalemate that saves.
    pub missed: u64,
    /// Positions not answered, or with what is no legal move.
    pub unanswered: u64,
}

/// Asks for every case that the effort allows.
///
/// # Errors
/// If the rules do not read a case.
pub fn run(trial: &Trial, cases: &[StalemateCase]) -> Result<Outcome<Row>, Unreadable> {
    let stride = if trial.effort == Effort::Quick { QUICK_STRIDE } else { 1 };
    let cases: Vec<Case> = cases.iter().step_by(stride).map(Case::read).collect::<Result<_, _>>()?;
    let setups = setups(trial);
    let asked: Vec<(&Case, Setup)> =
        cases.iter().flat_map(|case| setups.iter().map(move |&setup| (case, setup))).collect();
    trial.watch.begin(asked.len() as u64);
    let mut judged: Vec<Judged> =
        Pool::new(trial.subjects)
            .in_turn(&asked, trial.watch, |turn, &(case, setup)| ask_all(trial, turn, case, setup));
    for setup in setups {
        observe_blanks(&mut judged, setup);
    }
    Ok(gather(trial, &judged))
}

fn depths(effort: Effort) -> std::ops::RangeInclusive<u16> {
    1..=match effort {
        Effort::Quick => 3,
        Effort::Plain => 6,
        Effort::Thorough => 8,
    }
}

/// With all aids, and without tables if the subject has some.
fn setups(trial: &Trial) -> Vec<Setup> {
    if trial.subjects.has(Aid::Tables) {
        vec![Setup::ALL, Setup::ALL.without(Aid::Tables)]
    } else {
        vec![Setup::ALL.without(Aid::Tables)]
    }
}

/// What came of a case in one setup.
struct Judged<'a> {
    case: &'a Case,
    setup: Setup,
    /// At each depth in turn.
    verdicts: Vec<(u16, Vec<Fault>, Verdict)>,
}

/// An answer to a question at one depth.
struct Heard {
    depth: u16,
    /// At which depth it was asked last.
    last: u16,
    asked: Result<Reply, NoAnswer>,
    faults: Vec<Fault>,
}

impl Heard {
    fn may_heal(&self) -> bool {
        self.faults.iter().any(Fault::may_heal)
    }
}

fn ask_all<'a>(trial: &Trial, turn: &Turn<'_>, case: &'a Case, setup: Setup) -> Judged<'a> {
    let late = trial.subjects.may_be_late();
    let question = |depth| Question::of(&case.fen, Limit::Depth(depth));
    let mut seat = turn.seat(setup);
    // Who may be late keeps what it learnt at the depths before.
    let mut ask = |depth| match &mut seat {
        Ok(seat) if late => seat.ask(&question(depth)),
        Ok(seat) => seat.forget().and_then(|()| seat.ask(&question(depth))),
        Err(why) => Err(why.clone()),
    };
    let mut answers: Vec<_> = depths(trial.effort)
        .map(|depth| {
            let asked = ask(depth);
            let faults = judge::faults(case, depth, &asked);
            Heard { depth, last: depth, asked, faults }
        })
        .collect();
    if late && answers.iter().any(Heard::may_heal) {
        drop(seat);
        let last = turn.ask_apart(setup, &question(LATE));
        // What it says there counts; if it was not asked, whether it would have seen it later nobody knows.
        let found = judge::faults(case, LATE, &last);
        for heard in answers.iter_mut().filter(|heard| heard.may_heal()) {
            *heard = Heard { depth: heard.depth, last: LATE, asked: last.clone(), faults: found.clone() };
        }
    }
    let verdicts = answers.into_iter().map(|heard| {
        let verdict = verdict(trial, case, setup, &heard, &question);
        (heard.depth, heard.faults, verdict)
    });
    Judged { case, setup, verdicts: verdicts.collect() }
}

fn verdict(
    trial: &Trial,
    case: &Case,
    setup: Setup,
    Heard { depth, last, asked, faults }: &Heard,
    question: &dyn Fn(u16) -> Question,
) -> Verdict {
    if let Some(reason) = asked.as_ref().err().and_then(NoAnswer::skip) {
        return Verdict::Skip(reason);
    }
    let Some(worst) = faults.iter().max() else {
        return if *depth < case.due { Verdict::Observed } else { Verdict::Agree };
    };
    let tables = if setup.has(Aid::Tables) { "with tables" } else { "without tables" };
    let explanations: Vec<String> = faults.iter().map(|fault| fault.explanation(case)).collect();
    Verdict::Differ(Box::new(Difference {
        subject: trial.subjects.name().to_owned(),
        check: worst.check().to_owned(),
        case: format!("{}/{} {tables}", case.id, question(*depth).limit),
        fen: case.fen.clone(),
        stored: said(asked),
        expected: expected(case),
        source: "proof by shakmaty's moves".to_owned(),
        explanation: explanations.join("; "),
        replay: trial.subjects.replay(setup, &question(*last)),
    }))
}

/// What a subject said, in words.
fn said(asked: &Result<Reply, NoAnswer>) -> String {
    let Ok(reply) = asked else { return "no answer".to_owned() };
    let score = reply.last().map_or("no score".to_owned(), |line| line.score.to_string());
    format!(
        "{score}, {}",
        reply.best.as_deref().map_or("no move".to_owned(), |best| format!("the move {best}"))
    )
}

fn expected(case: &Case) -> String {
    if case.is_stalemate() {
        return "draw, no move".to_owned();
    }
    format!("{}{}", case.worth, case.moves)
}

/// Where the subject in this setup does not tell wins and losses from draws, the draws that it gets right are observed.
fn observe_blanks(judged: &mut [Judged], setup: Setup) {
    let of_setup = || judged.iter().filter(|judged| judged.setup == setup);
    let due = of_setup().flat_map(|Judged { case, verdicts, .. }| {
        verdicts
            .iter()
            .filter(|(depth, ..)| *depth >= case.due)
            .map(|(_, _, verdict)| (case.right(), verdict))
    });
    if is_told_apart(due) {
        return;
    }
    let blank =
        judged.iter_mut().filter(|judged| judged.setup == setup && judged.case.right() == Right::Blank);
    for (_, _, verdict) in blank.flat_map(|judged| &mut judged.verdicts) {
        if *verdict == Verdict::Agree {
            *verdict = Verdict::Observed;
        }
    }
}

fn gather(trial: &Trial, judged: &[Judged]) -> Outcome<Row> {
    let mut findings: Vec<Findings> = Vec::new();
    let mut rows: Vec<Row> = Vec::new();
    for class in Class::ALL {
        let of_class = || judged.iter().filter(|judged| judged.case.class == class);
        if of_class().next().is_none() {
            continue;
        }
        let tally = Tally::new(trial.subjects.name(), CHECK, Evidence::Agreement, class.name());
        let mut found = Findings::new(tally);
        for (_, _, verdict) in of_class().flat_map(|judged| &judged.verdicts) {
            found.record(verdict.clone());
        }
        findings.push(found);
        for setup in setups(trial) {
            let in_setup: Vec<&Judged> = of_class().filter(|judged| judged.setup == setup).collect();
            rows.extend(depths(trial.effort).map(|depth| row(class, depth, setup, &in_setup)));
        }
    }
    Outcome { findings, rows }
}

fn row(class: Class, depth: u16, setup: Setup, judged: &[&Judged]) -> Row {
    let mut row = Row {
        class,
        depth,
        tables: setup.has(Aid::Tables),
        positions: 0,
        due: 0,
        agreed: 0,
        observed: 0,
        wrong_score: 0,
        stalemated: 0,
        missed: 0,
        unanswered: 0,
    };
    for judged in judged {
        let asked = |verdict: &Verdict| !matches!(verdict, Verdict::Skip(_));
        let of_depth = judged.verdicts.iter().filter(|(at, _, verdict)| *at == depth && asked(verdict));
        for (_, faults, verdict) in of_depth {
            row.positions += 1;
            row.due += u64::from(judged.case.due <= depth);
            row.agreed += u64::from(*verdict == Verdict::Agree);
            row.observed += u64::from(*verdict == Verdict::Observed);
            for fault in faults {
                *match fault {
                    Fault::Unanswered(_) | Fault::LeftOver => &mut row.unanswered,
                    Fault::WrongScore => &mut row.wrong_score,
                    Fault::Stalemated => &mut row.stalemated,
                    Fault::Missed => &mut row.missed,
                } += 1;
            }
        }
    }
    row
}
