//! What a run of `verify` does: the arguments, parsed once.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, bail};
use arbiter::Effort;
use arbiter::player::ENGINE;
use engine::tables::Material;
use engine::tables::builders::{self, Builder};
use oracle::perft::RandomPositions;
use reports::html;
use suites::catalogue::Severity;
use uci::Limit;

use super::args::{Format, MateArgs, OUT, RequiredOracle, TABLE_FILES, VerifyArgs};
use super::dump_request::Dump;
use super::engine_args::EngineArgs;
use super::suite_name::SuiteName;
use crate::extent::effort;
use crate::shard::Shard;
use crate::syzygy_sources::SyzygyArgs;

/// What a run judges.
#[derive(Clone)]
pub(crate) enum Judged {
    /// Touchstone's own tables, moves and engine, or those of them that the job names.
    Workspace,
    /// Another player of this process: a specimen or a misprint.
    Subject(String),
    /// A UCI engine.
    Engine(Box<EngineArgs>),
    /// The tables of a builder, judged by those of the production builder.
    Builder(&'static dyn Builder),
    /// A table that was exported as text.
    Dump(Box<Dump>),
}

/// A run of `verify`: what it judges and asks, by which means, and where its reports go.
#[derive(Clone)]
pub(crate) struct Job {
    pub(crate) judged: Judged,
    /// The names of the tables that are asked for; those that they lead to are added.
    pub(crate) tables: Vec<String>,
    /// The suites that are asked for; none for all that belong to what is judged.
    pub(crate) suites: Vec<SuiteName>,
    /// Files of positions.
    pub(crate) epd: Vec<PathBuf>,
    /// Whether the edge cases of the tables are counted.
    pub(crate) edge_cases: bool,
    /// Whether tables are checked again that this build has checked before.
    pub(crate) again: bool,
    /// How much is asked.
    pub(crate) effort: Effort,
    /// The seed of random positions.
    pub(crate) seed: u64,
    /// The limit per search, if the user set one.
    pub(crate) limit: Option<Limit>,
    /// What counts as an announcement of a mate.
    pub(crate) mates: MateArgs,
    /// Oracles that must run.
    pub(crate) require: Vec<RequiredOracle>,
    /// Where the files of tables of five men are.
    pub(crate) table_files: PathBuf,
    /// Where Syzygy tables come from.
    pub(crate) syzygy: SyzygyArgs,
    /// Threads; 0 is one for each core.
    pub(crate) threads: usize,
    /// The share of the work that is done.
    pub(crate) shard: Option<Shard>,
    /// The reports of an earlier run to compare with.
    pub(crate) baseline: Option<PathBuf>,
    /// Whether the reports become the baseline.
    pub(crate) updates_baseline: bool,
    /// The least severity that makes the exit code 1.
    pub(crate) fails_from: Severity,
    /// The folder for reports.
    pub(crate) out: PathBuf,
    /// The page that the user names.
    pub(crate) html: Option<PathBuf>,
    /// The format of standard output.
    pub(crate) format: Format,
}

impl Job {
    /// The job with the defaults of the command line.
    pub(crate) fn new(judged: Judged) -> Self {
        Self {
            judged,
            tables: Vec::new(),
            suites: Vec::new(),
            epd: Vec::new(),
            edge_cases: false,
            again: false,
            effort: Effort::Plain,
            seed: RandomPositions::default().seed,
            limit: None,
            mates: MateArgs::default(),
            require: Vec::new(),
            table_files: TABLE_FILES.into(),
            syzygy: SyzygyArgs::default(),
            threads: 0,
            shard: None,
            baseline: None,
            updates_baseline: false,
            fails_from: Severity::default(),
            out: OUT.into(),
            html: None,
            format: Format::Human,
        }
    }

    /// The job of an engine, with the defaults of the command line.
    pub(crate) fn of_engine(engine: EngineArgs) -> Self {
        Self::new(Judged::Engine(Box::new(engine)))
    }

    /// What the arguments ask for, of this engine if it has a name.
    pub(super) fn parse(args: &VerifyArgs, program: EngineArgs) -> anyhow::Result<Self> {
        if program.engine.is_none()
            && let Some(option) = program.needs_engine()
        {
            bail!("{option} is about a UCI engine: name it with --engine ./mine");
        }
        let player = args.subject.as_deref().unwrap_or(ENGINE);
        let judged = match (dump_of(args)?, &args.builder) {
            (Some(dump), _) => Judged::Dump(Box::new(dump)),
            (None, Some(builder)) => Judged::Builder(named_builder(builder)?),
            (None, None) if program.engine.is_some() => Judged::Engine(Box::new(program)),
            (None, None) if player == ENGINE => Judged::Workspace,
            (None, None) => Judged::Subject(player.to_owned()),
        };
        let is_own = matches!(judged, Judged::Workspace) && !args.names_tables() && !args.names_positions();
        let time = args.movetime.map(|time| Limit::MoveTime(Duration::from_millis(time)));
        let up_to = |men: u8| Material::up_to(men.into()).iter().map(ToString::to_string).collect();
        Ok(Self {
            judged,
            tables: args.men.map_or_else(|| args.tables.clone(), up_to),
            suites: args.suite.clone(),
            epd: args.epd.clone(),
            edge_cases: args.edge_cases,
            again: args.again,
            effort: effort(args.quick, args.thorough),
            seed: args.seed,
            limit: time.or(args.nodes.map(Limit::Nodes)),
            mates: args.mates.clone(),
            require: args.require.clone(),
            table_files: args.table_files.clone(),
            syzygy: args.syzygy.clone(),
            threads: args.jobs.map_or(0, usize::from),
            shard: args.shard,
            baseline: args.baseline.clone(),
            updates_baseline: args.update_baseline,
            // Findings that are warnings or notes for other engines fail the run for our own engine.
            fails_from: if is_own { Severity::Note } else { args.fail_on },
            out: args.out.clone(),
            html: args.html.clone(),
            format: args.format,
        })
    }

    /// The UCI engine that is judged.
    pub(crate) fn engine(&self) -> Option<&EngineArgs> {
        if let Judged::Engine(engine) = &self.judged { Some(engine) } else { None }
    }

    /// The builder whose tables are judged.
    pub(crate) fn builder(&self) -> Option<&'static dyn Builder> {
        if let Judged::Builder(builder) = self.judged { Some(builder) } else { None }
    }

    /// The name of the player in this process.
    pub(crate) fn player(&self) -> &str {
        if let Judged::Subject(name) = &self.judged { name } else { ENGINE }
    }

    /// The checks that are asked for; none for all.
    pub(crate) fn checks(&self) -> &[String] {
        self.engine().map_or(&[], |engine| &engine.check)
    }

    /// The page that the run writes.
    pub(crate) fn page(&self) -> Option<PathBuf> {
        let usual = self.engine().map(|_| self.out.join(html::FILE));
        self.html.clone().or(usual)
    }

    /// Whether searches are limited and judged as in a baseline.
    pub(crate) fn has_usual_limit(&self) -> bool {
        self.limit.is_none() && !self.mates.is_given()
    }
}

/// The dump of `--dump`, if given.
fn dump_of(args: &VerifyArgs) -> anyhow::Result<Option<Dump>> {
    args.dump.as_ref().map(|path| Dump::new(path, &args.read, &args.tables, args.quick)).transpose()
}

fn named_builder(name: &str) -> anyhow::Result<&'static dyn Builder> {
    builders::builder(name).with_context(|| {
        let names: Vec<&str> = builders::BUILDERS.iter().map(|builder| builder.name()).collect();
        format!("there is no builder \"{name}\"; there are: {}", names.join(", "))
    })
}
