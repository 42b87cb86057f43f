//! The shards of `field-test`, and the page of all of them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use reports::field_report::{FieldEntry, FieldOutcome};
use serde::{Deserialize, Serialize};

use super::{FieldTestArgs, PART, Page};
use crate::outcome::Exit;
use crate::report_folder;
use crate::shard::{self, Begun, Part, Shard, Verb};

/// What was selected, of the whole run.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Selection {
    /// The known engines, then the programs of a folder, in the order of the page.
    engines: Vec<String>,
    quick: bool,
    thorough: bool,
    /// The page to write; none for the usual one of a part.
    page: Option<PathBuf>,
    notes: PathBuf,
}

/// What a shard found.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Results {
    entries: Vec<FieldEntry>,
}

/// A shard that has begun.
pub(super) struct Share {
    begun: Begun,
    own: BTreeSet<String>,
}

impl Share {
    /// Begins a shard of a run of these engines.
    pub(super) fn begin(args: &FieldTestArgs, shard: Shard, engines: Vec<String>) -> anyhow::Result<Self> {
        if let Some(twice) = engines
            .iter()
            .enumerate()
            .find_map(|(place, name)| engines[..place].contains(name).then_some(name))
        {
            bail!("two engines are called {twice}: shards and reports identify engines by name");
        }
        let own = shard::share(engines.iter().map(|name| (name.clone(), 1)), shard);
        let selection = Selection {
            engines,
            quick: args.quick,
            thorough: args.thorough,
            page: Some(args.page()).filter(|page| *page != args.reports.join(PART)),
            notes: args.notes.clone(),
        };
        let begun = Begun::begin(&args.reports, Verb::FieldTest, shard, &selection)?;
        Ok(Self { begun, own })
    }

    /// Whether the shard checks this engine.
    pub(super) fn has(&self, engine: &str) -> bool {
        self.own.contains(engine)
    }

    /// Writes what the shard found.
    pub(super) fn finish(self, entries: Vec<FieldEntry>) -> anyhow::Result<()> {
        self.begun.finish(&Results { entries })
    }
}

/// Writes the page and the reports of all shards.
pub(crate) fn merge(parts: &[Part], out: &Path) -> anyhow::Result<Exit> {
    let Some(first) = parts.first() else { bail!("a run has at least one shard") };
    let Selection { engines, page, notes, .. } = first.selection()?;
    let notes = super::notes(&notes)?;
    let mut found = Vec::new();
    for part in parts {
        found.extend(part.results::<Results>()?.entries);
    }
    let mut entries = Vec::new();
    for name in engines {
        let place = found.iter().position(|entry| entry.name == name);
        entries.push(found.remove(place.with_context(|| format!("no shard has checked {name}"))?));
    }
    for FieldEntry { name, outcome, .. } in &entries {
        if let FieldOutcome::Checked { run, .. } = outcome {
            report_folder::put(&out.join(name), &run.files(), Vec::new())?;
        }
    }
    let is_named = page.is_some();
    let path = page.unwrap_or_else(|| out.join(PART));
    Page { path, is_named }.write(&entries, &notes)
}
