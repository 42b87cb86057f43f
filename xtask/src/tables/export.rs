//! `tables export`: a table as text, in the format that `verify --dump` reads.

use std::io::{BufWriter, Write};
use std::path::PathBuf;

use anyhow::Context;
use engine::Ply;
use engine::Setup;
use engine::tables::{Material, Metric};

use super::BuilderArgs;
use crate::outcome::Exit;
use crate::progress::Progress;
use crate::{console, files};

/// Write every position of a table as CSV with the columns fen,wdl,dtm: win, draw or loss for the side to move, and plies
/// to mate, 0 for a side checkmated, empty for a draw.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask tables export KPvK --out KPvK.csv
  cargo xtask tables export KPvK --builder first-pass | head")]
pub(crate) struct ExportArgs {
    /// Name of a table.
    #[arg(value_parser = super::named)]
    table: Material,
    /// The file to write [default: standard output].
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    builder: BuilderArgs,
}

pub(super) fn run(args: &ExportArgs) -> anyhow::Result<Exit> {
    let progress = Progress::new(None);
    progress.say("building");
    let set = args.builder.build(&[args.table])?;
    let table = set.get(args.table, Metric::Dtm).context("the table that was built is there")?;
    progress.say("writing");
    let rows = std::iter::once("fen,wdl,dtm\n".to_owned()).chain(table.positions().map(
        |(board, side, distance)| {
            let fen = Setup::new(board, side).to_fen();
            match distance {
                None => format!("{fen},draw,\n"),
                Some((wdl, Ply(plies))) => format!("{fen},{wdl},{plies}\n"),
            }
        },
    ));
    match &args.out {
        Some(path) => {
            let mut staged = BufWriter::new(files::stage(path)?);
            for row in rows {
                staged
                    .write_all(row.as_bytes())
                    .with_context(|| format!("cannot write {}", path.display()))?;
            }
            let staged = staged.into_inner().map_err(std::io::IntoInnerError::into_error)?;
            files::publish(staged, path)?;
        }
        None => console::rows(rows)?,
    }
    Ok(Exit::Agree)
}
