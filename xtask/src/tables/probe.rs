//! `tables probe`: what the tables say of a position.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use engine::tables::builders::MAX_QUICK_MEN;
use engine::tables::file::BlockCache;
use engine::tables::{Dtm, Material, Metric, Probe, TableSet};
use engine::{CastlingMode, Position};

use super::BuilderArgs;
use crate::outcome::Exit;
use crate::progress::Progress;
use crate::{console, perft, program};

/// Tables that take longer than this to build are worth keeping.
const LONG: Duration = Duration::from_secs(2);

/// Say who wins a position, how far the mate is, and the best line to it.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask tables probe \"8/1P6/7k/8/4K3/8/8/8 w - - 0 1\"
  cargo xtask tables probe --builder first-pass \"8/1P6/7k/8/4K3/8/8/8 w - - 0 1\"
  cargo xtask tables probe --file target/tables \"8/1P6/7k/8/4K3/8/8/8 w - - 0 1\"")]
pub(crate) struct ProbeArgs {
    /// The position.
    fen: String,
    /// Table files to probe, or folders with them, in place of tables built here.
    #[arg(long, value_name = "PATH")]
    file: Vec<PathBuf>,
    #[command(flatten)]
    builder: BuilderArgs,
}

pub(super) fn run(args: &ProbeArgs) -> anyhow::Result<Exit> {
    let position = perft::position(&args.fen)?;
    if position.castling().rooks().any() {
        bail!(
            "the position has castling rights, and no table has such positions; write - for them in the FEN"
        );
    }
    let Some((material, _)) = Material::from_board(position.board()) else {
        bail!(
            "tables have at most {} men, this position has {}",
            engine::tables::MAX_MEN,
            position.board().occupied().count()
        );
    };
    let set = set(&args.file, &args.builder, material, "tables probe --file target/tables FEN")?;
    let probe = set.probe_of(&position)?;
    console::line(&format!("FEN   {}", position.to_fen()))?;
    console::line(&format!("WDL   {}", probe.wdl()))?;
    if let Some(result) = under_fifty_moves(&probe, position.halfmove_clock()) {
        console::line(&format!("WDL50 {result}"))?;
    }
    match probe.dtm {
        Some(dtm) => console::line(&format!("DTM   {dtm} ({} plies)", dtm.plies()))?,
        None => console::line("DTM   -")?,
    }
    if let Some(dtz) = probe.dtz {
        console::line(&format!("DTZ   {dtz}"))?;
    }
    if let Some(dtm) = probe.dtm {
        let line = line(&set, &position, dtm).unwrap_or_else(|error| format!("- ({error})"));
        console::line(&format!("line  {line}"))?;
    }
    match set.new_faults().next() {
        Some(fault) => bail!("{fault}"),
        None => Ok(Exit::Agree),
    }
}

/// The plies after which the fifty-move rule makes a game a draw.
const FIFTY_MOVES: u16 = 100;

/// The result under the fifty-move rule; `None` if the clock is 0 and it is the result of the table. WDL and
/// DTM know no clock; the clock and DTZ together say whether a capture, a pawn move or the mate comes in
/// time.
fn under_fifty_moves(probe: &Probe, clock: u16) -> Option<String> {
    let is_over = probe.dtm.is_none_or(|dtm| dtm.plies() == 0);
    let distance = probe.dtz.map(|dtz| dtz.0.unsigned_abs());
    if is_over || clock == 0 && distance.is_none_or(|distance| distance <= FIFTY_MOVES) {
        return None;
    }
    let in_time = |plies: u16| clock.saturating_add(plies) <= FIFTY_MOVES;
    let is_kept =
        distance.map(in_time).or_else(|| probe.dtm.filter(|dtm| in_time(dtm.plies())).map(|_| true));
    let result = match is_kept {
        Some(true) => probe.wdl().to_string(),
        Some(false) => "draw".to_owned(),
        None => "unknown: the DTZ table decides it, and none of the files is that".to_owned(),
    };
    Some(format!("{result} (halfmove clock {clock})"))
}

/// Mebibytes of unpacked blocks of five-men tables that are kept.
const CACHE: usize = 256;

/// The tables of a material and of what it leads to: those built here, or those of the named files and
/// folders. A table that the material leads to and that no file has is built. `then` is the command that asks
/// files, for a message if building took long.
pub(super) fn set(
    paths: &[PathBuf],
    builder: &BuilderArgs,
    material: Material,
    then: &str,
) -> anyhow::Result<TableSet> {
    if paths.is_empty() {
        let building = Building::begin(material, material, then);
        let set = builder.build(&[material], then)?;
        building.done();
        return Ok(set);
    }
    let mut wanted = material.smaller();
    wanted.push(material);
    let mut files = Files { set: TableSet::new(), wanted, cache: Arc::new(BlockCache::new(CACHE)) };
    paths.iter().try_for_each(|path| files.add(path))?;
    let Files { set: mut files, wanted, .. } = files;
    if !files.has(material, Metric::Dtm) {
        bail!("the DTM table of {material} is needed, and none of the files is that");
    }
    let lacking: Vec<Material> =
        wanted.into_iter().filter(|&smaller| !files.has(smaller, Metric::Dtm)).collect();
    let Some(&largest) = lacking.iter().max_by_key(|material| material.men()) else { return Ok(files) };
    let building = Building::begin(largest, material, then);
    let built = builder.build(&lacking, then).with_context(|| format!("{material} leads to {largest}"))?;
    building.done();
    for table in built.iter() {
        if !files.has(table.material(), table.metric()) {
            files.add(table.clone());
        }
    }
    Ok(files)
}

/// The tables of files: of up to four men in memory, of five men read block by block.
struct Files {
    set: TableSet,
    wanted: Vec<Material>,
    cache: Arc<BlockCache>,
}

impl Files {
    /// Takes the table of a file, or those of a folder that are wanted.
    fn add(&mut self, path: &Path) -> anyhow::Result<()> {
        if !path.is_dir() {
            return self.add_file(path);
        }
        super::tables_in(path)?.iter().try_for_each(|path| self.add_file(path))
    }

    fn add_file(&mut self, path: &Path) -> anyhow::Result<()> {
        let file = super::open(path, &self.cache)?;
        if !self.wanted.contains(&file.material()) {
            return Ok(());
        }
        if file.material().men() > MAX_QUICK_MEN {
            self.set.add_file(file);
        } else {
            self.set.add(super::read(path)?);
        }
        Ok(())
    }
}

/// Tables are being built. Those of four men take seconds to minutes.
struct Building<'a> {
    progress: Progress,
    started: Instant,
    /// The table that is to be kept.
    keep: Material,
    /// The command that asks the kept tables.
    then: &'a str,
}

impl<'a> Building<'a> {
    fn begin(largest: Material, keep: Material, then: &'a str) -> Self {
        let progress = Progress::new(None);
        progress.say(&format!("building {largest} and what it leads to"));
        Self { progress, started: Instant::now(), keep, then }
    }

    /// Says how to keep tables that took long.
    fn done(self) {
        let Self { progress, started, keep, then } = self;
        let took = started.elapsed();
        drop(progress);
        if took < LONG {
            return;
        }
        let build = program::command(format_args!("tables build {keep}"));
        let then = program::command(then);
        console::message(&format!(
            "note: the tables were built in {:.0} s and are not kept; to keep them: {build}; then: {then}",
            took.as_secs_f64()
        ));
    }
}

/// The best line in UCI notation. Wrong tables may have no line that agrees with their values.
fn line(set: &TableSet, position: &Position, dtm: Dtm) -> anyhow::Result<String> {
    let moves = set.best_line(position)?;
    let broken = moves.len() < usize::from(dtm.plies());
    let mut position = *position;
    let mut texts = Vec::new();
    for mv in moves {
        texts.push(position.to_uci(mv, CastlingMode::Standard));
        position = position.play(mv);
    }
    if broken {
        texts.push("... no move here keeps the distance: the table is wrong".to_owned());
    }
    Ok(texts.join(" "))
}
