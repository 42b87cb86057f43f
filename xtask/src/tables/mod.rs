//! `tables`: building, reading and asking endgame tables. One file a verb.

mod build;
mod built;
mod check;
mod explore;
mod export;
mod fetch;
mod name;
mod probe;
mod stats;
mod syzygy;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::Subcommand;
use engine::tables::builders::{self, Builder, MAX_QUICK_MEN};
use engine::tables::file::{self, BlockCache, SeekSource, TableFile};
use engine::tables::{Material, Metric, Table, TableSet};

pub(crate) use built::merge;
pub(crate) use name::named;

use crate::outcome::Exit;
use crate::{files, program};

/// Build, read and probe endgame tables.
#[derive(Debug, Clone, Subcommand)]
pub(crate) enum TablesCommand {
    Build(build::BuildArgs),
    Stats(stats::StatsArgs),
    Probe(probe::ProbeArgs),
    Export(export::ExportArgs),
    Explore(explore::ExploreArgs),
    Check(check::CheckArgs),
    Fetch(fetch::FetchArgs),
    Syzygy(syzygy::SyzygyFilesArgs),
}

/// Does what is asked.
pub(crate) fn run(command: TablesCommand) -> anyhow::Result<Exit> {
    match command {
        TablesCommand::Build(args) => build::run(&args),
        TablesCommand::Stats(args) => stats::run(&args),
        TablesCommand::Probe(args) => probe::run(&args),
        TablesCommand::Export(args) => export::run(&args),
        TablesCommand::Explore(args) => explore::run(&args),
        TablesCommand::Check(args) => check::run(&args),
        TablesCommand::Fetch(args) => fetch::run(&args),
        TablesCommand::Syzygy(args) => syzygy::run(&args),
    }
}

/// Which builder makes the tables.
#[derive(Debug, Clone, clap::Args)]
struct BuilderArgs {
    /// The builder: setwise, retrograde, alternating or second-pass, or one that is wrong on purpose, such as queen-only,
    /// first-pass or no-en-passant.
    #[arg(long, value_name = "NAME", default_value = "setwise", value_parser = named_builder)]
    builder: NamedBuilder,
}

/// A builder that clap can hold.
#[derive(Clone, Copy)]
struct NamedBuilder(&'static dyn Builder);

impl std::fmt::Debug for NamedBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0.name())
    }
}

fn named_builder(name: &str) -> Result<NamedBuilder, String> {
    builders::builder(name).map(NamedBuilder).ok_or_else(|| {
        let about = |builder: &&dyn Builder| format!("  {:12} {}", builder.name(), builder.about());
        let lines: Vec<String> = builders::BUILDERS.iter().map(about).collect();
        format!("there is no such builder; there are:\n{}", lines.join("\n"))
    })
}

impl BuilderArgs {
    /// The tables of these materials and all smaller ones, of the metrics of the builder.
    ///
    /// # Errors
    ///
    /// A table of five men: building it takes minutes, so it should be kept. `then` is the command that reads
    /// its file.
    fn build(&self, materials: &[Material], then: &str) -> anyhow::Result<TableSet> {
        let NamedBuilder(builder) = self.builder;
        if let Some(large) = materials.iter().find(|material| material.men() > MAX_QUICK_MEN) {
            let build = program::command(format_args!("tables build {large}"));
            let then = program::command(then);
            bail!(
                "{large} has {} men, and building it takes minutes; build it once: {build}; then: {then}",
                large.men()
            );
        }
        Ok(builders::set(builder, materials, builder.metrics())?)
    }
}

/// The table files in a folder, by name. There is at least one.
fn tables_in(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let shown = folder.display();
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot read the folder {shown}"))?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>()?;
    let is_table = |path: &PathBuf| {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        extension.parse::<Metric>().is_ok() && path.is_file()
    };
    let mut tables: Vec<PathBuf> = paths.into_iter().filter(is_table).collect();
    tables.sort();
    if tables.is_empty() {
        bail!("there is no table in the folder {shown}: no file ends with .dtm or .dtz");
    }
    Ok(tables)
}

/// The file of a table in a folder of `tables build`.
pub(crate) fn path(folder: &Path, material: Material, metric: Metric) -> PathBuf {
    folder.join(format!("{material}.{metric}"))
}

/// Opens a table file, to be read block by block.
pub(crate) fn open(path: &Path, cache: &Arc<BlockCache>) -> anyhow::Result<TableFile> {
    let name = path.display().to_string();
    let source = File::open(path).and_then(SeekSource::new).with_context(|| format!("cannot open {name}"))?;
    let file = TableFile::open(&name, source, cache).with_context(|| name.clone())?;
    demand_named(path, (file.material(), file.metric()))?;
    Ok(file)
}

/// Reads a table file.
pub(crate) fn read(path: &Path) -> anyhow::Result<Table> {
    let bytes = files::read(path, file::MAX_BYTES)?;
    let table = file::decode(&bytes).with_context(|| path.display().to_string())?;
    demand_named(path, (table.material(), table.metric()))?;
    Ok(table)
}

/// Checks that a file whose name is that of a table holds this table.
fn demand_named(path: &Path, found: (Material, Metric)) -> anyhow::Result<()> {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let expected = name.split_once('.').map(|(material, metric)| (material.parse(), metric.parse()));
    match expected {
        Some((Ok(material), Ok(metric))) => demand(path, found, (material, metric)),
        _ => Ok(()),
    }
}

/// Checks that a file holds the table that is expected.
pub(crate) fn demand(
    path: &Path,
    found: (Material, Metric),
    expected: (Material, Metric),
) -> anyhow::Result<()> {
    if found != expected {
        bail!("{}: holds {} {}, not {} {}", path.display(), found.0, found.1, expected.0, expected.1);
    }
    Ok(())
}
