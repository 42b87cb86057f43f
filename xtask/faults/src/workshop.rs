//! A checkout in which mutants are built one after the other: only what changed is compiled.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, ensure};

use crate::mutants::Mutant;
use crate::product::{self, Difference, Ended};
use crate::survivors::{Judged, Sight};

/// A checkout of the last commit, built.
pub(crate) struct Workshop {
    folder: PathBuf,
    /// How long each judge may take: a multiple of what it takes without a change.
    limits: [Duration; 3],
}

impl Workshop {
    /// Checks out, builds, and asks each judge about the engine as it is.
    pub(crate) fn new(root: &Path, folder: &Path) -> anyhow::Result<Self> {
        /// For the engine without a change.
        const LONGEST: Duration = Duration::from_mins(30);
        let workshop = Self { folder: folder.to_owned(), limits: [LONGEST; 3] };
        workshop.check_out(root)?;
        let built = workshop.build()?;
        ensure!(built.code == 0, "the last commit does not build: {}", built.stderr.trim());
        let mut limits = [LONGEST; 3];
        for (judge, limit) in limits.iter_mut().enumerate() {
            let mut longest = Duration::ZERO;
            for effort in EFFORTS[judge] {
                let (sight, time) = workshop.ask(judge, effort)?;
                ensure!(sight == Sight::Passed, "without a change, {} {sight}", NAMES[judge]);
                longest = longest.max(time);
            }
            *limit = longest * 5 + Duration::from_secs(30);
        }
        Ok(Self { limits, ..workshop })
    }

    fn check_out(&self, root: &Path) -> anyhow::Result<()> {
        if !self.folder.join(".git").exists() {
            let mut clone = Command::new("git");
            clone.args(["clone", "--quiet", "--shared", "--no-checkout"]).arg(root).arg(&self.folder);
            ensure!(clone.status()?.success(), "cannot clone {}", root.display());
        }
        let head = Command::new("git").current_dir(root).args(["rev-parse", "HEAD"]).output()?;
        let head = String::from_utf8(head.stdout)?;
        self.git(&["reset", "--quiet", "--hard", head.trim()])
    }

    fn git(&self, args: &[&str]) -> anyhow::Result<()> {
        let status = Command::new("git").current_dir(&self.folder).args(args).status()?;
        ensure!(status.success(), "`git {}` failed in {}", args.join(" "), self.folder.display());
        Ok(())
    }

    /// Makes the change, asks the judges, and takes it back. `None` if it does not compile.
    pub(crate) fn judge(&self, mutant: &Mutant) -> anyhow::Result<Option<Judged>> {
        self.git(&["checkout", "--quiet", "--", "."])?;
        let patch = self.folder.join("target/mutant.diff");
        std::fs::write(&patch, mutant.patch())?;
        self.git(&["apply", "target/mutant.diff"])?;
        let judged = self.sights();
        self.git(&["checkout", "--quiet", "--", "."])?;
        judged
    }

    fn sights(&self) -> anyhow::Result<Option<Judged>> {
        if self.build()?.code != 0 {
            return Ok(None);
        }
        let sight = |judge: usize| -> anyhow::Result<Sight> {
            let mut last = Sight::Passed;
            for effort in EFFORTS[judge] {
                last = self.ask(judge, effort)?.0;
                if last != Sight::Passed {
                    break;
                }
            }
            Ok(last)
        };
        Ok(Some(Judged { tests: sight(0)?, verify: sight(1)?, engine: sight(2)? }))
    }

    fn build(&self) -> anyhow::Result<Ended> {
        const LIMIT: Duration = Duration::from_mins(30);
        let mut build = self.cargo();
        build.args(["build", "--bins", "--package", "touchstone-chess", "--package", "touchstone-engine"]);
        self.run(build.args(["--locked", "--quiet"]), LIMIT)
    }

    /// Cargo as a user runs it: with a target folder of its own, and without the lints of the developer.
    fn cargo(&self) -> Command {
        let mut cargo = Command::new("cargo");
        cargo.env("CARGO_TARGET_DIR", self.folder.join("target"));
        for name in ["RUSTFLAGS", "RUSTC_WORKSPACE_WRAPPER", "CARGO_INCREMENTAL"] {
            cargo.env_remove(name);
        }
        cargo
    }

    /// What a judge says, and after how long.
    fn ask(&self, judge: usize, effort: &[&str]) -> anyhow::Result<(Sight, Duration)> {
        let (out, cache) = (self.folder.join("target/judged"), self.folder.join("target/cache"));
        // Files that an earlier build wrote could hide that this one writes wrong ones.
        for folder in [&out, &cache] {
            if folder.exists() {
                std::fs::remove_dir_all(folder)?;
            }
        }
        let mut command = if judge == 0 {
            let mut tests = self.cargo();
            tests.args(["test", "--locked", "--quiet", "--lib", "--package", "touchstone-engine"]);
            tests
        } else {
            let mut verify = Command::new(self.folder.join("target/debug/touchstone"));
            verify.arg("verify").args(effort).arg("--out").arg(&out).env("TOUCHSTONE_CACHE", &cache);
            if judge == 2 {
                verify
                    .arg("--engine")
                    .arg(self.folder.join("target/debug/engine"))
                    .args(["--fail-on", "note"]);
            }
            verify
        };
        let ended = self.run(&mut command, self.limits[judge])?;
        let sight = match ended.code {
            0 => Sight::Passed,
            product::KILLED => Sight::OutOfTime,
            code if judge == 0 => Sight::Seen { code, checks: Vec::new() },
            code => Sight::Seen { code, checks: checks(&out)? },
        };
        Ok((sight, ended.time))
    }

    fn run(&self, command: &mut Command, limit: Duration) -> anyhow::Result<Ended> {
        std::fs::create_dir_all(self.folder.join("target"))?;
        let texts = ["target/stdout", "target/stderr"].map(|name| self.folder.join(name));
        command.current_dir(&self.folder).stdin(Stdio::null());
        product::run(command, &texts, limit).with_context(|| format!("cannot run {command:?}"))
    }
}

/// The judges, by what a message calls them.
pub(crate) const NAMES: [&str; 3] = ["tests", "verify", "verify --engine --quick"];

/// What each judge is asked in turn, until it sees the change.
const EFFORTS: [&[&[&str]]; 3] = [&[&[]], &[&["--quick"], &[]], &[&["--quick"]]];

/// The checks with findings.
fn checks(out: &Path) -> anyhow::Result<Vec<String>> {
    let path = out.join("differences.csv");
    if !path.exists() {
        return Ok(Vec::new());
    }
    let mut reader = csv::Reader::from_path(&path)?;
    let rows = reader.deserialize().collect::<Result<Vec<Difference>, _>>().context("differences.csv")?;
    let mut checks: Vec<String> = rows.into_iter().map(|row| row.check).collect();
    checks.sort();
    checks.dedup();
    Ok(checks)
}
