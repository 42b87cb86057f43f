//! A check of the protocol, and its run on one program: its cases, each decided once.

use std::collections::BTreeSet;

use suites::{Difference, Findings, SkipReason, Verdict};

use super::CheckTranscript;
use super::abort::{Abort, CheckResult, Fault};
use super::session::Session;
use crate::Effort;
use crate::runner::Reproduction;
use uci::Failure;

/// The id of what did not come again.
pub(super) const FLAKY: &str = "protocol/flaky";
/// Lines of the transcript that a finding quotes.
const QUOTED: usize = 6;

/// One thing that UCI asks of a program, or that one meets with.
#[derive(Debug, Clone, Copy)]
pub struct Check {
    /// The id of its page in the catalogue.
    pub id: &'static str,
    /// Why it matters, in one sentence.
    pub why: &'static str,
    /// The least effort that holds it.
    pub least: Effort,
    /// Whether a busy machine may make a good program look bad: such a finding must come twice.
    pub timed: bool,
    pub(super) run: fn(&mut CheckContext) -> CheckResult,
}

impl Check {
    /// A check of every run.
    pub(super) const fn new(
        id: &'static str,
        why: &'static str,
        run: fn(&mut CheckContext) -> CheckResult,
    ) -> Self {
        Self { id, why, least: Effort::Quick, timed: false, run }
    }

    /// The same, left out of quick runs.
    pub(super) const fn slow(self) -> Self {
        Self { least: Effort::Plain, ..self }
    }

    /// The same, where time is judged.
    pub(super) const fn timed(self) -> Self {
        Self { timed: true, ..self }
    }
}

/// One check on one program.
pub(super) struct CheckContext<'a> {
    check: &'static Check,
    session: Session<'a>,
    findings: Findings,
    /// Whether something was awaited in vain.
    waited: bool,
    /// Whether a process broke over a case that a fresh one lives through.
    broke_later: bool,
    /// The cases whose findings came again at once.
    confirmed: BTreeSet<String>,
}

/// What came of it.
pub(super) struct CheckOutcome {
    pub(super) findings: Findings,
    pub(super) transcript: CheckTranscript,
    /// Whether there are findings that have to come again: they are about time, or something was awaited in vain, which a busy
    /// machine may be the cause of; or a process broke after other cases.
    pub(super) in_doubt: bool,
    /// The cases whose findings came again at once.
    pub(super) confirmed: BTreeSet<String>,
}

impl<'a> CheckContext<'a> {
    pub(super) fn new(check: &'static Check, session: Session<'a>, findings: Findings) -> Self {
        Self { check, session, findings, waited: false, broke_later: false, confirmed: BTreeSet::new() }
    }

    /// Hears all cases.
    pub(super) fn hear(mut self) -> CheckOutcome {
        // What ended a check early has been recorded with its case, or is the reason why there is none.
        if let Err(halt) = (self.check.run)(&mut self)
            && self.findings.tally.total() == 0
        {
            self.findings.tally.skip(halt.skip().unwrap_or(SkipReason::GivenUp), 1);
        }
        if self.findings.tally.total() == 0 {
            self.findings.tally.skip(SkipReason::Unsupported, 1);
        }
        let transcript = CheckTranscript { check: self.check.id, transcript: self.session.finish() };
        let in_doubt =
            self.findings.tally.differed > 0 && (self.check.timed || self.waited || self.broke_later);
        CheckOutcome { findings: self.findings, transcript, in_doubt, confirmed: self.confirmed }
    }

    /// Decides a case. A program that breaks over it is its finding, and another process is there for the next one.
    ///
    /// A finding is looked for again in a fresh process, where its replay is short, and then in the one that showed it; what comes
    /// in neither is a note. What was awaited in vain is heard again with its check, later. When time is over, no case is begun.
    ///
    /// # Errors
    /// If the program does not become ready: no other case can be heard.
    pub(super) fn case(
        &mut self,
        case: &str,
        expected: &str,
        does: impl Fn(&mut Session) -> Result<Fault, Abort>,
    ) -> CheckResult {
        if self.session.is_out_of_time() {
            self.findings.tally.skip(SkipReason::OutOfTime, 1);
            return Ok(());
        }
        let before = self.session.process();
        let came = does(&mut self.session);
        let used = before.is_some() && before == self.session.process();
        let broke = matches!(came, Err(Abort::Broken(_)));
        let first = self.decide(case, expected, came);
        let verdict = match first {
            Ok(Verdict::Differ(found)) if !self.waited && !self.check.timed => {
                Ok(self.again(case, expected, *found, [broke, used], &does))
            }
            first => first,
        };
        let verdict = verdict.inspect_err(|_| self.findings.tally.skip(SkipReason::GivenUp, 1))?;
        if matches!(verdict, Verdict::Differ(_)) {
            // Whatever state it is in, the next case is not to suffer from it.
            self.session.retire();
        }
        self.findings.record(verdict);
        Ok(())
    }

    /// What is to be said of a finding once the same was done again. A process that broke cannot be asked again: if it had been
    /// through other cases, the whole check is heard again.
    fn again(
        &mut self,
        case: &str,
        expected: &str,
        mut found: Difference,
        [broke, used]: [bool; 2],
        does: impl Fn(&mut Session) -> Result<Fault, Abort>,
    ) -> Verdict {
        let showed = self.session.set_aside();
        let does_again = |this: &mut Self| {
            let came = does(&mut this.session);
            match this.decide(case, expected, came) {
                Ok(Verdict::Differ(again)) => Some(*again),
                _ => None,
            }
        };
        let afresh = does_again(self);
        let lives = afresh.is_none() && !broke && !self.session.is_out_of_time();
        self.session.take_up(showed);
        let how = match afresh {
            Some(again) => {
                self.confirmed.insert(case.to_owned());
                return Verdict::Differ(Box::new(again));
            }
            None if lives && does_again(self).is_some() => {
                self.confirmed.insert(case.to_owned());
                Reproduction::SameProcess
            }
            None if self.session.is_out_of_time() => Reproduction::NotAsked(SkipReason::OutOfTime),
            None if broke && used => {
                self.broke_later = true;
                return Verdict::Differ(Box::new(found));
            }
            None => Reproduction::Never,
        };
        match how.record_in(&mut found, FLAKY) {
            Some(reason) => Verdict::Skip(reason),
            None => Verdict::Differ(Box::new(found)),
        }
    }

    fn decide(&mut self, case: &str, expected: &str, came: Result<Fault, Abort>) -> Result<Verdict, Abort> {
        let (stored, broken) = match came {
            Ok(None) => return Ok(Verdict::Agree),
            Ok(Some(stored)) => (stored, false),
            Err(Abort::Broken(failure)) => {
                self.waited |= matches!(failure, Failure::Silent { .. } | Failure::Deaf { .. });
                (failure.to_string(), true)
            }
            Err(Abort::Unsupported) => return Ok(Verdict::Skip(SkipReason::Unsupported)),
            Err(Abort::NotReady) => return Err(Abort::NotReady),
        };
        Ok(Verdict::Differ(Box::new(self.difference(case, expected, &stored, broken))))
    }

    /// What the program says of itself; it is started if it does not run.
    pub(super) fn session(&mut self) -> &mut Session<'a> {
        &mut self.session
    }

    fn difference(&self, case: &str, expected: &str, stored: &str, broken: bool) -> Difference {
        let mut explanation = self.check.why.to_owned();
        if broken {
            let last = printable(&self.session.last_lines(QUOTED));
            explanation = format!("{explanation} The last lines: {last}");
        }
        Difference {
            subject: self.findings.tally.subject.clone(),
            check: self.check.id.to_owned(),
            case: case.to_owned(),
            fen: self.session.fen(),
            stored: printable(stored),
            expected: expected.to_owned(),
            source: "UCI".to_owned(),
            explanation,
            replay: self.session.replay(),
        }
    }
}

/// A text without control characters: what a program was sent may hold them.
fn printable(text: &str) -> String {
    text.chars().fold(String::new(), |mut printable, c| {
        if c.is_control() {
            printable.extend(c.escape_default());
        } else {
            printable.push(c);
        }
        printable
    })
}
