//! The context `movegen/*`: which moves a program takes for legal, by its own counts and by plain UCI.
//!
//! Whoever counts (`go perft`, `perft`) is held against shakmaty and the published figures, and followed down to the
//! smallest position that is counted wrongly. Everybody is asked for moves by `searchmoves`, by `position ... moves` and by
//! its best lines, as far as it is found to obey them on moves that nobody disputes. What it takes for legal is decided by
//! shakmaty. Then men are taken off while the fault stays.
//!
//! In reading order: a position, and its moves by the rule that decides them; the positions that are asked; the questions;
//! the verdict on a case; counting.

mod ask;
mod class;
mod counter;
mod counting;
mod counts;
mod files;
mod judge;
mod judged;
mod minimise;
mod place;
mod positions;

use std::collections::BTreeSet;
use std::time::Duration;

use shakmaty::CastlingMode;
use suites::FormatError;
use suites::perft::PerftSuite;
use suites::{Evidence, Findings, SkipReason, Tally};

use super::{Effort, Incident, Outcome, ProgressObserver};
use crate::player::ProgramFactory;
use crate::runner::{Deadline, EnginePool};
use ask::Abilities;
use class::Class;
use counter::Manner;
use judge::{Case, Context, id};
use judged::judge_in_order;
use place::Place;

pub use files::run_files;

/// The option without which a program knows no Chess960.
const CHESS960: &str = "UCI_Chess960";
/// The name of the set of positions that are asked by plain UCI.
const PLAIN: &str = "moves";

/// How much is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// The most nodes that a position is counted to.
    pub most_nodes: u64,
    /// Whether our suites are counted: they are not where files stand in their place.
    pub suites: bool,
    /// How long counts are begun.
    pub counting: Option<Duration>,
    /// Positions of each class that are asked by plain UCI, the first ones.
    pub positions: usize,
    /// How long questions are begun.
    pub asking: Option<Duration>,
}

impl From<Effort> for Extent {
    fn from(effort: Effort) -> Self {
        let (most_nodes, counting, positions, asking) = match effort {
            Effort::Quick => (20_000, Some(3), 3, Some(4)),
            Effort::Plain => (500_000, Some(15), usize::MAX, Some(20)),
            Effort::Thorough => (20_000_000, None, usize::MAX, None),
        };
        let [counting, asking] = [counting, asking].map(|seconds| seconds.map(Duration::from_secs));
        Self { most_nodes, suites: true, counting, positions, asking }
    }
}

/// Tries a program. There are findings for each check, whether or not it could be made; the rows are how it broke.
///
/// # Errors
/// If a suite of positions cannot be read.
pub fn run(
    subjects: &ProgramFactory,
    extent: &Extent,
    progress: &dyn ProgressObserver,
) -> Result<Outcome<()>, FormatError> {
    let stable = EnginePool::new(subjects.program().for_session("movegen"), subjects.timeouts());
    let mut incidents = Vec::new();
    let mut findings =
        if extent.suites { counting(&stable, extent, progress, &mut incidents)? } else { Vec::new() };
    findings.extend(asking(&stable, extent, progress, &mut incidents));
    // What it broke over before any case comes first.
    let name = stable.name().to_owned();
    let incidents = [stable.into_incidents(), incidents].concat();
    Ok(Outcome::new(&name, findings, Vec::new(), incidents))
}

/// The perft suites, that of Chess960 if the program knows it.
fn counting(
    stable: &EnginePool,
    extent: &Extent,
    progress: &dyn ProgressObserver,
    incidents: &mut Vec<Incident>,
) -> Result<Vec<Findings>, FormatError> {
    let (most, deadline) = (extent.most_nodes, Deadline::after(extent.counting));
    let [standard, chess960] = PerftSuite::embedded()?;
    let manner = Manner::find_out(stable);
    let declares =
        stable.with_fresh(|engine| Ok(engine.identity().option(CHESS960).is_some())).unwrap_or(false);
    let with_option = stable.with_option(CHESS960, "true");
    let others = manner.as_ref().filter(|_| declares);
    Ok(vec![
        counting::run(stable, manner.as_ref(), &standard, most, deadline, progress, incidents),
        counting::run(&with_option, others, &chess960, most, deadline, progress, incidents),
    ])
}

/// The positions by class, and the program's answers in all of them.
fn asking(
    stable: &EnginePool,
    extent: &Extent,
    progress: &dyn ProgressObserver,
    incidents: &mut Vec<Incident>,
) -> Vec<Findings> {
    let cases = cases(extent.positions);
    progress.begin(cases.iter().map(|(_, cases)| cases.len() as u64).sum());
    // What it can be asked is found out first, however long that takes: it is bounded, and without it nothing is asked.
    let is_over = Deadline::after(extent.asking).is_over();
    let abilities = if is_over {
        Err(SkipReason::OutOfTime)
    } else {
        Abilities::find_out(stable).or_else(|_| Abilities::find_out(stable)).map_err(|_| SkipReason::GivenUp)
    };
    let deadline = Deadline::after(extent.asking);
    let findings = cases.into_iter().map(|(class, cases)| {
        let mut findings = Findings::new(Tally::new(stable.name(), &id(class), Evidence::Agreement, PLAIN));
        match &abilities {
            Ok(abilities) => {
                let context = Context { stable, abilities, deadline };
                for judged in judge_in_order(&cases, deadline, progress, |case| context.judge(case)) {
                    findings.record(judged.verdict);
                    incidents.extend(judged.incidents);
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

/// What is asked, by check.
fn cases(most: usize) -> Vec<(Option<Class>, Vec<Case>)> {
    let mut all = BTreeSet::new();
    let mut by_class = Vec::new();
    for class in Class::ALL {
        let fens = &positions::of(class)[..most.min(positions::of(class).len())];
        all.extend(fens.iter().copied());
        by_class.push((Some(class), numbered(class.name(), fens.iter().copied(), Some(class))));
    }
    by_class.push((None, numbered("answer", all.into_iter(), None)));
    by_class
}

fn numbered<'a>(name: &str, fens: impl Iterator<Item = &'a str>, class: Option<Class>) -> Vec<Case> {
    let places = (1..).zip(fens).filter_map(|(number, fen)| {
        let place = Place::read(fen, CastlingMode::Standard)?;
        Some(Case { id: format!("{name}-{number:02}"), place, class })
    });
    places.collect()
}
