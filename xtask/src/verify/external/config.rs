//! `touchstone.toml`: engines by name.
//!
//! ```toml
//! [engine.mine]
//! path = "target/release/mine"    # relative to the folder of this file; without a slash, a program in the PATH
//! args = ["--uci"]
//! dir = "run"                     # the working directory, relative to the folder of this file
//! env = { MINE_LOG = "off" }
//! options = { Hash = 16, "Own Book" = false }
//!
//! [build]                         # how `regress` and `bisect` build a revision; paths are relative to its root
//! command = "make -C src"         # a shell command
//! binary = "src/mine"             # the engine that it makes
//! files = ["src/mine.nnue"]       # what the engine needs beside it
//! args = ["--uci"]                # as of an engine; so are env and options
//! reports = "./selftest {out}"    # a command that writes reports of Touchstone into the folder {out}
//!
//! [accept]                        # findings that do not fail the run, by check, case, cause or pattern, and why
//! "draw/twofold" = "it saves time"
//! "mate/*" = { reason = "planned for 1.1", until = "2027-01-31" }
//! ```

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use anyhow::Context;
use chrono::NaiveDate;
use serde::Deserialize;

use super::super::accepted::Accepted;
use super::super::engine_args::EngineArgs;
use crate::files;

/// The default file.
pub(crate) const FILE: &str = "touchstone.toml";
/// The largest file that is read, in bytes.
const LARGEST: u64 = 1 << 20;

/// Engines by name, how a revision is built, and which findings are accepted.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "touchstone.toml"))]
#[serde(deny_unknown_fields)]
pub(crate) struct Config {
    /// Engines by name.
    #[serde(default)]
    engine: BTreeMap<String, Entry>,
    /// How a revision is built.
    build: Option<Build>,
    /// Findings that the author accepts, and why: by check, family, cause, check and case, or a pattern with
    /// `*`.
    #[serde(default)]
    accept: BTreeMap<String, Acceptance>,
    /// The folder of the file, to which its paths are relative.
    #[serde(skip)]
    folder: PathBuf,
}

/// An engine.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    /// The program, relative to the folder of this file; without a slash, a program in the PATH.
    pub(super) path: PathBuf,
    /// Its arguments, one for each word.
    #[serde(default)]
    pub(super) args: Vec<String>,
    /// The folder that it is started in, relative to the folder of this file.
    pub(super) dir: Option<PathBuf>,
    /// Variables of its environment.
    #[serde(default)]
    pub(super) env: BTreeMap<String, String>,
    /// Whether each process is started in an empty folder, which is its home too, with no variable of the
    /// environment but PATH and those of `env`. It has no `dir` then.
    #[serde(default)]
    pub(super) isolate: bool,
    /// The most memory beside its hash table, in MiB.
    pub(super) memory: Option<NonZeroU32>,
    /// UCI options that are set first.
    #[serde(default)]
    pub(super) options: BTreeMap<String, Value>,
}

/// How a revision is built. Paths are relative to its root.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Build {
    /// The shell command that builds it.
    pub(crate) command: String,
    /// The engine; where it is not named, the only new program is the engine.
    pub(crate) binary: Option<PathBuf>,
    /// Files and folders that the engine needs beside it.
    #[serde(default)]
    pub(crate) files: Vec<PathBuf>,
    /// The arguments of the engine.
    #[serde(default)]
    pub(crate) args: Vec<String>,
    /// Environment variables of the engine.
    #[serde(default)]
    pub(crate) env: BTreeMap<String, String>,
    /// Whether each process of the engine is started in an empty folder, with no variable of the environment but
    /// PATH and those of `env`.
    #[serde(default)]
    pub(crate) isolate: bool,
    /// The most memory of the engine beside its hash table, in MiB.
    pub(crate) memory: Option<NonZeroU32>,
    /// Options of the engine.
    #[serde(default)]
    pub(crate) options: BTreeMap<String, Value>,
    /// A shell command that writes reports of this revision into the folder `{out}`.
    pub(crate) reports: Option<String>,
}

impl Build {
    /// How what it makes is started.
    pub(crate) fn start(&self) -> EngineArgs {
        EngineArgs {
            args: self.args.iter().map(Into::into).collect(),
            env: self.env.iter().map(|(name, value)| (name.clone(), value.clone())).collect(),
            isolate: self.isolate,
            memory: self.memory.map(|memory| u64::from(memory.get())),
            option: self.options.iter().map(|(name, value)| (name.clone(), value.to_string())).collect(),
            ..EngineArgs::default()
        }
    }
}

/// Why a finding is accepted, and until when.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(
    untagged,
    expecting = "expected the reason as a text, or { reason = \"...\", until = \"2027-01-31\" }"
)]
enum Acceptance {
    /// The reason.
    Always(String),
    /// The reason, and how long it holds.
    Until(Until),
}

/// A reason that may expire.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Until {
    /// Why the finding is accepted.
    reason: String,
    /// The last day on which it is accepted, such as `2027-01-31`, in UTC.
    until: Option<String>,
}

impl Acceptance {
    /// The reason and the last day.
    fn parts(&self) -> (&str, Option<&str>) {
        match self {
            Self::Always(reason) => (reason, None),
            Self::Until(Until { reason, until }) => (reason, until.as_deref()),
        }
    }
}

/// The value of an option, as it is natural in TOML.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged, expecting = "expected a text, a whole number, true or false")]
pub(crate) enum Value {
    Truth(bool),
    Number(i64),
    Text(String),
}

impl fmt::Display for Value {
    /// As UCI writes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truth(value) => value.fmt(f),
            Self::Number(value) => value.fmt(f),
            Self::Text(value) => f.write_str(value),
        }
    }
}

impl Config {
    /// What the file of this name says, or that of the current folder; nothing if there is none.
    pub(crate) fn read(named: Option<&Path>) -> anyhow::Result<Self> {
        let usual = Path::new(FILE);
        let Some(path) = named.or_else(|| usual.is_file().then_some(usual)) else {
            return Ok(Self::default());
        };
        let bytes = files::read(path, LARGEST)?;
        let text = std::str::from_utf8(&bytes).with_context(|| format!("{} is not UTF-8", path.display()))?;
        let mut config = parse(text).with_context(|| path.display().to_string())?;
        config.folder = path.parent().map(Path::to_owned).unwrap_or_default();
        Ok(config)
    }

    /// How a revision is built, if the file says it.
    pub(crate) fn build(&self) -> Option<&Build> {
        self.build.as_ref()
    }

    /// The engine with this name.
    pub(super) fn engine(&self, name: &str) -> Option<&Entry> {
        self.engine.get(name)
    }

    /// What the author accepts on this day.
    ///
    /// # Errors
    /// An entry is wrong: see [`Accepted::new`].
    pub(crate) fn accepted(&self, today: NaiveDate) -> anyhow::Result<Accepted> {
        Accepted::new(self.accept.iter().map(|(key, entry)| (key.as_str(), entry.parts())), today)
            .context(FILE)
    }

    /// The same if the file names this engine, or builds it; of others nothing is accepted.
    pub(crate) fn accepted_of(&self, engine: &str, today: NaiveDate) -> anyhow::Result<Accepted> {
        let accepted = self.accepted(today)?;
        let built = self.build.as_ref().and_then(|build| build.binary.as_ref());
        let real = |path: &Path| path.canonicalize().ok();
        let is_built = || {
            let binary = built.and_then(|binary| real(&self.in_folder(binary)));
            binary.is_some() && binary == real(Path::new(engine))
        };
        Ok(if self.engine.contains_key(engine) || is_built() { accepted } else { Accepted::default() })
    }

    /// The names of all engines.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.engine.keys().map(String::as_str)
    }

    /// The engine that `[build]` makes, if it is built, and how it is started.
    pub(crate) fn built(&self) -> Option<EngineArgs> {
        let build = self.build.as_ref()?;
        let binary = self.in_folder(build.binary.as_ref()?);
        let path = binary.is_file().then(|| binary.canonicalize().ok()).flatten()?;
        Some(EngineArgs { engine: Some(path.display().to_string()), ..build.start() })
    }

    /// A path relative to the folder of the file.
    pub(super) fn in_folder(&self, path: &Path) -> PathBuf {
        self.folder.join(path)
    }
}

fn parse(text: &str) -> Result<Config, toml::de::Error> {
    toml::from_str(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_with_all_fields() {
        let config = parse(
            "[engine.mine]\npath = \"bin/mine\"\nargs = [\"--uci\"]\ndir = \"run\"\nenv = { A = \"b\" }\n\
             options = { Hash = 16, Ponder = false, File = \"x y\" }\n[engine.other]\npath = \"other\"\n",
        )
        .unwrap();
        assert_eq!(config.names().collect::<Vec<_>>(), ["mine", "other"]);
        let entry = config.engine("mine").unwrap();
        assert_eq!(
            (entry.path.as_path(), &entry.args[..]),
            (Path::new("bin/mine"), &["--uci".to_owned()][..])
        );
        let options: Vec<String> =
            entry.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(options, ["File=x y", "Hash=16", "Ponder=false"]);
    }

    #[test]
    fn findings_of_the_engines_of_the_file_are_accepted() {
        let config = parse(
            "[engine.mine]\npath = \"x\"\n[accept]\n\"draw/twofold\" = \"it saves time\"\n\
             mates = { reason = \"planned\", until = \"2027-01-31\" }\n",
        )
        .unwrap();
        let today = NaiveDate::from_ymd_opt(2027, 1, 1).unwrap();
        let found = |check: &str| suites::Difference { check: check.to_owned(), ..Default::default() };
        let mut mine = config.accepted_of("mine", today).unwrap();
        assert_eq!(mine.accept(&found("draw/twofold")), Some("it saves time"));
        assert_eq!(mine.accept(&found("mate/line")), Some("planned"));
        assert_eq!(config.accepted_of("other", today).unwrap().accept(&found("mate/line")), None);
        let later = NaiveDate::from_ymd_opt(2027, 2, 1).unwrap();
        assert_eq!(config.accepted(later).unwrap().accept(&found("mate/line")), None);
        let wrong = parse("[accept]\ndraw = { until = \"2027-01-31\" }\n").unwrap_err().to_string();
        assert!(wrong.contains("expected the reason as a text, or { reason"), "{wrong}");
        let wrong = parse("[accept]\ndraw = \"\"\n").unwrap().accepted(today).unwrap_err();
        assert!(
            format!("{wrong:#}").contains("touchstone.toml: [accept]: \"draw\" has no reason"),
            "{wrong:#}"
        );
    }

    #[test]
    fn errors_name_their_line() {
        let check = |text: &str, parts: &[&str]| {
            let error = parse(text).unwrap_err().to_string();
            for part in parts {
                assert!(error.contains(part), "{part:?} is not in\n{error}");
            }
        };
        check("[engine.mine]\npath = \"x\"\nargz = []\n", &["line 3", "unknown field `argz`", "`args`"]);
        check("[engin.mine]\npath = \"x\"\n", &["line 1", "unknown field `engin`"]);
        check("[engine.mine]\nargs = []\n", &["missing field `path`", "line 1"]);
        check("[engine.mine]\npath = \"x\"\noptions = { Hash = [1] }\n", &["line 3", "expected a text"]);
        check("[engine.mine\n", &["line 1"]);
        check("[build]\nbinary = \"x\"\n", &["missing field `command`"]);
        check("[build]\ncommand = \"make\"\nbinari = \"x\"\n", &["line 3", "unknown field `binari`"]);
    }
}
