//! `field-test`: checks the installed engines of other authors and writes a page of findings.

mod replay;
mod share;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, bail};
use reports::FieldNote;
use reports::field_report::{self, FieldEntry, FieldOutcome};

use crate::outcome::Exit;
use crate::shard::Shard;
use crate::verify::{self, EngineArgs, Job};
use crate::{console, extent, files};
use share::Share;
pub(crate) use share::merge;

/// Check the known engines that are installed, and write docs/src/reference/field-report.md.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask field-test                          all known engines in the PATH, some minutes each
  cargo xtask field-test stockfish toga2 --quick  two engines, a minute each
  cargo xtask field-test --folder builds          the known engines, and all programs of a folder

Only a run of all engines without --quick writes docs/src/reference/field-report.md; any other run writes report.md beside its reports.
A second page, field-report-bugs.md beside field-report.md, lists the findings that were judged to be true.

Exit codes: 0 the page was written, with or without findings; 2 it was not.")]
pub(crate) struct FieldTestArgs {
    /// The engines to check [default: all].
    #[arg(value_parser = known)]
    engines: Vec<String>,
    /// Check the programs of this folder too, each without arguments.
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// The folder in which to look for the known engines after the PATH: Debian's folder of games is not in
    /// every PATH.
    #[arg(long, value_name = "DIR", default_value = "/usr/games")]
    games: PathBuf,
    /// The page to write [default: docs/src/reference/field-report.md; report.md in --reports for a run of
    /// some engines or with --quick].
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The folder for reports; each engine gets a folder in it.
    #[arg(long, value_name = "DIR", default_value = "target/touchstone/field")]
    reports: PathBuf,
    /// Notes on earlier findings.
    #[arg(long, value_name = "FILE", default_value = "docs/src/reference/field-notes.csv")]
    notes: PathBuf,
    /// Ask a smaller share of the cases: about a minute for each engine.
    #[arg(long)]
    quick: bool,
    /// Take as long as needed.
    #[arg(long, conflicts_with = "quick")]
    thorough: bool,
    /// Threads [default: one for each core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Do the I-th of N shares of the work, on one of several machines; `merge` writes the page. Each shard
    /// needs --reports of its own.
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
}

/// The page of a run of all engines.
const PAGE: &str = "docs/src/reference/field-report.md";
/// The page of any other run, in the folder of its reports.
const PART: &str = "report.md";

/// Engines in Debian, and the arguments with which they speak UCI.
const ENGINES: [(&str, &[&str]); 6] = [
    ("stockfish", &[]),
    ("fairy-stockfish", &[]),
    ("ethereal-chess", &[]),
    ("toga2", &[]),
    ("glaurung", &[]),
    ("gnuchess", &["--uci"]),
];

fn known(name: &str) -> Result<String, String> {
    if ENGINES.iter().any(|(known, _)| *known == name) {
        return Ok(name.to_owned());
    }
    Err(format!(
        "expected one of: {}; check any other engine with verify --engine",
        ENGINES.map(|(known, _)| known).join(", ")
    ))
}

impl FieldTestArgs {
    fn asks(&self, name: &str) -> bool {
        self.engines.is_empty() || self.engines.iter().any(|engine| engine == name)
    }

    /// The page to write. A short run, or a run of some engines, does not overwrite the page of all.
    fn page(&self) -> PathBuf {
        let is_whole =
            !self.quick && self.folder.is_none() && ENGINES.iter().all(|(name, _)| self.asks(name));
        let usual = || if is_whole { PathBuf::from(PAGE) } else { self.reports.join(PART) };
        self.out.clone().unwrap_or_else(usual)
    }
}

/// Checks one engine after the other and writes the page.
pub(crate) fn run(args: &FieldTestArgs) -> anyhow::Result<Exit> {
    let notes = notes(&args.notes)?;
    let of_folder = args.folder.as_deref().map(programs).transpose()?.unwrap_or_default();
    let of_folder: Vec<(String, PathBuf)> = of_folder
        .into_iter()
        .map(|path| (path.file_name().unwrap_or_default().to_string_lossy().into_owned(), path))
        .collect();
    let asked: Vec<_> = ENGINES.into_iter().filter(|(name, _)| args.asks(name)).collect();
    let names = asked.iter().map(|(name, _)| (*name).to_owned());
    let names = names.chain(of_folder.iter().map(|(name, _)| name.clone())).collect();
    let share = args.shard.map(|shard| Share::begin(args, shard, names)).transpose()?;
    let does = |name: &str| share.as_ref().is_none_or(|share| share.has(name));
    let mut entries = Vec::new();
    let mut found = |name: &str, path: Option<PathBuf>, arguments: &[&str]| {
        let command = std::iter::once(name).chain(arguments.iter().copied()).collect::<Vec<_>>().join(" ");
        let outcome = path.map_or(FieldOutcome::Absent, |path| check(args, name, &path, arguments));
        console::message(&format!("{name}: {}", outcome.summary()));
        entries.push(FieldEntry { name: name.to_owned(), command, outcome });
    };
    for (name, arguments) in asked.into_iter().filter(|(name, _)| does(name)) {
        let path = which::which(name).or_else(|_| which::which_in(name, Some(&args.games), "/"));
        found(name, path.ok(), arguments);
    }
    for (name, path) in of_folder.into_iter().filter(|(name, _)| does(name)) {
        found(&name, Some(path), &[]);
    }
    if let Some(share) = share {
        share.finish(entries)?;
        return Ok(Exit::Agree);
    }
    Page { path: args.page(), is_named: args.out.is_some() }.write(&entries, &notes)
}

/// The notes on earlier findings, if there are any.
fn notes(path: &Path) -> anyhow::Result<Vec<FieldNote>> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    reports::read(&bytes).with_context(|| path.display().to_string())
}

/// Where the page goes.
struct Page {
    path: PathBuf,
    /// Whether the user named it.
    is_named: bool,
}

impl Page {
    fn write(&self, entries: &[FieldEntry], notes: &[FieldNote]) -> anyhow::Result<Exit> {
        files::write(&self.path, field_report::document(entries, notes).as_bytes())?;
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let stem = self.path.file_stem().unwrap_or_default().to_string_lossy();
        let bugs = self.path.with_file_name(format!("{stem}-bugs.md"));
        files::write(&bugs, field_report::bugs(entries, notes, &name).as_bytes())?;
        console::message(&format!("written: {} and {}", self.path.display(), bugs.display()));
        if self.path != Path::new(PAGE) && !self.is_named {
            console::message(&format!(
                "{PAGE} is unchanged: only a run of all engines without --quick writes it"
            ));
        }
        Ok(Exit::Agree)
    }
}

/// The programs of a folder, by name.
fn programs(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let files =
        fs::read_dir(folder).with_context(|| format!("cannot read the folder {}", folder.display()))?;
    let files = files.map(|entry| Ok(entry?.file_name())).collect::<std::io::Result<Vec<_>>>()?;
    let mut programs: Vec<PathBuf> =
        files.iter().filter_map(|name| which::which_in(name, Some(folder), ".").ok()).collect();
    programs.sort();
    if programs.is_empty() {
        bail!("there is no program in {}", folder.display());
    }
    Ok(programs)
}

fn check(args: &FieldTestArgs, name: &str, path: &Path, arguments: &[&str]) -> FieldOutcome {
    let program = EngineArgs {
        engine: Some(path.display().to_string()),
        name: Some(name.to_owned()),
        args: arguments.iter().map(Into::into).collect(),
        ..EngineArgs::default()
    };
    let job = Job {
        out: args.reports.join(name),
        effort: extent::effort(args.quick, args.thorough),
        threads: args.jobs.map_or(0, usize::from),
        ..Job::of_engine(program)
    };
    let started = Instant::now();
    match verify::run_silently(&job) {
        Ok((run, _)) => {
            let took = started.elapsed();
            let shown = field_report::shown(&run);
            let replayed = replay::all(&shown.iter().map(|group| group.first).collect::<Vec<_>>());
            FieldOutcome::Checked { run: Box::new(run), took, replayed }
        }
        Err(error) => FieldOutcome::Failed(format!("{error:#}")),
    }
}
