//! The protocol, put to a program: does it do what UCI asks of it, and does it live through what it may meet with?
//!
//! Each check is an entry of a table, has a page in the catalogue, and starts processes of its own, so that what one
//! check breaks does not reach another. Positions are read with shakmaty's rules; no line of the program takes part in
//! judging it.
//!
//! In reading order: a check and its context; the session that it speaks through; the positions and the rules; and the
//! checks, one file a topic.

mod abort;
mod again;
mod context;
mod positions;
mod rules;
mod script;
mod session;

mod clock;
mod determinism;
mod ending;
mod games;
mod handshake;
mod illegal;
mod info;
mod input;
mod limits;
mod lines;
mod moves;
mod options;
mod ponder;
mod stopping;

use std::collections::BTreeSet;
use std::time::Instant;

use rayon::prelude::*;
use suites::{Evidence, Findings, SkipReason, Tally};

pub use context::Check;

use super::{Effort, Outcome, ProgressObserver};
use context::{CheckContext, CheckOutcome};
use session::Session;
use uci::{Program, Timeouts};

/// The cases of these checks in reports.
const CASE_SET: &str = "uci";

/// A program to be heard, and how.
#[derive(Clone, Copy)]
pub struct Config<'a> {
    /// What is started.
    pub program: &'a Program,
    /// How long it may take for each step.
    pub timeouts: Timeouts,
    /// How much is asked.
    pub effort: Effort,
    /// No case is begun after this.
    pub until: Option<Instant>,
    /// Told how many checks are done.
    pub progress: &'a dyn ProgressObserver,
}

impl Config<'_> {
    fn is_over(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }
}

/// What went over the pipes in a check, all its processes one after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckTranscript {
    /// The check.
    pub check: &'static str,
    /// The lines, with times.
    pub transcript: String,
}

/// All checks, in the order of reports.
pub fn checks() -> impl Iterator<Item = &'static Check> {
    [
        handshake::CHECKS,
        options::CHECKS,
        stopping::CHECKS,
        ponder::CHECKS,
        limits::CHECKS,
        clock::CHECKS,
        lines::CHECKS,
        info::CHECKS,
        moves::CHECKS,
        games::CHECKS,
        determinism::CHECKS,
        illegal::CHECKS,
        input::CHECKS,
        ending::CHECKS,
    ]
    .into_iter()
    .flatten()
}

/// Hears a program on the checks that are wanted, of those that the effort allows: one `Findings` each, in the order of
/// [`checks`], and what was said.
///
/// A program that does not come as far as `readyok` is heard only on the checks that need no more; the rest is skipped.
/// What a busy machine may have made it look like is a finding only if it comes again when nothing else is asked; else it is a
/// note.
pub fn run(config: &Config, wanted: &(dyn Fn(&str) -> bool + Sync)) -> Outcome<CheckTranscript> {
    let asked: Vec<&'static Check> =
        checks().filter(|check| check.least <= config.effort && wanted(check.id)).collect();
    config.progress.begin(asked.len() as u64);
    let starts = || Session::new(config, "protocol", true).start().is_ok();
    let speaks = starts() || starts();
    let mut heard: Vec<CheckOutcome> = asked
        .par_iter()
        .map(|check| {
            let heard = hear(config, check, speaks);
            config.progress.advance(1);
            heard
        })
        .collect();
    for (check, heard) in asked.iter().zip(&mut heard) {
        if !heard.in_doubt {
            continue;
        }
        let again = hear(config, check, speaks);
        again::join(heard, &again);
    }
    let (findings, rows) = heard.into_iter().map(|heard| (heard.findings, heard.transcript)).unzip();
    Outcome::new(&config.program.name, findings, rows, Vec::new())
}

/// Hears a program on one check.
fn hear(config: &Config, check: &'static Check, speaks: bool) -> CheckOutcome {
    let tally = Tally::new(&config.program.name, check.id, Evidence::Specification, CASE_SET);
    let mut findings = Findings::new(tally);
    if config.is_over() {
        findings.tally.skip(SkipReason::OutOfTime, 1);
        let transcript = CheckTranscript { check: check.id, transcript: String::new() };
        return CheckOutcome { findings, transcript, in_doubt: false, confirmed: BTreeSet::new() };
    }
    CheckContext::new(check, Session::new(config, check.id, speaks), findings).hear()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_check_has_a_page_and_every_page_a_check() {
        let ids: BTreeSet<&str> = checks().map(|check| check.id).collect();
        assert_eq!(ids.len(), checks().count());
        let pages = suites::catalogue::pages().map(|page| page.id).filter(|id| id.starts_with("protocol/"));
        let pages: BTreeSet<&str> = pages.filter(|id| *id != context::FLAKY).collect();
        assert_eq!(ids, pages);
        assert!(ids.len() >= 40);
    }

    #[test]
    fn a_program_that_does_not_start_is_no_green_one() {
        let program = Program { name: "none".into(), path: "/nowhere/at/all".into(), ..Program::default() };
        let config = Config {
            program: &program,
            timeouts: Timeouts::default(),
            effort: Effort::Plain,
            until: None,
            progress: &crate::NoProgress,
        };
        let outcome = run(&config, &|_| true);
        assert_eq!(outcome.findings.len(), checks().count());
        for findings in &outcome.findings {
            assert_eq!(findings.tally.agreed, 0, "{}", findings.tally.check);
            assert!(findings.tally.total() > 0, "{}", findings.tally.check);
        }
        let uciok = &outcome.findings[0];
        assert_eq!((uciok.tally.check.as_str(), uciok.tally.differed), ("protocol/uciok", 1));
        let late = Config { until: Some(Instant::now()), ..config };
        let outcome = run(&late, &|id| id == "protocol/stop");
        assert_eq!(outcome.findings.len(), 1);
        assert_eq!(outcome.findings[0].tally.skipped.get(&SkipReason::OutOfTime), Some(&1));
    }
}
