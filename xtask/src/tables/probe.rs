//! `tables probe`: what the tables say of a position.

use std::path::PathBuf;

use anyhow::{Context, bail};
use engine::tables::{Dtm, Material, Metric, TableSet};
use engine::{CastlingMode, Position};

use super::BuilderArgs;
use crate::outcome::Exit;
use crate::{console, perft};

/// Say who wins a position, how far the mate is, and the best line to it.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask tables probe \"8/1P6/7k/8/4K3/8/8/8 w - - 0 1\"
  cargo xtask tables probe --builder first-pass \"8/1P6/7k/8/4K3/8/8/8 w - - 0 1\"
  cargo xtask tables probe --file target/tables/KPvK.dtm \"8/1P6/7k/8/4K3/8/8/8 w - - 0 1\"")]
pub(crate) struct ProbeArgs {
    /// The position.
    fen: String,
    /// Table files to ask, in place of those built here.
    #[arg(long, value_name = "FILE")]
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
    let Some((material, _)) = Material::of(position.board()) else {
        bail!(
            "tables have at most {} men, this position has {}",
            engine::tables::MAX_MEN,
            position.board().occupied().count()
        );
    };
    let set = set(args, material)?;
    let probe = set.probe(position.board(), position.side_to_move())?;
    console::line(&format!("FEN   {}", position.to_fen()))?;
    console::line(&format!("WDL   {}", probe.wdl()))?;
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
    Ok(Exit::Agree)
}

/// The tables to ask: those built here, or the named files. What the best line leads to is built all the same.
fn set(args: &ProbeArgs, material: Material) -> anyhow::Result<TableSet> {
    if args.file.is_empty() {
        return args.builder.build(&[material]).with_context(|| format!("the table {material}"));
    }
    let mut set = args.builder.build(&material.smaller()).unwrap_or_default();
    for path in &args.file {
        set.add(super::read(path)?);
    }
    if set.get(material, Metric::Dtm).is_none() {
        bail!("the position needs the DTM table of {material}, and none of the files is that");
    }
    Ok(set)
}

/// The best line in UCI notation. Tables that are wrong may have none that keeps their word.
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
