//! The suite `protocol/*`: whether a program does what UCI demands, and survives what happens in sessions.
//!
//! Each check is an entry of a table and has a page in the catalogue. It starts processes of its own, so that
//! a failure does not affect other checks.
//!
//! `context` has a check and its run, `second_run` adds a second run, `exits` and `exit_status` judge how
//! processes end, `session` has the processes of a check, `script` their replay, `searches` their searches,
//! `rules` and `positions` the chess. The checks follow, one file for each topic.

mod abort;
mod context;
mod exit_status;
mod exits;
mod positions;
mod rules;
mod script;
mod searches;
mod second_run;
mod session;

mod capabilities;
mod chess960;
mod clock;
mod determinism;
mod endgame_tables;
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
mod pv;
mod stopping;
mod threads;

use std::path::Path;
use std::sync::atomic::AtomicU32;
use std::time::Instant;

use oracle::parallel;
use suites::rows::ProtocolRow;
use suites::{Evidence, Findings, Tally};
use uci::{LimitSupport, Program, Timeouts};

pub use context::ProtocolCheck;

use super::{Effort, ProgressObserver, SuiteOutcome};
use context::{CheckContext, CheckOutcome};
use session::CheckSession;

/// The case set of these checks in reports.
const CASE_SET: &str = "uci";

/// The program, and how much it is asked.
#[derive(Clone, Copy)]
pub struct Config<'a> {
    /// The program.
    pub program: &'a Program,
    /// The time limits of the steps of a session.
    pub timeouts: Timeouts,
    /// The limits of `go` that the program keeps. Searches that need some limit get one of these.
    pub limits: &'a LimitSupport,
    /// How much is asked.
    pub effort: Effort,
    /// A folder with the Syzygy tables of three men, if there is one.
    pub syzygy: Option<&'a Path>,
    /// The deadline. No case is begun after it.
    pub until: Option<Instant>,
    /// Observes how many checks are done.
    pub progress: &'a dyn ProgressObserver,
}

/// What a check did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckLog {
    /// The check.
    pub check: &'static str,
    /// The lines of all its processes, one after the other, with times.
    pub transcript: String,
    /// How its cases came out. The cases after one that could not be run have no row.
    pub cases: Vec<ProtocolRow>,
}

/// All checks, in the order of reports.
pub fn checks() -> impl Iterator<Item = &'static ProtocolCheck> {
    [
        handshake::CHECKS,
        capabilities::CHECKS,
        options::CHECKS,
        stopping::CHECKS,
        ponder::CHECKS,
        limits::CHECKS,
        clock::CHECKS,
        lines::CHECKS,
        info::CHECKS,
        pv::CHECKS,
        moves::CHECKS,
        chess960::CHECKS,
        endgame_tables::CHECKS,
        threads::CHECKS,
        games::CHECKS,
        determinism::CHECKS,
        illegal::CHECKS,
        input::CHECKS,
        ending::CHECKS,
    ]
    .into_iter()
    .flatten()
}

/// Runs the wanted checks of this effort. Returns one `Findings` and one log for each, in the order of
/// [`checks`].
///
/// If the program does not answer `readyok`, only the checks that do not need it are run, and the others are
/// skipped. A finding that a busy machine may have caused must come again when nothing else runs. Otherwise
/// it is a note.
pub fn run(config: &Config, wanted: &(dyn Fn(&str) -> bool + Sync)) -> SuiteOutcome<CheckLog> {
    let asked: Vec<&'static ProtocolCheck> =
        checks().filter(|check| check.least <= config.effort && wanted(check.id)).collect();
    config.progress.begin(asked.len() as u64);
    let ignores_quit = AtomicU32::new(0);
    let starts = || CheckSession::new(config, "protocol", true, &ignores_quit).start().is_ok();
    let is_ready = starts() || starts();
    let run = |config: &Config<'_>, check: &'static ProtocolCheck| {
        run_check(config, check, is_ready, &ignores_quit)
    };
    let first_run = Config { until: config.until.map(first_part), ..*config };
    let mut order: Vec<usize> = (0..asked.len()).collect();
    order.sort_by_key(|&index| !asked[index].is_first);
    let run_once = |place: usize| {
        let outcome = run(&first_run, asked[order[place]]);
        config.progress.advance(1);
        (order[place], outcome)
    };
    // In order, so that a slow program runs out of time only at the last checks.
    let run_all = || parallel::map_in_order(order.len(), run_once);
    let mut outcomes = match side_by_side() {
        Some(threads) => threads.install(run_all),
        None => run_all(),
    };
    // Checks that run first also have their second run first.
    outcomes.sort_unstable_by_key(|&(index, _)| (!asked[index].is_first, index));
    for (index, outcome) in outcomes.iter_mut().filter(|(_, outcome)| outcome.in_doubt) {
        second_run::merge(outcome, &run(config, asked[*index]));
    }
    outcomes.sort_unstable_by_key(|(index, _)| *index);
    let mut outcomes: Vec<CheckOutcome> = outcomes.into_iter().map(|(_, outcome)| outcome).collect();
    exit_status::judge(&asked, &mut outcomes, config.until, |check| run(config, check));
    let (findings, rows) = outcomes.into_iter().map(|outcome| (outcome.findings, outcome.log)).unzip();
    SuiteOutcome::new(&config.program.name, findings, rows, Vec::new())
}

/// The part of the time that the first run of all checks has. The rest is for findings that must come twice.
const FIRST_RUN: f64 = 0.85;

/// The end of the first run of all checks.
fn first_part(until: Instant) -> Instant {
    let now = Instant::now();
    now + until.saturating_duration_since(now).mul_f64(FIRST_RUN)
}

/// Twice as many threads as the run has: most of the time is waiting. `None` if the run has one.
fn side_by_side() -> Option<rayon::ThreadPool> {
    let threads = Some(rayon::current_num_threads()).filter(|&threads| threads > 1)?;
    rayon::ThreadPoolBuilder::new().num_threads(2 * threads).build().ok()
}

/// Runs one check.
fn run_check(
    config: &Config,
    check: &'static ProtocolCheck,
    is_ready: bool,
    ignores_quit: &AtomicU32,
) -> CheckOutcome {
    let tally = Tally::new(&config.program.name, check.id, Evidence::Specification, CASE_SET);
    let session = CheckSession::new(config, check.id, is_ready, ignores_quit);
    CheckContext::new(check, session, Findings::new(tally)).run()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use suites::SkipReason;

    use super::*;

    #[test]
    fn every_check_has_a_page_and_every_page_a_check() {
        let ids: BTreeSet<&str> = checks().map(|check| check.id).collect();
        assert_eq!(ids.len(), checks().count());
        let pages = suites::catalogue::pages().map(|page| page.id).filter(|id| id.starts_with("protocol/"));
        let pages: BTreeSet<&str> = pages.filter(|id| *id != context::FLAKY).collect();
        assert_eq!(ids, pages);
        let told = format!("{} checks", ids.len());
        for page in ["README.md", "docs/src/how-to/engine.md", "docs/src/explanation/other-tools.md"] {
            let text = std::fs::read_to_string(format!("{}/../{page}", env!("CARGO_MANIFEST_DIR"))).unwrap();
            assert!(text.contains(&told), "{page} has another number than {told}");
        }
    }

    #[test]
    fn no_check_agrees_if_the_program_does_not_start() {
        let program = Program { name: "none".into(), path: "/nowhere/at/all".into(), ..Program::default() };
        let config = Config {
            program: &program,
            timeouts: Timeouts::default(),
            limits: &LimitSupport::UNKNOWN,
            effort: Effort::Plain,
            syzygy: None,
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
