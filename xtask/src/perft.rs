//! `perft`: counts the leaves of the tree of legal moves.

use std::time::Instant;

use anyhow::{Context, bail};
use engine::{CastlingMode, PerftOptions, Position};

use crate::console;
use crate::outcome::Exit;

/// Count the leaves of the tree of legal moves from a position.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask perft startpos 6
  cargo xtask perft \"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1\" 5 --divide
  cargo xtask perft startpos 8 --threads 2 --hash 256
  cargo xtask perft startpos 10 --force              69 trillion leaves: hours to days")]
pub(crate) struct PerftArgs {
    /// The position as FEN, X-FEN or Shredder-FEN, or `startpos`.
    fen: String,
    /// The depth in plies.
    #[arg(value_parser = clap::value_parser!(u32).range(0..=100))]
    depth: u32,
    /// Print the count of each first move.
    #[arg(long)]
    divide: bool,
    /// Threads.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Size of the hash table in MB; 0 for none.
    #[arg(long, value_name = "MB", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=65_536))]
    hash: u32,
    /// Print castling as king takes rook.
    #[arg(long)]
    chess960: bool,
    /// Count even if it takes hours.
    #[arg(long)]
    force: bool,
}

/// More leaves than this need `--force`: about an hour on one thread.
const MOST_LEAVES: f64 = 1e12;
/// About this many leaves are counted for the estimate.
const ESTIMATE_FROM: u64 = 5_000_000;

/// Counts and prints.
pub(crate) fn run(args: &PerftArgs) -> anyhow::Result<Exit> {
    let position = position(&args.fen)?;
    let options = PerftOptions { threads: usize::from(args.threads), hash_mb: args.hash as usize };
    check_feasible(args, &position)?;
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

/// Refuses counts that take hours without `--force`, and counts that overflow.
fn check_feasible(args: &PerftArgs, position: &Position) -> anyhow::Result<()> {
    let Some(estimate) = estimate(position, args.depth) else { return Ok(()) };
    let leaves = estimate.leaves;
    if leaves > u64::MAX as f64 {
        bail!(
            "perft to depth {} has about {leaves:.0e} leaves, more than a 64-bit counter can hold, and would take {}; \
             use a smaller depth",
            args.depth,
            estimate.duration()
        );
    }
    if leaves > MOST_LEAVES && !args.force {
        bail!(
            "perft to depth {} has about {leaves:.0e} leaves and takes {}; \
             use a smaller depth, or --force (--threads and --hash make it faster)",
            args.depth,
            estimate.duration()
        );
    }
    Ok(())
}

/// An estimate of a count.
struct Estimate {
    /// Leaves.
    leaves: f64,
    /// Leaves counted per second on one thread during the estimate.
    per_second: f64,
}

impl Estimate {
    fn duration(&self) -> String {
        let speed = self.per_second / 1e6;
        format!(
            "about {} on one thread at {speed:.0} million leaves a second",
            duration(self.leaves / self.per_second)
        )
    }
}

/// Counts the first plies and extrapolates from the growth of the last two; `None` if the count needs no more
/// plies.
fn estimate(position: &Position, depth: u32) -> Option<Estimate> {
    let started = Instant::now();
    let mut counts = vec![1_u64];
    while counts.last().is_some_and(|&leaves| leaves > 0 && leaves < ESTIMATE_FROM / 40) {
        let reached = counts.len() as u32;
        if reached >= depth {
            return None;
        }
        counts.push(engine::perft(position, reached));
    }
    let [.., before, _, last] = counts[..] else { return None };
    let all: u64 = counts.iter().sum();
    let per_second = all as f64 / started.elapsed().as_secs_f64().max(1e-6);
    let growth = (last as f64 / before as f64).sqrt();
    let further = f64::from(depth + 1) - counts.len() as f64;
    Some(Estimate { leaves: last as f64 * growth.powf(further), per_second })
}

/// A duration in minutes, hours, days or years.
fn duration(seconds: f64) -> String {
    let units = [(31_557_600.0, "years"), (86_400.0, "days"), (3_600.0, "hours")];
    let unit = units.into_iter().find(|(unit, _)| seconds >= 2.0 * unit);
    unit.map_or_else(
        || format!("{:.0} minutes", seconds / 60.0),
        |(unit, name)| match seconds / unit {
            many @ 1e6.. => format!("{many:.0e} {name}"),
            few => format!("{few:.0} {name}"),
        },
    )
}

/// The position of a FEN, or the starting position.
pub(crate) fn position(fen: &str) -> anyhow::Result<Position> {
    if fen == "startpos" {
        return Ok(Position::starting());
    }
    // EPD and many programs omit the two counters.
    let four_fields = fen.split_whitespace().count() == 4;
    let completed = if four_fields { format!("{} 0 1", fen.trim_end()) } else { fen.to_owned() };
    Position::from_fen(&completed)
        .with_context(|| format!("the FEN \"{}\"", fen.chars().take(100).collect::<String>()))
}
