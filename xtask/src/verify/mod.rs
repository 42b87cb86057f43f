//! `verify`: checks tables, move generation and players against the oracles.

mod accepted;
mod args;
mod baseline;
mod collected;
mod dump;
mod dump_request;
mod engine_args;
mod epd;
mod external;
mod failures;
#[cfg(test)]
mod faulty;
mod job;
mod kept;
mod library;
mod own_protocol;
mod part;
mod perft_files;
mod perft_suites;
mod plan;
mod players;
mod selection;
mod signature;
mod stale;
mod stored;
mod subject;
mod suite_name;
mod tables;

use std::time::Duration;

use anyhow::Context;
use oracle::authorities::Authorities;
use oracle::syzygy::Syzygy;
use oracle::syzygy_files::TableFiles;
use oracle::table_probe::{EngineTables, TableProbe};
use reports::Run;

use crate::files;
use crate::outcome::Exit;
use crate::progress::Progress;
use crate::syzygy_sources::{self, Probed};
use crate::third_party::ThirdParty;
pub(crate) use accepted::Accepted;
pub(crate) use args::{Format, VerifyArgs};
use collected::Collected;
pub(crate) use engine_args::{EngineArgs, MOST_SECONDS, option};
use epd::Given;
use external::EngineRun;
pub(crate) use external::{Build, CONFIG_FILE, Config, find_program, identify, try_start};
pub(crate) use job::Job;
use kept::Kept;
pub(crate) use part::{Merged, merge};
use plan::Plan;
pub(crate) use selection::{family, known as known_check};
pub(crate) use stale::without_reports;
pub(crate) use suite_name::SuiteName;

/// The most differences and changes that are printed; the reports have all.
const SHOWN: usize = 10;

/// Does what the arguments ask for, and prints the result.
pub(crate) fn run(args: &VerifyArgs) -> anyhow::Result<Exit> {
    let job = Job::parse(args, subject::engine_of(args)?)?;
    let (found, exit) = done(&job)?;
    found.print(&job)?;
    Ok(exit)
}

/// Does a job and writes the reports, but prints nothing.
pub(crate) fn run_silently(job: &Job) -> anyhow::Result<(Run, Exit)> {
    let (found, exit) = done(job)?;
    Ok((found.run, exit))
}

fn done(job: &Job) -> anyhow::Result<(Collected, Exit)> {
    let mut plan = Plan::new(job, Given::read(&job.epd)?)?;
    files::try_folder(&job.out)?;
    if let Some(page) = &job.html {
        files::ignored_by_git(&job.out)?;
        files::stage(page).context("--html")?;
    }
    let shard = job.shard.map(|shard| part::begin(&mut plan, shard)).transpose()?;
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(job.threads).build().context("cannot start threads")?;
    pool.install(|| {
        let mut found = verify(&plan).map_err(|error| without_reports(error, &[&job.out]))?;
        let baseline = if shard.is_some() { None } else { baseline::folder(job, plan.extent) };
        let exit = found.write(job, plan.extent, baseline)?;
        if let Some(begun) = shard {
            part::finish(begun, &found)?;
        }
        Ok((found, exit))
    })
}

/// Carries out a plan: first our tables, since they judge the rest; then the suites that belong to this
/// workspace; then the player.
fn verify(plan: &Plan) -> anyhow::Result<Collected> {
    let progress = plan.progress();
    progress.say("starting the engine");
    let mut session = EngineRun::open(plan.job)?;
    files::ignored_by_git(&plan.job.out)?;
    let mut found = {
        let accepted = session.as_ref().map(|session| session.accepted.clone());
        Collected::new(plan.job, accepted.unwrap_or_default())
    };
    let located =
        plan.probes.as_ref().map(|probed| syzygy(plan, probed, &progress, &mut found)).transpose()?;
    let read = located.as_ref().filter(|_| plan.reads_syzygy()).map(library::syzygy_set);
    let keeps = plan.own_tables.iter().any(|&material| Kept::keeps(material));
    let kept = if keeps { Kept::open(plan.job, located.as_ref()) } else { Kept::default() };
    let syzygy = located.map(Syzygy::new);
    // Gaviota can be open only once in a process, and `regress` verifies two engines at the same time.
    let third_party = if plan.asks_dtm_sources() { ThirdParty::open()? } else { ThirdParty::default() };
    let published = suites::census::embedded()?;
    let authorities = Authorities {
        syzygy: syzygy.as_ref(),
        dtm_sources: third_party.sources(),
        published: &published,
        truth: None,
    };
    let certified = tables::run(plan, &authorities, &kept, &progress, &mut found)?;
    library::run(plan, certified.as_ref(), read.as_ref().zip(syzygy.as_ref()), &progress, &mut found)?;
    perft_suites::run(plan, &progress, &mut found)?;
    let truth = certified.map(|tables| EngineTables::production(tables).folded());
    let truth = truth.as_ref().map(|tables| tables as &dyn TableProbe);
    let authorities = Authorities { truth, ..authorities };
    ask_player(plan, &authorities, session.as_mut(), &progress, &mut found)?;
    own_protocol::run(plan, &progress, &mut found)?;
    signature::run(plan, &progress, &mut found);
    if let Some(session) = &session {
        settle(session, &mut found)?;
    }
    found.finish();
    Ok(found)
}

/// Asks the player of the plan. The analyses that judge it are made before, so that they take none of its
/// time.
fn ask_player(
    plan: &Plan,
    authorities: &Authorities,
    mut session: Option<&mut EngineRun>,
    progress: &Progress,
    found: &mut Collected,
) -> anyhow::Result<()> {
    let files = players::prepare(plan, authorities, progress);
    if let Some(session) = session.as_deref_mut() {
        session.start_clock();
        external::run_checks(session, &plan.suites, progress, found)?;
    }
    perft_files::run(plan, session.as_deref_mut(), progress, found);
    players::run(plan, &files, authorities, session, progress, found)
}

/// Ends the part of an engine: adds its failures, gives each finding its cause, and takes out the findings
/// that its author accepts.
fn settle(session: &EngineRun, found: &mut Collected) -> anyhow::Result<()> {
    let engine = &session.program.name;
    found.add_all(external::tell(session, &found.failures)?, Duration::ZERO);
    found.remove_unselected();
    found.join_causes(engine);
    found.name_causes(engine);
    found.accept(engine);
    if let Some(scale) = session.program.mate_scale {
        found.tell_mate_scale(engine, scale.of_mate_in_one());
    }
    found.run.engine = Some(session.card());
    Ok(())
}

/// Finds the Syzygy tables. Prints which are missing or refused, and what to do.
fn syzygy(
    plan: &Plan,
    probed: &Probed,
    progress: &Progress,
    found: &mut Collected,
) -> anyhow::Result<TableFiles> {
    progress.say("Syzygy tables");
    let told = std::cell::Cell::new(false);
    let located = syzygy_sources::locate(&plan.job.syzygy, probed, &|what| {
        if what.starts_with("writing") && !told.replace(true) {
            progress.note("note: writing the Syzygy tables that the cache lacks: all of three and four men take about half a minute");
        }
        progress.say(what);
    })?;
    match located.shortfall() {
        Some(shortfall) => progress.note(&shortfall.to_string()),
        None => located.warnings.iter().for_each(|warning| progress.note(&format!("note: {warning}"))),
    }
    found.has_wrong_file = located.has_refused;
    Ok(located.files)
}
