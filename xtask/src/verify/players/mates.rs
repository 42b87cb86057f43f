//! The suite `mates`, or third-party files in its place.

use std::time::Instant;

use arbiter::mates::{self, AnalysedFile, Announcements, Demand, MateRow};
use arbiter::{Outcome, SuiteContext};
use serde::{Deserialize, Serialize};
use suites::mates::MateSuite;

use super::super::{Collected, Job};
use super::collect;

/// What counts as an announcement of a mate.
#[derive(Debug, Clone, Default, clap::Args, Serialize, Deserialize)]
pub(crate) struct MateArgs {
    /// Mates announced at a smaller depth are no announcements: only scores of this depth in plies, or deeper, count.
    #[arg(long, value_name = "PLIES", default_value_t = 0, conflicts_with_all = ["baseline", "update_baseline"])]
    pub(crate) mate_depth: u32,
    /// Mates announced by a lowerbound or upperbound are no announcements: only exact scores count.
    #[arg(long, conflicts_with_all = ["baseline", "update_baseline"])]
    pub(crate) no_bound_mates: bool,
    /// The last mate that is announced must be the shortest one, where that is proved: a longer one is mate/longer.
    #[arg(long, conflicts_with_all = ["baseline", "update_baseline"])]
    pub(crate) exact_mates: bool,
}

impl MateArgs {
    pub(crate) fn announcements(&self) -> Announcements {
        let demand = if self.exact_mates { Demand::Shortest } else { Demand::Nothing };
        Announcements { from_depth: self.mate_depth, bounds: !self.no_bound_mates, demand }
    }

    /// Whether the user set any of this.
    pub(crate) fn is_given(&self) -> bool {
        self.announcements() != Announcements::default()
    }
}

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

fn add(context: &SuiteContext, found: &mut Collected, run: impl FnOnce(&SuiteContext) -> Outcome<MateRow>) {
    let started = Instant::now();
    let rows = collect(run(context), started, found);
    found.run.mates.extend(rows);
}
