//! `tables build`: tables into files.

use std::path::{Path, PathBuf};
use std::time::Instant;

use engine::tables::builders::{self, Builder};
use engine::tables::{Layout, Material, Metric, Table, TableSet, file};

use super::{BuilderArgs, NamedBuilder};
use crate::files;
use crate::outcome::Exit;
use crate::progress::Progress;

/// Build tables and all that they lead to, and write each to a file such as KPvK.dtm and KPvK.dtz as soon as it is built.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask tables build KPvK KRvK --out tables
  cargo xtask tables build --men 4              all 35 tables of three and four men, and the bare kings; run it again after a kill")]
pub(crate) struct BuildArgs {
    /// Names of tables.
    #[arg(value_name = "TABLE", default_values = ["KQvK", "KRvK", "KPvK"], value_parser = super::named)]
    tables: Vec<Material>,
    /// All tables with up to so many men. Those that are in the folder, whole and of this format, are read and not built again.
    #[arg(long, value_name = "MEN", value_parser = clap::value_parser!(u8).range(3..=4),
          conflicts_with_all = ["tables", "builder"])]
    men: Option<u8>,
    /// Where the files go.
    #[arg(long, value_name = "DIR", default_value = "target/tables")]
    out: PathBuf,
    #[command(flatten)]
    builder: BuilderArgs,
}

pub(super) fn run(args: &BuildArgs) -> anyhow::Result<Exit> {
    files::try_folder(&args.out)?;
    let NamedBuilder(builder) = args.builder.builder;
    let materials = match args.men {
        Some(men) => Material::up_to(men.into()),
        None => builders::with_smaller(&args.tables),
    };
    materials.iter().try_for_each(|&material| builders::check(material))?;
    let slots = |&material: &Material| Layout::new(material).slots() as u64;
    let run = BuildRun { args, builder, progress: Progress::new(Some(materials.iter().map(slots).sum())) };
    let started = Instant::now();
    let mut set = TableSet::new();
    for material in &materials {
        // Only DTM tables are needed for further tables.
        let tables = run.tables(*material, &set)?;
        for table in tables.into_iter().filter(|table| table.metric() == Metric::Dtm) {
            set.add(table);
        }
        run.progress.advance(slots(material));
    }
    run.progress.note(&format!("built in {:.0} ms", started.elapsed().as_secs_f64() * 1e3));
    Ok(Exit::Agree)
}

struct BuildRun<'a> {
    args: &'a BuildArgs,
    builder: &'static dyn Builder,
    progress: Progress,
}

impl BuildRun<'_> {
    /// The tables in the folder if they are kept, otherwise tables that are built and written there.
    fn tables(&self, material: Material, set: &TableSet) -> anyhow::Result<Vec<Table>> {
        self.progress.say(&material.to_string());
        let metrics = self.builder.metrics();
        let path = |metric: Metric| self.args.out.join(format!("{material}.{metric}"));
        let kept: Vec<Option<Table>> =
            metrics.iter().map(|&metric| self.kept(&path(metric), material, metric)).collect();
        let built = if kept.iter().all(Option::is_some) {
            Vec::new()
        } else {
            builders::tables(self.builder, material, metrics, set)?
        };
        for (&metric, kept) in metrics.iter().zip(&kept) {
            let path = path(metric);
            if kept.is_some() {
                self.progress.line(&format!("{}: kept", path.display()))?;
            } else if let Some(table) = built.iter().find(|table| table.metric() == metric) {
                let bytes = file::encode(table);
                files::write(&path, &bytes)?;
                self.progress.line(&format!("{}: {} bytes", path.display(), bytes.len()))?;
            }
        }
        Ok(if built.is_empty() { kept.into_iter().flatten().collect() } else { built })
    }

    /// The table that an earlier run has left. Says why a file is not used.
    fn kept(&self, path: &Path, material: Material, metric: Metric) -> Option<Table> {
        if self.args.men.is_none() || !path.exists() {
            return None;
        }
        let why = match super::read(path) {
            Ok(table) if (table.material(), table.metric()) == (material, metric) => return Some(table),
            Ok(table) => format!("{}: holds {} {}", path.display(), table.material(), table.metric()),
            Err(error) => format!("{error:#}"),
        };
        self.progress.note(&format!("note: {why}; the table is built again"));
        None
    }
}
