//! `tables export`: a table as text, in the format that `verify --dump` reads.

use std::io::{BufWriter, Write};
use std::num::NonZeroU64;
use std::path::PathBuf;

use anyhow::Context;
use engine::Ply;
use engine::Setup;
use engine::tables::{Material, Metric};

use super::BuilderArgs;
use crate::outcome::Exit;
use crate::progress::Progress;
use crate::{console, files};

/// Write every position of a table, or of one of many placements of men, as CSV with the columns fen,wdl,dtm: win, draw or loss for the side to
/// move, and plies to mate, 0 for a side that is checkmated, empty for a draw.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask tables export KPvK --out KPvK.csv
  cargo xtask tables export KPvK --builder first-pass | head
  cargo xtask tables export KRBvKR --file target/tables/KRBvKR.dtm --out KRBvKR.csv
  cargo xtask tables export KQvKR --one-of 1000 --seed 7    some 20,000 of its positions")]
pub(crate) struct ExportArgs {
    /// Name of a table.
    #[arg(value_parser = super::named)]
    table: Material,
    /// The file to write [default: standard output].
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The file of the DTM table, in place of one built here.
    #[arg(long, value_name = "PATH", conflicts_with = "builder")]
    file: Option<PathBuf>,
    /// Only one of N placements of men, with both sides to move; --seed draws them.
    #[arg(long, value_name = "N")]
    one_of: Option<NonZeroU64>,
    /// The seed of --one-of.
    #[arg(long, value_name = "NUMBER", default_value_t = 1, requires = "one_of")]
    seed: u64,
    #[command(flatten)]
    builder: BuilderArgs,
}

pub(super) fn run(args: &ExportArgs) -> anyhow::Result<Exit> {
    let progress = Progress::new(None);
    let built;
    let read;
    let table = match &args.file {
        None => {
            progress.say("building");
            let then = format!("tables export {0} --file target/tables/{0}.dtm", args.table);
            built = args.builder.build(&[args.table], &then)?;
            built.get(args.table, Metric::Dtm).context("the table that was built is there")?
        }
        Some(path) => {
            progress.say("reading");
            read = super::read(path)?;
            super::demand(path, (read.material(), read.metric()), (args.table, Metric::Dtm))?;
            &read
        }
    };
    progress.say("writing");
    let rows = std::iter::once("fen,wdl,dtm\n".to_owned()).chain(
        table.sample(args.one_of.unwrap_or(NonZeroU64::MIN), args.seed).map(|(board, side, distance)| {
            let fen = Setup::new(board, side).to_fen();
            match distance {
                None => format!("{fen},draw,\n"),
                Some((wdl, Ply(plies))) => format!("{fen},{wdl},{plies}\n"),
            }
        }),
    );
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
