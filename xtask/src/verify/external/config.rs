//! `touchstone.toml`: engines by name.
//!
//! ```toml
//! [engine.mine]
//! path = "target/release/mine"    # relative to the folder of this file; without a slash, a program in the PATH
//! args = ["--uci"]
//! dir = "run"                     # the working directory, relative to the folder of this file
//! env = { MINE_LOG = "off" }
//! options = { Hash = 16, "Own Book" = false }
//! ```

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::Deserialize;

use crate::files;

/// The default file.
pub(super) const FILE: &str = "touchstone.toml";
/// The largest file that is read, in bytes.
const LARGEST: u64 = 1 << 20;

/// The contents of the file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Config {
    #[serde(default)]
    engine: BTreeMap<String, Entry>,
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

/// The value of an option, as it is natural in TOML.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected a text, a whole number, true or false")]
pub(super) enum Value {
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
    pub(super) fn read(named: Option<&Path>) -> anyhow::Result<Self> {
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

    /// The engine with this name.
    pub(super) fn engine(&self, name: &str) -> Option<&Entry> {
        self.engine.get(name)
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
    }
}
