//! The suite `movegen/*`: which moves a program takes for legal, by its perft counts and by plain UCI.
//!
//! The counts of programs that have `go perft` or `perft` are compared with shakmaty's and with published
//! ones. From a wrong count the suite descends to the wrong move. All programs are asked for moves with
//! `searchmoves`, `position ... moves` and `MultiPV`, as far as they are seen to support these in the
//! starting position. shakmaty decides which moves are legal. Then men are removed while the position shows
//! the fault.
//!
//! `test_position` is a position of a case, `move_class` its moves by class, `positions` the data. `query`
//! asks, `judge` gives the verdict on a case. `perft*` count.

mod case_result;
mod judge;
mod minimise;
mod move_class;
mod perft;
mod perft_files;
mod perft_output;
mod perft_source;
mod positions;
mod query;
mod test_position;
mod wrong_move;

use std::collections::BTreeSet;
use std::time::Instant;

use shakmaty::CastlingMode;
use suites::FormatError;
use suites::perft::PerftSuite;
use suites::{Evidence, Findings, SkipReason, Tally};

use super::{Effort, Incident, ProgressObserver, SuiteOutcome, by_effort};
use crate::player::ProgramFactory;
use crate::runner::{Deadline, EnginePool};
use case_result::run_cases;
use judge::{MoveCase, MoveJudge, id};
use move_class::MoveClass;
use perft::Counting;
use query::Capabilities;
use test_position::TestPosition;

pub use perft_files::run_files;

/// The case set of the positions that are asked in plain UCI.
const PLAIN: &str = "moves";

/// How much is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// The most nodes of a count.
    pub most_nodes: u64,
    /// Whether our perft suites are run. Files of the user replace them.
    pub suites: bool,
    /// The most positions of each class that are asked in plain UCI. The first ones are taken.
    pub positions: usize,
    /// The time after which no case is begun.
    pub until: Option<Instant>,
}

impl From<Effort> for Extent {
    fn from(effort: Effort) -> Self {
        Self {
            most_nodes: by_effort(effort, [20_000, 500_000, 20_000_000]),
            suites: true,
            positions: by_effort(effort, [3, usize::MAX, usize::MAX]),
            until: None,
        }
    }
}

/// Runs the suite. Returns findings for each check, even if the check could not be made.
///
/// # Errors
/// If a suite of positions cannot be read.
pub fn run(
    players: &ProgramFactory,
    extent: &Extent,
    progress: &dyn ProgressObserver,
) -> Result<SuiteOutcome<()>, FormatError> {
    let pool = EnginePool::new(players.program().for_session("movegen"), players.timeouts());
    let mut incidents = Vec::new();
    let mut findings = Vec::new();
    if extent.suites {
        let suites = PerftSuite::embedded()?;
        let counting = Counting::detect(&pool, extent, progress);
        findings.extend(suites.iter().map(|suite| counting.run(suite, &mut incidents)));
    }
    findings.extend(asking(&pool, extent, progress, &mut incidents));
    // Failures before any case come first.
    let name = pool.name().to_owned();
    let incidents = [pool.into_incidents(), incidents].concat();
    Ok(SuiteOutcome::new(&name, findings, Vec::new(), incidents))
}

/// Asks for the positions by class, and for the best moves of the program in all of them.
fn asking(
    pool: &EnginePool,
    extent: &Extent,
    progress: &dyn ProgressObserver,
    incidents: &mut Vec<Incident>,
) -> Vec<Findings> {
    let cases = cases(extent.positions);
    progress.begin(cases.iter().map(|(_, cases)| cases.len() as u64).sum());
    let deadline = Deadline::at(extent.until);
    let capabilities = if deadline.is_over() {
        Err(SkipReason::OutOfTime)
    } else {
        Capabilities::detect(pool).or_else(|_| Capabilities::detect(pool)).map_err(|_| SkipReason::GivenUp)
    };
    let findings = cases.into_iter().map(|(class, cases)| {
        let mut findings = Findings::new(Tally::new(pool.name(), &id(class), Evidence::Agreement, PLAIN));
        match &capabilities {
            Ok(capabilities) => {
                let judge = MoveJudge { pool, capabilities, deadline };
                for result in run_cases(&cases, deadline, progress, |case| judge.judge(case)) {
                    findings.record(result.verdict);
                    incidents.extend(result.incidents);
                }
            }
            Err(reason) => {
                findings.tally.skip(*reason, cases.len() as u64);
                progress.advance(cases.len() as u64);
            }
        }
        findings
    });
    findings.collect()
}

/// The cases, by check.
fn cases(most: usize) -> Vec<(Option<MoveClass>, Vec<MoveCase>)> {
    let mut all = BTreeSet::new();
    let mut by_class = Vec::new();
    for class in MoveClass::ALL {
        let fens = &positions::of(class)[..most.min(positions::of(class).len())];
        all.extend(fens.iter().copied());
        by_class.push((Some(class), numbered(class.name(), fens.iter().copied(), Some(class))));
    }
    by_class.push((None, numbered("answer", all.into_iter(), None)));
    by_class
}

fn numbered<'a>(name: &str, fens: impl Iterator<Item = &'a str>, class: Option<MoveClass>) -> Vec<MoveCase> {
    let positions = (1..).zip(fens).filter_map(|(number, fen)| {
        let position = TestPosition::read(fen, CastlingMode::Standard)?;
        Some(MoveCase { id: format!("{name}-{number:02}"), position, class })
    });
    positions.collect()
}
