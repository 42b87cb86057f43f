//! `perft`: the number of sequences of legal moves from a position.

use std::time::Instant;

use anyhow::Context;
use engine::{CastlingMode, PerftOptions, Position};

use crate::console;
use crate::outcome::Exit;

/// Count the sequences of legal moves from a position.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask perft startpos 6
  cargo xtask perft \"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1\" 5 --divide
  cargo xtask perft startpos 8 --threads 2 --hash 256")]
pub(crate) struct PerftArgs {
    /// The position as FEN, X-FEN or Shredder-FEN, or `startpos`.
    fen: String,
    /// How many plies.
    #[arg(value_parser = clap::value_parser!(u32).range(0..=100))]
    depth: u32,
    /// Count each first move by itself.
    #[arg(long)]
    divide: bool,
    /// Threads.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Memory for positions that come again, in MB; 0 counts them again.
    #[arg(long, value_name = "MB", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=65_536))]
    hash: u32,
    /// Write castling as king takes rook.
    #[arg(long)]
    chess960: bool,
}

/// Runs it.
pub(crate) fn run(args: &PerftArgs) -> anyhow::Result<Exit> {
    let position = position(&args.fen)?;
    let options = PerftOptions { threads: usize::from(args.threads), hash_mb: args.hash as usize };
    let started = Instant::now();
    let nodes = if args.divide && args.depth > 0 {
        let mode = if args.chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
        let divided = engine::divide_with(&position, args.depth, options)?;
        let mut lines: Vec<_> =
            divided.iter().map(|&(mv, nodes)| (position.to_uci(mv, mode), nodes)).collect();
        lines.sort();
        for (text, nodes) in &lines {
            console::line(&format!("{text}: {nodes}"))?;
        }
        console::line("")?;
        lines.iter().map(|(_, nodes)| nodes).sum()
    } else {
        engine::perft_with(&position, args.depth, options)?
    };
    let seconds = started.elapsed().as_secs_f64();
    console::line(&format!("Nodes searched: {nodes}"))?;
    if seconds > 0.1 {
        console::message(&format!("{seconds:.2} s, {:.0} million nodes/s", nodes as f64 / seconds / 1e6));
    }
    Ok(Exit::Agree)
}

/// The position of a FEN, or the start of a game.
pub(crate) fn position(fen: &str) -> anyhow::Result<Position> {
    if fen == "startpos" {
        return Ok(Position::starting());
    }
    // EPD, and many programs, leave the two counters out.
    let four_fields = fen.split_whitespace().count() == 4;
    let completed = if four_fields { format!("{} 0 1", fen.trim_end()) } else { fen.to_owned() };
    Position::from_fen(&completed)
        .with_context(|| format!("the FEN \"{}\"", fen.chars().take(100).collect::<String>()))
}
