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
//! [accept]                        # findings that do not fail the run, by check or cause, and why
//! "draw/twofold" = "it saves time"
//! ```

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use serde::Deserialize;

use super::super::selection::{family, known as known_check};
use crate::files;

/// The default file.
pub(crate) const FILE: &str = "touchstone.toml";
/// The largest file that is read, in bytes.
const LARGEST: u64 = 1 << 20;

/// The contents of the file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Config {
    #[serde(default)]
    engine: BTreeMap<String, Entry>,
    /// How a revision is built.
    build: Option<Build>,
    /// Findings that the author accepts: the id of a check or a cause, and the reason.
    #[serde(default)]
    accept: BTreeMap<String, String>,
    /// The folder of the file, to which its paths are relative.
    #[serde(skip)]
    folder: PathBuf,
}

/// An engine.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    pub(super) path: PathBuf,
    #[serde(default)]
    pub(super) args: Vec<String>,
    pub(super) dir: Option<PathBuf>,
    #[serde(default)]
    pub(super) env: BTreeMap<String, String>,
    #[serde(default)]
    pub(super) options: BTreeMap<String, Value>,
}

/// How a revision is built. Paths are relative to its root.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
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
    /// Options of the engine.
    #[serde(default)]
    pub(crate) options: BTreeMap<String, Value>,
    /// A shell command that writes reports of this revision into the folder `{out}`.
    pub(crate) reports: Option<String>,
}

/// The value of an option, as it is natural in TOML.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
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
        let text = std::str::from_utf8(&bytes).with_context(|| format!("{} is no UTF-8", path.display()))?;
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

    /// What the author of this engine accepts, by check, family or cause, with the reason. Nothing of engines that the file does not
    /// name.
    ///
    /// # Errors
    /// A reason is empty, or what looks like the id of a check is none.
    pub(super) fn accepted(&self, engine: &str) -> anyhow::Result<BTreeMap<String, String>> {
        let mut accepted = BTreeMap::new();
        for (finding, reason) in &self.accept {
            if reason.trim().is_empty() {
                bail!("[accept] of {FILE}: {finding:?} has no reason");
            }
            // A cause is several words.
            let is_cause = finding.contains(' ');
            if !is_cause {
                known_check(finding).map_err(|error| anyhow!("[accept] of {FILE}: {finding:?}: {error}"))?;
            }
            let named = if is_cause || finding.contains('/') { finding } else { family(finding) };
            accepted.insert(named.to_owned(), reason.clone());
        }
        Ok(if self.engine.contains_key(engine) { accepted } else { BTreeMap::new() })
    }

    /// The names of all engines.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.engine.keys().map(String::as_str)
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
    fn accepted_findings_have_reasons() {
        let engine = "[engine.mine]\npath = \"x\"\n[accept]\n";
        let accepted = |text: &str, name: &str| parse(&format!("{engine}{text}")).unwrap().accepted(name);
        let both =
            "\"draw/twofold\" = \"it saves time\"\n\"mates\" = \"planned\"\n\"a cause\" = \"so it is\"\n";
        let keys: Vec<String> = accepted(both, "mine").unwrap().into_keys().collect();
        assert_eq!(keys, ["a cause", "draw/twofold", "mate"]);
        assert!(accepted(both, "/usr/games/other").unwrap().is_empty());
        let check = |text: &str, part: &str| {
            let error = accepted(text, "mine").unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        };
        check("\"draw/twofold\" = \" \"\n", "\"draw/twofold\" has no reason");
        check("\"draw/towfold\" = \"why\"\n", "no such check (did you mean draw/twofold");
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
