//! `tables syzygy`: tables as Syzygy files.

use std::path::PathBuf;
use std::time::Instant;

use engine::tables::builders::{self, MAX_QUICK_MEN, Setwise};
use engine::tables::syzygy::{self, Kind, MAX_WRITTEN_MEN};
use engine::tables::{Layout, Material, Metric, TableSet};

use crate::files;
use crate::outcome::Exit;
use crate::progress::Progress;

const _: () = assert!(MAX_WRITTEN_MEN <= MAX_QUICK_MEN, "tables stay in memory while files are written");

/// Build tables and all that they lead to, and write each as Syzygy files such as KPvK.rtbw (results) and KPvK.rtbz (distances to zeroing
/// moves): the bytes of the official files of three and four men.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask tables syzygy                         the files of the five tables of three men
  cargo xtask tables syzygy KQvKR --out syzygy      one table of four men, and those that it leads to
  cargo xtask tables syzygy --men 4 --out syzygy    all 70 files of three and four men")]
pub(crate) struct SyzygyFilesArgs {
    /// Names of tables of three or four men; without any, all of three men.
    #[arg(value_name = "TABLE", value_parser = written)]
    tables: Vec<Material>,
    /// All tables with up to so many men.
    #[arg(long, value_name = "MEN", value_parser = clap::value_parser!(u8).range(3..=4), conflicts_with = "tables")]
    men: Option<u8>,
    /// Where the files go.
    #[arg(long, value_name = "DIR", default_value = "target/syzygy")]
    out: PathBuf,
}

/// The table of a name, if its Syzygy files can be written.
fn written(name: &str) -> Result<Material, String> {
    let material = super::named(name)?;
    match material.men() {
        3..=MAX_WRITTEN_MEN => Ok(material),
        men => Err(format!("{material} has {men} men; Syzygy files of three and four men are written")),
    }
}

pub(super) fn run(args: &SyzygyFilesArgs) -> anyhow::Result<Exit> {
    files::try_folder(&args.out)?;
    let materials = match (args.men, &args.tables[..]) {
        (Some(men), _) => Material::up_to(men.into()),
        (None, []) => Material::up_to(3),
        (None, tables) => builders::with_smaller(tables),
    };
    let slots = |&material: &Material| Layout::new(material).slots() as u64;
    let progress = Progress::with_time_left(materials.iter().map(slots).sum());
    let started = Instant::now();
    // The files of a table are written while the next table is built.
    let mut set = TableSet::new();
    let mut pending: Option<(Material, TableSet)> = None;
    for &material in &materials {
        progress.say(&material.to_string());
        let (built, files) = rayon::join(
            || build(material, &set),
            || pending.as_ref().map(|(material, tables)| (*material, syzygy::write(*material, tables))),
        );
        put(args, &progress, files)?;
        let tables = built?;
        let mut whole = set.clone();
        for table in tables {
            if table.metric() == Metric::Dtm {
                set.add(table.clone());
            }
            whole.add(table);
        }
        pending = (material.men() > 2).then_some((material, whole));
        progress.advance(slots(&material));
    }
    let files = pending.map(|(material, tables)| (material, syzygy::write(material, &tables)));
    put(args, &progress, files)?;
    progress.note(&format!("built and written in {:.1} s", started.elapsed().as_secs_f64()));
    Ok(Exit::Agree)
}

/// The tables of a material.
fn build(material: Material, smaller: &TableSet) -> anyhow::Result<Vec<engine::tables::Table>> {
    let mut built = Vec::new();
    builders::tables(&Setwise, material, &Metric::ALL, smaller, &mut |table| built.push(table))?;
    Ok(built)
}

/// Puts the files of a table into the folder.
fn put(
    args: &SyzygyFilesArgs,
    progress: &Progress,
    files: Option<(Material, Result<syzygy::Written, syzygy::WriteError>)>,
) -> anyhow::Result<()> {
    let Some((material, written)) = files else { return Ok(()) };
    let written = written?;
    for kind in Kind::ALL {
        let path = args.out.join(format!("{material}.{}", kind.extension()));
        let bytes = written.of(kind);
        files::write(&path, bytes)?;
        progress.line(&format!("{}: {} bytes", path.display(), bytes.len()))?;
    }
    Ok(())
}
