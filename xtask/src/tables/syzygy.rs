//! `tables syzygy`: tables as Syzygy files.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use anyhow::bail;
use engine::tables::builders::{self, MAX_QUICK_MEN, Setwise};
use engine::tables::file::BlockCache;
use engine::tables::syzygy::{self, Kind};
use engine::tables::{Layout, Material, Metric, Table, TableSet};

use crate::outcome::Exit;
use crate::progress::Progress;
use crate::{fetch, files, program};

/// MiB of blocks of tables of five men that are kept in memory.
const CACHE: usize = 64;

/// Write tables and all that they lead to as Syzygy files such as KPvK.rtbw (results) and KPvK.rtbz (distances to zeroing moves): the
/// bytes of the official files. Tables of three and four men are built; those of five men are read from files of `tables build`. A file
/// whose published checksum is another one is not written.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask tables syzygy                         the files of the five tables of three men
  cargo xtask tables syzygy KQvKR --out syzygy      one table of four men, and those that it leads to
  cargo xtask tables syzygy --men 4 --out syzygy    all 70 files of three and four men
  cargo xtask tables build KBBvKN
  cargo xtask tables syzygy KBBvKN                  a table of five men, from its file")]
pub(crate) struct SyzygyFilesArgs {
    /// Names of tables; without any, all of three men.
    #[arg(value_name = "TABLE", value_parser = written)]
    tables: Vec<Material>,
    /// All tables with up to so many men.
    #[arg(long, value_name = "MEN", value_parser = clap::value_parser!(u8).range(3..=5), conflicts_with = "tables")]
    men: Option<u8>,
    /// Where the files go.
    #[arg(long, value_name = "DIR", default_value = "target/syzygy")]
    out: PathBuf,
    /// The folder with the files of tables of five men, such as KBBvKN.dtz.
    #[arg(long, value_name = "DIR", default_value = "target/tables")]
    table_files: PathBuf,
}

/// The table of a name, if it has Syzygy files.
fn written(name: &str) -> Result<Material, String> {
    match super::named(name)? {
        Material::KINGS => {
            Err("the bare kings have no Syzygy files: name a table of three to five men".to_owned())
        }
        material => Ok(material),
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
    demand_files(args, &materials)?;
    let progress = Progress::with_time_left(materials.iter().map(slots).sum());
    let started = Instant::now();
    // The files of a table are written while the next table is built.
    let mut set = TableSet::new();
    let cache = Arc::new(BlockCache::new(CACHE));
    let mut pending: Option<(Material, TableSet)> = None;
    for &material in &materials {
        progress.say(&material.to_string());
        let (tables, files) = rayon::join(
            || tables(args, material, &set),
            || pending.as_ref().map(|(material, tables)| (*material, syzygy::write(*material, tables))),
        );
        put(args, &progress, files)?;
        let tables = tables?;
        let mut whole = set.clone();
        for table in tables {
            match table.metric() {
                Metric::Dtm => set.add(table),
                Metric::Dtz => whole.add(table),
            }
        }
        if material.men() > MAX_QUICK_MEN {
            set.add_file(super::open(&path(args, material), &cache)?);
        }
        pending = (material.men() > 2).then_some((material, whole));
        progress.advance(slots(&material));
    }
    let files = pending.map(|(material, tables)| (material, syzygy::write(material, &tables)));
    put(args, &progress, files)?;
    progress.note(&format!("built and written in {:.1} s", started.elapsed().as_secs_f64()));
    Ok(Exit::Agree)
}

/// The tables of a material: built, or the DTZ table of five men from its file.
fn tables(args: &SyzygyFilesArgs, material: Material, smaller: &TableSet) -> anyhow::Result<Vec<Table>> {
    if material.men() > MAX_QUICK_MEN {
        let path = path(args, material);
        let table = super::read(&path)?;
        super::demand(&path, (table.material(), table.metric()), (material, Metric::Dtz))?;
        return Ok(vec![table]);
    }
    let mut built = Vec::new();
    builders::tables(&Setwise, material, &Metric::ALL, smaller, &mut |table| built.push(table))?;
    Ok(built)
}

/// The file of a table of five men.
fn path(args: &SyzygyFilesArgs, material: Material) -> PathBuf {
    args.table_files.join(format!("{material}.{}", Metric::Dtz))
}

/// Checks that there are files of all tables of five men.
fn demand_files(args: &SyzygyFilesArgs, materials: &[Material]) -> anyhow::Result<()> {
    let of_five = materials.iter().filter(|material| material.men() > MAX_QUICK_MEN);
    let mut paths = of_five.map(|&material| path(args, material));
    let Some(missing) = paths.find(|path| !path.is_file()) else { return Ok(()) };
    let names: Vec<String> = args.tables.iter().map(ToString::to_string).collect();
    let wanted = args.men.map_or_else(|| names.join(" "), |men| format!("--men {men}"));
    let build =
        program::command(format_args!("tables build {wanted} --out \"{}\"", args.table_files.display()));
    bail!("{}: no such file; building tables of five men takes minutes each: {build}", missing.display());
}

/// Puts the files of a table into the folder, if they are the official ones.
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
        let status = fetch::status(&format!("{material}.{}", kind.extension()), bytes)?;
        if !status.is_usable() {
            bail!("{}: not written: {status}; its table, or this program, is wrong", path.display());
        }
        files::write(&path, bytes)?;
        progress.line(&format!("{}: {} bytes, {status}", path.display(), bytes.len()))?;
    }
    Ok(())
}
