//! What a shard leaves in its folder: `shard.json` says which shard of which run it is, `shard-results.json`
//! holds what it found.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::Digest;
use suites::syzygy::Sha256;

use super::Shard;
use crate::files;

/// The name of the file that says which shard it is.
pub(super) const SHARD: &str = "shard.json";
/// The name of the file with what it found.
pub(super) const RESULTS: &str = "shard-results.json";
/// The most bytes of [`SHARD`].
const MOST_OF_SHARD: u64 = 16 << 20;

/// What is run in shards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Verb {
    #[serde(rename = "verify")]
    Verify,
    #[serde(rename = "tables build")]
    TablesBuild,
    #[serde(rename = "field-test")]
    FieldTest,
}

/// The contents of `shard.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Record {
    pub(super) verb: Verb,
    pub(super) shard: u32,
    pub(super) shards: u32,
    /// The version of the program, and what it was built with.
    pub(super) version: String,
    /// The SHA-256 sum of the verb, the version and the selection: it is equal in all shards of a run.
    pub(super) plan: String,
    /// What was selected, of the whole run.
    pub(super) selection: Value,
    /// The SHA-256 sum of `shard-results.json`; none until the shard is finished.
    pub(super) results: Option<String>,
}

impl Record {
    fn new(verb: Verb, shard: Shard, selection: Value) -> anyhow::Result<Self> {
        let version = version();
        let plan = sum(&serde_json::to_vec(&(verb, &version, &selection))?);
        let Shard { number, of } = shard;
        Ok(Self { verb, shard: number, shards: of, version, plan, selection, results: None })
    }

    /// Reads `shard.json` of a folder; `None` if there is none.
    pub(super) fn read(folder: &Path) -> anyhow::Result<Option<Self>> {
        let path = folder.join(SHARD);
        if !path.exists() {
            return Ok(None);
        }
        let record: Self = serde_json::from_slice(&files::read(&path, MOST_OF_SHARD)?)
            .with_context(|| format!("{} cannot be read: run the shard again", path.display()))?;
        Shard::try_from((record.shard, record.shards))
            .with_context(|| format!("{} belongs to no shard", path.display()))?;
        Ok(Some(record))
    }

    fn write(&self, folder: &Path) -> anyhow::Result<()> {
        let mut bytes = serde_json::to_vec_pretty(self)?;
        bytes.push(b'\n');
        files::write(&folder.join(SHARD), &bytes)
    }
}

impl TryFrom<(u32, u32)> for Shard {
    type Error = anyhow::Error;

    fn try_from((number, of): (u32, u32)) -> anyhow::Result<Self> {
        format!("{number}/{of}").parse().map_err(anyhow::Error::msg)
    }
}

/// The version of the program, and the oracles that not every build has.
fn version() -> String {
    let built = [(cfg!(feature = "gaviota"), " gaviota"), (cfg!(feature = "prophet"), " prophet")];
    let built = built.into_iter().filter_map(|(is_built, name)| is_built.then_some(name));
    std::iter::once(env!("CARGO_PKG_VERSION")).chain(built).collect()
}

/// The SHA-256 sum of some bytes, in hexadecimal digits.
pub(crate) fn sum(bytes: &[u8]) -> String {
    Sha256(sha2::Sha256::digest(bytes).into()).to_string()
}

/// A shard that has begun. Until it is finished, its folder says so.
pub(crate) struct Begun {
    folder: PathBuf,
    record: Record,
}

impl Begun {
    /// Removes the results of an earlier run from the folder, and says in it which shard this is.
    ///
    /// # Errors
    /// The folder is that of another shard of the same run, or cannot be written.
    pub(crate) fn begin(
        folder: &Path,
        verb: Verb,
        shard: Shard,
        selection: &impl Serialize,
    ) -> anyhow::Result<Self> {
        let record = Record::new(verb, shard, serde_json::to_value(selection)?)?;
        // What cannot be read is replaced.
        if let Ok(Some(other)) = Record::read(folder)
            && other.plan == record.plan
            && (other.shard, other.shards) != (record.shard, record.shards)
        {
            bail!(
                "{} holds shard {}/{} of this run: give each shard a folder of its own",
                folder.display(),
                other.shard,
                other.shards
            );
        }
        record.write(folder)?;
        files::remove(&folder.join(RESULTS))?;
        Ok(Self { folder: folder.to_owned(), record })
    }

    /// Writes what the shard found. With that it is finished.
    pub(crate) fn finish(mut self, results: &impl Serialize) -> anyhow::Result<()> {
        let bytes = serde_json::to_vec(results)?;
        files::write(&self.folder.join(RESULTS), &bytes)?;
        self.record.results = Some(sum(&bytes));
        self.record.write(&self.folder)
    }
}
