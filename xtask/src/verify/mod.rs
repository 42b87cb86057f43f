//! `verify`: checks tables, move generation and players against the oracles.

mod accepted;
mod baseline;
mod collected;
mod dump;
mod epd;
mod external;
mod failures;
#[cfg(test)]
mod faulty;
mod library;
mod own_protocol;
mod part;
mod perft_files;
mod perft_suites;
mod plan;
mod players;
mod selection;
mod signature;
mod stale;
mod stored;
mod subject;
mod suite_name;
mod tables;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use arbiter::Effort;
use arbiter::player::ENGINE;
use clap::{Parser, ValueEnum};
use oracle::authorities::Authorities;
use oracle::checks::Check;
use oracle::dump::Source;
use oracle::syzygy::Syzygy;
use oracle::syzygy_files::TableFiles;
use oracle::table_probe::{EngineTables, TableProbe};
use reports::{Run, html};
use serde::{Deserialize, Serialize};
use suites::catalogue::Severity;
use uci::Limit;

use crate::files;
use crate::outcome::Exit;
use crate::progress::Progress;
use crate::report;
use crate::shard::Shard;
use crate::syzygy_sources::{self, Probed, SyzygyArgs};
use crate::third_party::ThirdParty;
pub(crate) use accepted::Accepted;
use baseline::Extent;
use collected::Collected;
use dump::ReadArgs;
use epd::Given;
use external::Session;
pub(crate) use external::{
    Build, CONFIG_FILE, Config, EngineArgs, MOST_SECONDS, find_program, identify, option, try_start,
};
pub(crate) use part::{Merged, merge};
use plan::Plan;
use players::MateArgs;
pub(crate) use selection::{family, known as known_check};
pub(crate) use stale::without_reports;
pub(crate) use suite_name::SuiteName;

/// Check tables and suites, write reports, and compare with the baseline.
#[derive(Debug, Clone, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
#[command(after_help = "\
Examples:
  cargo xtask verify                            the workspace's own tables and moves against the oracles
  cargo xtask verify --tables KPvK              one table, and the smaller ones that it leads to
  cargo xtask verify --men 4 --edge-cases       all 35 tables, and their edge cases in edge_cases.csv
  cargo xtask verify --builder first-pass       every wrong entry of a specimen, a builder that is wrong on purpose
  cargo xtask verify --dump mine.csv            your own table, exported as text: fen,wdl,dtm
  cargo xtask verify --dump mine.tsv.gz --columns fen,_,dtm --unit moves --view white
  cargo xtask verify --suite perft --jobs 1     only perft, on one core
  cargo xtask verify --subject micromax         the suites for players, on a specimen
  cargo xtask verify --subject misprint-long-wins    our engine, with mates one move too long in what it prints
  cargo xtask verify --engine ./mine --epd wac.epd     the best moves, mates or perft counts in a file
  cargo xtask verify --engine ./mine --epd sts.epd --nodes 1000000   solved positions and points
  cargo xtask verify --epd perftsuite.epd       perft counts in a file, against shakmaty and our generator
  cargo xtask verify --suite conversion --nodes 1000   won endings, played out with 1,000 nodes per move
  cargo xtask verify --engine ./mine            any UCI engine, in a few minutes (about one with --quick)
  cargo xtask verify --engine gnuchess --args=--uci --option Hash=16 --check process,draw

Exit codes: 0 all compared, all agree; 1 something differs; 2 not everything that was requested could be checked.")]
pub(crate) struct VerifyArgs {
    /// Tables to check, such as KPvK,KQvK; the smaller ones that they lead to are checked too.
    #[arg(long, value_name = "TABLES", value_delimiter = ',')]
    pub(crate) tables: Vec<String>,
    /// Check all tables with up to so many men. With 4 that takes minutes, with 5 a day.
    #[arg(long, value_name = "MEN", value_parser = clap::value_parser!(u8).range(3..=5),
          conflicts_with_all = ["tables", "dump"])]
    pub(crate) men: Option<u8>,
    /// Where the files of tables of five men are, as `tables build` wrote them. Smaller tables are built anew.
    #[arg(long, value_name = "DIR", default_value = "target/tables")]
    pub(crate) table_files: PathBuf,
    /// Suites to run. Suites for players: stalemates, mates, conversion, draws, and bestmove with --epd.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) suite: Vec<SuiteName>,
    /// Files of positions. Each line belongs to a suite: bestmove (bm MOVE, am MOVE), mates (bm #N, dm N, plain FEN),
    /// perft (;D1 20 ;D2 400, or blocks of id, epd and perft).
    #[arg(long, value_name = "FILE", conflicts_with_all = ["builder", "dump"])]
    pub(crate) epd: Vec<PathBuf>,
    /// What counts as an announcement of a mate.
    #[command(flatten)]
    pub(crate) mates: MateArgs,
    /// The player: Touchstone's own engine, a specimen, or a misprint (our engine with one fault in what it prints). Runs the suites
    /// for players [default: the engine of touchstone.toml; in a checkout of Touchstone, its own].
    #[arg(long, value_name = "NAME", value_parser = players::subject_named, conflicts_with_all = ["builder", "dump"])]
    pub(crate) subject: Option<String>,
    /// Check the tables of another builder, such as first-pass, against the certified ones.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["suite", "dump"])]
    pub(crate) builder: Option<String>,
    /// Check a table exported as text, with the columns fen and wdl, dtm or both; gzip and zstd are unpacked; - is standard input.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["suite", "baseline", "update_baseline"])]
    pub(crate) dump: Option<PathBuf>,
    /// How a dump is read.
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    /// Also count the edge cases of the tables into `edge_cases.csv`: stalemates, underpromotions, en passant, sacrifices, mutual
    /// zugzwangs, longest wins.
    #[arg(long, conflicts_with_all = ["builder", "dump"])]
    pub(crate) edge_cases: bool,
    /// The folder for reports.
    #[arg(long, value_name = "DIR", default_value = "target/touchstone")]
    pub(crate) out: PathBuf,
    /// The page of the reports, for a browser; see `report` [default: report.html among the reports, if an engine is checked].
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// The reports of an earlier run to compare with [default: reports/baseline, for a run of everything].
    #[arg(long, value_name = "DIR")]
    pub(crate) baseline: Option<PathBuf>,
    /// Make this run's reports the baseline.
    #[arg(long)]
    pub(crate) update_baseline: bool,
    /// Skip what takes longest: do not probe Syzygy tables, and draw fewer positions.
    #[arg(long)]
    pub(crate) quick: bool,
    /// Take as long as needed: whole tables and large samples.
    #[arg(long, conflicts_with = "quick")]
    pub(crate) thorough: bool,
    /// Oracles that must run, such as gaviota,prophet; exit 2 if one is not in this build.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) require: Vec<RequiredOracle>,
    /// The seed of random positions.
    #[arg(long, value_name = "NUMBER", default_value_t = oracle::perft::RandomPositions::default().seed)]
    pub(crate) seed: u64,
    /// Nodes per search in the suites mates, draws, conversion and bestmove [default: set by each suite].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_NODES),
          conflicts_with_all = ["baseline", "update_baseline"])]
    pub(crate) nodes: Option<u64>,
    /// Time per search in these suites, in milliseconds; disables the comparison with the baseline.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=MOST_TIME),
          conflicts_with_all = ["nodes", "baseline", "update_baseline"])]
    pub(crate) movetime: Option<u64>,
    /// The least severity of a difference that makes the exit code 1: error, warning or note.
    #[arg(long, value_name = "SEVERITY", default_value_t = Severity::Error, value_parser = severity)]
    pub(crate) fail_on: Severity,
    /// Threads; the reports do not depend on the number [default: one for each core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
    /// Do the I-th of N shares of the work, on one of several machines; `merge` makes the reports of the whole run of them. Each shard
    /// needs an --out of its own.
    #[arg(long, value_name = "I/N", conflicts_with_all = ["engine", "dump", "update_baseline"])]
    pub(crate) shard: Option<Shard>,
    /// The output format.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
    /// A UCI engine in place of ours.
    #[command(flatten)]
    pub(crate) program: EngineArgs,
    /// Where Syzygy tables come from.
    #[command(flatten)]
    pub(crate) syzygy: SyzygyArgs,
}

/// The most nodes per search.
const MOST_NODES: u64 = 100_000_000;
/// The most milliseconds per search.
const MOST_TIME: u64 = 600_000;

/// The arguments of `verify` by themselves, to parse their defaults.
#[derive(Debug, Parser)]
struct Defaults {
    #[command(flatten)]
    args: VerifyArgs,
}

impl VerifyArgs {
    /// The default arguments.
    fn usual() -> Self {
        Defaults::parse_from(["verify"]).args
    }

    /// The default arguments, for this engine.
    pub(crate) fn of_engine(program: EngineArgs) -> Self {
        Self { program, ..Self::usual() }
    }

    /// The name of the player in this process.
    pub(crate) fn player(&self) -> &str {
        self.subject.as_deref().unwrap_or(ENGINE)
    }

    /// The page that the run writes.
    pub(crate) fn page(&self) -> Option<PathBuf> {
        let usual = self.program.engine.is_some().then(|| self.out.join(html::FILE));
        self.html.clone().or(usual)
    }

    /// The limit per search, if the user set one.
    pub(crate) fn limit(&self) -> Option<Limit> {
        let time = self.movetime.map(|time| Limit::MoveTime(Duration::from_millis(time)));
        time.or(self.nodes.map(Limit::Nodes))
    }

    /// How much is checked.
    pub(crate) fn effort(&self) -> Effort {
        match (self.quick, self.thorough) {
            (true, _) => Effort::Quick,
            (_, true) => Effort::Thorough,
            _ => Effort::Plain,
        }
    }

    /// Whether searches are limited and judged as in a baseline.
    pub(crate) fn has_usual_limit(&self) -> bool {
        self.limit().is_none() && !self.mates.is_given()
    }
}

fn severity(name: &str) -> Result<Severity, String> {
    let known = Severity::ALL.into_iter().find(|severity| severity.name() == name);
    known.ok_or_else(|| "expected error, warning or note".to_owned())
}

/// An oracle that is a feature of the build.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RequiredOracle {
    /// Gaviota's DTM tables.
    Gaviota,
    /// Prophet's DTM tables.
    Prophet,
}

impl RequiredOracle {
    fn is_built(self) -> bool {
        match self {
            Self::Gaviota => cfg!(feature = "gaviota"),
            Self::Prophet => cfg!(feature = "prophet"),
        }
    }

    fn check(self) -> Check {
        self.source().check()
    }

    /// Its name among the sources of a dump.
    fn source(self) -> Source {
        match self {
            Self::Gaviota => Source::Gaviota,
            Self::Prophet => Source::Prophet,
        }
    }
}

/// The format of standard output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A line for each check, then the differences.
    Human,
    /// Annotations of GitHub workflows.
    Github,
    /// A few lines to paste: the engine, a line for each cause, the verdict.
    Summary,
    /// For the summary of a workflow, or a comment on a pull request.
    Markdown,
    /// One JSON document.
    Json,
}

/// The most differences and changes that are printed; the reports have all.
const SHOWN: usize = 10;

/// Runs the checks and prints the result.
pub(crate) fn run(args: &VerifyArgs) -> anyhow::Result<Exit> {
    let args = &subject::chosen(args)?;
    let (found, exit) = verified(args)?;
    found.print(args)?;
    Ok(exit)
}

/// Runs the checks and writes the reports, but prints nothing.
pub(crate) fn run_silently(args: &VerifyArgs) -> anyhow::Result<(Run, Exit)> {
    let (found, exit) = verified(args)?;
    Ok((found.run, exit))
}

fn verified(args: &VerifyArgs) -> anyhow::Result<(Collected, Exit)> {
    let mut plan = Plan::new(args, Given::read(&args.epd)?)?;
    files::try_folder(&args.out)?;
    if let Some(page) = &args.html {
        files::ignored_by_git(&args.out)?;
        files::stage(page).context("--html")?;
    }
    let shard = args.shard.map(|shard| part::begin(args, &mut plan, shard)).transpose()?;
    let threads = args.jobs.map_or(0, usize::from);
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().context("cannot start threads")?;
    pool.install(|| {
        let mut found = verify(args, &plan).map_err(|error| without_reports(error, &[&args.out]))?;
        let baseline = if shard.is_some() { None } else { baseline::folder(args, plan.extent) };
        let exit = write(&mut found, args, plan.extent, baseline)?;
        if let Some(begun) = shard {
            part::finish(begun, &found)?;
        }
        Ok((found, exit))
    })
}

/// Writes the reports and the page.
fn write(
    found: &mut Collected,
    args: &VerifyArgs,
    extent: Extent,
    baseline: Option<PathBuf>,
) -> anyhow::Result<Exit> {
    let exit = found.write(args, extent, baseline)?;
    if let Some(page) = args.page() {
        report::write(&args.out, &page)?;
    }
    Ok(exit)
}

fn verify(args: &VerifyArgs, plan: &Plan) -> anyhow::Result<Collected> {
    let progress = Progress::new(Some(plan.work()));
    progress.say("starting the engine");
    let mut session = Session::open(args)?;
    files::ignored_by_git(&args.out)?;
    let mut found = Collected::default();
    let located =
        plan.probes.as_ref().map(|probed| syzygy(args, probed, &progress, &mut found)).transpose()?;
    let read = located.as_ref().filter(|_| plan.reads_syzygy()).map(library::syzygy_set);
    let syzygy = located.map(Syzygy::new);
    // Gaviota can be open once in a process, and `regress` verifies two engines at the same time.
    let third_party = if plan.asks_dtm_sources() { ThirdParty::open()? } else { ThirdParty::default() };
    let published = suites::census::embedded()?;
    let authorities = Authorities {
        syzygy: syzygy.as_ref(),
        dtm_sources: third_party.sources(),
        published: &published,
        truth: None,
    };
    found.run.fails_from = args.fail_on;
    found.asked.clone_from(&args.program.check);
    if let Some(session) = &session {
        found.accepted.clone_from(&session.accepted);
    }
    let own = plan.own_tables.len();
    let certified = tables::run(plan, args, &authorities, &progress, &mut found)?;
    found.refuted = own > 0 && certified.is_none();
    library::run(plan, args, certified.as_ref(), read.as_ref().zip(syzygy.as_ref()), &progress, &mut found)?;
    let truth = certified.map(|tables| EngineTables::production(tables).upright());
    let truth = truth.as_ref().map(|tables| tables as &dyn TableProbe);
    let authorities = Authorities { truth, ..authorities };
    perft_suites::run(plan, args.seed, &progress, &mut found)?;
    let files = players::prepare(plan, args, &authorities, &progress);
    if let Some(session) = &mut session {
        session.start_clock();
        external::run_checks(session, &plan.suites, &progress, &mut found)?;
    }
    perft_files::run(plan, args, session.as_mut(), &progress, &mut found);
    players::run(plan, args, &files, &authorities, session.as_mut(), &progress, &mut found)?;
    own_protocol::run(plan, args, &progress, &mut found)?;
    signature::run(plan, &progress, &mut found);
    if let Some(session) = &session {
        found.add_all(external::tell(session, &found.failures)?, Duration::ZERO);
        found.remove_unselected();
        arbiter::join_causes(&mut found.run.differences, &session.program.name);
        found.name_causes(&session.program.name);
        found.accept(&session.program.name);
        if let Some(scale) = session.program.mate_scale {
            found.tell_mate_scale(&session.program.name, scale.of_mate_in_one());
        }
        found.run.engine = Some(session.card());
    }
    Ok(found)
}

/// Finds the Syzygy tables. Prints which are missing or refused, and what to do.
fn syzygy(
    args: &VerifyArgs,
    probed: &Probed,
    progress: &Progress,
    found: &mut Collected,
) -> anyhow::Result<TableFiles> {
    progress.say("Syzygy tables");
    let told = std::cell::Cell::new(false);
    let located = syzygy_sources::locate(&args.syzygy, probed, &|what| {
        if !told.replace(true) {
            progress.note("note: writing the Syzygy tables that the cache lacks: all of three and four men take about half a minute");
        }
        progress.say(what);
    })?;
    match located.shortfall() {
        Some(shortfall) => progress.note(&shortfall.to_string()),
        None => located.warnings.iter().for_each(|warning| progress.note(&format!("note: {warning}"))),
    }
    found.has_wrong_file = located.has_refused;
    Ok(located.files)
}
