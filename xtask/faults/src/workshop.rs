//! A checkout in which mutants are built one after the other: only what changed is compiled.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, bail, ensure};

use crate::judged::{Done, Judged, NAMES, Sight};
use crate::mutant::Mutant;
use crate::product::{self, Difference, Ended};

/// A checkout of the last commit.
pub(crate) struct Workshop {
    folder: PathBuf,
    commit: String,
    /// How long each judge may take at each effort: a multiple of what it takes without a change.
    limits: [Vec<Duration>; 3],
    /// The tests of the engine, built.
    tests: PathBuf,
    /// Held as long as this lives: two runs would change each other's sources.
    _lock: File,
}

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
        let (folder, tests) = (folder.to_owned(), PathBuf::new());
        let workshop = Self { folder, commit, limits: Default::default(), tests, _lock: lock };
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

    /// Builds it, and asks each judge about the engine as it is.
    pub(crate) fn prepare(&mut self) -> anyhow::Result<()> {
        ensure!(self.build()?, "the last commit does not compile");
        self.limits = EFFORTS.map(|efforts| vec![LONGEST; efforts.len()]);
        for judge in 0..EFFORTS.len() {
            for effort in 0..EFFORTS[judge].len() {
                self.forget_files()?;
                let (sight, time) = self.ask(judge, effort)?;
                ensure!(sight == Sight::Passed, "without a change, {} {sight}", NAMES[judge]);
                self.limits[judge][effort] = time * 5 + Duration::from_secs(30);
            }
        }
        Ok(())
    }

    /// Files that an earlier build wrote could hide that this one writes wrong ones.
    fn forget_files(&self) -> anyhow::Result<()> {
        remove(&self.folder.join("cache"))
    }

    /// Builds the engine without a change once more, and asks the quick judges.
    pub(crate) fn control(&mut self) -> anyhow::Result<()> {
        ensure!(self.build()?, "it does not compile");
        for judge in [1, 2] {
            let (sight, _) = self.ask(judge, 0)?;
            ensure!(sight == Sight::Passed, "{} {sight}", NAMES[judge]);
        }
        Ok(())
    }

    /// Makes the change, asks the judges, and takes it back. `Ok(None)`: it does not compile.
    pub(crate) fn judge(&mut self, mutant: &Mutant) -> Done {
        self.git(&["reset", "--quiet", "--hard", &self.commit])?;
        let patch = self.folder.join("mutant.diff");
        std::fs::write(&patch, mutant.patch())?;
        self.git(&["apply", &patch.display().to_string()])?;
        let judged = self.sights();
        self.git(&["reset", "--quiet", "--hard", &self.commit])?;
        judged
    }

    fn sights(&mut self) -> Done {
        if !self.build()? {
            return Ok(None);
        }
        self.forget_files()?;
        Ok(Some(Judged { tests: self.sight(0)?, verify: self.sight(1)?, engine: self.sight(2)? }))
    }

    /// What a judge sees. A run of the program has to see it twice: what comes once may be a busy machine.
    fn sight(&self, judge: usize) -> anyhow::Result<Sight> {
        for effort in 0..EFFORTS[judge].len() {
            let (sight, _) = self.ask(judge, effort)?;
            let is_certain = judge == 0 || sight == Sight::OutOfTime;
            if sight != Sight::Passed && (is_certain || self.ask(judge, effort)?.0 != Sight::Passed) {
                return Ok(sight);
            }
        }
        Ok(Sight::Passed)
    }

    /// Builds the programs and the tests. Returns whether the engine compiles.
    fn build(&mut self) -> anyhow::Result<bool> {
        let mut programs = self.cargo("build");
        programs.args(["--bins", "--package", "touchstone-chess", "--package", "touchstone-engine"]);
        let mut tests = self.cargo("test");
        tests.args(["--no-run", "--lib", "--package", "touchstone-engine", "--message-format", "json"]);
        for command in [&mut programs, &mut tests] {
            let built = self.run(command, LONGEST)?;
            if built.code == 0 {
                continue;
            }
            // A full disk, or a compiler that is killed, says nothing of the change.
            let is_of_engine = built.stderr.contains("could not compile `touchstone-engine`");
            ensure!(is_of_engine, "cannot build: {}", built.stderr.trim());
            return Ok(false);
        }
        self.tests = test_program(&std::fs::read_to_string(self.folder.join("stdout"))?)?;
        Ok(true)
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
    fn ask(&self, judge: usize, effort: usize) -> anyhow::Result<(Sight, Duration)> {
        let out = self.folder.join("judged");
        remove(&out)?;
        let programs = self.folder.join("target/debug");
        let mut command;
        if judge == 0 {
            command = Command::new(&self.tests);
            command.current_dir(self.source().join("engine"));
        } else {
            command = Command::new(programs.join("touchstone"));
            command
                .current_dir(self.source())
                .arg("verify")
                .args(EFFORTS[judge][effort])
                .arg("--out")
                .arg(&out);
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

/// The program of tests in the messages of cargo.
fn test_program(messages: &str) -> anyhow::Result<PathBuf> {
    for line in messages.lines() {
        let message: serde_json::Value =
            serde_json::from_str(line).context("cargo prints another message")?;
        if let Some(program) = message["executable"].as_str().filter(|_| message["profile"]["test"] == true) {
            return Ok(PathBuf::from(program));
        }
    }
    bail!("cargo names no program of tests")
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

    #[test]
    fn the_program_of_tests_is_found_among_the_messages() {
        let message = |test: bool, executable: &str| {
            format!(
                r#"{{"reason":"compiler-artifact","profile":{{"test":{test}}},"executable":{executable}}}"#
            )
        };
        let messages =
            [message(false, "\"engine\""), message(true, "null"), message(true, "\"deps/engine-1\"")];
        assert_eq!(test_program(&messages.join("\n")).unwrap(), PathBuf::from("deps/engine-1"));
        assert!(test_program(&messages[..2].join("\n")).is_err());
    }

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
