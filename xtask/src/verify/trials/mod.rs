//! The part of a run that puts suites to a subject, a file a suite.

mod bestmove;
mod conversion;
mod draws;
mod knowledge;
mod mates;
mod stalemates;

use std::time::{Duration, Instant};

use engine::specimen;
use engine::tables::{TableSet, build};
use engine::thinking::{Clock, Control};
use oracle::authorities::Authorities;
use oracle::claims::{Claims, EngineTables};
use oracle::subject::{InProcess, Subjects};
use oracle::trials::{Outcome, Trial};

pub(crate) use mates::MateArgs;

use super::plan::Plan;
use super::suites::SuiteName;
use super::uci::Session;
use super::{Collected, VerifyArgs};
use crate::progress::Progress;

/// The name of the subject that is our engine.
pub(super) const ENGINE: &str = "engine";
/// The tables that our engine builds at its start.
const PLAYED_BY: [&str; 3] = ["KPvK", "KQvK", "KRvK"];

/// A name of a subject.
pub(super) fn subject_named(name: &str) -> Result<String, String> {
    if name == ENGINE || specimen::NAMES.contains(&name) {
        return Ok(name.to_owned());
    }
    Err(format!("no such subject; there are: {ENGINE}, {}", specimen::NAMES.join(", ")))
}

/// Runs those suites of the plan that are put to a subject. `certified` are the tables that were certified in this run.
pub(super) fn run(
    plan: &Plan,
    args: &VerifyArgs,
    certified: Option<TableSet>,
    authorities: &Authorities,
    mut session: Option<&mut Session>,
    progress: &Progress,
    found: &mut Collected,
) -> anyhow::Result<()> {
    if plan.suites.iter().all(|suite| !suite.is_trial() && *suite != SuiteName::Knowledge) {
        return Ok(());
    }
    let truth = certified.map(EngineTables::production);
    let truth = truth.as_ref().map(|tables| tables as &dyn Claims);
    let authorities = Authorities { truth, dtm_sources: authorities.dtm_sources.clone(), ..*authorities };
    // Our own tables are built where our own engine is asked.
    let in_process = if session.is_none() { Some(subject(&args.subject)?) } else { None };
    for suite in plan.suites.iter().filter(|suite| **suite != SuiteName::Perft) {
        let program = session.as_mut().map(|session| session.subjects(*suite));
        let program = program.as_ref().map(|program| program as &dyn Subjects);
        let in_process = in_process.as_ref().map(|subjects| subjects as &dyn Subjects);
        let Some(subjects) = program.or(in_process) else { continue };
        let (effort, seed, limit) = (args.effort(), args.seed, args.limit());
        let trial = Trial { subjects, authorities: &authorities, effort, seed, limit, watch: progress };
        progress.say(&format!("{suite:?} of {}", subjects.name()).to_lowercase());
        match suite {
            SuiteName::Stalemates => stalemates::run(&trial, found)?,
            SuiteName::Mates => mates::run(&trial, args, &plan.epd.mates, found)?,
            SuiteName::BestMove => bestmove::run(&trial, &plan.epd.best_moves, found),
            SuiteName::Conversion => conversion::run(&trial, found),
            SuiteName::Draws => draws::run(&trial, found)?,
            SuiteName::Knowledge => knowledge::run(&trial, plan, progress, found)?,
            SuiteName::Perft | SuiteName::Chess960 | SuiteName::Random => {}
        }
    }
    Ok(())
}

fn subject(name: &str) -> anyhow::Result<InProcess> {
    if let Some(specimen) = InProcess::specimen(name) {
        return Ok(specimen.with_control(stopwatch));
    }
    let materials = PLAYED_BY.map(str::parse).into_iter().collect::<Result<Vec<_>, _>>()?;
    Ok(InProcess::engine(build::production(&materials)?).with_control(stopwatch))
}

/// For limits of time; who thinks without one never looks.
fn stopwatch() -> Control {
    struct Stopwatch(Instant);
    impl Clock for Stopwatch {
        fn elapsed(&self) -> Duration {
            self.0.elapsed()
        }
    }
    Control::new(Stopwatch(Instant::now()))
}

/// Takes what a trial has found, but for its rows.
fn collect<R>(outcome: Outcome<R>, started: Instant, found: &mut Collected) -> Vec<R> {
    let took = started.elapsed();
    // The time of a trial is one figure: it stands beside the first class.
    for (place, findings) in outcome.findings.into_iter().enumerate() {
        found.add(findings, if place == 0 { took } else { Duration::ZERO });
    }
    outcome.rows
}
