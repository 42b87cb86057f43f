//! Mutants of our engine: one expression changed at a time, by cargo-mutants. Each is built in a checkout that
//! stays warm, and judged apart by the tests of the crate, by a plain `verify`, and by `verify --engine`.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail, ensure};
use serde::Deserialize;

use crate::judged::{self, Done, Drawn, Judged};
use crate::plant::Draw;
use crate::workshop::Workshop;
use crate::{say, show};

/// Change one expression of our engine at a time, and count the changes that the tests and the program see.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask faults mutants                          five of each group: an hour
  cargo xtask faults mutants --each 20 --seed 7
  cargo xtask faults mutants --only engine/src/fen    those whose name has this text
  cargo xtask faults mutants --only 'fen/print.rs:41:9: replace'    the replay of one

The last commit is what is changed and built. It needs cargo-mutants 27.1.0 (cargo install cargo-mutants@27.1.0);
another version may draw others.

Exit codes: 0 `verify` sees all changes of rules, tables and texts; 1 it misses one; 2 not all could be judged.")]
pub(crate) struct MutantsArgs {
    /// So many mutants of each group: rules, tables, text, search, evaluation.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    each: u16,
    /// Draws the mutants.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// All mutants whose name has this text, such as engine/src/fen.
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["each", "seed"])]
    only: Option<String>,
    /// The folder for mutants.csv, and for mutants.md without --only [default: target/touchstone/mutants; with --only
    /// target/touchstone/mutants-only].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Where the mutants are built.
const CHECKOUT: &str = "target/touchstone/mutants-checkout";

/// A change of one expression, as `cargo mutants --list --json --diff` prints it.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Mutant {
    /// File, line, column, and what is replaced in which function.
    pub(crate) name: String,
    pub(crate) file: String,
    /// Its first two lines name no file.
    diff: String,
}

/// The groups, and how the paths of their files begin; what no other group has belongs to the rules.
const GROUPS: [(&str, &[&str]); 5] = [
    ("tables", &["engine/src/tables/"]),
    (
        "text",
        &[
            "engine/src/uci/",
            "engine/src/fen/",
            "engine/src/notation",
            "engine/src/program",
            "engine/src/main",
        ],
    ),
    ("search", &["engine/src/search", "engine/src/time_management", "engine/src/score", "engine/src/bench"]),
    ("evaluation", &["engine/src/eval/"]),
    ("rules", &["engine/src/"]),
];
/// Programs that are wrong on purpose, and builders with which only tests compare the tables.
const LEFT_OUT: [&str; 6] = [
    "engine/src/specimens/",
    "engine/src/tables/builders/alternating.rs",
    "engine/src/tables/builders/draft.rs",
    "engine/src/tables/builders/linked.rs",
    "engine/src/tables/builders/retrograde.rs",
    "engine/src/tables/builders/successors.rs",
];

impl Mutant {
    /// Its group; `None` if it is left out.
    pub(crate) fn group(&self) -> Option<&'static str> {
        let is_of = |starts: &[&str]| starts.iter().any(|start| self.file.starts_with(start));
        if is_of(&LEFT_OUT) {
            return None;
        }
        GROUPS.iter().find(|(_, starts)| is_of(starts)).map(|&(name, _)| name)
    }

    /// The change as `git apply` takes it.
    pub(crate) fn patch(&self) -> String {
        let hunks: String = self.diff.split_inclusive('\n').skip(2).collect();
        format!("--- a/{0}\n+++ b/{0}\n{hunks}", self.file)
    }
}

/// Lists, draws, judges and reports. The list of results is written after each mutant.
pub(crate) fn run(args: &MutantsArgs) -> anyhow::Result<judged::Verdict> {
    let root = root()?;
    let mut workshop = Workshop::check_out(&root, &root.join(CHECKOUT))?;
    let (list, version) = list(&workshop.source())?;
    let drawn = drawn(&list, args);
    ensure!(
        !drawn.is_empty(),
        "no mutant has this name, or those that have it are left out; \
         `cargo mutants --package touchstone-engine --list` prints all"
    );
    let usual =
        if args.only.is_some() { "target/touchstone/mutants-only" } else { "target/touchstone/mutants" };
    let out = args.out.clone().unwrap_or_else(|| root.join(usual));
    std::fs::create_dir_all(&out).with_context(|| format!("cannot make {}", out.display()))?;
    workshop.prepare()?;
    let mut all: Vec<(&Mutant, Done)> = Vec::new();
    for (number, mutant) in drawn.iter().enumerate() {
        let done = workshop.judge(mutant);
        say(&format!("{}/{} {}: {}", number + 1, drawn.len(), mutant.name, told(&done)));
        all.push((mutant, done));
        crate::persist(&out, "mutants.csv", &judged::csv(&all)?)?;
    }
    // A full disk looks like a change that all see.
    workshop.control().context("after all mutants, the engine without a change no longer passes")?;
    let how = Drawn { each: args.each, seed: args.seed, commit: workshop.commit(), version };
    let page = judged::markdown(&all, &how);
    show(&page);
    if args.only.is_none() {
        crate::persist(&out, "mutants.md", page.as_bytes())?;
    }
    say(&format!("reports in {}", out.display()));
    Ok(judged::verdict(&all))
}

/// A mutant's result in one line.
fn told(done: &Done) -> String {
    let word = |judged: &Judged| {
        let words = judged.sights().map(|(name, sight)| format!("{name} {sight}"));
        words.join("; ")
    };
    match done {
        Ok(Some(judged)) => word(judged),
        Ok(None) => "does not compile".to_owned(),
        Err(error) => format!("error: {error:#}"),
    }
}

/// The folder of the workspace.
fn root() -> anyhow::Result<PathBuf> {
    let output =
        Command::new("git").args(["rev-parse", "--show-toplevel"]).output().context("cannot start git")?;
    ensure!(
        output.status.success(),
        "mutants are made in a checkout of the workspace, and this folder is in none"
    );
    Ok(PathBuf::from(String::from_utf8(output.stdout)?.trim()))
}

/// All mutants of the engine, and the version of cargo-mutants. `.ci/mutants` installs it in the target folder.
fn list(source: &Path) -> anyhow::Result<(Vec<Mutant>, String)> {
    const INSTALL: &str = "cargo install cargo-mutants@27.1.0";
    let tools = std::env::current_dir()?.join("target/tools/bin");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(tools).chain(std::env::split_paths(&path)))?;
    let ask = |args: &[&str]| -> anyhow::Result<Vec<u8>> {
        let mut command = Command::new("cargo");
        command.current_dir(source).env("PATH", &path).arg("mutants").args(args);
        let output = command.output().context("cannot start cargo")?;
        if !output.status.success() {
            let error = String::from_utf8_lossy(&output.stderr);
            bail!("cargo-mutants is not there, or does not list the mutants ({INSTALL}): {}", error.trim());
        }
        Ok(output.stdout)
    };
    let version = String::from_utf8(ask(&["--version"])?)?.trim().to_owned();
    let list = ask(&["--package", "touchstone-engine", "--list", "--json", "--diff"])?;
    let list = serde_json::from_slice(&list)
        .with_context(|| format!("{version} prints another list than version 27.1.0 ({INSTALL})"))?;
    Ok((list, version))
}

/// Those that the name asks for, or the drawn ones of each group, by group and place.
fn drawn(all: &[Mutant], args: &MutantsArgs) -> Vec<Mutant> {
    let groups = GROUPS.iter().flat_map(|&(group, _)| {
        let mut of_group: Vec<&Mutant> = all.iter().filter(|mutant| mutant.group() == Some(group)).collect();
        if let Some(text) = &args.only {
            of_group.retain(|mutant| mutant.name.contains(text));
            return of_group;
        }
        let mut random = Draw { seed: args.seed, quick: false }.of(group);
        let count = usize::from(args.each).min(of_group.len());
        let mut drawn: Vec<&Mutant> =
            (0..count).map(|_| of_group.swap_remove(random.below(of_group.len()))).collect();
        drawn.sort_by(|one, other| one.name.cmp(&other.name));
        drawn
    });
    groups.cloned().collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn mutant(file: &str, name: &str) -> Mutant {
        let diff = "--- engine/src/a.rs\n+++ replace < with <= in a\n@@ -1,1 +1,1 @@\n-a < b\n+a <= b\n";
        Mutant { name: format!("{file}:{name}"), file: file.to_owned(), diff: diff.to_owned() }
    }

    fn args(each: u16, seed: u64, only: Option<&str>) -> MutantsArgs {
        MutantsArgs { each, seed, only: only.map(str::to_owned), out: None }
    }

    #[test]
    fn each_file_belongs_to_a_group() {
        for (file, group) in [
            ("engine/src/tables/fold.rs", Some("tables")),
            ("engine/src/uci/go.rs", Some("text")),
            ("engine/src/movegen/mod.rs", Some("rules")),
            ("engine/src/search_api.rs", Some("search")),
            ("engine/src/specimens/mod.rs", None),
            ("engine/src/tables/builders/linked.rs", None),
        ] {
            assert_eq!(mutant(file, "").group(), group, "{file}");
        }
    }

    #[test]
    fn a_patch_names_the_file() {
        let patch = mutant("engine/src/a.rs", "").patch();
        assert_eq!(patch, "--- a/engine/src/a.rs\n+++ b/engine/src/a.rs\n@@ -1,1 +1,1 @@\n-a < b\n+a <= b\n");
    }

    #[test]
    fn the_seed_draws_of_each_group() {
        let all: Vec<Mutant> = ["engine/src/uci/a.rs", "engine/src/board.rs", "engine/src/specimens/b.rs"]
            .iter()
            .flat_map(|file| (10..60).map(move |number| mutant(file, &number.to_string())))
            .collect();
        let names = |args: &MutantsArgs| -> Vec<String> {
            drawn(&all, args).into_iter().map(|mutant| mutant.name).collect()
        };
        let first = names(&args(4, 1, None));
        assert_eq!(first.len(), 8);
        assert_eq!(first, names(&args(4, 1, None)));
        assert_ne!(first, names(&args(4, 2, None)));
        assert_eq!(first.iter().filter(|name| name.contains("uci")).count(), 4);
        assert_eq!(names(&args(4, 1, Some("board.rs:3"))).len(), 10);
        assert_eq!(names(&args(500, 1, None)).len(), 100);
    }
}
