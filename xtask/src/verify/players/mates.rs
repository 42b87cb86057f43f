//! The suite `mates`, or third-party files in its place.

use std::time::Instant;

use arbiter::mates::{self, AnalysedFile, MateRow};
use arbiter::{SuiteContext, SuiteOutcome};
use suites::mates::MateSuite;

use super::super::{Collected, Job};
use super::collect;

pub(super) fn run(
    context: &SuiteContext,
    job: &Job,
    files: &[AnalysedFile],
    found: &mut Collected,
) -> anyhow::Result<()> {
    if job.epd.is_empty() {
        let suite = MateSuite::embedded()?;
        add(context, found, |context| mates::run(context, &suite, job.mates.announcements()));
        if context.players.searches_selectively() {
            add(context, found, mates::run_warm_hash);
        }
    }
    for suite in files {
        add(context, found, |context| mates::run_outside(context, suite, job.mates.announcements()));
    }
    Ok(())
}

fn add(
    context: &SuiteContext,
    found: &mut Collected,
    run: impl FnOnce(&SuiteContext) -> SuiteOutcome<MateRow>,
) {
    let started = Instant::now();
    let rows = collect(run(context), started, found);
    found.run.mates.extend(rows);
}
