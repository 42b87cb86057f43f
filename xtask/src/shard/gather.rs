//! The shards of a run, read from their folders: all of them, each once, finished, and of one run.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde::de::DeserializeOwned;

use super::folder::{RESULTS, Record, SHARD, Verb, sum};
use crate::files;

/// The most bytes of the results of a shard.
const MOST_OF_RESULTS: u64 = 4 << 30;

/// A finished shard.
pub(crate) struct Part {
    pub(crate) folder: PathBuf,
    record: Record,
}

impl Part {
    /// What was run.
    pub(crate) fn verb(&self) -> Verb {
        self.record.verb
    }

    /// Which shard it is, such as `2/3`.
    pub(crate) fn name(&self) -> String {
        name(&self.record)
    }

    /// What was selected, of the whole run.
    pub(crate) fn selection<S: DeserializeOwned>(&self) -> anyhow::Result<S> {
        let selection = self.record.selection.clone();
        serde_json::from_value(selection)
            .with_context(|| format!("{}: the selection cannot be read", self.folder.join(SHARD).display()))
    }

    /// The results of the shard. The results of all shards might not fit into memory together, so the caller
    /// reads them one after the other.
    pub(crate) fn results<R: DeserializeOwned>(&self) -> anyhow::Result<R> {
        serde_json::from_slice(&self.bytes()?)
            .with_context(|| format!("{} cannot be read", self.folder.join(RESULTS).display()))
    }

    /// The bytes of the results, compared with their sum.
    fn bytes(&self) -> anyhow::Result<Vec<u8>> {
        let path = self.folder.join(RESULTS);
        let bytes = files::read(&path, MOST_OF_RESULTS)?;
        if self.record.results.as_ref() != Some(&sum(&bytes)) {
            bail!("{} is not what shard {} wrote: run it again", path.display(), self.name());
        }
        Ok(bytes)
    }
}

/// Reads the shards in these folders, in the order of their numbers.
///
/// # Errors
/// A folder without a shard; a shard that is not finished, or whose results are not what it wrote; shards of
/// different runs, numbers or versions; a shard that is there twice, or not at all.
pub(crate) fn gather(folders: &[PathBuf]) -> anyhow::Result<Vec<Part>> {
    let mut records = Vec::new();
    for folder in folders {
        records.push((folder, record(folder)?));
    }
    records.sort_by_key(|(_, record)| record.shard);
    let mut neighbours = records.iter().zip(records.iter().skip(1));
    let Some((first, one)) = records.first() else { bail!("name the folders of the shards") };
    for (folder, other) in &records {
        let [first, folder] = [first, folder].map(|folder| folder.display());
        if other.shards != one.shards {
            bail!(
                "{first} is of a run of {} shards, {folder} of a run of {}: merge the shards of one run",
                one.shards,
                other.shards
            );
        }
        if other.version != one.version {
            bail!(
                "{first} is of version {}, {folder} of version {}: run all shards with one",
                one.version,
                other.version
            );
        }
        if other.plan != one.plan || other.selection != one.selection || other.verb != one.verb {
            bail!("{first} and {folder} are shards of different runs: {}", difference(one, other));
        }
    }
    if let Some(((one, record), (other, _))) = neighbours.find(|(one, other)| one.1.shard == other.1.shard) {
        bail!("shard {} is there twice: in {} and in {}", name(record), one.display(), other.display());
    }
    let there = |number: &u32| records.iter().any(|(_, record)| record.shard == *number);
    let missing: Vec<String> = (1..=one.shards)
        .filter(|number| !there(number))
        .map(|number| format!("{number}/{}", one.shards))
        .collect();
    if !missing.is_empty() {
        let are = if missing.len() == 1 { "a shard is" } else { "shards are" };
        bail!("{are} missing: {}; name the folders of all {} shards", missing.join(", "), one.shards);
    }
    let unfinished =
        |(folder, record): &&(&PathBuf, Record)| record.results.is_none() || !folder.join(RESULTS).is_file();
    if let Some((folder, record)) = records.iter().find(unfinished) {
        bail!("shard {} in {} is not finished: run it again", name(record), folder.display());
    }
    let parts: Vec<Part> =
        records.into_iter().map(|(folder, record)| Part { folder: folder.clone(), record }).collect();
    parts.iter().try_for_each(|part| part.bytes().map(drop))?;
    Ok(parts)
}

fn record(folder: &Path) -> anyhow::Result<Record> {
    if !folder.is_dir() {
        bail!("{} is not a folder", folder.display());
    }
    Record::read(folder)?
        .with_context(|| format!("{} holds no shard: there is no {SHARD} in it", folder.display()))
}

fn name(record: &Record) -> String {
    format!("{}/{}", record.shard, record.shards)
}

/// The most bytes of a value that is shown.
const SHOWN: usize = 80;

/// What the selections of two runs differ in.
fn difference(one: &Record, other: &Record) -> String {
    let verb = |record: &Record| serde_json::to_string(&record.verb).unwrap_or_default();
    if one.verb != other.verb {
        return format!("{} and {}", verb(one), verb(other));
    }
    let fields = one.selection.as_object().into_iter().flatten();
    let differs = fields.map(|(name, value)| (name, value, other.selection.get(name)));
    let Some((name, value, other)) = differs.into_iter().find(|(_, value, other)| Some(*value) != *other)
    else {
        return "their sums differ".to_owned();
    };
    let shown = |value: String| value.chars().take(SHOWN).collect::<String>();
    let other = other.map_or_else(|| "nothing".to_owned(), ToString::to_string);
    format!("{name} is {} and {}", shown(value.to_string()), shown(other))
}
