//! `tables check`: whether table files are whole, and whether what they say is true.

use std::path::PathBuf;

use engine::tables::builders;
use engine::tables::{Material, Metric};
use oracle::authorities::Authorities;
use oracle::checks::{self, Check, TableJob};
use oracle::positions::Men;
use oracle::syzygy::Syzygy;
use oracle::table_probe::EngineTables;
use reports::Run;

use crate::extent;
use crate::outcome::{Event, Exit};
use crate::progress::Progress;
use crate::syzygy_sources::{self, Probed, SyzygyArgs};
use crate::{console, program, report_folder};

/// Read table files, refuse damaged ones, and check every entry: DTM by certificate and published counts, DTZ
/// against Syzygy.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask tables check target/tables/KPvK.dtm target/tables/KPvK.dtz
  cargo xtask tables check target/tables        all tables that `tables build` wrote there")]
pub(crate) struct CheckArgs {
    /// Table files, or folders of `tables build`.
    #[arg(value_name = "PATH", required = true)]
    files: Vec<PathBuf>,
    /// The folder for the reports.
    #[arg(long, value_name = "DIR", default_value = "target/touchstone-tables")]
    out: PathBuf,
    /// Compare all of a DTZ table of four men with Syzygy, and not a sample.
    #[arg(long)]
    thorough: bool,
    #[command(flatten)]
    syzygy: SyzygyArgs,
}

/// Differences that are printed.
const SHOWN: usize = 10;

pub(super) fn run(args: &CheckArgs) -> anyhow::Result<Exit> {
    let mut files = Vec::new();
    for path in &args.files {
        files.extend(if path.is_dir() { super::tables_in(path)? } else { vec![path.clone()] });
    }
    let tables = files.iter().map(|path| super::read(path)).collect::<anyhow::Result<Vec<_>>>()?;
    let progress = Progress::new(None);
    let published = suites::census::embedded()?;
    let mut run = Run::default();
    let mut has_wrong_file = false;
    for (path, table) in files.iter().zip(tables) {
        let (material, metric) = (table.material(), table.metric());
        let men: Men = material.to_string().parse()?;
        progress.say(&format!("{men} {metric}"));
        let mut set = builders::production(&[material])?;
        set.add(table);
        let subject = EngineTables::of_file(&path.display().to_string(), set);
        let syzygy = match metric {
            Metric::Dtm => None,
            Metric::Dtz => {
                let (syzygy, is_wrong) = syzygy(args, material, &progress)?;
                has_wrong_file |= is_wrong;
                Some(syzygy)
            }
        };
        let authorities =
            Authorities { syzygy: syzygy.as_ref(), published: &published, ..Authorities::default() };
        let job = |check| {
            let job = TableJob::new(&subject, &men, &authorities);
            extent::of(job, check, extent::effort(false, args.thorough))
        };
        let is_large = extent::is_large(&men);
        let (together, alone): (Vec<Check>, Vec<Check>) =
            checks_of(metric, is_large).iter().partition(|check| check.runs_together() && is_large);
        let in_one_walk = match together.first() {
            Some(&first) => checks::together(&job(first), &together).runs,
            None => Vec::new(),
        };
        let findings = in_one_walk.into_iter().map(|run| run.findings);
        for findings in findings.chain(alone.into_iter().map(|check| check.run(&job(check)))) {
            run.differences.extend(findings.differences.into_iter().map(program::with_command));
            run.checks.push(reports::CheckRun { tally: findings.tally, duration: None, optional: false });
        }
    }
    report_folder::put(&args.out, &run.files(), Vec::new())?;
    drop(progress);
    console::colored(&reports::text::render_in(&run, SHOWN, console::view()))?;
    console::message(&format!("reports in {}", args.out.display()));
    let wrong_file = has_wrong_file.then_some(Event::CouldNotRun);
    Ok(Exit::from_events(run.tallies().flat_map(Event::of_tally).chain(wrong_file)))
}

/// The checks of a table.
fn checks_of(metric: Metric, is_large: bool) -> &'static [Check] {
    match metric {
        Metric::Dtm if is_large => {
            &[Check::Legality, Check::Certificate, Check::Terminal, Check::Symmetry, Check::Census]
        }
        Metric::Dtm => &[Check::Legality, Check::Certificate, Check::Terminal, Check::Census],
        Metric::Dtz => &[Check::SyzygyDtz],
    }
}

/// The Syzygy tables, and whether a file is wrong.
fn syzygy(args: &CheckArgs, material: Material, progress: &Progress) -> anyhow::Result<(Syzygy, bool)> {
    let probed = Probed::new(3, &[material]);
    let located = syzygy_sources::locate(&args.syzygy, &probed, &|what| progress.say(what))?;
    if let Some(shortfall) = located.shortfall() {
        progress.note(&shortfall.to_string());
    }
    Ok((Syzygy::new(located.files), located.has_refused))
}
