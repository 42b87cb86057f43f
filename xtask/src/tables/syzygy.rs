//! `tables syzygy`: tables as Syzygy files.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::bail;
use engine::tables::builders::{self, MAX_QUICK_MEN};
use engine::tables::file::{BlockCache, TableFile};
use engine::tables::syzygy::{Kind, Written};
use engine::tables::{Layout, Material, Metric, Table};

use crate::outcome::Exit;
use crate::progress::Progress;
use crate::{files, program, syzygy_sources, syzygy_writer};

/// MiB of blocks of tables of five men that are kept in memory.
const CACHE: usize = 64;

/// Write tables and all that they lead to as Syzygy files such as KPvK.rtbw (results) and KPvK.rtbz
/// (distances to zeroing moves): the bytes of the official files. Tables of three and four men are built;
/// those of five men are read from files of `tables build`. The command writes no file whose checksum differs
/// from the published one.
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
    /// The folder for the files.
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
    let mut materials = match (args.men, &args.tables[..]) {
        (Some(men), _) => Material::up_to(men.into()),
        (None, []) => Material::up_to(3),
        (None, tables) => builders::with_smaller(tables),
    };
    materials.retain(|&material| material != Material::KINGS);
    demand_files(args, &materials)?;
    let slots = |material: Material| Layout::new(material).slots() as u64;
    let progress = Progress::with_time_left(materials.iter().copied().map(slots).sum());
    let started = Instant::now();
    let cache = Arc::new(BlockCache::new(CACHE));
    let five_men = |material| read(&args.table_files, material, &cache);
    let begin = |material: Material| progress.say(&material.to_string());
    syzygy_writer::write(&materials, &five_men, &begin, &mut |material, written| {
        put(args, &progress, material, written)?;
        progress.advance(slots(material));
        Ok(())
    })?;
    progress.note(&format!("built and written in {:.1} s", started.elapsed().as_secs_f64()));
    Ok(Exit::Agree)
}

/// The DTZ table of five men of a material from its file: whole, and block by block.
fn read(folder: &Path, material: Material, cache: &Arc<BlockCache>) -> anyhow::Result<(Table, TableFile)> {
    let path = super::path(folder, material, Metric::Dtz);
    let table = super::read(&path)?;
    super::demand(&path, (table.material(), table.metric()), (material, Metric::Dtz))?;
    Ok((table, super::open(&path, cache)?))
}

/// Checks that there are files of all tables of five men.
fn demand_files(args: &SyzygyFilesArgs, materials: &[Material]) -> anyhow::Result<()> {
    let of_five = materials.iter().filter(|material| material.men() > MAX_QUICK_MEN);
    let mut paths = of_five.map(|&material| super::path(&args.table_files, material, Metric::Dtz));
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
    material: Material,
    written: &Written,
) -> anyhow::Result<()> {
    for kind in Kind::ALL {
        let name = format!("{material}.{}", kind.extension());
        let (path, bytes) = (args.out.join(&name), written.of(kind));
        let status = syzygy_sources::status(&name, bytes)?;
        if !status.is_usable() {
            bail!("{}: not written: {status}; its table, or this program, is wrong", path.display());
        }
        files::write(&path, bytes)?;
        progress.line(&format!("{}: {} bytes, {status}", path.display(), bytes.len()))?;
    }
    Ok(())
}
