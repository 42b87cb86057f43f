//! Mutants of our engine: one expression changed at a time, by cargo-mutants. Each is built in a checkout that
//! stays warm, and judged apart by the tests of the crate, by a plain `verify`, and by `verify --engine`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use rayon::prelude::*;
use serde::Deserialize;

use crate::plant::Draw;
use crate::survivors::{Judged, Sight};
use crate::workshop::Workshop;
use crate::{say, show, survivors};

/// Change one expression of our engine at a time, and count the changes that the tests and the program see.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask faults mutants                          five of each group
  cargo xtask faults mutants --each 20 --seed 7
  cargo xtask faults mutants --only engine/src/fen    those whose name has this text
  cargo xtask faults mutants --only 'fen/print.rs:41:9: replace'    the replay of one

The last commit is what is changed and built. It needs cargo-mutants (cargo install cargo-mutants).

Exit codes: 0 `verify` sees all changes of rules, tables and texts; 1 it misses one; 2 not all could be judged.")]
pub(crate) struct MutantsArgs {
    /// So many mutants of each group: rules, tables, text, search, evaluation.
    #[arg(long, value_name = "N", default_value_t = 5)]
    each: usize,
    /// Draws the mutants.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// All mutants whose name has this text, such as engine/src/fen.
    #[arg(long, value_name = "TEXT", conflicts_with = "each")]
    only: Option<String>,
    /// Checkouts that are built side by side.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=64))]
    jobs: u8,
    /// The folder for mutants.csv and mutants.md, and for the checkouts [default: target/touchstone/mutants].
    #[arg(long, value_name = "DIR", default_value = "target/touchstone/mutants", hide_default_value = true)]
    out: PathBuf,
}

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
/// Programs that are wrong on purpose.
const SPECIMENS: &str = "engine/src/specimens/";

impl Mutant {
    /// Its group; `None` for the specimens.
    pub(crate) fn group(&self) -> Option<&'static str> {
        let is_of = |starts: &[&str]| starts.iter().any(|start| self.file.starts_with(start));
        if is_of(&[SPECIMENS]) {
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

/// Lists, draws, judges and reports. `Ok(true)`: all of rules, tables and texts are seen by the program.
pub(crate) fn run(args: &MutantsArgs) -> anyhow::Result<bool> {
    let root = root()?;
    std::fs::create_dir_all(&args.out).with_context(|| format!("cannot make {}", args.out.display()))?;
    let out = args.out.canonicalize()?;
    let drawn = drawn(&list(&root)?, args);
    ensure!(
        !drawn.is_empty(),
        "no mutant has this name; `cargo mutants --package touchstone-engine --list` prints all"
    );
    let jobs = usize::from(args.jobs).min(drawn.len());
    let judge = |job: usize| -> anyhow::Result<Vec<(usize, Option<Judged>)>> {
        let workshop = Workshop::new(&root, &out.join(format!("checkout-{job}")))?;
        let mine = drawn.iter().enumerate().skip(job).step_by(jobs);
        mine.map(|(number, mutant)| {
            let judged = workshop.judge(mutant).with_context(|| mutant.name.clone())?;
            say(&format!("{}/{} {}: {}", number + 1, drawn.len(), mutant.name, told(judged.as_ref())));
            Ok((number, judged))
        })
        .collect()
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build()?;
    let parts = pool.install(|| (0..jobs).into_par_iter().map(judge).collect::<anyhow::Result<Vec<_>>>())?;
    let mut judged: BTreeMap<usize, Judged> =
        parts.into_iter().flatten().filter_map(|(number, judged)| Some((number, judged?))).collect();
    let unviable = drawn.len() - judged.len();
    let judged: Vec<(&Mutant, Judged)> = drawn
        .iter()
        .enumerate()
        .filter_map(|(number, mutant)| Some((mutant, judged.remove(&number)?)))
        .collect();
    ensure!(!judged.is_empty(), "none of the {unviable} mutants compiles");
    let page = survivors::markdown(&judged, unviable, args.seed, args.only.as_deref());
    show(&page);
    crate::persist(&out, "mutants.csv", &survivors::csv(&judged)?)?;
    crate::persist(&out, "mutants.md", page.as_bytes())?;
    Ok(judged.iter().all(|(mutant, judged)| {
        judged.by_product() || matches!(mutant.group(), Some("search" | "evaluation"))
    }))
}

/// A mutant's result in one line.
fn told(judged: Option<&Judged>) -> String {
    let Some(judged) = judged else { return "does not compile".to_owned() };
    let word = |(name, sight): (&str, &Sight)| format!("{name} {sight}");
    judged.sights().map(word).join("; ")
}

/// The folder of the workspace.
fn root() -> anyhow::Result<PathBuf> {
    let output = std::process::Command::new("git").args(["rev-parse", "--show-toplevel"]).output()?;
    ensure!(
        output.status.success(),
        "mutants are made in a checkout of the workspace, and this folder is in none"
    );
    Ok(PathBuf::from(String::from_utf8(output.stdout)?.trim()))
}

fn list(root: &Path) -> anyhow::Result<Vec<Mutant>> {
    let mut command = std::process::Command::new("cargo");
    command.current_dir(root).args([
        "mutants",
        "--package",
        "touchstone-engine",
        "--list",
        "--json",
        "--diff",
    ]);
    let output = command.output().context("cannot start cargo")?;
    if !output.status.success() {
        let error = String::from_utf8_lossy(&output.stderr);
        bail!("cargo-mutants does not list the mutants (cargo install cargo-mutants): {}", error.trim());
    }
    serde_json::from_slice(&output.stdout).context("cargo-mutants prints another list than expected")
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
        let count = args.each.min(of_group.len());
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

    fn mutant(file: &str, name: &str) -> Mutant {
        let diff =
            "--- engine/src/a.rs\n+++ replace < with <= in a\n@@ -1,1 +1,1 @@\n-a < b\n+a <= b\n".to_owned();
        Mutant { name: format!("{file}:{name}"), file: file.to_owned(), diff }
    }

    fn args(each: usize, seed: u64, only: Option<&str>) -> MutantsArgs {
        let only = only.map(str::to_owned);
        MutantsArgs { each, seed, only, jobs: 1, out: PathBuf::new() }
    }

    #[test]
    fn each_file_belongs_to_a_group() {
        for (file, group) in [
            ("engine/src/tables/fold.rs", Some("tables")),
            ("engine/src/uci/go.rs", Some("text")),
            ("engine/src/movegen/mod.rs", Some("rules")),
            ("engine/src/search_api.rs", Some("search")),
            ("engine/src/specimens/mod.rs", None),
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
        let all: Vec<Mutant> = ["engine/src/uci/a.rs", "engine/src/board.rs"]
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
