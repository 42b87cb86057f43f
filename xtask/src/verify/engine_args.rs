//! The arguments of `--engine`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use arbiter::Effort;

/// A UCI engine, how it is started, and what is checked.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "A UCI engine")]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
pub(crate) struct EngineArgs {
    /// A UCI engine to check: a file, a program in the PATH, or a name in touchstone.toml.
    #[arg(long, value_name = "ENGINE", conflicts_with_all = ["subject", "builder", "dump", "tables"])]
    pub(crate) engine: Option<String>,
    /// An argument for the engine, such as --args=--uci; one option for each argument.
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    pub(crate) args: Vec<OsString>,
    /// A UCI option to set, such as Hash=16; for a button only its name.
    #[arg(long, value_name = "NAME=VALUE", value_parser = option)]
    pub(crate) option: Vec<(String, String)>,
    /// The working directory of the engine [default: this one].
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
    /// An environment variable for the engine.
    #[arg(long, value_name = "NAME=VALUE", value_parser = variable)]
    pub(crate) env: Vec<(String, String)>,
    /// Start each process of the engine in an empty folder, which is its home too, with no variable of the
    /// environment but PATH and those of --env.
    #[arg(long, conflicts_with = "dir")]
    pub(crate) isolate: bool,
    /// The most memory of the engine beside its hash table, in MiB [default: 4096]. On Linux.
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) memory: Option<u64>,
    /// The name of the engine in reports [default: the name of the file].
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// The file that names engines [default: touchstone.toml, if it exists].
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Checks to run: ids such as process/crash, or families such as draw; see `explain`.
    #[arg(long, value_name = "IDS", value_delimiter = ',', conflicts_with = "suite",
          value_parser = crate::verify::known_check)]
    pub(crate) check: Vec<String>,
    /// Exit with 2 if an entry of `[accept]` in touchstone.toml has expired, or no finding matches it any
    /// more.
    #[arg(long)]
    pub(crate) strict: bool,
    /// Whether `[accept]` is left to who compares runs.
    #[arg(skip)]
    pub(crate) accepts_nothing: bool,
    /// Whether it was asked before: the names of the transcripts tell both runs apart.
    #[arg(skip)]
    pub(crate) is_asked_again: bool,
    /// The most seconds that a run may take [default: 1800; 600 with --quick, none with --thorough]. The
    /// cases do not depend on it. If a run reaches it, the exit code is 2.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=MOST_SECONDS))]
    pub(crate) time_limit: Option<u64>,
    /// The folder for transcripts of all sessions, a file for each.
    #[arg(long, value_name = "DIR")]
    pub(crate) transcripts: Option<PathBuf>,
}

/// The most memory of an engine beside its hash table, in MiB, unless it is given.
pub(crate) const MEMORY: u64 = 4096;

/// The longest run, in seconds: a week.
pub(crate) const MOST_SECONDS: u64 = 7 * 24 * 60 * 60;

impl EngineArgs {
    /// The first option here that is of no use without an engine.
    pub(crate) fn needs_engine(&self) -> Option<&'static str> {
        let given = [
            ("--args", !self.args.is_empty()),
            ("--option", !self.option.is_empty()),
            ("--dir", self.dir.is_some()),
            ("--env", !self.env.is_empty()),
            ("--isolate", self.isolate),
            ("--memory", self.memory.is_some()),
            ("--name", self.name.is_some()),
            ("--config", self.config.is_some()),
            ("--check", !self.check.is_empty()),
            ("--strict", self.strict),
            ("--time-limit", self.time_limit.is_some()),
            ("--transcripts", self.transcripts.is_some()),
        ];
        given.into_iter().find(|(_, is_given)| *is_given).map(|(option, _)| option)
    }

    /// The time limit.
    pub(crate) fn limit(&self, effort: Effort) -> Option<Duration> {
        let usual = match effort {
            Effort::Quick => Some(600),
            Effort::Plain => Some(1800),
            Effort::Thorough => None,
        };
        self.time_limit.or(usual).map(Duration::from_secs)
    }
}

/// Parses a UCI option of the command line.
pub(crate) fn option(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    if name.trim().is_empty() {
        return Err("expected NAME=VALUE, such as Hash=16".to_owned());
    }
    if text.contains(['\n', '\r']) {
        return Err("a UCI option is one line".to_owned());
    }
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

fn variable(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && !text.contains('\0') => {
            Ok((name.to_owned(), value.to_owned()))
        }
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}
