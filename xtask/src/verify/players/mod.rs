//! The part of a run that puts suites to a player.

mod conversion;
mod knowledge;
mod mates;

use std::time::Instant;

use anyhow::Context;
use arbiter::mates::AnalysedFile;
use arbiter::player::{InProcess, PlayerFactory, Stopwatch};
use arbiter::{SuiteContext, SuiteOutcome, bestmove, draws, stalemates};
use oracle::authorities::Authorities;

use super::Collected;
use super::external::EngineRun;
use super::job::Job;
use super::plan::Plan;
use super::suite_name::SuiteName;
use crate::progress::Progress;

/// The player with this name.
pub(super) fn player(name: &str) -> anyhow::Result<InProcess> {
    let player = InProcess::named(name).with_context(|| format!("there is no subject {name}"))?;
    Ok(player.with_clock(stopwatch))
}

/// The analysis of the mates in the files. It is done before the player is asked, so that it takes none of
/// its time.
pub(super) fn prepare<'p>(
    plan: &'p Plan,
    authorities: &Authorities,
    progress: &Progress,
) -> Vec<AnalysedFile<'p>> {
    if !plan.suites.contains(&SuiteName::Mates) {
        return Vec::new();
    }
    for table in &plan.not_built {
        progress.note(&format!(
            "note: {table} is not built to judge the files: that takes long; --thorough builds it, else Syzygy and the prover judge"
        ));
    }
    let prepared = |file| {
        progress.say("proving the mates of the files");
        AnalysedFile::new(file, authorities, plan.job.effort, progress)
    };
    plan.epd.mates.iter().map(prepared).collect()
}

/// Runs the suites of the plan that are for players.
pub(super) fn run(
    plan: &Plan,
    files: &[AnalysedFile],
    authorities: &Authorities,
    mut session: Option<&mut EngineRun>,
    progress: &Progress,
    found: &mut Collected,
) -> anyhow::Result<()> {
    if plan.suites.iter().all(|suite| !suite.is_for_players() && *suite != SuiteName::Knowledge) {
        return Ok(());
    }
    let ours = if session.is_none() { Some(player(plan.job.player())?) } else { None };
    for suite in plan.suites.iter().filter(|suite| **suite != SuiteName::Perft) {
        let program = session.as_mut().map(|session| session.subjects(*suite));
        let ours = ours.as_ref().map(|ours| ours as &dyn PlayerFactory);
        let program = program.as_ref().map(|program| program as &dyn PlayerFactory);
        let Some(players) = program.or(ours) else { continue };
        let &Job { effort, seed, limit, .. } = plan.job;
        let context = SuiteContext { players, authorities, effort, seed, limit, progress };
        progress.say(&format!("{suite:?} of {}", players.name()).to_lowercase());
        match suite {
            SuiteName::Stalemates => {
                let started = Instant::now();
                let outcome = stalemates::run(&context, &suites::stalemates::embedded()?)?;
                let rows = collect(outcome, started, found);
                found.run.stalemates_subjects.extend(rows);
            }
            SuiteName::Mates => mates::run(&context, plan.job, files, found)?,
            SuiteName::BestMove => {
                for file in &plan.epd.best_moves {
                    let started = Instant::now();
                    let rows = collect(bestmove::run(&context, file), started, found);
                    found.run.best_moves.extend(rows);
                }
            }
            SuiteName::Conversion => conversion::run(&context, found),
            SuiteName::Draws => {
                let started = Instant::now();
                let rows = collect(draws::run(&context, &suites::draws::embedded()?), started, found);
                found.run.draws.extend(rows);
            }
            SuiteName::Knowledge => knowledge::run(&context, plan, progress, found)?,
            SuiteName::Perft | SuiteName::Chess960 | SuiteName::Random | SuiteName::Library => {}
        }
    }
    Ok(())
}

/// A clock for time limits and the times in `info`.
fn stopwatch() -> Stopwatch {
    let start = Instant::now();
    Box::new(move || start.elapsed())
}

/// Collects the findings of a suite, and how the player failed over it; returns its rows.
fn collect<R>(outcome: SuiteOutcome<R>, started: Instant, found: &mut Collected) -> Vec<R> {
    let SuiteOutcome { findings, rows, incidents, coverage } = outcome;
    found.failures.extend(incidents, coverage);
    found.add_all(findings, started.elapsed());
    rows
}
