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
    let metrics = if super::is_production(builder) { &Metric::ALL[..] } else { &[Metric::Dtm] };
    let materials = match args.men {
        Some(men) => Material::up_to(men.into()),
        None => builders::with_smaller(&args.tables),
    };
    materials.iter().try_for_each(|&material| builders::check(material))?;
    let slots = |&material: &Material| Layout::new(material).slots() as u64;
    let length = materials.iter().map(slots).sum::<u64>() * metrics.len() as u64;
    let run = BuildRun { args, builder, progress: Progress::new(Some(length)) };
    let started = Instant::now();
    let mut set = TableSet::new();
    for material in &materials {
        for &metric in metrics {
            let table = run.table(*material, metric, &set)?;
            run.progress.advance(slots(material));
            // Only DTM tables are needed for further tables.
            if metric == Metric::Dtm {
                set.add(table);
            }
        }
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
    /// The table in the folder if it is kept, otherwise a table that is built and written there.
    fn table(&self, material: Material, metric: Metric, set: &TableSet) -> anyhow::Result<Table> {
        self.progress.say(&format!("{material} {metric}"));
        let path = self.args.out.join(format!("{material}.{metric}"));
        if let Some(table) = self.kept(&path, material, metric) {
            self.progress.line(&format!("{}: kept", path.display()))?;
            return Ok(table);
        }
        let table = builders::table(self.builder, material, metric, set)?;
        let bytes = file::encode(&table);
        files::write(&path, &bytes)?;
        self.progress.line(&format!("{}: {} bytes", path.display(), bytes.len()))?;
        Ok(table)
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
