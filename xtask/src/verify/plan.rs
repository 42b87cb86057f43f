//! What a run is asked to do, checked before anything starts.

use std::path::PathBuf;

use anyhow::{Context, anyhow, bail};
use clap::ValueEnum;
use engine::tables::Material;
use engine::tables::build::{self, Builder};
use oracle::checks::Check;
use oracle::perft::RandomPositions;
use oracle::positions::Men;
use oracle::subject::ENGINE;

use super::VerifyArgs;
use super::suites::SuiteName;
use super::uci;
use crate::{program, tables};

/// The tables of a plain run, with all that they lead to.
const DEFAULT_TABLES: [&str; 3] = ["KPvK", "KQvK", "KRvK"];

/// What is to be done.
pub(crate) struct Plan {
    /// Tables, each after those that it leads to.
    pub(crate) tables: Vec<Material>,
    /// Another builder, whose tables are checked too.
    pub(crate) builder: Option<&'static dyn Builder>,
    /// A table exported as text.
    pub(crate) dump: Option<PathBuf>,
    /// Suites.
    pub(crate) suites: Vec<SuiteName>,
    /// Whether tables are there for nothing but to judge others, and so are only certified.
    judges_only: bool,
    /// Whether the player that is asked announces the mates of the tables, if it plays by tables.
    pub(crate) announces: bool,
    /// Whether to take the signature of the search.
    pub(crate) signature: bool,
    /// Whether to leave out what takes longest.
    pub(crate) quick: bool,
    /// How much of what a baseline may hold this run covers.
    pub(crate) extent: Extent,
}

/// How much a run covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Everything, so that the committed baseline speaks of all of it.
    Whole,
    /// Some tables or suites, with all their checks.
    Part,
    /// Some of the checks.
    SomeChecks,
}

impl Plan {
    pub(crate) fn new(args: &VerifyArgs) -> anyhow::Result<Self> {
        let builder = args.builder.as_deref().map(named_builder).transpose()?;
        if let Some(dump) = &args.dump
            && dump.as_os_str() != "-"
            && (!dump.exists() || dump.is_dir())
        {
            let export = program::command("cargo xtask tables export KPvK".to_owned());
            bail!("there is no file {}; export one with: {export}", dump.display());
        }
        if let Some(folder) =
            args.baseline.as_ref().filter(|folder| !args.update_baseline && !folder.is_dir())
        {
            bail!(
                "there is no baseline {}; make one with: verify --update-baseline --baseline DIR",
                folder.display()
            );
        }
        let program = args.program.engine.is_some();
        let specimen = args.subject != ENGINE || program;
        let plain = args.tables.is_empty()
            && args.suite.is_empty()
            && builder.is_none()
            && args.dump.is_none()
            && !specimen;
        let suites = match &args.suite[..] {
            [] if !args.program.check.is_empty() => uci::selected_suites(&args.program.check),
            [] if plain => SuiteName::ALL.to_vec(),
            [] if specimen => SuiteName::TRIALS.to_vec(),
            suites => suites.to_vec(),
        };
        if specimen && let Some(suite) = suites.iter().find(|suite| !SuiteName::TRIALS.contains(suite)) {
            let suite =
                suite.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
            let asked = if program { "--engine".to_owned() } else { format!("--subject {}", args.subject) };
            bail!("the suite {suite} is not put to a subject: leave out {asked}");
        }
        if !args.epd.is_empty() && !suites.contains(&SuiteName::Mates) {
            bail!("--epd holds positions for the suite mates: add --suite mates");
        }
        if !suites.contains(&SuiteName::Mates) && args.mates.is_given() {
            bail!(
                "--mate-depth, --exact-mates and --no-bound-mates are for the suite mates: add --suite mates"
            );
        }
        if (args.nodes.is_some() || args.movetime.is_some()) && !suites.contains(&SuiteName::Conversion) {
            bail!("--nodes and --movetime are for the suite conversion: add --suite conversion");
        }
        let asks_only = args.tables.is_empty() && (specimen || !args.suite.is_empty());
        let judges_only = asks_only && suites.iter().any(|suite| suite.needs_tables());
        let names: Vec<&str> = match (&args.tables[..], builder) {
            ([], _) if asks_only && !judges_only => Vec::new(),
            ([], _) => DEFAULT_TABLES.to_vec(),
            (names, _) => names.iter().map(String::as_str).collect(),
        };
        let mut materials = Vec::new();
        for name in names {
            let material = tables::named(name).map_err(|error| anyhow!("--tables {name}: {error}"))?;
            build::check(material).with_context(|| format!("--tables {name}"))?;
            materials.push(material);
        }
        if let Some(builder) = builder
            && !build::with_smaller(&materials).into_iter().any(|material| builder.builds(material))
        {
            bail!("the builder {} does not build any of these tables", builder.name());
        }
        let default_seed = args.seed == RandomPositions::default().seed;
        let extent = if args.quick
            || args.thorough
            || judges_only
            || program
            || builder.is_some()
            || args.dump.is_some()
            || !args.epd.is_empty()
        {
            Extent::SomeChecks
        } else if plain && default_seed {
            Extent::Whole
        } else {
            Extent::Part
        };
        if args.update_baseline && args.baseline.is_none() && extent != Extent::Whole {
            bail!("this run covers only a part: name the baseline to write with --baseline DIR");
        }
        let announces = builder.is_none()
            && args.dump.is_none()
            && (!args.tables.is_empty() || args.suite.is_empty() && !program);
        Ok(Self {
            tables: build::with_smaller(&materials),
            builder,
            dump: args.dump.clone(),
            suites,
            judges_only,
            announces,
            signature: plain && !args.quick,
            quick: args.quick,
            extent,
        })
    }

    /// Whether the production tables are there to judge others.
    pub(crate) fn only_to_certify(&self) -> bool {
        self.judges_only || self.builder.is_some() || self.dump.is_some()
    }

    /// The checks of the production tables. A run that judges others needs of them only that they are right.
    pub(crate) fn production_checks(&self) -> Vec<Check> {
        let only_to_certify = self.only_to_certify();
        let wanted = |check: &Check| match check {
            Check::Truth | Check::Announcement => false,
            Check::Certificate | Check::Legality => true,
            Check::SyzygyWdl | Check::SyzygyDtz | Check::SyzygyDtm => !only_to_certify && !self.quick,
            Check::Terminal | Check::Symmetry | Check::Gaviota | Check::Prophet | Check::Census => {
                !only_to_certify
            }
        };
        Check::ALL.into_iter().filter(wanted).collect()
    }

    /// The checks of another builder's tables: against each source of truth.
    pub(crate) fn builder_checks(&self) -> Vec<Check> {
        let wanted = |check: &Check| match check {
            Check::Truth | Check::Gaviota | Check::Prophet => true,
            Check::SyzygyWdl => !self.quick,
            _ => false,
        };
        Check::ALL.into_iter().filter(wanted).collect()
    }

    /// Whether Syzygy tables are asked.
    pub(crate) fn needs_syzygy(&self) -> bool {
        !self.quick && (!self.tables.is_empty() && !self.judges_only || self.plays_four_men())
    }

    /// Whether endings of four men are played, of which Syzygy tables are the judge.
    fn plays_four_men(&self) -> bool {
        !self.quick && self.suites.contains(&SuiteName::Conversion)
    }

    /// The most men of the Syzygy tables that are asked. A dump may hold anything.
    pub(crate) fn syzygy_men(&self) -> u8 {
        let most = self.tables.iter().map(|material| material.men() as u8).max().unwrap_or(3);
        if self.dump.is_some() || self.plays_four_men() { most.max(4) } else { most }
    }

    /// Placements that all checks of tables walk together: the length of the progress bar.
    pub(crate) fn work(&self) -> u64 {
        let walks = self.production_checks().len()
            + usize::from(self.announces)
            + self.builder.map_or(0, |_| self.builder_checks().len());
        let placements: u64 = self.tables.iter().map(|material| 2 << (6 * material.men())).sum();
        placements * (walks as u64 + 1)
    }
}

fn named_builder(name: &str) -> anyhow::Result<&'static dyn Builder> {
    build::builder(name).with_context(|| {
        let names: Vec<&str> = build::BUILDERS.iter().map(|builder| builder.name()).collect();
        format!("there is no builder \"{name}\"; there are: {}", names.join(", "))
    })
}

/// A table as the oracle takes it.
pub(crate) fn men(material: Material) -> anyhow::Result<Men> {
    Ok(material.to_string().parse()?)
}
