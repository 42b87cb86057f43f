//! Plants faults in tables, files and our engine, runs the program on them as a user runs it, and counts those
//! that it finds. `cargo xtask faults` builds and starts this program.
//!
//! Nothing here computes a chess fact: right values come from the program's own exports and table files, and a
//! control without a fault in the same run shows that the program does not report those. A fault in a dump counts
//! as caught only if the program names its row; a finding in another row is invented. Of changed cells those that
//! contradict the rules have to be named. A damaged file has to be refused by its name, or a check has to find what
//! it says wrongly; so with tables of a wrong builder.

mod builders;
mod cells;
mod draw;
mod dumps;
mod files;
mod found;
mod judged;
mod messages;
mod mutant;
mod mutants;
mod outcome;
mod plant;
mod product;
mod rows;
mod switches;
mod table_file;
mod tally;
mod workshop;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Parser;
use rayon::prelude::*;

use draw::Draw;
use outcome::Done;
use plant::Plan;
use product::Product;
use tally::{Tally, Verdict};

/// Plant faults, run `touchstone` on them, and count those that it finds.
#[derive(Debug, Parser)]
#[command(
    name = "faults",
    bin_name = "cargo xtask faults",
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  cargo xtask faults                            all classes: ten minutes on two cores
  cargo xtask faults --quick                    a share of the classes of three men, in less than two minutes
  cargo xtask faults --only dump/KQvK           one table
  cargo xtask faults --only dump/KQvK/win-for-draw/7 --seed 1    the replay of one fault
  cargo xtask faults mutants                    our engine with one expression changed

Exit codes: 0 all are caught and none is invented; 1 one is missed or invented; 2 not all could be planted."
)]
struct Cli {
    /// A small share of each class of three men: tables and files are drawn by the seed.
    #[arg(long)]
    quick: bool,
    /// Draws the places of the faults.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Only faults whose id begins with these parts, such as dump/KQvK.
    #[arg(long, value_name = "ID")]
    only: Option<String>,
    /// The folder for faults.csv and timings.csv, and for faults.md if all faults were planted [default:
    /// target/touchstone/faults; with --only target/touchstone/faults-only].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The program that is asked.
    #[arg(
        long,
        value_name = "PATH",
        default_value = "touchstone",
        overrides_with = "program",
        global = true
    )]
    program: PathBuf,
    #[command(subcommand)]
    command: Option<Kind>,
}

/// What is planted if not faults in tables and files.
#[derive(Debug, clap::Subcommand)]
enum Kind {
    Mutants(mutants::MutantsArgs),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let code = match &cli.command {
        Some(Kind::Mutants(args)) => mutants::run(args).map(|verdict| match verdict {
            judged::Verdict::AllSeen => ExitCode::SUCCESS,
            judged::Verdict::Missed => ExitCode::FAILURE,
            judged::Verdict::Incomplete => ExitCode::from(2),
        }),
        None => run(&cli),
    };
    match code {
        Ok(code) => code,
        Err(error) => {
            say(&format!("error: {error:#}"));
            ExitCode::from(2)
        }
    }
}

#[expect(clippy::print_stderr, reason = "messages of this program")]
fn say(text: &str) {
    eprintln!("{text}");
}

#[expect(clippy::print_stdout, reason = "the result of this program")]
fn show(text: &str) {
    print!("{text}");
}

/// All groups.
fn plans(draw: Draw) -> Vec<Plan> {
    let in_files = files::plans(draw).into_iter().chain(cells::plans(draw));
    dumps::plans(draw).into_iter().chain(in_files).chain(builders::plans(draw)).collect()
}

fn run(cli: &Cli) -> anyhow::Result<ExitCode> {
    let draw = Draw { seed: cli.seed, quick: cli.quick };
    let plans = plans(draw);
    let only = cli.only.as_deref().map(Only::parse);
    let takes = |plan: &&Plan| only.as_ref().is_none_or(|only| only.takes(&plan.id));
    let asked: Vec<&Plan> = plans.iter().filter(takes).collect();
    if asked.is_empty() {
        let mut ids: Vec<&str> = plans.iter().map(Plan::table).collect();
        ids.dedup();
        bail!("no fault has this id; there are: {}", ids.join(", "));
    }
    let number = |plan: &Plan| only.as_ref().and_then(|only| only.number_in(&plan.id));
    // Those of one table share its exports and controls.
    let of_tables: Vec<&[&Plan]> = asked.chunk_by(|one, other| one.table() == other.table()).collect();
    let of_table = |plans: &&[&Plan]| -> anyhow::Result<Vec<anyhow::Result<Done>>> {
        let product = Product::new(&cli.program)?;
        let run = |plan: &&Plan| {
            say(&plan.id);
            (plan.run)(&product, draw, number(plan))
        };
        Ok(plans.iter().map(run).collect())
    };
    let done: Vec<Vec<anyhow::Result<Done>>> =
        of_tables.par_iter().map(of_table).collect::<anyhow::Result<_>>()?;
    let mut tally = Tally::new(draw);
    for (plan, done) in asked.into_iter().zip(done.into_iter().flatten()) {
        tally.add(plan, done);
    }
    show(&tally.text());
    let folder = if only.is_some() { "target/touchstone/faults-only" } else { "target/touchstone/faults" };
    let out = cli.out.clone().unwrap_or_else(|| PathBuf::from(folder));
    write(&out, &tally, only.is_none() && !draw.quick)?;
    Ok(match tally.verdict() {
        Verdict::Perfect => ExitCode::SUCCESS,
        Verdict::Differs => ExitCode::FAILURE,
        Verdict::Incomplete => ExitCode::from(2),
    })
}

/// Faults that are asked for by the beginning of their id.
struct Only<'a> {
    /// The parts of the id without a number.
    id: &'a str,
    number: Option<u32>,
}

impl<'a> Only<'a> {
    fn parse(text: &'a str) -> Self {
        let text = text.trim_end_matches('/');
        let numbered = text.rsplit_once('/').and_then(|(id, number)| Some((id, number.parse().ok()?)));
        match numbered {
            Some((id, number)) => Self { id, number: Some(number) },
            None => Self { id: text, number: None },
        }
    }

    fn takes(&self, plan: &str) -> bool {
        let rest = plan.strip_prefix(self.id);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/') && self.number.is_none())
    }

    fn number_in(&self, plan: &str) -> Option<u32> {
        self.number.filter(|_| plan == self.id)
    }
}

/// Writes the reports, each whole or not at all. The page is about all faults.
fn write(out: &Path, tally: &Tally, is_whole: bool) -> anyhow::Result<()> {
    std::fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
    let page = is_whole.then(|| ("faults.md", tally.markdown().into_bytes()));
    for (name, bytes) in
        [("faults.csv", tally.csv()?), ("timings.csv", tally.timings()?)].into_iter().chain(page)
    {
        persist(out, name, &bytes)?;
    }
    say(&format!("reports in {}", out.display()));
    Ok(())
}

/// Writes a file, whole or not at all.
fn persist(out: &Path, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
    let path = out.join(name);
    let cannot = || format!("cannot write {}", path.display());
    let mut file = tempfile::NamedTempFile::new_in(out).with_context(cannot)?;
    std::io::Write::write_all(&mut file, bytes).with_context(cannot)?;
    file.persist(&path).with_context(cannot)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_valid() {
        Cli::command().debug_assert();
    }

    #[test]
    fn an_id_asks_for_all_that_begins_with_its_parts() {
        let takes = |only: &str, plan: &str| Only::parse(only).takes(plan);
        assert!(takes("dump", "dump/KQvK/win-for-draw") && takes("dump/KQvK/", "dump/KQvK/win-for-draw"));
        assert!(!takes("dump/KQ", "dump/KQvK/win-for-draw") && !takes("file", "dump/KQvK/win-for-draw"));
        assert_eq!(Only::parse("dump/KQvK/win-for-draw/7").number_in("dump/KQvK/win-for-draw"), Some(7));
        assert!(!takes("dump/KQvK/7", "dump/KQvK/win-for-draw"));
    }

    /// Each id is one: a replay plants one fault.
    #[test]
    fn ids_are_unique() {
        for quick in [true, false] {
            let draw = Draw { seed: 1, quick };
            let mut ids: Vec<String> = plans(draw).into_iter().map(|plan| plan.id).collect();
            let all = ids.len();
            ids.sort();
            ids.dedup();
            assert_eq!(ids.len(), all);
        }
    }
}
