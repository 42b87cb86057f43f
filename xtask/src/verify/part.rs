//! `--shard`: a part of the work of a run, and the parts of a run put together.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::path::PathBuf;

use anyhow::{Context, bail};
use reports::Run;
use serde::{Deserialize, Serialize};
use suites::census;

use super::Collected;
use super::args::{Format, MateArgs, RequiredOracle};
use super::baseline::{self, BaselineScope};
use super::job::{Job, Judged};
use super::plan::Plan;
use super::suite_name::SuiteName;
use crate::outcome::Exit;
use crate::shard::{Begun, Part, Shard, Verb, share};

/// What was selected, of the whole run: whatever the reports depend on, and how the whole run ends.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Selection {
    tables: Vec<String>,
    suites: Vec<String>,
    /// The names of the files of positions, and their SHA-256 sums.
    epd: Vec<(String, String)>,
    mates: MateArgs,
    subject: String,
    builder: Option<String>,
    edge_cases: bool,
    effort: String,
    seed: u64,
    limit: Option<String>,
    fail_on: String,
    require: Vec<RequiredOracle>,
    extent: BaselineScope,
    /// The folder of the baseline with which the whole run is compared.
    baseline: Option<PathBuf>,
    /// Whether tables judge others, so that what is judged rests on tables that other shards certify.
    relies: bool,
}

impl Selection {
    fn new(plan: &Plan) -> Self {
        // All fields are named, so that a new one cannot be forgotten. The tables and suites are those of the
        // plan.
        let Job {
            judged,
            tables: _,
            suites: _,
            epd: _,
            edge_cases,
            again: _,
            effort,
            seed,
            limit,
            mates,
            require,
            table_files: _,
            syzygy: _,
            threads: _,
            shard: _,
            baseline: _,
            updates_baseline: _,
            fails_from,
            out: _,
            html: _,
            format: _,
        } = plan.job;
        Self {
            tables: plan.tables.iter().map(ToString::to_string).collect(),
            suites: plan.suites.iter().map(|suite| suite.name()).collect(),
            epd: plan.epd.sums().to_vec(),
            mates: mates.clone(),
            subject: plan.job.player().to_owned(),
            builder: plan.job.builder().map(|builder| builder.name().to_owned()),
            edge_cases: *edge_cases,
            effort: effort.to_string(),
            seed: *seed,
            limit: limit.map(|limit| limit.to_string()),
            fail_on: fails_from.to_string(),
            require: require.clone(),
            extent: plan.extent,
            baseline: baseline::folder(plan.job, plan.extent),
            relies: plan.announces || matches!(judged, Judged::Builder(_)) || !plan.suites.is_empty(),
        }
    }
}

/// What a shard found.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Results {
    run: Run,
    /// Whether one of its production tables is not certified.
    refuted: bool,
    /// Whether it found a Syzygy file with a wrong checksum.
    has_wrong_file: bool,
}

/// Begins a shard: leaves in the plan what it does.
pub(super) fn begin(plan: &mut Plan, shard: Shard) -> anyhow::Result<Begun> {
    let begun = Begun::begin(&plan.job.out, Verb::Verify, shard, &Selection::new(plan))?;
    let own = share(units(plan)?, shard);
    keep(plan, &own);
    Ok(begun)
}

/// Writes what a shard found.
pub(super) fn finish(begun: Begun, found: &Collected) -> anyhow::Result<()> {
    begun.finish(&Results {
        run: found.run.clone(),
        refuted: found.refuted,
        has_wrong_file: found.has_wrong_file,
    })
}

/// The cost of a suite, in positions of tables: it takes about as long as this many positions of a table.
fn cost(suite: SuiteName) -> u64 {
    match suite {
        SuiteName::Mates => 200_000,
        SuiteName::Conversion => 150_000,
        SuiteName::Stalemates | SuiteName::Draws | SuiteName::Knowledge | SuiteName::Library => 40_000,
        SuiteName::Perft => 20_000,
        SuiteName::Chess960 | SuiteName::Random => 10_000,
        SuiteName::BestMove => 0,
    }
}
/// The cost of a line in a file of positions.
const COST_OF_LINE: u64 = 2_000;
/// The cost of the signature of the search.
const COST_OF_SIGNATURE: u64 = 10_000;

const SIGNATURE: &str = "signature";

/// The cost of the checks of the protocol.
const COST_OF_PROTOCOL: u64 = 100_000;

const PROTOCOL: &str = "protocol";

fn table_unit(table: &impl Display) -> String {
    format!("table {table}")
}

fn suite_unit(suite: SuiteName) -> String {
    format!("suite {}", suite.name())
}

fn file_unit(suite: SuiteName, file: &str) -> String {
    format!("suite {} of {file}", suite.name())
}

/// The units of a run, with the cost of each. A unit is a table with all its checks, a suite, a file that a
/// suite reads, the checks of the protocol, or the signature of the search.
fn units(plan: &Plan) -> anyhow::Result<Vec<(String, u64)>> {
    let published = census::embedded()?;
    let positions = |table: &str| -> u64 {
        published.iter().filter(|row| row.table == table).map(|row| row.unique.legal).sum()
    };
    let mut units = Vec::new();
    for table in plan.tables.iter().map(ToString::to_string) {
        units.push((table_unit(&table), positions(&table)));
    }
    for &suite in &plan.suites {
        if !plan.epd.has(suite) {
            units.push((suite_unit(suite), cost(suite)));
        }
        for (file, lines) in plan.epd.files(suite) {
            units.push((file_unit(suite, file), COST_OF_LINE * lines as u64));
        }
    }
    units.extend(plan.protocol.then(|| (PROTOCOL.to_owned(), COST_OF_PROTOCOL)));
    units.extend(plan.signature.then(|| (SIGNATURE.to_owned(), COST_OF_SIGNATURE)));
    Ok(units)
}

/// Leaves only these units in a plan. The list of all its tables stays, since tables judge, and suites take
/// their positions from them.
fn keep(plan: &mut Plan, own: &BTreeSet<String>) {
    let Plan { own_tables, suites, epd, protocol, signature, .. } = plan;
    own_tables.retain(|table| own.contains(&table_unit(table)));
    suites.retain(|&suite| {
        let of_file = |(file, _): (&str, usize)| own.contains(&file_unit(suite, file));
        own.contains(&suite_unit(suite)) || epd.files(suite).into_iter().any(of_file)
    });
    epd.retain(|suite, file| own.contains(&file_unit(suite, file)));
    *protocol &= own.contains(PROTOCOL);
    *signature &= own.contains(SIGNATURE);
}

/// How the reports of merged shards are written and printed.
pub(crate) struct Merged {
    pub(crate) out: PathBuf,
    pub(crate) html: Option<PathBuf>,
    pub(crate) format: Format,
}

/// Puts the shards of a run together: writes and prints what the whole run would have, with its exit code.
pub(crate) fn merge(parts: &[Part], merged: Merged) -> anyhow::Result<Exit> {
    let Some(first) = parts.first() else { bail!("a run has at least one shard") };
    let selection: Selection = first.selection()?;
    let fails_from = selection.fail_on.parse().with_context(|| first.folder.display().to_string())?;
    let mut found = Collected::default();
    found.run.fails_from = fails_from;
    let is_one_of_many = parts.len() > 1;
    for part in parts {
        let Results { run, refuted, has_wrong_file } = part.results()?;
        found.has_wrong_file |= has_wrong_file;
        if refuted && selection.relies && is_one_of_many {
            bail!(
                "shard {} refuted tables by which other shards judged: what they found does not hold. Its findings are in {}; mend \
                 the tables, or run all without --shard",
                part.name(),
                part.folder.display()
            );
        }
        found.run.absorb(run);
    }
    let Merged { out, html, format } = merged;
    let require = selection.require;
    let job = Job { require, out, html, format, ..Job::new(Judged::Workspace) };
    let exit = found.write(&job, selection.extent, selection.baseline)?;
    found.print(&job)?;
    Ok(exit)
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::super::args::VerifyArgs;
    use super::super::epd::Given;
    use super::*;

    #[derive(clap::Parser)]
    struct Line {
        #[command(flatten)]
        args: VerifyArgs,
    }

    fn job(args: &str) -> Job {
        let line = ["verify", "--subject", "engine"].into_iter().chain(args.split_whitespace());
        let args = Line::parse_from(line).args;
        Job::parse(&args, args.program.clone()).unwrap()
    }

    fn plan(job: &Job) -> Plan<'_> {
        Plan::new(job, Given::default()).unwrap()
    }

    /// The cost of each of this many shards, and the cost of all together.
    fn costs(args: &str, of: u32) -> (Vec<u64>, u64) {
        let units = units(&plan(&job(args))).unwrap();
        let cost = |number: u32| {
            let own = share(units.clone(), format!("{number}/{of}").parse().unwrap());
            units.iter().filter(|(name, _)| own.contains(name)).map(|(_, cost)| cost).sum()
        };
        ((1..=of).map(cost).collect(), units.iter().map(|(_, cost)| cost).sum())
    }

    #[test]
    fn shards_of_all_tables_of_four_men_are_balanced() {
        for of in [2, 3, 4, 8] {
            let (shards, all) = costs("--men 4", of);
            assert_eq!(shards.iter().sum::<u64>(), all);
            let greatest = shards.iter().max().unwrap();
            assert!(greatest * u64::from(of) * 10 <= all * 11, "{shards:?}");
        }
    }

    #[test]
    fn each_unit_is_in_one_shard_and_the_tables_stay_known() {
        let job = job("");
        let whole = plan(&job);
        let all = units(&whole).unwrap();
        assert_eq!(all.len(), whole.tables.len() + SuiteName::ALL.len() + 2);
        let mut kept = Vec::new();
        for number in 1..=3 {
            let mut part = plan(&job);
            let own = share(units(&part).unwrap(), format!("{number}/3").parse().unwrap());
            keep(&mut part, &own);
            assert_eq!(part.tables, whole.tables);
            assert_eq!(part.probes, whole.probes);
            kept.extend(part.own_tables.iter().map(table_unit));
            kept.extend(part.suites.iter().map(|&suite| suite_unit(suite)));
            kept.extend(part.protocol.then(|| PROTOCOL.to_owned()));
            kept.extend(part.signature.then(|| SIGNATURE.to_owned()));
        }
        kept.sort();
        let mut all: Vec<String> = all.into_iter().map(|(name, _)| name).collect();
        all.sort();
        assert_eq!(kept, all);
    }
}
