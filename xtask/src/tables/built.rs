//! The shards of `tables build`, and their tables in one folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use engine::tables::builders::{self, Builder};
use engine::tables::{Layout, Material, file};
use serde::{Deserialize, Serialize};

use crate::outcome::Exit;
use crate::shard::{self, Begun, Part, Shard, Verb};
use crate::{console, files};

/// What was selected, of the whole run.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Selection {
    /// All tables of the run, each after those that it leads to.
    tables: Vec<String>,
    builder: String,
}

/// What a shard built.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Results {
    /// The SHA-256 sums of its share of the files, by name.
    files: BTreeMap<String, String>,
}

/// A shard that has begun.
pub(super) struct Share {
    begun: Begun,
    /// Its own tables, without the smaller ones that are built only because these lead to them.
    tables: Vec<Material>,
}

impl Share {
    /// Begins a shard of a run that builds these tables.
    pub(super) fn begin(
        folder: &Path,
        shard: Shard,
        tables: &[Material],
        builder: &dyn Builder,
    ) -> anyhow::Result<Self> {
        let names = tables.iter().map(ToString::to_string).collect();
        let selection = Selection { tables: names, builder: builder.name().to_owned() };
        let begun = Begun::begin(folder, Verb::TablesBuild, shard, &selection)?;
        let units = tables.iter().map(|&table| (table.to_string(), Layout::new(table).slots() as u64));
        let own = shard::share(units, shard);
        let tables = tables.iter().copied().filter(|table| own.contains(&table.to_string())).collect();
        Ok(Self { begun, tables })
    }

    /// Its tables, each after those that it leads to.
    pub(super) fn with_smaller(&self) -> Vec<Material> {
        builders::with_smaller(&self.tables)
    }

    /// Says that the files of the shard are in its folder.
    pub(super) fn finish(self, folder: &Path, builder: &dyn Builder) -> anyhow::Result<()> {
        let mut files = BTreeMap::new();
        for name in self.tables.iter().flat_map(|&table| file_names(table, builder)) {
            let sum = shard::sum(&files::read(&folder.join(&name), file::MAX_BYTES)?);
            files.insert(name, sum);
        }
        self.begun.finish(&Results { files })
    }
}

/// The names of the files of a table.
fn file_names(table: Material, builder: &dyn Builder) -> Vec<String> {
    builder.metrics().iter().map(|metric| format!("{table}.{metric}")).collect()
}

/// Copies the tables of all shards into one folder.
pub(crate) fn merge(parts: &[Part], out: &Path) -> anyhow::Result<Exit> {
    let Some(first) = parts.first() else { bail!("a run has at least one shard") };
    let Selection { tables, builder } = first.selection()?;
    let builder = builders::builder(&builder).with_context(|| format!("there is no builder {builder}"))?;
    let mut built: BTreeMap<String, (PathBuf, String)> = BTreeMap::new();
    for part in parts {
        let results: Results = part.results()?;
        let place = |(name, sum): (String, String)| {
            let path = part.folder.join(&name);
            (name, (path, sum))
        };
        built.extend(results.files.into_iter().map(place));
    }
    files::try_folder(out)?;
    for table in &tables {
        for name in file_names(super::named(table).map_err(anyhow::Error::msg)?, builder) {
            let (path, sum) = built.get(&name).with_context(|| format!("no shard has built {name}"))?;
            let bytes = files::read(path, file::MAX_BYTES)?;
            if shard::sum(&bytes) != *sum {
                bail!("{} is not what its shard wrote: run the shard again, with --again", path.display());
            }
            let path = out.join(&name);
            files::write(&path, &bytes)?;
            console::line(&format!("{}: {} bytes", path.display(), bytes.len()))?;
        }
    }
    Ok(Exit::Agree)
}
