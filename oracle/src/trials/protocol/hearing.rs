//! The hearing of one check: its cases, each decided once.

use suites::{Difference, Findings, SkipReason, Verdict};

use super::Minutes;
use super::check::{Check, Halt, Ruling};
use super::session::Session;
use crate::uci::Failure;

/// Lines of the transcript that a finding quotes.
const QUOTED: usize = 6;

/// What a check finds in a case: `None` if all is well, else what the program does, in words.
pub(super) type Fault = Option<String>;

/// One check on one program.
pub(super) struct Hearing<'a> {
    check: &'static Check,
    session: Session<'a>,
    findings: Findings,
    /// Whether something was awaited in vain.
    waited: bool,
}

/// What came of it.
pub(super) struct Heard {
    pub(super) findings: Findings,
    pub(super) minutes: Minutes,
    /// Whether there are findings that a busy machine may have made.
    pub(super) doubt: Option<Doubt>,
}

/// Why a finding may be a busy machine's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Doubt {
    /// It is about time.
    Timed,
    /// Something was awaited in vain, and for long.
    Waited,
}

impl<'a> Hearing<'a> {
    pub(super) fn new(check: &'static Check, session: Session<'a>, findings: Findings) -> Self {
        Self { check, session, findings, waited: false }
    }

    /// Hears all cases.
    pub(super) fn hear(mut self) -> Heard {
        // What ended a check early has been recorded with its case, or is the reason why there is none.
        if let Err(halt) = (self.check.run)(&mut self)
            && self.findings.tally.total() == 0
        {
            self.findings.tally.skip(halt.skip().unwrap_or(SkipReason::GivenUp), 1);
        }
        if self.findings.tally.total() == 0 {
            self.findings.tally.skip(SkipReason::Unsupported, 1);
        }
        let minutes = Minutes { check: self.check.id, transcript: self.session.finish() };
        let doubt = match self.findings.tally.differed {
            0 => None,
            _ if self.check.timed => Some(Doubt::Timed),
            _ => self.waited.then_some(Doubt::Waited),
        };
        Heard { findings: self.findings, minutes, doubt }
    }

    /// Decides a case. A program that breaks over it is its finding, and another process is there for the next one.
    ///
    /// A finding in a process that has been through other cases is looked for in a fresh one, so that its replay is short;
    /// if it does not come there, it stands with all that was before it. When time is over, no case is begun.
    ///
    /// # Errors
    /// If the program does not become ready: no other case can be heard.
    pub(super) fn case(
        &mut self,
        case: &str,
        expected: &str,
        does: impl Fn(&mut Session) -> Result<Fault, Halt>,
    ) -> Ruling {
        if self.session.is_out_of_time() {
            self.findings.tally.skip(SkipReason::OutOfTime, 1);
            return Ok(());
        }
        let before = self.session.process();
        let came = does(&mut self.session);
        let used = before.is_some() && before == self.session.process();
        let first = self.decide(case, expected, came);
        let verdict = match first {
            Ok(Verdict::Differ(found)) if used && !self.waited => {
                self.session.retire();
                let came = does(&mut self.session);
                match self.decide(case, expected, came) {
                    Ok(again @ Verdict::Differ(_)) => Ok(again),
                    _ => Ok(Verdict::Differ(found)),
                }
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

    fn decide(&mut self, case: &str, expected: &str, came: Result<Fault, Halt>) -> Result<Verdict, Halt> {
        let (stored, broken) = match came {
            Ok(None) => return Ok(Verdict::Agree),
            Ok(Some(stored)) => (stored, false),
            Err(Halt::Broken(failure)) => {
                self.waited |= matches!(failure, Failure::Silent { .. } | Failure::Deaf { .. });
                (failure.to_string(), true)
            }
            Err(Halt::Unsupported) => return Ok(Verdict::Skip(SkipReason::Unsupported)),
            Err(Halt::NotReady) => return Err(Halt::NotReady),
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
