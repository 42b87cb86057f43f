//! The two versions that are compared: revisions that are built, programs, or reports of an earlier run.

use std::ffi::OsString;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::thread;

use anyhow::{Context, anyhow, bail};
use reports::Run;
use uci::Program;

use super::args::RegressArgs;
use super::build::{self, Built, Which};
use crate::git::{Checkout, Repository, Revision};
use crate::today::today;
use crate::verify::{self, Accepted, Build, CONFIG_FILE, Config, EngineArgs};
use crate::{console, files, report_folder};

/// One of the two.
#[derive(Debug, Clone)]
pub(crate) struct Version {
    /// What it is, for people.
    pub(crate) label: String,
    /// How its program is started; `None` for reports of an earlier run.
    pub(crate) program: Option<EngineArgs>,
    /// The reports of an earlier run.
    pub(crate) reports: Option<PathBuf>,
    /// What it was built of; `None` for a program of the user.
    revision: Option<Revision>,
    /// Whether files of the build lie beside its engine, which may decide how fast it is.
    pub(super) has_files: bool,
    /// The path of its engine in the repository, if it was built.
    pub(crate) within: Option<PathBuf>,
    /// The reports that it writes of itself.
    own: Option<PathBuf>,
    /// Whether its results may be kept: all that they depend on is in the cache too.
    pub(crate) is_kept: bool,
}

impl Version {
    fn of_program(label: &str, program: EngineArgs) -> Self {
        Self {
            label: label.to_owned(),
            program: Some(program),
            reports: None,
            revision: None,
            has_files: false,
            within: None,
            own: None,
            is_kept: false,
        }
    }

    /// A revision that was built.
    pub(crate) fn of_build(
        revision: &Revision,
        built: &Built,
        build: &Build,
        args: &[OsString],
        options: &[(String, String)],
    ) -> Self {
        let of_build = build.start();
        let program = EngineArgs {
            engine: Some(built.binary.display().to_string()),
            args: if args.is_empty() { of_build.args } else { args.to_owned() },
            option: of_build.option.into_iter().chain(options.iter().cloned()).collect(),
            ..of_build
        };
        Self {
            own: built.reports.clone(),
            revision: Some(revision.clone()),
            has_files: !build.files.is_empty(),
            within: Some(built.within.clone()),
            is_kept: true,
            ..Self::of_program(&revision.label, program)
        }
    }

    /// The program that is started.
    pub(crate) fn program(&self) -> anyhow::Result<Option<Program>> {
        let Some(args) = &self.program else { return Ok(None) };
        let name = args.engine.as_deref().unwrap_or_default();
        Ok(Some(verify::find_program(name, args)?))
    }

    /// The run that it reports of itself, if it does.
    pub(crate) fn own_reports(&self) -> anyhow::Result<Option<Run>> {
        self.own.as_deref().map(report_folder::read).transpose().with_context(|| self.label.clone())
    }
}

/// Finds both versions, and builds what has to be built.
pub(crate) fn find(args: &RegressArgs) -> anyhow::Result<[Version; 2]> {
    let old = given(args, args.old.as_deref(), args.old_report.as_deref());
    let new = given(args, args.new.as_deref(), args.new_report.as_deref());
    match (old, new) {
        (Some(old), Some(new)) => Ok([old, new]),
        _ => revisions(args),
    }
}

/// A version that the user gives as a program, or as reports.
fn given(args: &RegressArgs, program: Option<&str>, reports: Option<&Path>) -> Option<Version> {
    if let Some(reports) = reports {
        let label = reports.display().to_string();
        return Some(Version {
            label,
            program: None,
            reports: Some(reports.to_owned()),
            revision: None,
            has_files: false,
            within: None,
            own: None,
            is_kept: false,
        });
    }
    let program = program?;
    let engine = EngineArgs {
        engine: Some(program.to_owned()),
        args: args.args.clone(),
        option: args.option.clone(),
        config: args.config.clone(),
        ..EngineArgs::default()
    };
    Some(Version::of_program(program, engine))
}

/// The findings that the author accepts. For revisions, the touchstone.toml of the repository counts. For a
/// program, the file counts only if it names or builds the new one. For reports, it always counts.
pub(crate) fn accepted(args: &RegressArgs) -> anyhow::Result<Accepted> {
    match (&args.new, &args.new_report) {
        (Some(name), _) => Config::read(args.config.as_deref())?.accepted_of(name, today()?),
        (None, Some(_)) => Config::read(args.config.as_deref())?.accepted(today()?),
        (None, None) => config(&here()?, args.config.as_deref())?.accepted(today()?),
    }
}

fn here() -> anyhow::Result<Repository> {
    Repository::here().context("name two programs with --old and --new, or go to a repository")
}

/// The touchstone.toml that was named, or that of the repository.
fn config(repository: &Repository, named: Option<&Path>) -> anyhow::Result<Config> {
    let usual = repository.top().join(CONFIG_FILE);
    let found = named.or_else(|| usual.is_file().then_some(&*usual));
    if found.is_some() { Config::read(found) } else { Ok(Config::default()) }
}

/// How the revisions of a repository are built, by its touchstone.toml or by what is usual.
pub(crate) fn how_to_build(repository: &Repository, named: Option<&Path>) -> anyhow::Result<Build> {
    let config = config(repository, named)?;
    if let Some(build) = config.build() {
        for path in build.binary.iter().chain(&build.files) {
            let is_inside = |part| matches!(part, Component::Normal(_) | Component::CurDir);
            if !path.components().all(is_inside) {
                bail!(
                    "[build] of {CONFIG_FILE}: {} is not within the repository; name it from its root",
                    path.display()
                );
            }
        }
        return Ok(build.clone());
    }
    let (build, said) = build::guess(repository.top()).with_context(|| {
        format!("no file says how to build {}: write [build] in {CONFIG_FILE}", repository.top().display())
    })?;
    console::message(&said);
    Ok(build)
}

/// Makes the folder of reports. If it is within the repository, git ignores it, since reports are no change.
fn keep_out_of(top: &Path, out: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(out)?;
    let is_inside = fs::canonicalize(out)?.starts_with(fs::canonicalize(top)?);
    if is_inside { files::write(&out.join(".gitignore"), b"*\n") } else { Ok(()) }
}

/// The same versions, each built once more in a clean folder; `None` if the user gave the programs.
pub(crate) fn built_again(args: &RegressArgs, pair: &[Version; 2]) -> anyhow::Result<Option<[Version; 2]>> {
    let [Some(old), Some(new)] = pair.each_ref().map(|version| version.revision.as_ref()) else {
        return Ok(None);
    };
    let repository = here()?;
    let how = how_to_build(&repository, args.config.as_deref())?;
    let checkout =
        repository.checkout("new", || console::message("waiting for another regress of this repository"))?;
    let log = args.out.join("second-build.log");
    let version = |revision: &Revision| {
        let built = build::known_or_build(&checkout, revision, &how, &log, Which::Second)?;
        Ok::<_, anyhow::Error>(Version::of_build(revision, &built, &how, &args.args, &args.option))
    };
    Ok(Some([version(old)?, version(new)?]))
}

/// The two revisions, built side by side.
fn revisions(args: &RegressArgs) -> anyhow::Result<[Version; 2]> {
    let repository = here()?;
    let how = how_to_build(&repository, args.config.as_deref())?;
    let (base, head) = match args.range.as_deref() {
        Some(range) => {
            let (base, head) =
                range.split_once("..").map_or((range, None), |(base, head)| (base, Some(head)));
            let base = if base.is_empty() { repository.base()? } else { repository.revision(base)? };
            let head = head.map(|head| if head.is_empty() { "HEAD" } else { head });
            (base, head.map(|head| repository.revision(head)).transpose()?)
        }
        None => (repository.base()?, None),
    };
    let waiting = || console::message("waiting for another regress of this repository");
    let checkout = repository.checkout("new", waiting)?;
    keep_out_of(repository.top(), &args.out)?;
    let head = match head {
        Some(head) => head,
        None => checkout.working_tree()?,
    };
    if head.tree == base.tree {
        bail!(
            "{} and {} have the same files: there is nothing to compare; name the revisions: regress BASE..HEAD",
            base.label,
            head.label
        );
    }
    let revisions = [base, head];
    let build = |side: usize, checkout: &Checkout| {
        let log = args.out.join(["old-build.log", "new-build.log"][side]);
        build::known_or_build(checkout, &revisions[side], &how, &log, Which::First)
    };
    let built = if build::is_incremental(repository.top()) {
        // In one checkout the second build compiles only what changed.
        [0, 1].map(|side| build(side, &checkout))
    } else {
        let other = repository.checkout("old", waiting)?;
        thread::scope(|scope| {
            let threads = [(0, &other), (1, &checkout)]
                .map(|(side, checkout)| scope.spawn(move || build(side, checkout)));
            threads.map(|thread| thread.join().unwrap_or_else(|_| Err(anyhow!("the build panicked"))))
        })
    };
    let [old, new] = built;
    let [old, new] = [old?, new?];
    Ok([
        Version::of_build(&revisions[0], &old, &how, &args.args, &args.option),
        Version::of_build(&revisions[1], &new, &how, &args.args, &args.option),
    ])
}
