//! The arguments of `regress`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use arbiter::speed::Measurement;
use clap::ValueEnum;
use suites::catalogue::Severity;

use crate::verify::{self, SuiteName};

/// Show what a change did: build two versions of an engine, ask both the same cases, and compare their
/// answers case by case.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  touchstone regress                        the working tree against its merge base with the main branch
  touchstone regress main                   the working tree against main
  touchstone regress v1.0..v1.1             two revisions
  touchstone regress --old ./a --new ./b    two programs
  touchstone regress --old-report target/before --new ./b     the reports of an earlier verify --engine
  touchstone regress main --fail-on error,slower:5%           fail if it is more than 5 % slower too
  touchstone regress main --match=\"--each tc=8+0.08 --rounds 2000\"     then a match, if nothing broke
  touchstone regress main --format markdown >> \"$GITHUB_STEP_SUMMARY\"

[build] in touchstone.toml says how a revision is built:
  [build]
  command = \"make -C src\"     # a shell command
  binary = \"src/mine\"         # the engine that it makes
  files = [\"src/mine.nnue\"]   # what it needs beside it

Revisions are checked out in a clone in the cache; the repository is only read. Builds and results are kept there too: see cache.

Exit codes: 0 nothing broke; 1 something broke; 2 a version could not be built, or not be asked all that the other one was.")]
pub(crate) struct RegressArgs {
    /// The revisions: the old one alone, or both [default: the merge base of HEAD and the main branch,
    /// against the working tree].
    #[arg(value_name = "BASE[..HEAD]", conflicts_with_all = ["old", "new", "old_report", "new_report"])]
    pub(crate) range: Option<String>,
    /// The old version is this program.
    #[arg(
        long,
        value_name = "ENGINE",
        requires = "given_new",
        conflicts_with = "old_report",
        group = "given_old"
    )]
    pub(crate) old: Option<String>,
    /// The new version is this program.
    #[arg(long, value_name = "ENGINE", requires = "given_old", group = "given_new")]
    pub(crate) new: Option<String>,
    /// The old version is the engine of these reports of an earlier run.
    #[arg(long, value_name = "DIR", requires = "given_new", group = "given_old")]
    pub(crate) old_report: Option<PathBuf>,
    /// The new version is the engine of these reports.
    #[arg(long, value_name = "DIR", requires = "given_old", conflicts_with = "new", group = "given_new")]
    pub(crate) new_report: Option<PathBuf>,
    /// An argument for both engines, such as --args=--uci; one option for each argument.
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    pub(crate) args: Vec<OsString>,
    /// A UCI option for both engines, such as Hash=16; for a button only its name.
    #[arg(long, value_name = "NAME=VALUE", value_parser = verify::option)]
    pub(crate) option: Vec<(String, String)>,
    /// The file that says how a revision is built [default: touchstone.toml at the root of the repository, if
    /// it exists].
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Suites to run on both: stalemates, mates, conversion, draws.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) suite: Vec<SuiteName>,
    /// Checks to run: ids such as process/crash, or families such as draw; see `explain`.
    #[arg(long, value_name = "IDS", value_delimiter = ',', conflicts_with = "suite", value_parser = verify::known_check)]
    pub(crate) check: Vec<String>,
    /// The folder for reports.
    #[arg(long, value_name = "DIR", default_value = "target/touchstone/regress")]
    pub(crate) out: PathBuf,
    /// Ask a smaller share of the cases: about a minute for each run of both engines.
    #[arg(long)]
    pub(crate) quick: bool,
    /// Ask more cases, and longer searches.
    #[arg(long, conflicts_with = "quick")]
    pub(crate) thorough: bool,
    /// The most seconds that a run of both engines may take [default: 1800; 600 with --quick, none with
    /// --thorough]. The cases do not depend on it. If a run reaches it, the exit code is 2.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=verify::MOST_SECONDS))]
    pub(crate) time_limit: Option<u64>,
    /// The seed of random positions, and of the bootstrap of speeds.
    #[arg(long, value_name = "NUMBER", default_value_t = oracle::perft::RandomPositions::default().seed)]
    pub(crate) seed: u64,
    /// Threads, of which each engine gets half [default: one for each core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
    /// Do not measure the speed.
    #[arg(long)]
    pub(crate) no_speed: bool,
    /// After the suites, if nothing broke: let the new version play against the old one, see `match`. WORDS are arguments
    /// of match after the engines, which are called new and old; words before the first option are those of --sprt
    /// [default: elo0=-5 elo1=0 --each tc=8+0.08 --rounds 500]. If the test says H0 the exit code is 1. The files are in
    /// the folder match of --out. Versions that play alike need no match, and none is played.
    #[arg(long = "match", value_name = "WORDS", num_args = 0..=1, require_equals = true, default_missing_value = "",
          conflicts_with_all = ["old_report", "new_report"])]
    pub(crate) versus: Option<String>,
    /// What makes the exit code 1: broken cases of this severity or a graver one (error, warning, note); with
    /// slower:5% also a new version that is slower by more than 5 %.
    #[arg(long, value_name = "WHAT", value_delimiter = ',', default_value = "error")]
    pub(crate) fail_on: Vec<Failing>,
    /// The output format. The files of all formats are in --out.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
}

/// What makes the exit code 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Failing {
    /// Broken cases of this severity or a graver one.
    From(Severity),
    /// A version that is slower by more than this many per cent.
    Slower(f64),
}

impl std::str::FromStr for Failing {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("expected error, warning, note or slower:5%, got {text:?}");
        if let Ok(severity) = text.parse() {
            return Ok(Self::From(severity));
        }
        let number =
            text.strip_prefix("slower:").and_then(|rest| rest.strip_suffix('%')).ok_or_else(wrong)?;
        let number: f64 = number.parse().map_err(|_| wrong())?;
        if (0.0..100.0).contains(&number) { Ok(Self::Slower(number)) } else { Err(wrong()) }
    }
}

/// The format of standard output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// The changes by cause, and the result.
    Human,
    /// For a comment on a pull request.
    Markdown,
    /// One JSON document.
    Json,
    /// A `JUnit` document.
    Junit,
}

impl RegressArgs {
    /// The lowest severity of a broken case that makes the exit code 1.
    pub(crate) fn fails_from(&self) -> Severity {
        let least = self.fail_on.iter().filter_map(|failing| match failing {
            Failing::From(severity) => Some(*severity),
            Failing::Slower(_) => None,
        });
        least.min().unwrap_or_default()
    }

    /// Whether the speed is measured: there must be two programs.
    pub(crate) fn measures_speed(&self) -> bool {
        !self.no_speed && self.old_report.is_none() && self.new_report.is_none()
    }

    /// How much of the speed is measured.
    pub(crate) fn measurement(&self) -> Measurement {
        let (rounds, round) = if self.quick { (8, 200) } else { (14, 500) };
        Measurement { rounds, round: Duration::from_millis(round), seed: self.seed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fails() {
        let check = |text: &str, expected: Option<Failing>| assert_eq!(text.parse().ok(), expected, "{text}");
        check("error", Some(Failing::From(Severity::Error)));
        check("note", Some(Failing::From(Severity::Note)));
        check("slower:5%", Some(Failing::Slower(5.0)));
        check("slower:2.5%", Some(Failing::Slower(2.5)));
        for wrong in ["", "slower", "slower:5", "slower:-1%", "slower:100%", "slower:nan%", "broken"] {
            check(wrong, None);
        }
    }
}
