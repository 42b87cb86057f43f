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
mod faulty;
#[cfg(test)]
mod faulty_once;
#[cfg(test)]
mod tests;

use suites::stalemates::{StalemateCase, StalemateClass};
use suites::{Difference, Evidence, Findings, Tally, Verdict};

use super::{Effort, Incident, Outcome, SuiteContext};
use crate::player::{Aid, NoAnswer, Player, Setup};
use crate::runner::{CaseContext, PlayerLease, PlayerPool, Reproduction};
use crate::runner::{Right, is_told_apart};
use judge::{Case, Fault, Unreadable};
use uci::{Limit, Question, Reply};

/// Id of the check in reports.
const CHECK: &str = "stalemate";
/// Id of what did not come again.
const FLAKY: &str = "stalemate/flaky";
/// The depth at which those who may be late have to know.
const LATE: u16 = 16;
/// A quick run asks for one case in so many.
const QUICK_STRIDE: usize = 3;

/// One class at one depth, with tables or without.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// What the positions have in common.
    pub class: StalemateClass,
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
    /// Positions of which what was wrong did not come again.
    pub flaky: u64,
}

/// Asks for every case that the effort allows.
///
/// # Errors
/// If the rules do not read a case.
pub fn run(context: &SuiteContext, cases: &[StalemateCase]) -> Result<Outcome<Row>, Unreadable> {
    let stride = if context.effort == Effort::Quick { QUICK_STRIDE } else { 1 };
    let cases: Vec<Case> = cases.iter().step_by(stride).map(Case::read).collect::<Result<_, _>>()?;
    let setups = setups(context);
    let asked: Vec<(&Case, Setup)> =
        cases.iter().flat_map(|case| setups.iter().map(move |&setup| (case, setup))).collect();
    context.progress.begin(asked.len() as u64);
    let pool = PlayerPool::new(context.players);
    let (mut judged, incidents): (Vec<Judged>, _) =
        pool.judge_all(&asked, context.progress, |turn, &(case, setup)| ask_all(context, turn, case, setup));
    for setup in setups {
        observe_blanks(&mut judged, setup);
    }
    Ok(gather(context, &judged, incidents))
}

fn depths(effort: Effort) -> std::ops::RangeInclusive<u16> {
    1..=match effort {
        Effort::Quick => 3,
        Effort::Plain => 6,
        Effort::Thorough => 8,
    }
}

/// With all aids, and without tables if the subject has some.
fn setups(context: &SuiteContext) -> Vec<Setup> {
    if context.players.has(Aid::Tables) {
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
#[derive(Clone)]
struct Heard {
    depth: u16,
    /// At which depth it was asked last.
    last: u16,
    asked: Result<Reply, NoAnswer>,
    faults: Vec<Fault>,
    /// Whether the faults came again.
    again: Reproduction,
}

impl Heard {
    fn new(case: &Case, depth: u16, asked: Result<Reply, NoAnswer>) -> Self {
        let faults = judge::faults(case, depth, &asked);
        Self { depth, last: depth, asked, faults, again: Reproduction::Never }
    }

    /// Whether something is wrong that did not come again until now.
    fn is_open(&self) -> bool {
        self.asked.is_ok() && self.again == Reproduction::Never && !self.faults.is_empty()
    }

    /// Whether the same is wrong.
    fn is_wrong_as(&self, other: &Self) -> bool {
        self.faults.iter().any(|fault| other.faults.iter().any(|other| fault.check() == other.check()))
    }

    /// Whether what is wrong came again, and a deeper search may see it.
    fn retry_deeper(&self) -> bool {
        self.again.came_again() && self.faults.iter().any(Fault::retry_deeper)
    }
}

/// Puts a case to a subject at one depth after the other.
struct Asker<'a> {
    context: &'a SuiteContext<'a>,
    turn: &'a CaseContext<'a>,
    case: &'a Case,
    setup: Setup,
}

fn ask_all<'a>(context: &SuiteContext, turn: &CaseContext<'_>, case: &'a Case, setup: Setup) -> Judged<'a> {
    let verdicts = Asker { context, turn, case, setup }.ask_all();
    Judged { case, setup, verdicts }
}

impl Asker<'_> {
    fn ask_all(&self) -> Vec<(u16, Vec<Fault>, Verdict)> {
        let depths = depths(self.context.effort);
        let answers = match self.turn.lease(self.setup) {
            Ok(mut lease) => {
                let mut answers = self.heard(&mut lease, *depths.end());
                self.ask_again(&mut lease, &mut answers);
                answers
            }
            Err(why) => depths.map(|depth| Heard::new(self.case, depth, Err(why.clone()))).collect(),
        };
        let verdicts = answers.into_iter().map(|heard| (self.verdict(&heard), heard));
        verdicts.map(|(verdict, heard)| (heard.depth, heard.faults, verdict)).collect()
    }

    /// Asks at each depth up to this one. Who may be late keeps what it learnt at the depths before.
    fn heard(&self, lease: &mut PlayerLease<'_>, most: u16) -> Vec<Heard> {
        let ask = |depth| {
            let late = self.context.players.searches_selectively();
            let forgotten = if late || depth == 1 { Ok(()) } else { lease.forget() };
            let asked = forgotten.and_then(|()| lease.ask(&self.question(depth)));
            Heard::new(self.case, depth, asked)
        };
        (1..=most).map(ask).collect()
    }

    /// Asks the same again where something is wrong: another process, then the same one. What came again is asked of whoever may
    /// be late with a deeper search.
    fn ask_again(&self, lease: &mut PlayerLease<'_>, answers: &mut [Heard]) {
        if !answers.iter().any(Heard::is_open) {
            return;
        }
        let mut apart = self.turn.fresh_lease(self.setup);
        let afresh = match &mut apart {
            Ok(apart) => self.hear_again(apart, answers, &Reproduction::FreshProcess),
            Err(why) => Err(why.clone()),
        };
        let in_same = if answers.iter().any(Heard::is_open) {
            lease.forget().and_then(|()| self.hear_again(lease, answers, &Reproduction::SameProcess))
        } else {
            Ok(())
        };
        let never = Reproduction::never([afresh.err(), in_same.err()]);
        for heard in answers.iter_mut().filter(|heard| heard.is_open()) {
            heard.again = never;
        }
        if self.context.players.searches_selectively() {
            if let Ok(apart) = &mut apart {
                self.ask_late(apart, answers, &Reproduction::FreshProcess);
            }
            self.ask_late(lease, answers, &Reproduction::SameProcess);
        }
    }

    /// Notes what comes again; the error is why not all was asked.
    fn hear_again(
        &self,
        lease: &mut PlayerLease<'_>,
        answers: &mut [Heard],
        how: &Reproduction,
    ) -> Result<(), NoAnswer> {
        let most = answers.iter().filter(|heard| heard.is_open()).map(|heard| heard.depth).max();
        let heard = self.heard(lease, most.unwrap_or_default());
        for (first, again) in answers.iter_mut().zip(&heard) {
            if first.is_open() && first.is_wrong_as(again) {
                first.again = *how;
            }
        }
        heard.into_iter().try_for_each(|heard| heard.asked.map(|_| ()))
    }

    /// Asks the process in which a fault came again with a deeper search. What it says there counts; if it was not asked, whether it
    /// would have seen it later nobody knows.
    fn ask_late(&self, lease: &mut PlayerLease<'_>, answers: &mut [Heard], how: &Reproduction) {
        let is_late = |heard: &Heard| heard.again == *how && heard.retry_deeper();
        if !answers.iter().any(is_late) {
            return;
        }
        let asked = lease.ask(&self.question(LATE));
        let late = Heard { again: *how, ..Heard::new(self.case, LATE, asked) };
        for heard in answers.iter_mut().filter(|heard| is_late(heard)) {
            // What else is wrong there was said once.
            if late.asked.is_err() || late.faults.is_empty() || heard.is_wrong_as(&late) {
                *heard = Heard { depth: heard.depth, ..late.clone() };
            }
        }
    }

    fn question(&self, depth: u16) -> Question {
        Question::of(&self.case.fen, Limit::Depth(depth))
    }

    fn verdict(&self, heard: &Heard) -> Verdict {
        let Heard { depth, last, asked, faults, again } = heard;
        if let Some(reason) = asked.as_ref().err().and_then(NoAnswer::skip) {
            return Verdict::Skip(reason);
        }
        let Some(worst) = faults.iter().max() else {
            return if *depth < self.case.due { Verdict::Observed } else { Verdict::Agree };
        };
        let tables = if self.setup.has(Aid::Tables) { "with tables" } else { "without tables" };
        let explanations: Vec<String> = faults.iter().map(|fault| fault.explanation(self.case)).collect();
        let mut found = Difference {
            subject: self.context.players.name().to_owned(),
            check: worst.check().to_owned(),
            case: format!("{}/{} {tables}", self.case.id, self.question(*depth).limit),
            fen: self.case.fen.clone(),
            stored: said(asked),
            expected: expected(self.case),
            source: "proof by shakmaty's moves".to_owned(),
            explanation: explanations.join("; "),
            replay: self.context.players.replay(self.setup, &self.question(*last)),
        };
        // No answer came twice already.
        let skipped = if asked.is_ok() { again.record_in(&mut found, FLAKY) } else { None };
        skipped.map_or_else(|| Verdict::Differ(Box::new(found)), Verdict::Skip)
    }
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

fn gather(context: &SuiteContext, judged: &[Judged], incidents: Vec<Incident>) -> Outcome<Row> {
    let mut findings: Vec<Findings> = Vec::new();
    let mut rows: Vec<Row> = Vec::new();
    for class in StalemateClass::ALL {
        let of_class = || judged.iter().filter(|judged| judged.case.class == class);
        if of_class().next().is_none() {
            continue;
        }
        let tally = Tally::new(context.players.name(), CHECK, Evidence::Agreement, class.name());
        let mut found = Findings::new(tally);
        for (_, _, verdict) in of_class().flat_map(|judged| &judged.verdicts) {
            found.record(verdict.clone());
        }
        findings.push(found);
        for setup in setups(context) {
            let in_setup: Vec<&Judged> = of_class().filter(|judged| judged.setup == setup).collect();
            rows.extend(depths(context.effort).map(|depth| row(class, depth, setup, &in_setup)));
        }
    }
    Outcome::new(context.players.name(), findings, rows, incidents)
}

fn row(class: StalemateClass, depth: u16, setup: Setup, judged: &[&Judged]) -> Row {
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
        flaky: 0,
    };
    for judged in judged {
        let asked = |verdict: &Verdict| !matches!(verdict, Verdict::Skip(_));
        let of_depth = judged.verdicts.iter().filter(|(at, _, verdict)| *at == depth && asked(verdict));
        for (_, faults, verdict) in of_depth {
            row.positions += 1;
            row.due += u64::from(judged.case.due <= depth);
            row.agreed += u64::from(*verdict == Verdict::Agree);
            row.observed += u64::from(*verdict == Verdict::Observed);
            if matches!(verdict, Verdict::Differ(found) if found.check == FLAKY) {
                row.flaky += 1;
                continue;
            }
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
