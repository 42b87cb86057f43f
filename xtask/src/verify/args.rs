//! The arguments of `verify`, as they are typed. A [`Job`](super::Job) is what they mean.

use std::path::PathBuf;

use arbiter::mates::{Announcements, Demand};
use arbiter::player::InProcess;
use clap::ValueEnum;
use oracle::checks::Check;
use oracle::dump::Source;
use serde::{Deserialize, Serialize};
use suites::catalogue::Severity;

use super::dump_request::ReadArgs;
use super::engine_args::EngineArgs;
use super::suite_name::SuiteName;
use crate::shard::Shard;
use crate::syzygy_sources::SyzygyArgs;

/// Where reports go by default.
pub(super) const OUT: &str = "target/touchstone";
/// Where the files of tables of five men are by default.
pub(super) const TABLE_FILES: &str = "target/tables";

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

Exit codes: 0 no finding as grave as --fail-on; 1 there is one; 2 not everything that was requested could be checked.")]
pub(crate) struct VerifyArgs {
    /// Tables to check, such as KPvK,KQvK; the smaller ones that they lead to are checked too.
    #[arg(long, value_name = "TABLES", value_delimiter = ',')]
    pub(crate) tables: Vec<String>,
    /// Check all tables with up to so many men. With 4 that takes minutes, with 5 a day.
    #[arg(long, value_name = "MEN", value_parser = clap::value_parser!(u8).range(3..=5),
          conflicts_with_all = ["tables", "dump"])]
    pub(crate) men: Option<u8>,
    /// The folder with the files of tables of five men, as `tables build` wrote them. Touchstone builds
    /// smaller tables anew.
    #[arg(long, value_name = "DIR", default_value = TABLE_FILES)]
    pub(crate) table_files: PathBuf,
    /// Suites to run. Suites for players: stalemates, mates, conversion, draws, and bestmove with --epd.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) suite: Vec<SuiteName>,
    /// Files of positions. Each line belongs to a suite: bestmove (bm MOVE, am MOVE), mates (bm #N, dm N,
    /// plain FEN), perft (;D1 20 ;D2 400, or blocks of id, epd and perft).
    #[arg(long, value_name = "FILE", conflicts_with_all = ["builder", "dump"])]
    pub(crate) epd: Vec<PathBuf>,
    /// What counts as an announcement of a mate.
    #[command(flatten)]
    pub(crate) mates: MateArgs,
    /// The player: Touchstone's own engine, a specimen, or a misprint (our engine with one fault in what it
    /// prints). Runs the suites for players [default: the engine of touchstone.toml; in a checkout of
    /// Touchstone, its own].
    #[arg(long, value_name = "NAME", value_parser = subject_named, conflicts_with_all = ["builder", "dump"])]
    pub(crate) subject: Option<String>,
    /// Check the tables of another builder, such as first-pass, against the certified ones.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["suite", "dump"])]
    pub(crate) builder: Option<String>,
    /// Check a table exported as text, with the columns fen and wdl, dtm or both; gzip and zstd are unpacked;
    /// - is standard input.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["suite", "baseline", "update_baseline"])]
    pub(crate) dump: Option<PathBuf>,
    /// How a dump is read.
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    /// Also count the edge cases of the tables into `edge_cases.csv`: stalemates, underpromotions, en
    /// passant, sacrifices, mutual zugzwangs, longest wins.
    #[arg(long, conflicts_with_all = ["builder", "dump"])]
    pub(crate) edge_cases: bool,
    /// The folder for reports.
    #[arg(long, value_name = "DIR", default_value = OUT)]
    pub(crate) out: PathBuf,
    /// The page of the reports, for a browser; see `report` [default: report.html among the reports, if an
    /// engine is checked].
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// The reports of an earlier run to compare with [default: reports/baseline, for a run of everything].
    #[arg(long, value_name = "DIR")]
    pub(crate) baseline: Option<PathBuf>,
    /// Make this run's reports the baseline.
    #[arg(long)]
    pub(crate) update_baseline: bool,
    /// Check again tables of four and five men that this build has found right in the same checks. Otherwise what it
    /// found then goes into the reports, times included.
    #[arg(long)]
    pub(crate) again: bool,
    /// Skip the slowest work: do not probe Syzygy tables, and draw fewer positions.
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
    /// Time per search in these suites, in milliseconds.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=MOST_TIME),
          conflicts_with_all = ["nodes", "baseline", "update_baseline"])]
    pub(crate) movetime: Option<u64>,
    /// The least severity of a difference that makes the exit code 1: error, warning or note.
    #[arg(long, value_name = "SEVERITY", default_value_t = Severity::Error)]
    pub(crate) fail_on: Severity,
    /// Threads; the reports do not depend on the number [default: one for each core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
    /// Do the I-th of N shares of the work, on one of several machines; `merge` makes them into the reports
    /// of the whole run. Each shard needs an --out of its own.
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

impl VerifyArgs {
    /// Whether tables are named, which need no engine.
    pub(super) fn names_tables(&self) -> bool {
        !self.tables.is_empty() || self.men.is_some() || self.builder.is_some() || self.dump.is_some()
    }

    /// Whether suites or files are named. They have positions for any player; without another one ours is
    /// asked.
    pub(super) fn names_positions(&self) -> bool {
        !self.suite.is_empty() || !self.epd.is_empty()
    }
}

/// Parses the name of a player of this workspace.
fn subject_named(name: &str) -> Result<String, String> {
    let names = InProcess::names();
    if names.iter().any(|known| known == name) {
        return Ok(name.to_owned());
    }
    Err(format!("no such subject; there are: {}", names.join(", ")))
}

/// What counts as an announcement of a mate.
#[derive(Debug, Clone, Default, clap::Args, Serialize, Deserialize)]
pub(crate) struct MateArgs {
    /// Mates announced at a smaller depth are no announcements: only scores of this depth in plies, or
    /// deeper, count.
    #[arg(long, value_name = "PLIES", default_value_t = 0, conflicts_with_all = ["baseline", "update_baseline"])]
    pub(crate) mate_depth: u32,
    /// Mates announced by a lowerbound or upperbound are no announcements: only exact scores count.
    #[arg(long, conflicts_with_all = ["baseline", "update_baseline"])]
    pub(crate) no_bound_mates: bool,
    /// The last mate that is announced must be the shortest one, where that is proved: a longer one is a
    /// finding of mate/longer.
    #[arg(long, conflicts_with_all = ["baseline", "update_baseline"])]
    pub(crate) exact_mates: bool,
}

impl MateArgs {
    pub(crate) fn announcements(&self) -> Announcements {
        let demand = if self.exact_mates { Demand::Shortest } else { Demand::Nothing };
        Announcements { from_depth: self.mate_depth, bounds: !self.no_bound_mates, demand }
    }

    /// Whether the user set any of this.
    pub(crate) fn is_given(&self) -> bool {
        self.announcements() != Announcements::default()
    }
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
    pub(super) fn is_built(self) -> bool {
        match self {
            Self::Gaviota => cfg!(feature = "gaviota"),
            Self::Prophet => cfg!(feature = "prophet"),
        }
    }

    pub(super) fn check(self) -> Check {
        self.source().check()
    }

    /// Its name among the sources of a dump.
    pub(super) fn source(self) -> Source {
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
    /// A CSV row for each engine, under a header, to be joined to a list of engines.
    Row,
}
