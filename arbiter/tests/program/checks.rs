//! Runs checks of the protocol on the test engine, and finds which of them see a fault.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use arbiter::protocol::{self, Config};
use arbiter::{Effort, NoProgress};
use suites::rows::{ProtocolRow, ProtocolVerdict};
use suites::{Findings, Tally};
use uci::{LimitSupport, Program, Support, Timeouts};

/// The options of the test engine for a rule and for a fault by name.
pub(crate) const SAID: &str = "--said";
pub(crate) const HEARD: &str = "--heard";
pub(crate) const NAMED: &str = "--fault";

pub(crate) fn program(arguments: &[&str]) -> Program {
    Program {
        name: "hostile".to_owned(),
        path: env!("CARGO_BIN_EXE_hostile").into(),
        arguments: arguments.iter().map(Into::into).collect(),
        ..Program::default()
    }
}

pub(crate) fn run(arguments: &[&str], wanted: &BTreeSet<String>) -> Vec<Findings> {
    run_by(&program(arguments), &LimitSupport::UNKNOWN, None, wanted)
}

/// Runs checks on an engine that knows no limit but the clock. Its scale of mates is not asked for: each of the
/// searches would take the longest time.
pub(crate) fn run_by_clock(rule: &[&str], wanted: &BTreeSet<String>) -> Vec<Findings> {
    let no = Support::No;
    let limits =
        LimitSupport { nodes: no, depth: no, move_time: no, clock: Support::Yes, ..LimitSupport::UNKNOWN };
    run_adapted(&program(&[&[NAMED, "clock-only"], rule].concat()), &limits, None, wanted)
}

pub(crate) fn run_by(
    program: &Program,
    limits: &LimitSupport,
    syzygy: Option<&Path>,
    wanted: &BTreeSet<String>,
) -> Vec<Findings> {
    let mut program = program.clone();
    program.adapt(TIMEOUTS);
    run_adapted(&program, limits, syzygy, wanted)
}

const TIMEOUTS: Timeouts = Timeouts {
    // A finding after such a deadline must come twice, so that a busy machine seldom causes one.
    start: Duration::from_secs(3),
    ready: Duration::from_secs(1),
    think: Duration::from_secs(2),
    stop: Duration::from_millis(500),
    quit: Duration::from_millis(500),
};

fn run_adapted(
    program: &Program,
    limits: &LimitSupport,
    syzygy: Option<&Path>,
    wanted: &BTreeSet<String>,
) -> Vec<Findings> {
    let config = Config {
        program,
        timeouts: TIMEOUTS,
        limits,
        effort: Effort::Plain,
        syzygy,
        until: None,
        progress: &NoProgress,
    };
    let outcome = protocol::run(&config, &|id| wanted.contains(id));
    for (findings, log) in outcome.findings.iter().zip(&outcome.rows) {
        // The processes of all checks are counted there too.
        if log.check != "protocol/exit-status" {
            check_rows(&findings.tally, &log.cases);
        }
    }
    outcome.findings
}

/// Checks that the rows count as the tally does.
fn check_rows(tally: &Tally, rows: &[ProtocolRow]) {
    let count = |verdict| rows.iter().filter(|row| row.verdict == verdict).count() as u64;
    let counted = [ProtocolVerdict::Agrees, ProtocolVerdict::Differs, ProtocolVerdict::Observed].map(count);
    assert_eq!(counted, [tally.agreed, tally.differed, tally.observed], "{rows:?}");
}

/// Runs with many threads, since most of the time is waiting.
pub(crate) fn in_many_threads<T: Send>(does: impl FnOnce() -> T + Send) -> T {
    in_threads(12, does)
}

pub(crate) fn in_threads<T: Send>(threads: usize, does: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads").install(does)
}

pub(crate) fn id(name: &str) -> String {
    format!("protocol/{name}")
}
