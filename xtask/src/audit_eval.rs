//! `audit-eval`: compares heuristics and our evaluation with whole endgame tables.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, bail};
use oracle::authorities::Authorities;
use oracle::knowledge::{self, Audit, FOUR_MEN, THREE_MEN};
use oracle::positions::Men;
use reports::{CheckRow, DifferenceRow, KnowledgeRow, Row as _, Run};

use crate::outcome::{Event, Exit};
use crate::progress::Progress;
use crate::{console, files, program, report_folder};

/// Compare heuristics with whole endgame tables: how often they are right, and how well they rank positions.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask audit-eval                       all tables that heuristics apply to: minutes
  cargo xtask audit-eval --tables KPvK,KRvKN   only these; the smaller tables that they lead to are certified first
  cargo xtask audit-eval --out audit           knowledge.csv into the folder audit

docs/src/explanation/knowledge.md explains the columns and lists the heuristics.
Exit codes: 0 no promise is broken; 1 a heuristic is wrong where it promised not to be, or a table is wrong; 2 could not run.")]
pub(crate) struct AuditEvalArgs {
    /// Tables, such as KPvK,KBNvK [default: all that heuristics apply to].
    #[arg(long, value_name = "TABLES", value_delimiter = ',')]
    tables: Vec<String>,
    /// The folder for knowledge.csv, checks.csv and differences.csv.
    #[arg(long, value_name = "DIR", default_value = "target/touchstone-knowledge")]
    out: PathBuf,
    /// Threads; the reports do not depend on the number [default: one for each core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

/// The most differences that are printed; the reports have all.
const SHOWN: usize = 10;

/// Audits the tables.
pub(crate) fn run(args: &AuditEvalArgs) -> anyhow::Result<Exit> {
    let tables = named(&args.tables)?;
    files::try_folder(&args.out)?;
    let threads = args.jobs.map_or(0, usize::from);
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().context("cannot start threads")?;
    pool.install(|| audit(args, &tables))
}

/// The tables with these names; all if there are none.
fn named(names: &[String]) -> anyhow::Result<Vec<Men>> {
    let known: Vec<&str> = THREE_MEN.into_iter().chain(FOUR_MEN).collect();
    if let Some(unknown) = names.iter().find(|name| !known.contains(&name.as_str())) {
        let unknown: String = unknown.chars().take(24).collect();
        bail!(
            "--tables {unknown}: no heuristic applies to this table; expected one of: {}",
            known.join(", ")
        );
    }
    let wanted =
        known.into_iter().filter(|&name| names.is_empty() || names.iter().any(|named| named == name));
    Ok(wanted.map(str::parse).collect::<Result<_, _>>()?)
}

fn audit(args: &AuditEvalArgs, tables: &[Men]) -> anyhow::Result<Exit> {
    let published = suites::census::embedded()?;
    let authorities = Authorities { published: &published, ..Authorities::default() };
    let progress = Progress::new(Some(0));
    let mut run = Run::default();
    let started = Instant::now();
    let rows = audited(tables, &authorities, &progress, &mut |findings| {
        run.differences.extend(findings.differences.into_iter().map(program::with_command));
        run.checks.push(reports::CheckRun { tally: findings.tally, duration: None, optional: false });
    })?;
    run.knowledge = rows;
    let mut written = run.files();
    written
        .retain(|name, _| [KnowledgeRow::FILE, CheckRow::FILE, DifferenceRow::FILE].contains(&name.as_str()));
    report_folder::put(&args.out, &written, Vec::new())?;
    drop(progress);
    let text = [reports::text::knowledge(&run.knowledge), reports::text::render(&run, SHOWN)].join("\n");
    console::data(text.as_bytes())?;
    let seconds = started.elapsed().as_secs();
    console::message(&format!("reports in {}, after {seconds} s", args.out.display()));
    Ok(Exit::from_events(run.tallies().flat_map(Event::of_tally)))
}

/// Builds, certifies and audits tables. Returns no rows if a table is not certified.
pub(crate) fn audited(
    tables: &[Men],
    authorities: &Authorities,
    progress: &Progress,
    found: &mut dyn FnMut(suites::Findings),
) -> anyhow::Result<Vec<KnowledgeRow>> {
    let materials = knowledge::materials_of(tables);
    let certifying: u64 = materials.iter().map(|material| 4 << (6 * material.men())).sum();
    progress.extend(certifying + tables.iter().map(knowledge::work).sum::<u64>());
    progress.say("building and certifying tables");
    let certified = knowledge::certify(&materials, authorities, progress)?;
    certified.findings.into_iter().for_each(&mut *found);
    let Some(truth) = certified.tables else { return Ok(Vec::new()) };
    let mut rows = Vec::new();
    for men in tables {
        progress.say(&format!("heuristics of {men}"));
        let outcome = knowledge::run(&Audit { truth: &truth, authorities, progress }, [men]);
        outcome.findings.into_iter().for_each(&mut *found);
        rows.extend(outcome.rows);
    }
    Ok(rows)
}
