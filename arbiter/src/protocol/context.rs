//! A check of the protocol, and its run on one program.

use std::collections::BTreeSet;

use suites::rows::ProtocolRow;
use suites::{Answer, Cause, Difference, Findings, SharedCause, SkipReason, Tally, Verdict};
use uci::Failure;

use super::CheckLog;
use super::abort::{Abort, CheckResult};
use super::exits::Exits;
use super::script::printable;
use super::session::CheckSession;
use crate::Effort;
use crate::runner::{Process, Reproduction};

/// A kind of invalid input that checks send.
pub(super) const BAD_LINE: &str = "an empty, incomplete or garbled line";
pub(super) const BAD_FEN: &str = "a FEN that is not legal";

/// After so many cases that the program lets time out, the others of the check are not asked: they cost time,
/// and seldom show another fault.
const MOST_HANGS: usize = 3;

/// The id of a note: a finding that did not come again.
pub(super) const FLAKY: &str = "protocol/flaky";

/// A check: something that UCI demands of a program, or that happens in sessions.
#[derive(Debug, Clone, Copy)]
pub struct ProtocolCheck {
    /// The id of its page in the catalogue.
    pub id: &'static str,
    /// Why it matters, in one sentence. It begins the explanation of a finding.
    pub why: &'static str,
    /// The least effort of a run with this check.
    pub least: Effort,
    /// Whether it measures time. A busy machine may cause such a finding, so that it must come twice.
    pub timed: bool,
    /// The cause of its findings, if other checks find the same fault. A failure has a cause of its own.
    cause: Option<SharedCause>,
    /// The kind of invalid input that it sends. Crashes over the same input have one cause.
    invalid: &'static str,
    /// Whether it runs before others, since its fault is common or grave and the check is cheap.
    pub(super) is_first: bool,
    pub(super) run: fn(&mut CheckContext) -> CheckResult,
}

impl ProtocolCheck {
    /// A check of every run, without a measured time.
    pub(super) const fn new(
        id: &'static str,
        why: &'static str,
        run: fn(&mut CheckContext) -> CheckResult,
    ) -> Self {
        let (least, timed, is_first) = (Effort::Quick, false, false);
        Self { id, why, least, timed, cause: None, invalid: "", is_first, run }
    }

    /// The same check, but not in quick runs.
    pub(super) const fn slow(self) -> Self {
        Self { least: Effort::Plain, ..self }
    }

    /// The same check, with a cause that its findings share with those of others.
    pub(super) const fn with_cause(self, cause: SharedCause) -> Self {
        Self { cause: Some(cause), ..self }
    }

    /// The same check, with this kind of invalid input.
    pub(super) const fn over(self, invalid: &'static str) -> Self {
        Self { invalid, ..self }
    }

    /// The same check, run before the others.
    pub(super) const fn first(self) -> Self {
        Self { is_first: true, ..self }
    }

    /// The same check, with a measured time.
    pub(super) const fn timed(self) -> Self {
        Self { timed: true, ..self }
    }
}

/// The subject of a case, with its name in reports.
pub(super) trait NamedCase: Copy {
    fn name(&self) -> &str;
}

impl NamedCase for &str {
    fn name(&self) -> &str {
        self
    }
}

impl<T: Copy> NamedCase for (&str, T) {
    fn name(&self) -> &str {
        self.0
    }
}

/// Runs a case in a session.
type CaseRun<'r, 'a> = &'r dyn Fn(&mut CheckSession<'a>) -> Result<Option<Answer>, Abort>;

/// The answer with escapes in place of control characters, which a program may print.
fn without_controls(answer: Answer) -> Answer {
    match answer {
        Answer::Words(words) => Answer::Words(printable(&words)),
        Answer::BestMove { text, more } => {
            Answer::BestMove { text: printable(&text), more: printable(&more) }
        }
        Answer::Ended { end, after } => Answer::Ended { end, after: after.as_deref().map(printable) },
        Answer::Silent { awaited, within } => {
            Answer::Silent { awaited, within: within.map(|(time, after)| (time, printable(&after))) }
        }
        other @ (Answer::Distance(_)
        | Answer::Score(_)
        | Answer::NoScore(_)
        | Answer::Nodes { .. }
        | Answer::SecondStop
        | Answer::Late(_)
        | Answer::LivesOn) => other,
    }
}

/// The run of one check on one program.
pub(super) struct CheckContext<'a> {
    check: &'static ProtocolCheck,
    session: CheckSession<'a>,
    findings: Findings,
    cases: Vec<ProtocolRow>,
    /// Whether an answer did not come in time.
    timed_out: bool,
    /// How many cases the program let time out.
    hangs: usize,
    /// Whether a finding came in a process that had run other cases, and does not come again with its case
    /// alone.
    depends_on_earlier: bool,
    /// The cases with findings that came again at once.
    confirmed: BTreeSet<String>,
    /// The cases that were not asked, because of a failure in others before.
    passed_over: BTreeSet<String>,
}

/// The result of a check.
pub(super) struct CheckOutcome {
    pub(super) findings: Findings,
    pub(super) log: CheckLog,
    /// Whether the check runs a second time, since a busy machine or the earlier questions may have caused a
    /// finding.
    pub(super) in_doubt: bool,
    /// The cases with findings that came again at once.
    pub(super) confirmed: BTreeSet<String>,
    /// The cases that were not asked, because of a failure in others before.
    pub(super) passed_over: BTreeSet<String>,
    /// How the processes of its cases ended after `quit`.
    pub(super) exits: Exits,
}

impl<'a> CheckContext<'a> {
    pub(super) fn new(check: &'static ProtocolCheck, session: CheckSession<'a>, findings: Findings) -> Self {
        Self {
            check,
            session,
            findings,
            cases: Vec::new(),
            timed_out: false,
            hangs: 0,
            depends_on_earlier: false,
            confirmed: BTreeSet::new(),
            passed_over: BTreeSet::new(),
        }
    }

    /// Runs all cases.
    pub(super) fn run(mut self) -> CheckOutcome {
        if self.session.is_out_of_time() {
            self.findings.tally.skip(SkipReason::OutOfTime, 1);
        // The case that ended the check early is in the findings. If there is none, this is the reason.
        } else if let Err(abort) = (self.check.run)(&mut self)
            && self.findings.tally.total() == 0
        {
            self.findings.tally.skip(abort.reason(), 1);
        }
        if self.findings.tally.total() == 0 {
            self.findings.tally.skip(SkipReason::Unsupported, 1);
        }
        let (transcript, exits) = self.session.finish();
        let log = CheckLog { check: self.check.id, transcript, cases: self.cases };
        let in_doubt = self.findings.tally.differed > 0
            && (self.check.timed || self.timed_out || self.depends_on_earlier);
        let Self { findings, confirmed, passed_over, .. } = self;
        CheckOutcome { findings, log, in_doubt, confirmed, passed_over, exits }
    }

    /// Runs a case. If the program fails over it, that is a finding, and the next case has another process.
    ///
    /// After a finding the case runs again in a fresh process, which has a short replay, and then in the same
    /// process. If the finding comes in neither, it is a note. If the same process had run other cases, the
    /// whole check runs again instead, with the questions before this one. The check also runs again if a
    /// busy machine may have caused the finding. After the deadline, or after a few cases that timed out, no case
    /// begins.
    ///
    /// # Errors
    /// If the program does not become ready. No other case can be run.
    pub(super) fn case<A: Into<Answer>>(
        &mut self,
        case: &str,
        expected: &str,
        run: impl Fn(&mut CheckSession<'a>) -> Result<Option<A>, Abort>,
    ) -> CheckResult {
        self.run_case(case, expected, &|session| Ok(run(session)?.map(Into::into)))
    }

    /// The body of [`CheckContext::case`]. It is compiled once, but `case` for each closure.
    fn run_case(&mut self, case: &str, expected: &str, run: CaseRun<'_, 'a>) -> CheckResult {
        if self.session.is_out_of_time() {
            self.record(case, Verdict::Skip(SkipReason::OutOfTime));
            return Ok(());
        }
        if self.hangs >= MOST_HANGS {
            self.passed_over.insert(case.to_owned());
            self.record(case, Verdict::Skip(SkipReason::FailedElsewhere));
            return Ok(());
        }
        let before = self.session.process();
        self.session.clear_cause();
        let came = run(&mut self.session);
        let used = before.is_some() && before == self.session.process();
        let failed = matches!(came, Err(Abort::Failed(_)));
        let first = self.decide(case, expected, came);
        let verdict = match first {
            Ok(Verdict::Differ(found)) if !self.timed_out && !self.check.timed => {
                Ok(self.reproduce(case, expected, *found, [failed, used], run))
            }
            first => first,
        };
        let verdict = verdict.inspect_err(|_| self.record(case, Verdict::Skip(SkipReason::GivenUp)))?;
        if matches!(verdict, Verdict::Differ(_)) {
            // The state of this process must not affect the next case.
            self.session.kill_process();
        }
        self.record(case, verdict);
        Ok(())
    }

    /// Counts the verdict on a case.
    fn record(&mut self, case: &str, verdict: Verdict) {
        let Tally { subject, check, .. } = &self.findings.tally;
        self.cases.push(ProtocolRow::new(subject, check, case, &verdict));
        self.findings.record(verdict);
    }

    /// Runs a case for each of these, with the same answer expected.
    ///
    /// # Errors
    /// As [`CheckContext::case`].
    pub(super) fn each<C: NamedCase, A: Into<Answer>>(
        &mut self,
        cases: impl IntoIterator<Item = C>,
        expected: &str,
        run: impl Fn(&mut CheckSession<'a>, C) -> Result<Option<A>, Abort>,
    ) -> CheckResult {
        cases.into_iter().try_for_each(|case| self.case(case.name(), expected, |session| run(session, case)))
    }

    /// The verdict on a finding after the case was run again. A process that failed cannot be asked again. If
    /// the finding does not come again and the process had run other cases, the whole check is run again.
    fn reproduce(
        &mut self,
        case: &str,
        expected: &str,
        mut found: Difference,
        [failed, used]: [bool; 2],
        run: CaseRun<'_, 'a>,
    ) -> Verdict {
        let mut suspended = Some(self.session.suspend());
        let how = Reproduction::find(|process| {
            if process == Process::Same {
                if let Some(process) = suspended.take() {
                    self.session.resume(process);
                }
                if failed || self.session.is_out_of_time() {
                    return Ok(false);
                }
            }
            let came = run(&mut self.session);
            let verdict = self.decide(case, expected, came);
            if let (Process::Fresh, Ok(Verdict::Differ(fresh))) = (process, &verdict) {
                found.clone_from(fresh);
            }
            Ok(matches!(verdict, Ok(Verdict::Differ(_))))
        });
        if let Some(process) = suspended {
            self.session.resume(process);
        }
        let how = match how {
            Reproduction::Never if self.session.is_out_of_time() => {
                Reproduction::NotAsked(SkipReason::OutOfTime)
            }
            Reproduction::Never if used => {
                self.depends_on_earlier = true;
                return Verdict::Differ(Box::new(found));
            }
            how => how,
        };
        if how.came_again() {
            self.confirmed.insert(case.to_owned());
        }
        match how.record_in(&mut found, FLAKY) {
            Some(reason) => Verdict::Skip(reason),
            None => Verdict::Differ(Box::new(found)),
        }
    }

    fn decide(
        &mut self,
        case: &str,
        expected: &str,
        came: Result<Option<Answer>, Abort>,
    ) -> Result<Verdict, Abort> {
        let (stored, failure) = match came {
            Ok(None) => return Ok(Verdict::Agree),
            Ok(Some(stored)) => (stored, None),
            // `process/late` reports it.
            Err(Abort::Failed(failure)) if self.session.limits().late.is_some() && failure.is_no_move() => {
                self.session.kill_process();
                return Ok(Verdict::Skip(SkipReason::FailedElsewhere));
            }
            Err(Abort::Failed(failure)) => {
                let hangs = matches!(failure, Failure::Silent { .. } | Failure::Deaf { .. });
                self.timed_out |= hangs;
                self.hangs += usize::from(hangs);
                (crate::answer::of_failure(&failure), Some(failure))
            }
            Err(
                abort @ (Abort::Unsupported | Abort::FailedElsewhere | Abort::NotAsked | Abort::OutOfTime),
            ) => {
                if abort == Abort::NotAsked {
                    self.passed_over.insert(case.to_owned());
                }
                return Ok(Verdict::Skip(abort.reason()));
            }
            Err(Abort::NotReady) => return Err(Abort::NotReady),
        };
        Ok(Verdict::Differ(Box::new(self.difference(case, expected, stored, failure.as_ref()))))
    }

    /// The session, for checks whose cases depend on what the program declares.
    pub(super) fn session(&mut self) -> &mut CheckSession<'a> {
        &mut self.session
    }

    /// The cause that the case knows, or else that of the check.
    fn cause(&self) -> Option<Cause> {
        self.session.cause().cloned().or(self.check.cause.map(Cause::Shared))
    }

    /// Whether a case has a finding.
    pub(super) fn has_finding(&self) -> bool {
        self.findings.tally.differed > 0
    }

    /// The cause of a failure: the message of a panic, or else the end of the process and the kind of invalid
    /// input, if the check sends any.
    fn cause_of(&self, failure: &Failure) -> Option<Cause> {
        match failure {
            Failure::Ended { exit, panic: None, .. } if !self.check.invalid.is_empty() => {
                Some(Cause::Message(format!("{exit} over {}", self.check.invalid)))
            }
            failure => failure.cause().map(|panic| Cause::Message(printable(panic))),
        }
    }

    fn difference(
        &self,
        case: &str,
        expected: &str,
        stored: Answer,
        failure: Option<&Failure>,
    ) -> Difference {
        let mut explanation = self.check.why.to_owned();
        if failure.is_some() || self.session.cause().is_some() {
            explanation = format!("{explanation} The last lines: {}", self.session.last_lines());
        }
        let (fen, played) = self.session.asked();
        Difference {
            subject: self.findings.tally.subject.clone(),
            check: self.check.id.to_owned(),
            case: case.to_owned(),
            fen,
            played,
            limit: self.session.limit(),
            given: match &stored {
                Answer::BestMove { text, .. } => Some(printable(text)),
                _ => None,
            },
            stored: without_controls(stored),
            expected: expected.into(),
            best: Vec::new(),
            source: "UCI".to_owned(),
            explanation,
            cause: failure.map_or_else(|| self.cause(), |failure| self.cause_of(failure)),
            replay: self.session.replay(),
        }
    }
}
