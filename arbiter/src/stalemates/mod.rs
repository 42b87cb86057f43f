//! The suite `stalemates`: whether a player scores stalemate as a draw, avoids it when it wins, and finds it
//! when it loses.
//!
//! Each case is asked at each depth of the effort, with tables and, if the player can play without them,
//! without. `proof` proves the answers with which the suite was built; `judge` compares an answer with them.

mod answer;
pub mod classes;
pub mod judge;
pub mod plain;
pub mod proof;

#[cfg(test)]
mod tests;

use std::time::Duration;

pub use suites::rows::StalemateSubjectRow;
use suites::stalemates::{StalemateCase, StalemateClass};
use suites::{Answer, Evidence, ScoreBound, SharedCause, SkipReason, Then, ToldScore, Verdict};
use uci::{Limit, Question, Reply};

use super::{Effort, Incident, SuiteContext, SuiteOutcome, by_effort};
use crate::findings::{Fault, FaultCase, FindingsByClass, observe_blanks};
use crate::player::{Aid, Asked, NoAnswer, Player, Setup};
use crate::runner::{
    CaseContext, PlayerLease, PlayerPool, Process, Reproduction, Right, came_again, earlier_counts,
};
use answer::StalemateAnswer;
use judge::{StalemateFault, StalematePosition, UnreadableCase};

/// The id of the check.
const CHECK: &str = "stalemate";
/// The id of findings that did not come again.
const FLAKY: &str = "stalemate/flaky";
/// The depth in plies of a deeper search.
const DEEPER: u16 = 16;
/// The longest search of a position without a legal move. Some programs search it until `stop`.
const WITHOUT_MOVE: Duration = Duration::from_secs(1);
/// A quick run asks for one case in this many.
const QUICK_STRIDE: usize = 3;

/// Asks a player for every case of the effort.
///
/// # Errors
/// If a case has an illegal position or move.
pub fn run(
    context: &SuiteContext,
    cases: &[StalemateCase],
) -> Result<SuiteOutcome<StalemateSubjectRow>, UnreadableCase> {
    let stride = if context.effort == Effort::Quick { QUICK_STRIDE } else { 1 };
    let cases: Vec<StalematePosition> =
        cases.iter().step_by(stride).map(StalematePosition::read).collect::<Result<_, _>>()?;
    let setups = setups(context);
    let jobs: Vec<(&StalematePosition, Setup)> =
        cases.iter().flat_map(|case| setups.iter().map(move |&setup| (case, setup))).collect();
    let pool = PlayerPool::new(context.players);
    let (mut judged, incidents): (Vec<JudgedStalemate>, _) = pool.judge_all(
        &jobs,
        |(case, _)| case.class.name(),
        context.progress,
        |case_context, &(case, setup)| {
            let verdicts = StalemateRun { context, case_context, case, setup }.judge();
            JudgedStalemate { case, setup, verdicts }
        },
    );
    skip_scores(&mut judged);
    for setup in setups {
        let of_setup = judged.iter_mut().filter(|judged| judged.setup == setup);
        let mut due: Vec<(Right, &mut Verdict)> = of_setup.flat_map(JudgedStalemate::due).collect();
        observe_blanks(
            &mut due,
            |(right, verdict)| Some((*right, &**verdict)),
            |(_, verdict)| **verdict = Verdict::Observed,
        );
    }
    Ok(gather(context, &judged, incidents))
}

/// Skips missing scores of a program that prints none in any answer. `protocol/info-score` reports it.
fn skip_scores(judged: &mut [JudgedStalemate]) {
    let has_score = |(answer, _): &(StalemateAnswer, Verdict)| {
        answer.reply.as_ref().is_ok_and(|reply| !reply.lines.is_empty())
    };
    if judged.iter().flat_map(|judged| &judged.verdicts).any(has_score) {
        return;
    }
    let missing = StalemateFault::Unanswered(judge::NO_SCORE.to_owned());
    for JudgedStalemate { case, verdicts, .. } in judged {
        for (answer, verdict) in verdicts {
            let says_nothing = |reply| judge::says_nothing(case, reply);
            let is_unsearched = answer.depth >= case.due && answer.reply.as_ref().is_ok_and(says_nothing);
            if answer.faults == [missing.clone()] || is_unsearched {
                *verdict = Verdict::Skip(SkipReason::Unsupported);
            }
        }
    }
}

/// The depths of a run, in plies.
fn depths(effort: Effort) -> std::ops::RangeInclusive<u16> {
    1..=by_effort(effort, [3, 6, 8])
}

/// With all aids, and without tables if the player has them.
fn setups(context: &SuiteContext) -> Vec<Setup> {
    if context.players.has(Aid::Tables) {
        vec![Setup::ALL, Setup::ALL.without(Aid::Tables)]
    } else {
        vec![Setup::ALL.without(Aid::Tables)]
    }
}

/// A judged case with one set-up.
struct JudgedStalemate<'a> {
    case: &'a StalematePosition,
    setup: Setup,
    /// One verdict for each depth.
    verdicts: Vec<(StalemateAnswer, Verdict)>,
}

impl JudgedStalemate<'_> {
    /// The verdicts at the depths at which the case is due.
    fn due(&mut self) -> impl Iterator<Item = (Right, &mut Verdict)> {
        let (right, due) = (self.case.right(), self.case.due);
        let verdicts = self.verdicts.iter_mut().filter(move |(answer, _)| answer.depth >= due);
        verdicts.map(move |(_, verdict)| (right, verdict))
    }
}

/// One case put to a player with one set-up, at one depth after the other.
struct StalemateRun<'a> {
    context: &'a SuiteContext<'a>,
    case_context: &'a CaseContext<'a>,
    case: &'a StalematePosition,
    setup: Setup,
}

impl StalemateRun<'_> {
    fn judge(&self) -> Vec<(StalemateAnswer, Verdict)> {
        let depths = depths(self.context.effort);
        let answers = match self.case_context.lease(self.setup) {
            Ok(mut lease) => {
                let history = lease.history();
                let mut answers = self.ask(&mut lease, *depths.end());
                self.ask_again(&mut lease, &mut answers, &history);
                if self.case.is_stalemate() {
                    answers.iter_mut().for_each(StalemateAnswer::know_left_over);
                }
                // A shallow fault does not count beside an error at a greater depth, or without a depth.
                let is_error = |answer: &StalemateAnswer| answer.faults.contains(&StalemateFault::Stalemated);
                if self.has_no_depth() || answers.iter().any(is_error) {
                    answers.iter_mut().for_each(StalemateAnswer::forgive_shallow);
                }
                answers
            }
            Err(why) => {
                depths.map(|depth| StalemateAnswer::new(self.case, vec![depth], Err(why.clone()))).collect()
            }
        };
        let verdicts: Vec<Verdict> = answers.iter().map(|answer| self.verdict(answer)).collect();
        answers.into_iter().zip(verdicts).collect()
    }

    /// Asks at each depth up to this one. A player that searches selectively keeps its hash table from depth
    /// to depth. A program that fails at two depths in turn, or searches a position without a move until
    /// `stop`, is not asked more: its last answer stands for the other depths.
    fn ask(&self, lease: &mut PlayerLease<'_>, most: u16) -> Vec<StalemateAnswer> {
        let keeps_hash = self.context.players.searches_selectively();
        let (mut known, mut failed) = (None, false);
        let ask = |depth| {
            let reply = known.take().unwrap_or_else(|| {
                if depth > 1 && !keeps_hash {
                    lease.forget()?;
                }
                lease.ask(&self.question(depth))
            });
            let is_last = match &reply {
                Ok(reply) => reply.cut && self.case.is_stalemate(),
                Err(why) => failed && matches!(why, NoAnswer::Failed(_)),
            };
            (known, failed) = (is_last.then(|| reply.clone()), reply.is_err());
            let first = if keeps_hash { 1 } else { depth };
            let mut answer = StalemateAnswer::new(self.case, (first..=depth).collect(), reply);
            if !keeps_hash {
                answer.forgive_shallow();
            }
            answer
        };
        (1..=most).map(ask).collect()
    }

    /// Asks again after wrong answers: a fresh process first, then the same one, then fresh ones that were
    /// asked questions of `history` before. If a fault comes again and the player searches selectively, a
    /// deeper search decides.
    fn ask_again(&self, lease: &mut PlayerLease<'_>, answers: &mut [StalemateAnswer], history: &[Asked]) {
        if !answers.iter().any(StalemateAnswer::is_open) {
            return;
        }
        let mut fresh = self.case_context.fresh_lease(self.setup);
        let others = Reproduction::find(|process| {
            let asked = match (process, &mut fresh) {
                (Process::Fresh, Ok(fresh)) => self.reproduce(fresh, answers, Reproduction::FreshProcess),
                (Process::Fresh, Err(why)) => Err(why.clone()),
                (Process::Same, _) => {
                    lease.forget().and_then(|()| self.reproduce(lease, answers, Reproduction::SameProcess))
                }
            };
            came_again(!answers.iter().any(StalemateAnswer::is_open), asked)
        });
        self.ask_after_others(answers, history);
        for answer in answers.iter_mut().filter(|answer| answer.is_open()) {
            answer.again = others;
            answer.forgive_shallow();
        }
        if self.context.players.searches_selectively() {
            if let Ok(fresh) = &mut fresh {
                self.ask_deeper(fresh, answers, Reproduction::FreshProcess);
            }
            self.ask_deeper(lease, answers, Reproduction::SameProcess);
        }
    }

    /// Looks for the earlier questions that bring back the faults which no fresh process repeats. It asks
    /// fresh processes the last questions of `history` first, as few as show the faults.
    fn ask_after_others(&self, answers: &mut [StalemateAnswer], history: &[Asked]) {
        let (all, mut tries) = (history.len(), 3);
        for count in earlier_counts(all) {
            let lost = answers.iter().filter(|answer| answer.needs_others());
            let Some(most) = lost.map(|answer| answer.depth).max() else { return };
            let (earlier, how) = (&history[all - count..], Reproduction::AfterOthers(count));
            let started = self.case_context.lease_after(self.setup, earlier);
            let Ok(mut lease) = started.and_then(|mut lease| lease.forget().map(|()| lease)) else { return };
            tries += 1;
            let again = self.ask(&mut lease, most);
            for (first, again) in answers.iter_mut().zip(&again) {
                if first.needs_others() && first.shares_fault(again) {
                    (first.again, first.earlier) = (how, earlier.to_vec());
                }
            }
            if self.context.players.searches_selectively() {
                self.ask_deeper(&mut lease, answers, how);
            }
        }
        for answer in answers.iter_mut().filter(|answer| all > 0 && answer.needs_others()) {
            let in_first = answer.again == Reproduction::SameProcess;
            answer.again = Reproduction::Lost { tries, earlier: all, in_first };
            answer.earlier = history.to_vec();
            answer.forgive_shallow();
        }
    }

    /// Asks the same again and notes which faults came again. The error says why not all depths were asked.
    fn reproduce(
        &self,
        lease: &mut PlayerLease<'_>,
        answers: &mut [StalemateAnswer],
        how: Reproduction,
    ) -> Result<(), NoAnswer> {
        let most = answers.iter().filter(|answer| answer.is_open()).map(|answer| answer.depth).max();
        let again = self.ask(lease, most.unwrap_or_default());
        for (first, again) in answers.iter_mut().zip(&again) {
            if first.is_open() && first.shares_fault(again) {
                first.again = how;
            }
        }
        again.into_iter().try_for_each(|answer| answer.reply.map(|_| ()))
    }

    /// Asks for a deeper search in the process in which a fault came again. The deeper answer replaces the
    /// faulty ones, unless it has another fault, which came only once.
    fn ask_deeper(&self, lease: &mut PlayerLease<'_>, answers: &mut [StalemateAnswer], how: Reproduction) {
        let asked = answers.iter().filter(|answer| answer.retry_deeper(how)).map(|answer| answer.depth).max();
        let Some(most) = asked else { return };
        let reply = lease.ask(&self.question(DEEPER));
        let asked = (1..=most).chain([DEEPER]).collect();
        let deeper = StalemateAnswer { again: how, ..StalemateAnswer::new(self.case, asked, reply) };
        for answer in answers.iter_mut().filter(|answer| answer.retry_deeper(how)) {
            if deeper.reply.is_err() || deeper.faults.is_empty() || answer.shares_fault(&deeper) {
                let (depth, earlier) = (answer.depth, std::mem::take(&mut answer.earlier));
                *answer = StalemateAnswer { depth, earlier, ..deeper.clone() };
            }
        }
    }

    /// Whether the player gets a time in place of a depth.
    fn has_no_depth(&self) -> bool {
        self.context.players.gets_time_for(Limit::Depth(1))
    }

    fn question(&self, depth: u16) -> Question {
        let within = self.case.is_stalemate().then_some(WITHOUT_MOVE);
        Question { within, ..Question::new(&self.case.fen, Limit::Depth(depth)) }
    }

    fn verdict(&self, answer: &StalemateAnswer) -> Verdict {
        let StalemateAnswer { depth, reply, faults, again, .. } = answer;
        if let Some(reason) = reply.as_ref().err().and_then(NoAnswer::skip) {
            return Verdict::Skip(reason);
        }
        let Some(worst) = faults.iter().max() else {
            let has_score = reply.as_ref().is_ok_and(|reply| {
                // `mate 0` in a position with moves is a count that is off by one: it tells nothing here.
                let is_off =
                    |line: &uci::Line| line.score == uci::Score::Mate(0) && !self.case.is_stalemate();
                let is_scored = reply.lines.is_empty() || reply.last().is_some_and(|line| !is_off(line));
                is_scored && !judge::says_nothing(self.case, reply)
            });
            return if *depth < self.case.due || !has_score { Verdict::Observed } else { Verdict::Agree };
        };
        let tables = if self.setup.has(Aid::Tables) { "with tables" } else { "without tables" };
        let explanations: Vec<String> = faults.iter().map(|fault| fault.explanation(self.case)).collect();
        let fault = Fault {
            kind: worst,
            stored: stored(reply),
            given: reply.as_ref().ok().and_then(|reply| reply.best.clone()),
            expected: expected(self.case).into(),
            best: self.case.best_moves(),
            source: "proof by shakmaty's moves".to_owned(),
            explanation: explanations.join("; "),
            cause: match worst {
                StalemateFault::Shallow(_) => Some(SharedCause::Shallow),
                StalemateFault::LeftOver => Some(SharedCause::LeftOver),
                _ => None,
            },
        };
        let limit = self.question(*depth).limit;
        let limit = if self.has_no_depth() { format!("time for {limit}") } else { limit.to_string() };
        let case = format!("{}/{limit} {tables}", self.case.id);
        // A slow machine may have kept the search from finding the right answer.
        if self.has_no_depth() && again.is_flaky() && worst.retry_deeper() {
            return Verdict::Observed;
        }
        let mut found = fault.difference(self.found(worst, case, answer));
        // The lease has already asked again for a missing answer.
        let skipped = if reply.is_ok() { again.record_in(&mut found, FLAKY) } else { None };
        skipped.map_or_else(|| Verdict::Differ(Box::new(found)), Verdict::Skip)
    }

    /// A fault of an answer.
    fn found(&self, fault: &StalemateFault, case: String, answer: &StalemateAnswer) -> FaultCase<'_> {
        let mut series = answer.earlier.clone();
        series.extend(answer.asked.iter().map(|&depth| Asked::on(self.question(depth))));
        if let Some(first) = series.get_mut(answer.earlier.len()) {
            first.in_new_game = !answer.earlier.is_empty();
        }
        let (players, fen) = (self.context.players, &*self.case.fen);
        let replay = players.replay_series(self.setup, &series);
        let limit = series.last().map(|asked| asked.question.limit.to_string());
        let (player, check) = (players.name(), fault.check().to_owned());
        FaultCase { player, check, case, fen, played: None, limit, replay }
    }
}

/// The score and move of an answer.
fn stored(reply: &Result<Reply, NoAnswer>) -> Answer {
    let Ok(reply) = reply else { return "no answer".into() };
    let then = reply.best.clone().map_or(Then::NoMove, Then::Move);
    let Some(line) = reply.last() else { return Answer::NoScore(then) };
    let (score, bound) = (crate::answer::engine_score(line.score), ScoreBound::Exact);
    Answer::Score(ToldScore { score, bound, depth: None, then, mate_in_one: None })
}

/// The result and moves that are right.
fn expected(case: &StalematePosition) -> String {
    if case.is_stalemate() {
        return "draw, no move".to_owned();
    }
    format!("{}{}", case.worth, case.moves)
}

fn gather(
    context: &SuiteContext,
    judged: &[JudgedStalemate],
    incidents: Vec<Incident>,
) -> SuiteOutcome<StalemateSubjectRow> {
    let mut findings = FindingsByClass::new(context.players.name(), CHECK);
    let mut rows: Vec<StalemateSubjectRow> = Vec::new();
    for class in StalemateClass::ALL {
        let of_class = || judged.iter().filter(|judged| judged.case.class == class);
        if of_class().next().is_none() {
            continue;
        }
        for (_, verdict) in of_class().flat_map(|judged| &judged.verdicts) {
            findings.record(class.name(), Evidence::Agreement, verdict.clone());
        }
        for setup in setups(context) {
            let in_setup: Vec<&JudgedStalemate> = of_class().filter(|judged| judged.setup == setup).collect();
            rows.extend(
                depths(context.effort)
                    .map(|depth| row(context.players.name(), class, depth, setup, &in_setup)),
            );
        }
    }
    SuiteOutcome::new(context.players.name(), findings.into_findings(), rows, incidents)
}

fn row(
    player: &str,
    class: StalemateClass,
    depth: u16,
    setup: Setup,
    judged: &[&JudgedStalemate],
) -> StalemateSubjectRow {
    let mut row = StalemateSubjectRow {
        subject: player.to_owned(),
        class: class.name().to_owned(),
        depth: depth.into(),
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
        for (answer, verdict) in &judged.verdicts {
            if answer.depth != depth || matches!(verdict, Verdict::Skip(_)) {
                continue;
            }
            row.positions += 1;
            row.due += u64::from(judged.case.due <= depth);
            row.agreed += u64::from(*verdict == Verdict::Agree);
            row.observed += u64::from(*verdict == Verdict::Observed);
            match verdict {
                Verdict::Differ(found) if found.check == FLAKY => {
                    row.flaky += 1;
                    continue;
                }
                Verdict::Observed if answer.again.is_flaky() => continue,
                _ => {}
            }
            for fault in &answer.faults {
                *match fault {
                    StalemateFault::Unanswered(_) | StalemateFault::LeftOver => &mut row.unanswered,
                    StalemateFault::Shallow(_) => &mut row.observed,
                    StalemateFault::WrongScore => &mut row.wrong_score,
                    StalemateFault::Stalemated => &mut row.stalemated,
                    StalemateFault::Missed => &mut row.missed,
                } += 1;
            }
        }
    }
    row
}
