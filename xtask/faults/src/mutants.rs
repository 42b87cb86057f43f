//! Mutants of our engine: one expression changed at a time, by cargo-mutants. One build has most of them, and a
//! variable picks the one that runs; constants and the like have a build each. Each mutant is judged apart by the
//! tests of the crate, by a plain `verify`, and by `verify --engine`.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail, ensure};

use crate::draw::Draw;
use crate::judged::{self, Done, Drawn, Judged};
use crate::mutant::{GROUPS, Mutant};
use crate::workshop::Workshop;
use crate::{say, show};

/// Change one expression of our engine at a time, and count the changes that the tests and the program see.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask faults mutants                          five of each group: less than an hour
  cargo xtask faults mutants --each 20 --seed 7
  cargo xtask faults mutants --group rules,tables     of these groups alone
  cargo xtask faults mutants --only engine/src/fen    those whose name has this text
  cargo xtask faults mutants --only 'fen/print.rs:41:9: replace'    the replay of one

The last commit is what is changed and built. It needs cargo-mutants 27.1.0 (cargo install cargo-mutants@27.1.0);
another version may draw others.

Exit codes: 0 `verify` sees all drawn changes of rules, tables and texts; 1 it misses one; 2 not all could be
judged. A search and an evaluation may change: that `verify` does not see it counts only in the report.")]
pub(crate) struct MutantsArgs {
    /// The groups to draw from: rules, tables, text, search, evaluation [default: all].
    #[arg(long, value_name = "GROUP", value_delimiter = ',', conflicts_with = "only")]
    #[arg(value_parser = GROUPS.map(|(name, _)| name), hide_possible_values = true)]
    group: Vec<String>,
    /// So many mutants of each of the groups.
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
    workshop.prepare(&drawn)?;
    let mut all: Vec<(&Mutant, Done)> = Vec::new();
    for (number, mutant) in (1..).zip(&drawn) {
        let done = workshop.judge(number, mutant);
        say(&format!("{number}/{} {}: {}", drawn.len(), mutant.name, told(&done)));
        all.push((mutant, done));
        crate::persist(&out, "mutants.csv", &judged::csv(&all)?)?;
    }
    // A full disk looks like a change that all see.
    workshop.control().context("after all mutants, the engine without a change no longer passes")?;
    let how =
        Drawn { groups: &args.group, each: args.each, seed: args.seed, commit: workshop.commit(), version };
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
    let is_asked_for =
        |(group, _): &&(&str, &[&str])| args.group.is_empty() || args.group.iter().any(|name| name == group);
    let groups = GROUPS.iter().filter(is_asked_for).flat_map(|&(group, _)| {
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
mod tests {
    use super::*;
    use crate::mutant::tests::mutant;

    fn args(each: u16, seed: u64, only: Option<&str>) -> MutantsArgs {
        MutantsArgs { group: Vec::new(), each, seed, only: only.map(str::to_owned), out: None }
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
        let of_text = MutantsArgs { group: vec!["text".to_owned()], ..args(4, 1, None) };
        assert_eq!(names(&of_text), first[..4]);
        assert_eq!(names(&args(4, 1, Some("board.rs:3"))).len(), 10);
        assert_eq!(names(&args(500, 1, None)).len(), 100);
    }
}
