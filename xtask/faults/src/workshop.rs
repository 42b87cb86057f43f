//! A checkout in which mutants are built: most together, the others one after the other, so that only what changed is
//! compiled.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, bail, ensure};

use crate::judged::{Done, Judged, NAMES, Sight};
use crate::messages::{self, Error};
use crate::mutant::Mutant;
use crate::product::{self, Difference, Ended};
use crate::say;
use crate::switches::{MUTANT_VARIABLE, SWITCH, Switched};

/// A checkout of the last commit.
pub(crate) struct Workshop {
    folder: PathBuf,
    commit: String,
    /// How long each judge may take at each effort: a multiple of what it takes without a change.
    limits: [Vec<Duration>; 3],
    /// The mutants of the build that has many, by number.
    together: BTreeSet<usize>,
    /// Held as long as this lives: two runs would change each other's sources.
    _lock: File,
}

/// The engine that a judge is asked about.
#[derive(Debug, Clone, Copy)]
enum Asked {
    /// The build with many mutants, in which this one runs, or none: 0.
    Together(usize),
    /// The last build with one change, or none.
    Alone,
}

/// The folders of the programs.
const TOGETHER: &str = "together";
const ALONE: &str = "alone";
/// The program of the engine's tests in them.
const TESTS: &str = "tests";

/// What each judge is asked in turn, until it sees the change.
const EFFORTS: [&[&[&str]]; 3] = [&[&[]], &[&["--quick"], &[]], &[&["--quick"]]];

/// For a build, and for a judge of the engine without a change.
const LONGEST: Duration = Duration::from_mins(30);

impl Workshop {
    /// Checks out the last commit, in a clone of its own in this folder.
    pub(crate) fn check_out(root: &Path, folder: &Path) -> anyhow::Result<Self> {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let lock = File::create(folder.join("lock"))?;
        ensure!(lock.try_lock().is_ok(), "another run changes the checkout in {}", folder.display());
        let head = Command::new("git").current_dir(root).args(["rev-parse", "HEAD"]).output()?;
        let commit = String::from_utf8(head.stdout)?.trim().to_owned();
        let (folder, limits, together) = (folder.to_owned(), Default::default(), BTreeSet::new());
        let workshop = Self { folder, commit, limits, together, _lock: lock };
        if workshop.update(root).is_err() {
            // There is no clone, or it is damaged.
            if workshop.source().exists() {
                std::fs::remove_dir_all(workshop.source())?;
            }
            let mut clone = Command::new("git");
            clone.args(["clone", "--quiet", "--no-checkout"]).arg(root).arg(workshop.source());
            ensure!(clone.status()?.success(), "cannot clone {}", root.display());
            workshop.update(root)?;
        }
        Ok(workshop)
    }

    fn update(&self, root: &Path) -> anyhow::Result<()> {
        ensure!(self.source().join(".git/HEAD").is_file(), "there is no clone");
        self.git(&["fetch", "--quiet", "--update-shallow", &root.display().to_string(), "HEAD"])?;
        self.git(&["reset", "--quiet", "--hard", &self.commit])
    }

    pub(crate) fn source(&self) -> PathBuf {
        self.folder.join("source")
    }

    pub(crate) fn commit(&self) -> &str {
        &self.commit
    }

    /// Git in this checkout, and never in the one around it.
    fn git(&self, args: &[&str]) -> anyhow::Result<()> {
        let mut git = Command::new("git");
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("GIT_")) {
            git.env_remove(name);
        }
        git.current_dir(self.source())
            .env("GIT_DIR", self.source().join(".git"))
            .env("GIT_WORK_TREE", self.source());
        let status = git.args(args).stderr(Stdio::null()).status().context("cannot start git")?;
        ensure!(status.success(), "`git {}` failed in {}", args.join(" "), self.source().display());
        Ok(())
    }

    /// Builds what has many of these mutants, and asks each judge about the engine in which none of them runs.
    pub(crate) fn prepare(&mut self, mutants: &[Mutant]) -> anyhow::Result<()> {
        self.build_together(mutants)?;
        let (together, all) = (self.together.len(), mutants.len());
        say(&format!("{together} of {all} mutants are built together, the others alone"));
        self.limits = EFFORTS.map(|efforts| vec![LONGEST; efforts.len()]);
        for judge in 0..EFFORTS.len() {
            for effort in 0..EFFORTS[judge].len() {
                self.forget_files()?;
                let (sight, time) = self.ask(Asked::Together(0), judge, effort)?;
                ensure!(sight == Sight::Passed, "without a change, {} {sight}", NAMES[judge]);
                self.limits[judge][effort] = time * 5 + Duration::from_secs(30);
            }
        }
        Ok(())
    }

    /// Builds as many of these mutants as compile together. The others are left to builds of their own.
    fn build_together(&mut self, mutants: &[Mutant]) -> anyhow::Result<()> {
        self.together = (1..=mutants.len()).collect();
        loop {
            self.git(&["reset", "--quiet", "--hard", &self.commit])?;
            let files = self.switch(mutants)?;
            let Some(errors) = self.build(TOGETHER)? else { break };
            let of_place = |(file, byte): &(String, usize)| Some(files.get(file)?.at(*byte));
            let places = errors.iter().flat_map(|error| &error.places);
            let blamed: BTreeSet<usize> = places.filter_map(of_place).flatten().copied().collect();
            if self.together.is_empty() {
                bail!("the last commit does not compile: {}", errors[0].text);
            }
            if blamed.is_empty() {
                say(&format!(
                    "the mutants are built alone, because together they do not compile: {}",
                    errors[0].text
                ));
                self.together.clear();
            }
            self.together.retain(|number| !blamed.contains(number));
        }
        self.git(&["reset", "--quiet", "--hard", &self.commit])
    }

    /// Gives the changed functions their bodies, and keeps those mutants that are in one.
    fn switch(&mut self, mutants: &[Mutant]) -> anyhow::Result<BTreeMap<String, Switched>> {
        let mut of_files: BTreeMap<&str, Vec<(usize, &Mutant)>> = BTreeMap::new();
        for (number, mutant) in (1..).zip(mutants).filter(|(number, _)| self.together.contains(number)) {
            of_files.entry(&mutant.file).or_default().push((number, mutant));
        }
        let mut files = BTreeMap::new();
        for (file, mutants) in of_files {
            let path = self.source().join(file);
            let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {file}"))?;
            let switched = Switched::new(&text, &mutants);
            std::fs::write(&path, &switched.text)?;
            files.insert(file.to_owned(), switched);
        }
        self.together = files.values().flat_map(Switched::mutants).collect();
        if !self.together.is_empty() {
            let library = self.source().join("engine/src/lib.rs");
            let text = std::fs::read_to_string(&library).context("cannot read the library of the engine")?;
            std::fs::write(&library, text + SWITCH)?;
        }
        Ok(files)
    }

    /// Files that another mutant wrote could hide that this one writes wrong ones, and the program takes results over
    /// from a run of the same file: that of the build with many mutants is one file for all.
    fn forget_files(&self) -> anyhow::Result<()> {
        remove(&self.folder.join("cache"))
    }

    /// Builds the engine without a change once more, and asks the quick judges.
    pub(crate) fn control(&self) -> anyhow::Result<()> {
        self.git(&["reset", "--quiet", "--hard", &self.commit])?;
        ensure!(self.build(ALONE)?.is_none(), "it does not compile");
        for judge in [1, 2] {
            for asked in [Asked::Alone, Asked::Together(0)] {
                self.forget_files()?;
                let (sight, _) = self.ask(asked, judge, 0)?;
                ensure!(sight == Sight::Passed, "{} {sight}", NAMES[judge]);
            }
        }
        Ok(())
    }

    /// Asks the judges about a mutant, by its number and what it is. `Ok(None)`: it does not compile.
    pub(crate) fn judge(&self, number: usize, mutant: &Mutant) -> Done {
        if self.together.contains(&number) {
            let judged = self.sights(Asked::Together(number))?;
            // A function with several bodies needs more of the stack and of the time.
            if !judged.may_be_of_its_build() {
                return Ok(Some(judged));
            }
        }
        self.git(&["reset", "--quiet", "--hard", &self.commit])?;
        let patch = self.folder.join("mutant.diff");
        std::fs::write(&patch, mutant.patch())?;
        self.git(&["apply", &patch.display().to_string()])?;
        let compiles = self.build(ALONE)?.is_none();
        let judged = compiles.then(|| self.sights(Asked::Alone)).transpose();
        self.git(&["reset", "--quiet", "--hard", &self.commit])?;
        judged
    }

    fn sights(&self, asked: Asked) -> anyhow::Result<Judged> {
        self.forget_files()?;
        let [tests, verify, engine] = [0, 1, 2].map(|judge| self.sight(asked, judge));
        Ok(Judged { tests: tests?, verify: verify?, engine: engine? })
    }

    /// What a judge sees. A run of the program has to see it twice: what comes once may be a busy machine.
    fn sight(&self, asked: Asked, judge: usize) -> anyhow::Result<Sight> {
        for effort in 0..EFFORTS[judge].len() {
            let (sight, _) = self.ask(asked, judge, effort)?;
            let is_certain = judge == 0 || sight == Sight::OutOfTime;
            if sight != Sight::Passed && (is_certain || self.ask(asked, judge, effort)?.0 != Sight::Passed) {
                return Ok(sight);
            }
        }
        Ok(Sight::Passed)
    }

    /// Builds the programs and the tests, and copies them into this folder. Returns the errors, at least one, if the
    /// engine does not compile.
    fn build(&self, folder: &str) -> anyhow::Result<Option<Vec<Error>>> {
        let mut programs = self.cargo("build");
        programs.args(["--bins", "--package", "touchstone-chess", "--package", "touchstone-engine"]);
        let mut tests = self.cargo("test");
        tests.args(["--no-run", "--lib", "--package", "touchstone-engine"]);
        let mut messages = String::new();
        for command in [&mut programs, &mut tests] {
            let built = self.run(command.args(["--message-format", "json"]), LONGEST)?;
            messages = std::fs::read_to_string(self.folder.join("stdout"))?;
            if built.code == 0 {
                continue;
            }
            // A full disk, or a compiler that is killed, says nothing of the change.
            let errors = messages::errors(&messages)?;
            let is_of_engine = built.stderr.contains("could not compile `touchstone-engine`");
            ensure!(is_of_engine && !errors.is_empty(), "cannot build: {}", built.stderr.trim());
            return Ok(Some(errors));
        }
        let built = self.folder.join("target/debug");
        let programs = ["touchstone", "engine"].map(|name| (name, built.join(name)));
        let folder = self.folder.join(folder);
        std::fs::create_dir_all(&folder)?;
        for (name, path) in programs.into_iter().chain([(TESTS, messages::test_program(&messages)?)]) {
            std::fs::copy(&path, folder.join(name))
                .with_context(|| format!("cannot copy {}", path.display()))?;
        }
        Ok(None)
    }

    /// Cargo as a user runs it: with a target folder of its own, and without the lints of the developer.
    fn cargo(&self, command: &str) -> Command {
        let mut cargo = Command::new("cargo");
        cargo.current_dir(self.source()).arg(command).args(["--locked", "--quiet"]);
        cargo.env("CARGO_TARGET_DIR", self.folder.join("target"));
        for name in ["RUSTFLAGS", "RUSTC_WORKSPACE_WRAPPER", "CARGO_INCREMENTAL"] {
            cargo.env_remove(name);
        }
        cargo
    }

    /// What a judge says once, and after how long.
    fn ask(&self, asked: Asked, judge: usize, effort: usize) -> anyhow::Result<(Sight, Duration)> {
        let out = self.folder.join("judged");
        remove(&out)?;
        let (programs, number) = match asked {
            Asked::Together(number) => (self.folder.join(TOGETHER), number),
            Asked::Alone => (self.folder.join(ALONE), 0),
        };
        let mut command = Command::new(programs.join(if judge == 0 { TESTS } else { "touchstone" }));
        command.current_dir(self.source()).env(MUTANT_VARIABLE, number.to_string());
        if judge == 0 {
            command.current_dir(self.source().join("engine"));
        } else {
            command.arg("verify").args(EFFORTS[judge][effort]).arg("--out").arg(&out);
            command.env("TOUCHSTONE_CACHE", self.folder.join("cache"));
        }
        if judge == 2 {
            command.arg("--engine").arg(programs.join("engine")).args(["--fail-on", "note"]);
        }
        let ended = self.run(&mut command, self.limits[judge][effort])?;
        let checks = if judge == 0 { Vec::new() } else { checks(&out)? };
        Ok((Sight::of(&ended, checks), ended.time))
    }

    fn run(&self, command: &mut Command, limit: Duration) -> anyhow::Result<Ended> {
        let texts = ["stdout", "stderr"].map(|name| self.folder.join(name));
        product::run(command.stdin(Stdio::null()), &texts, limit)
            .with_context(|| format!("cannot run {command:?}"))
    }
}

/// Removes a folder, if it is there.
fn remove(folder: &Path) -> anyhow::Result<()> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", folder.display()))
        }
        _ => Ok(()),
    }
}

/// The checks with findings that came again.
fn checks(out: &Path) -> anyhow::Result<Vec<String>> {
    let path = out.join("differences.csv");
    if !path.exists() {
        return Ok(Vec::new());
    }
    let mut reader = csv::Reader::from_path(&path)?;
    let rows = reader.deserialize().collect::<Result<Vec<Difference>, _>>().context("differences.csv")?;
    let checks = rows.into_iter().map(|row| row.check).filter(|check| !check.ends_with("/flaky"));
    let mut checks: Vec<String> = checks.collect();
    checks.sort();
    checks.dedup();
    Ok(checks)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A checkout within the user's repository that is damaged must not change the user's files.
    #[test]
    fn git_stays_in_its_checkout() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let git = |args: &[&str]| {
            let mut git = Command::new("git");
            git.current_dir(root).args(["-c", "user.name=a", "-c", "user.email=a@b.c"]).args(args);
            assert!(git.status().unwrap().success(), "{args:?}");
        };
        git(&["init", "--quiet"]);
        std::fs::write(root.join("file"), "committed").unwrap();
        git(&["add", "file"]);
        git(&["commit", "--quiet", "--message", "first"]);
        let workshop = Workshop::check_out(root, &root.join("checkout")).unwrap();
        assert_eq!(std::fs::read_to_string(workshop.source().join("file")).unwrap(), "committed");
        assert!(Workshop::check_out(root, &root.join("checkout")).is_err(), "a second run at once");
        std::fs::write(root.join("file"), "mine").unwrap();
        std::fs::remove_file(workshop.source().join(".git/HEAD")).unwrap();
        assert!(workshop.git(&["reset", "--hard", "HEAD"]).is_err());
        drop(workshop);
        // The damaged clone is made anew.
        let workshop = Workshop::check_out(root, &root.join("checkout")).unwrap();
        assert_eq!(std::fs::read_to_string(workshop.source().join("file")).unwrap(), "committed");
        assert_eq!(std::fs::read_to_string(root.join("file")).unwrap(), "mine");
    }
}
