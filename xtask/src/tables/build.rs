//! `tables build`: tables into files.
//!
//! Tables of up to four men stay in memory for those that need them. Those of five men are read from their
//! files again, one at a time.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
use engine::tables::builders::{self, Builder, MAX_QUICK_MEN, Setwise};
use engine::tables::file::{BlockCache, TableFile};
use engine::tables::{Layout, Material, Metric, Table, TableSet, file};

use super::built::Share;
use super::{BuilderArgs, NamedBuilder};
use crate::files;
use crate::outcome::Exit;
use crate::progress::Progress;
use crate::shard::Shard;

/// Build tables and all that they lead to, and write each to a file such as KPvK.dtm and KPvK.dtz as soon as
/// it is built.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask tables build KPvK KRvK --out tables
  cargo xtask tables build --men 4              all 35 tables of three and four men, and the bare kings; run it again after a kill")]
pub(crate) struct BuildArgs {
    /// Names of tables.
    #[arg(value_name = "TABLE", default_values = ["KQvK", "KRvK", "KPvK"], value_parser = super::named)]
    tables: Vec<Material>,
    /// All tables with up to so many men.
    #[arg(long, value_name = "MEN", value_parser = clap::value_parser!(u8).range(3..=5),
          conflicts_with_all = ["tables", "builder"])]
    men: Option<u8>,
    /// The folder for the files.
    #[arg(long, value_name = "DIR", default_value = "target/tables")]
    out: PathBuf,
    /// Build tables again that the folder has, whole and in this format. Without this option the production
    /// builder keeps them.
    #[arg(long)]
    again: bool,
    /// Do the I-th of N shares of the work, on one of several machines; `merge` puts all tables into one
    /// folder. Each shard needs an --out of its own, and builds the smaller tables that its own lead to.
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    #[command(flatten)]
    builder: BuilderArgs,
}

pub(super) fn run(args: &BuildArgs) -> anyhow::Result<Exit> {
    files::try_folder(&args.out)?;
    let NamedBuilder(builder) = args.builder.builder;
    let all = match args.men {
        Some(men) => Material::up_to(men.into()),
        None => builders::with_smaller(&args.tables),
    };
    let share = args.shard.map(|shard| Share::begin(&args.out, shard, &all, builder)).transpose()?;
    let materials = share.as_ref().map_or(all, Share::with_smaller);
    let slots = |&material: &Material| Layout::new(material).slots() as u64;
    let progress = Progress::with_time_left(materials.iter().map(slots).sum());
    let run = BuildRun { args, builder, cache: Arc::new(BlockCache::new(0)), progress };
    let started = Instant::now();
    let mut set = TableSet::new();
    for material in &materials {
        run.progress.say(&material.to_string());
        run.add(*material, &mut set)?;
        run.progress.advance(slots(material));
    }
    if let Some(share) = share {
        share.finish(&args.out, builder)?;
    }
    run.progress.note(&format!("built in {:.1} s", started.elapsed().as_secs_f64()));
    Ok(Exit::Agree)
}

struct BuildRun<'a> {
    args: &'a BuildArgs,
    builder: &'static dyn Builder,
    /// The tables of five men are decoded whole, and no block of them is kept.
    cache: Arc<BlockCache>,
    progress: Progress,
}

impl BuildRun<'_> {
    /// Builds and writes the tables of a material, unless the folder has them, and adds them to the set. Of
    /// up to four men, it adds only DTM.
    fn add(&self, material: Material, set: &mut TableSet) -> anyhow::Result<()> {
        let metrics = self.builder.metrics();
        let kept: Vec<Metric> =
            metrics.iter().copied().filter(|&metric| self.is_kept(material, metric, set)).collect();
        for &metric in &kept {
            self.progress.line(&format!("{}: kept", self.path(material, metric).display()))?;
        }
        if kept == metrics {
            return Ok(());
        }
        let mut added = Ok(None);
        builders::tables(self.builder, material, metrics, set, &mut |table| {
            let metric = table.metric();
            let written = if kept.contains(&metric) { Ok(()) } else { self.write(&table) };
            match (written, &added) {
                (Err(error), Ok(_)) => added = Err(error),
                (Ok(()), Ok(None)) if metric == Metric::Dtm && material.men() <= MAX_QUICK_MEN => {
                    added = Ok(Some(table));
                }
                _ => {}
            }
        })?;
        match added? {
            Some(table) => set.add(table),
            None => {
                for &metric in metrics {
                    set.add_file(self.open(material, metric)?);
                }
            }
        }
        Ok(())
    }

    fn path(&self, material: Material, metric: Metric) -> PathBuf {
        super::path(&self.args.out, material, metric)
    }

    fn write(&self, table: &Table) -> anyhow::Result<()> {
        let path = self.path(table.material(), table.metric());
        let bytes = file::encode(table);
        files::write(&path, &bytes)?;
        self.progress.line(&format!("{}: {} bytes", path.display(), bytes.len()))
    }

    /// Whether an earlier run has left a table that is whole and of this format. If so, adds it to the set.
    /// Otherwise, says why a file is not used.
    fn is_kept(&self, material: Material, metric: Metric, set: &mut TableSet) -> bool {
        let path = self.path(material, metric);
        if self.args.again || self.builder.name() != Setwise.name() || !path.exists() {
            return false;
        }
        match self.keep(material, metric, set) {
            Ok(()) => true,
            Err(error) => {
                self.progress.note(&format!("note: {error:#}; the table is built again"));
                false
            }
        }
    }

    fn keep(&self, material: Material, metric: Metric, set: &mut TableSet) -> anyhow::Result<()> {
        let path = self.path(material, metric);
        if material.men() > MAX_QUICK_MEN {
            let file = self.open(material, metric)?;
            file.check_whole().with_context(|| path.display().to_string())?;
            set.add_file(file);
            return Ok(());
        }
        let table = super::read(&path)?;
        super::demand(&path, (table.material(), table.metric()), (material, metric))?;
        if metric == Metric::Dtm {
            set.add(table);
        }
        Ok(())
    }

    /// Opens the file of a table of five men.
    fn open(&self, material: Material, metric: Metric) -> anyhow::Result<TableFile> {
        let path = self.path(material, metric);
        let file = super::open(&path, &self.cache)?;
        super::demand(&path, (file.material(), file.metric()), (material, metric))?;
        Ok(file)
    }
}
