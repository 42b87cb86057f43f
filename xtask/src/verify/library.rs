//! The suite `library`: what a user of our engine's library gets.

use std::time::Instant;

use arbiter::Effort;
use engine::tables::TableSet;
use engine::tables::syzygy::{Kind, SyzygyFile, SyzygySet};
use oracle::library::{self, Job};
use oracle::perft::RandomPositions;
use oracle::syzygy::Syzygy;
use oracle::syzygy_files::TableFiles;
use suites::perft::PerftSuite;

use super::Collected;
use super::plan::Plan;
use super::suite_name::SuiteName;
use crate::progress::Progress;

/// How many random positions a run draws, and a quick one.
const DRAWN: usize = 1_000;
const QUICK_DRAWN: usize = 200;

/// Runs the checks, if the plan has the suite.
pub(super) fn run(
    plan: &Plan,
    tables: Option<&TableSet>,
    syzygy: Option<(&SyzygySet, &Syzygy)>,
    progress: &Progress,
    found: &mut Collected,
) -> anyhow::Result<()> {
    if !plan.suites.contains(&SuiteName::Library) {
        return Ok(());
    }
    progress.say("library of our engine");
    let started = Instant::now();
    let (suites, stalemates) = (PerftSuite::embedded()?, suites::stalemates::embedded()?);
    let drawn = match plan.job.effort {
        Effort::Quick => QUICK_DRAWN,
        Effort::Plain => DRAWN,
        Effort::Thorough => RandomPositions::default().count,
    };
    let job = Job { seed: plan.job.seed, drawn, suites: &suites, stalemates: &stalemates, tables, syzygy };
    let findings = library::run(&job);
    found.add_all(findings, started.elapsed());
    Ok(())
}

/// Syzygy files as our engine reads them. One that it cannot read is left out, so that its positions differ.
pub(super) fn syzygy_set(files: &TableFiles) -> SyzygySet {
    let mut set = SyzygySet::new();
    for (name, _) in files.statuses().filter(|(_, status)| status.is_usable()) {
        let read = || {
            let (table, ending) = name.split_once('.')?;
            let kind = if ending == "rtbw" { Kind::Wdl } else { Kind::Dtz };
            SyzygyFile::read(table.parse().ok()?, kind, files.bytes(name)?.to_vec()).ok()
        };
        if let Some(file) = read() {
            set.add(file);
        }
    }
    set
}
