//! The suite `mates`, or files of others in its place.

use std::io::Read;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, bail};
use oracle::trials::mates::{self, Announcements, Demand, MateRow};
use oracle::trials::{Outcome, Trial};
use reports::Row;
use suites::mates::{MOST_BYTES, MateSuite, OutsideSuite};

use super::super::{Collected, VerifyArgs};
use super::collect;
use crate::console;

/// What counts as an announcement of a mate.
#[derive(Debug, Clone, Default, clap::Args)]
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

    /// Whether anything was said of it.
    pub(crate) fn is_given(&self) -> bool {
        self.announcements() != Announcements::default()
    }
}

/// Lines that cannot be read that are named on standard error; all stand in the report.
const NAMED: usize = 10;

pub(super) fn run(trial: &Trial, args: &VerifyArgs, found: &mut Collected) -> anyhow::Result<()> {
    if args.epd.is_empty() {
        let suite = MateSuite::embedded()?;
        add(trial, found, |trial| mates::run(trial, &suite, args.mates.announcements()));
    }
    // All are read before the first is asked: a file that cannot be read spoils no long run.
    let outside = args.epd.iter().map(|path| read(path)).collect::<anyhow::Result<Vec<_>>>()?;
    for suite in &outside {
        add(trial, found, |trial| mates::run_outside(trial, suite, args.mates.announcements()));
    }
    Ok(())
}

fn add(trial: &Trial, found: &mut Collected, run: impl FnOnce(&Trial) -> Outcome<MateRow>) {
    let started = Instant::now();
    let rows = collect(run(trial), started, found);
    let subject = trial.subjects.name();
    found.run.mates.extend(rows.into_iter().map(|row| reports::MateRow {
        subject: subject.to_owned(),
        suite: row.suite,
        case: row.case,
        class: row.class,
        mate: row.mate,
        evidence: row.evidence.map(|evidence| evidence.to_string()).unwrap_or_default(),
        announced: row.announced,
        verdict: row.verdict.name().to_owned(),
        nodes: row.nodes,
    }));
}

fn read(path: &Path) -> anyhow::Result<OutsideSuite> {
    let shown = path.display();
    let file = std::fs::File::open(path).with_context(|| format!("cannot read {shown}"))?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).with_context(|| format!("cannot read {shown}"))?;
    if bytes.len() as u64 > MOST_BYTES {
        bail!("{shown} is longer than {} MiB; split it", MOST_BYTES >> 20);
    }
    let name = path.file_name().map_or_else(|| shown.to_string(), |name| name.to_string_lossy().into_owned());
    // What is no UTF-8 spoils its line and no other.
    let suite = mates::sifted(OutsideSuite::parse(&name, &String::from_utf8_lossy(&bytes))?);
    if suite.cases.is_empty() && suite.malformed.is_empty() {
        bail!("{shown} holds no position");
    }
    for (line, fault) in suite.malformed.iter().take(NAMED) {
        console::message(&format!("{shown}:{line}: {fault}"));
    }
    if suite.malformed.len() > NAMED {
        let more = suite.malformed.len() - NAMED;
        console::message(&format!(
            "and {more} more lines that cannot be read, all in {}",
            reports::MateRow::FILE
        ));
    }
    Ok(suite)
}
