//! `bench perft`: our move generator beside the crates cozy-chess and shakmaty.
//!
//! All three count in one process, in turns. Bulk counting, one thread, no hash table; every count is
//! compared with the published one. Two programs are measured, with the same release profile: built as users
//! build it, and built for this processor (`-C target-cpu=native`, cozy-chess with its feature `pext`).

use std::io::Write;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, ensure};

use crate::perft_peer::{self, Case, Template};
use crate::spread::Spread;

/// Compare the speed of move generators by perft.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask bench perft --rounds 3
  cargo xtask bench perft --peer './mperft -b -f {fen} -d {depth}'
  cargo xtask bench perft --hash 256 --peer './mperft -b -h 256 -f {fen} -d {depth}'")]
pub(crate) struct PerftArgs {
    /// How often each generator counts each position.
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,
    /// Only this way of building.
    #[arg(long)]
    build: Option<Build>,
    /// Another program that counts, in place of the crates: its command, in which {fen} and {depth} stand for
    /// what is counted. It has to print the number of nodes.
    #[arg(long, value_name = "COMMAND", conflicts_with = "build")]
    peer: Option<Template>,
    /// Ours counts with a hash table of so many MiB; the command of the other program names its own.
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(..=65536))]
    hash: Option<u32>,
    /// Measure this build, whatever it was built for.
    #[arg(long, hide = true)]
    here: bool,
    /// Print the count of this position.
    #[arg(long, hide = true, value_name = "FEN", requires = "depth")]
    count: Option<String>,
    /// The depth of the count in plies.
    #[arg(long, hide = true)]
    depth: Option<u32>,
}

/// How the measured program is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Build {
    /// As users build it: for any x86-64, or whatever the default target is.
    Plain,
    /// For this processor, cozy-chess with `pext`.
    Native,
}

/// Measures this program, and one that is built for this processor.
///
/// # Errors
/// If cargo cannot be started or fails, or if a generator counts wrong.
pub(crate) fn run(args: &PerftArgs) -> anyhow::Result<()> {
    let hash = args.hash.unwrap_or(0);
    ensure!(
        args.hash.is_none() || args.peer.is_some() || args.count.is_some(),
        "--hash compares with another program: name it with --peer"
    );
    if let (Some(fen), Some(depth)) = (&args.count, args.depth) {
        let nodes = if hash == 0 { ours(fen, depth)? } else { ours_with_hash(fen, depth, hash)? };
        return Ok(writeln!(std::io::stdout(), "{nodes}")?);
    }
    if let Some(peer) = &args.peer {
        return perft_peer::measure(peer, hash, args.rounds);
    }
    if args.here || args.build != Some(Build::Native) {
        measure(args.rounds)?;
    }
    if args.here || args.build == Some(Build::Plain) { Ok(()) } else { run_native(args.rounds) }
}

/// Builds the program for this processor and runs it, in a target directory of its own: otherwise each build
/// would replace the other.
fn run_native(rounds: u32) -> anyhow::Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["run", "--release", "--quiet", "--package", "bench", "--features", "cozy-chess/pext"]);
    command.args(["--target-dir", "target/bench-native"]).env("RUSTFLAGS", "-C target-cpu=native");
    command.args(["--", "perft", "--here", "--rounds", &rounds.to_string()]);
    let status = command.status().context("cannot start cargo: run this in the workspace, with cargo")?;
    ensure!(status.success(), "the measurement failed: {status}");
    Ok(())
}

const CASES: [Case; 3] = [
    perft_peer::CASES[0].to(6, 119_060_324),
    perft_peer::CASES[1].to(5, 193_690_690),
    perft_peer::CASES[2].to(7, 178_633_661),
];

type Count = fn(&str, u32) -> anyhow::Result<u64>;

/// The generators; the first is compared with the others.
const GENERATORS: [(&str, Count); 3] = [("engine", ours), ("cozy-chess", cozy), ("shakmaty", shakmaty)];

fn ours(fen: &str, depth: u32) -> anyhow::Result<u64> {
    Ok(engine::perft(&engine::Position::from_fen(fen)?, depth))
}

/// The same on one thread with a table of so many MiB.
fn ours_with_hash(fen: &str, depth: u32, hash: u32) -> anyhow::Result<u64> {
    let options = engine::PerftOptions { threads: 1, hash_mb: hash as usize };
    Ok(engine::perft_with(&engine::Position::from_fen(fen)?, depth, options)?)
}

fn cozy(fen: &str, depth: u32) -> anyhow::Result<u64> {
    fn perft(board: &cozy_chess::Board, depth: u32) -> u64 {
        let mut nodes = 0;
        board.generate_moves(|moves| {
            if depth == 1 {
                nodes += moves.len() as u64;
            } else {
                for mv in moves {
                    let mut next = board.clone();
                    next.play_unchecked(mv);
                    nodes += perft(&next, depth - 1);
                }
            }
            false
        });
        nodes
    }
    let board = cozy_chess::Board::from_fen(fen, false).ok().context("cozy-chess refuses the FEN")?;
    Ok(perft(&board, depth))
}

fn shakmaty(fen: &str, depth: u32) -> anyhow::Result<u64> {
    let fen: shakmaty::fen::Fen = fen.parse()?;
    let position: shakmaty::Chess = fen.into_position(shakmaty::CastlingMode::Standard)?;
    Ok(shakmaty::perft(&position, depth))
}

/// Counts all cases in turns and prints a line for each.
fn measure(rounds: u32) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "Perft, one thread, bulk counting, no hash; built {}; {rounds} rounds, medians.",
        perft_peer::built()
    )?;
    writeln!(out, "Million nodes/s, and how many times as fast the engine is: median (least - most).\n")?;
    write!(out, "{:<12}", "")?;
    for (name, _) in GENERATORS {
        write!(out, "{name:>12}")?;
    }
    for (name, _) in &GENERATORS[1..] {
        write!(out, "{:>28}", format!("to {name}"))?;
    }
    writeln!(out)?;
    for Case { name, fen, depth, nodes } in CASES {
        let seconds = (0..rounds).map(|_| round(fen, depth, nodes)).collect::<anyhow::Result<Vec<_>>>()?;
        write!(out, "{name:<12}")?;
        for generator in 0..GENERATORS.len() {
            let speeds = seconds.iter().map(|round| nodes as f64 / round[generator] / 1e6);
            write!(out, "{:>12.0}", Spread::of(speeds).median)?;
        }
        for generator in 1..GENERATORS.len() {
            let ratio = Spread::of(seconds.iter().map(|round| round[generator] / round[0]));
            write!(out, "{:>28}", ratio.to_string())?;
        }
        writeln!(out)?;
    }
    Ok(writeln!(out)?)
}

/// Seconds of each generator for one case.
fn round(fen: &str, depth: u32, nodes: u64) -> anyhow::Result<[f64; GENERATORS.len()]> {
    let mut seconds = [0.0; GENERATORS.len()];
    for ((name, count), seconds) in GENERATORS.into_iter().zip(&mut seconds) {
        let start = Instant::now();
        let counted = count(std::hint::black_box(fen), depth)?;
        *seconds = start.elapsed().as_secs_f64();
        ensure!(counted == nodes, "{name}: expected {nodes} nodes to depth {depth} of {fen}, got {counted}");
    }
    Ok(seconds)
}
