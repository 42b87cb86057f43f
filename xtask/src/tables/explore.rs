//! `tables explore`: positions of a table that are edge cases.

use std::path::PathBuf;

use anyhow::bail;
use clap::ValueEnum;
use engine::tables::Material;
use engine::tables::builders::MAX_QUICK_MEN;
use oracle::edge_cases::{self, Search};
use oracle::positions::Men;
use oracle::table_probe::{Color, EngineTables};
use reports::EdgeCase;

use super::{BuilderArgs, probe};
use crate::outcome::Exit;
use crate::progress::Progress;
use crate::suggest::did_you_mean;
use crate::{console, program};

/// The most positions that are listed.
const MOST: u32 = 100_000;

/// List positions of a table that are edge cases, such as those where only an underpromotion wins: one of
/// each symmetry class.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask tables explore KRvKP --only underpromotion --limit 10
  cargo xtask tables explore KPvKP --only en-passant-wins --side white --seed 7 --format epd > mine.epd
  cargo xtask tables explore KQvKR --only longest-win --tables target/tables --format epd

Kinds: checkmate, stalemate, en-passant-only, en-passant-wins, underpromotion (or underpromotion-knight, -bishop, -rook),
underpromotion-draws (or underpromotion-draws-knight, -bishop, -rook), sacrifice, mutual-zugzwang (or mutual-zugzwang-full, -half),
longest-win. The reference of edge_cases.csv defines them.")]
pub(crate) struct ExploreArgs {
    /// Name of a table.
    #[arg(value_name = "TABLE", value_parser = super::named)]
    table: Material,
    /// The kind of edge case.
    #[arg(long, value_name = "KIND", value_parser = kind)]
    only: EdgeCase,
    /// The most positions that are listed.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST)))]
    limit: u32,
    /// The side to move [default: both, White first].
    #[arg(long, value_enum)]
    side: Option<SideArg>,
    /// The seed that draws the positions from all of this kind [default: list the first ones].
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
    /// The format: a FEN a line, or EPD with bm, c0, dm and id.
    #[arg(long, value_enum, default_value_t = ListFormat::Fen)]
    format: ListFormat,
    /// A folder with table files to read, in place of tables built here.
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    #[command(flatten)]
    builder: BuilderArgs,
}

/// A side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SideArg {
    /// White, the side that is named first.
    White,
    /// Black.
    Black,
}

/// The format of a list of positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ListFormat {
    /// A FEN a line.
    Fen,
    /// EPD: the moves that keep the result, a comment, the distance to mate, and an id.
    Epd,
}

fn kind(name: &str) -> Result<EdgeCase, String> {
    name.parse().map_err(|_| {
        let known = EdgeCase::ALL.map(EdgeCase::name);
        let suggestion = did_you_mean(name, known.into_iter());
        format!("there is no such kind of edge case{suggestion}; there are: {}", known.join(", "))
    })
}

pub(super) fn run(args: &ExploreArgs) -> anyhow::Result<Exit> {
    let material = args.table;
    if material.men() > MAX_QUICK_MEN {
        bail!("{material} has {} men; tables with up to {MAX_QUICK_MEN} are explored", material.men());
    }
    let men: Men = material.to_string().parse()?;
    let paths: Vec<PathBuf> = args.tables.iter().cloned().collect();
    let then = format!("tables explore {material} --only {} --tables target/tables", args.only);
    let subject = EngineTables::production(probe::set(&paths, &args.builder, material, &then)?);
    let progress = Progress::new(Some(2 * men.numbers()));
    progress.say(&format!("{} {material}", args.only));
    let side = args.side.map(|side| match side {
        SideArg::White => Color::White,
        SideArg::Black => Color::Black,
    });
    let found = edge_cases::find(&Search {
        subject: &subject,
        men: &men,
        kind: args.only,
        side,
        limit: args.limit as usize,
        seed: args.seed,
        progress: &|placements| progress.advance(placements),
    });
    drop(progress);
    if found.is_empty() {
        let of_side = args.side.map_or(String::new(), |side| match side {
            SideArg::White => " with White to move".to_owned(),
            SideArg::Black => " with Black to move".to_owned(),
        });
        let all = program::command(format_args!("verify --tables {material} --edge-cases"));
        console::message(&format!(
            "note: {material} has no position of the kind {}{of_side}; to count all kinds: {all}",
            args.only
        ));
    }
    console::rows((1..).zip(&found).map(|(number, position)| match args.format {
        ListFormat::Fen => format!("{}\n", position.fen()),
        ListFormat::Epd => format!("{}\n", position.epd(&format!("{material}/{}/{number}", args.only))),
    }))?;
    Ok(Exit::Agree)
}
