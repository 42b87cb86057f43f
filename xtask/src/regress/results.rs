//! The results of both versions: from the cache, or by asking both at the same time.

use std::thread;

use anyhow::{Context, anyhow};
use arbiter::Effort;
use reports::Run;
use reports::html::Transcripts;

use super::args::RegressArgs;
use super::versions::Version;
use crate::store::{self, Kind, Store};
use crate::verify::{self, EngineArgs, Job, SuiteName};
use crate::{extent, files, report_folder};

/// The largest program that is read to hash it, in bytes.
pub(super) const LARGEST: u64 = 4 << 30;

/// What is asked of a version.
#[derive(Debug, Clone)]
pub(crate) struct Questions {
    suite: Vec<SuiteName>,
    check: Vec<String>,
    effort: Effort,
    time_limit: Option<u64>,
    seed: u64,
    jobs: u16,
    /// Whether results may come from the cache.
    cached: bool,
}

impl Questions {
    pub(crate) fn from_args(args: &RegressArgs) -> Self {
        let cores = || thread::available_parallelism().map_or(1, |cores| cores.get() as u16);
        // The engines are asked at the same time, with half of the threads each.
        let jobs = (args.jobs.unwrap_or_else(cores) / 2).max(1);
        Self {
            suite: args.suite.clone(),
            check: args.check.clone(),
            effort: extent::effort(args.quick, args.thorough),
            time_limit: args.time_limit,
            seed: args.seed,
            jobs,
            cached: true,
        }
    }

    /// One check or family, with all threads.
    pub(crate) fn of_check(check: &str, effort: Effort, time_limit: Option<u64>) -> Self {
        let jobs = thread::available_parallelism().map_or(1, |cores| cores.get() as u16);
        let seed = oracle::perft::RandomPositions::default().seed;
        let check = vec![check.to_owned()];
        Self { suite: Vec::new(), check, effort, time_limit, seed, jobs, cached: true }
    }

    /// The same question once more, of these checks.
    pub(crate) fn again(&self, check: Vec<String>) -> Self {
        Self { suite: Vec::new(), check, cached: false, ..self.clone() }
    }

    /// The job that asks this of a program.
    fn job(&self, program: &EngineArgs) -> Job {
        let program = EngineArgs {
            check: self.check.clone(),
            time_limit: self.time_limit,
            accepts_nothing: true,
            is_asked_again: !self.cached,
            ..program.clone()
        };
        Job {
            suites: self.suite.clone(),
            effort: self.effort,
            seed: self.seed,
            threads: self.jobs.into(),
            ..Job::of_engine(program)
        }
    }

    /// The key of the results of a program: what is asked, of which file, by which build of this program.
    fn key(&self, program: &EngineArgs) -> anyhow::Result<String> {
        let found = verify::find_program(program.engine.as_deref().unwrap_or_default(), program)?;
        let this = std::env::current_exe().context("cannot find this program")?;
        let [judge, engine] = [&this, &found.path].map(|path| files::read(path, LARGEST));
        let asked = format!("{self:?} {:?} {:?} {:?}", found.arguments, found.environment, found.options);
        let path = found.path.as_os_str().as_encoded_bytes().to_owned();
        Ok(store::key([&judge?[..], &engine?[..], &path, asked.as_bytes()]))
    }
}

/// The run of a version, and what went over the pipes where it failed.
pub(crate) type Answers = (Run, Transcripts);

/// The answers of both versions. Those that are not in the cache are asked at the same time.
pub(crate) fn results(pair: &[Version; 2], asked: &Questions) -> anyhow::Result<[Answers; 2]> {
    let [old, new] = thread::scope(|scope| {
        let threads = pair.each_ref().map(|version| scope.spawn(|| result(version, asked)));
        threads.map(|thread| thread.join().unwrap_or_else(|_| Err(anyhow!("a run panicked"))))
    });
    Ok([old?, new?])
}

/// The answers of one version.
pub(crate) fn result(version: &Version, asked: &Questions) -> anyhow::Result<Answers> {
    let Some(program) = &version.program else {
        return report_folder::whole(version.reports.as_deref().context("a version without a program")?);
    };
    let store = Store::open(Kind::Results)?;
    let key = asked.key(program)?;
    let is_kept = asked.cached && version.is_kept;
    if is_kept && let Some(folder) = store.get(&key) {
        return report_folder::whole(&folder);
    }
    let staged = store.stage()?;
    let job = Job { out: staged.path().to_owned(), ..asked.job(program) };
    let (run, _) = verify::run_silently(&job).with_context(|| version.label.clone())?;
    let transcripts = report_folder::transcripts(staged.path());
    // A run that was cut off is not kept: a later run on a less busy machine may be whole.
    if is_kept && reports::text::time(&run).is_empty() {
        store.put(&key, staged, &version.label)?;
    }
    Ok((run, transcripts))
}
