//! `bench search`: the signature of our search and its nodes a second, beside those of Stockfish.
//!
//! Both search the positions of our bench in turns, round after round, so that a slow moment of the machine
//! hits both alike; each times its own search. Stockfish is a program of the system, not of this build.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, ensure};
use engine::bench;
use engine::search::AlphaBeta;
use engine::search_api::Settings;

use crate::spread::Spread;
use crate::stockfish::Stockfish;
use crate::{Peers, console};

/// Compare the nodes a second of our search with those of Stockfish, and print the signature.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "Example:\n  cargo xtask bench search --rounds 3 --stockfish ./stockfish")]
pub(crate) struct SearchArgs {
    /// How often each program searches the positions.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,
    /// How deep our search looks.
    #[arg(long, value_name = "PLIES", default_value_t = bench::DEPTH, value_parser = clap::value_parser!(u16).range(1..=100))]
    depth: u16,
    /// The program to compare with [default: the one in PATH, or that of Debian].
    #[arg(long, value_name = "PROGRAM")]
    stockfish: Option<PathBuf>,
}

/// The depth of Stockfish's own bench.
const STOCKFISH_DEPTH: u16 = 13;

/// What one search of all positions came to.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Measured {
    nodes: u64,
    per_second: f64,
}

/// Measures both in turns. Without Stockfish our search alone is measured, and the run is not complete.
///
/// # Errors
/// If a signature is not the same in every round, or a program that was named cannot be used.
pub(crate) fn run(args: &SearchArgs) -> anyhow::Result<Peers> {
    let mut positions = tempfile::NamedTempFile::new().context("cannot write the positions")?;
    positions.write_all(bench::POSITIONS.join("\n").as_bytes()).context("cannot write the positions")?;
    let peer = Stockfish::find(args.stockfish.as_deref())?;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..args.rounds {
        ours.push(measure(args.depth));
        if let Some(peer) = &peer {
            theirs.push(measure_peer(peer, positions.path())?);
        }
    }
    console::line(&format!(
        "Search of {} positions, one thread, 16 MiB of hash; {} rounds, median (least - most).\n\
         A node is not the same thing to both, nor is a depth: the ratio says how fast, not how well.\n",
        bench::POSITIONS.len(),
        args.rounds
    ))?;
    console::line(&format!("{:<22}{:>6}{:>12}{:>30}", "", "depth", "nodes", "million nodes/s"))?;
    row("engine", args.depth, &ours)?;
    let Some(peer) = peer else {
        console::line(
            "Stockfish             not measured: there is none in PATH; name one with --stockfish\n",
        )?;
        return Ok(Peers::Missing);
    };
    row(peer.name(), STOCKFISH_DEPTH, &theirs)?;
    let ratio =
        Spread::of(ours.iter().zip(&theirs).map(|(ours, theirs)| ours.per_second / theirs.per_second));
    console::line(&format!("\ntimes as many nodes a second{:>42}\n", ratio.to_string()))?;
    Ok(Peers::Measured)
}

/// A line on one program, whose signature has to be the same in all rounds.
fn row(name: &str, depth: u16, rounds: &[Measured]) -> anyhow::Result<()> {
    let nodes = rounds.first().map_or(0, |round| round.nodes);
    for round in rounds {
        ensure!(round.nodes == nodes, "{name}: {nodes} nodes in one round, {} in another", round.nodes);
    }
    let speed = Spread::of(rounds.iter().map(|round| round.per_second / 1e6));
    console::line(&format!("{name:<22}{depth:>6}{nodes:>12}{:>30}", speed.to_string()))
}

fn measure(depth: u16) -> Measured {
    let mut searcher = AlphaBeta::new(&Settings::default());
    let start = Instant::now();
    let nodes = bench::signature(&mut searcher, depth);
    Measured { nodes, per_second: nodes as f64 / start.elapsed().as_secs_f64() }
}

/// Lets the peer search the positions of a file.
fn measure_peer(peer: &Stockfish, positions: &Path) -> anyhow::Result<Measured> {
    let mut bench = peer.command();
    bench.args(["bench", "16", "1", &STOCKFISH_DEPTH.to_string()]).arg(positions).arg("depth");
    let output = bench.output().with_context(|| format!("cannot start {}", peer.program()))?;
    let said = String::from_utf8_lossy(&output.stderr);
    read(&said).with_context(|| format!("{} bench does not say its nodes", peer.program()))
}

/// The last lines of Stockfish's bench, such as `Nodes searched  : 2030154`.
fn read(said: &str) -> Option<Measured> {
    let figure = |name: &str| {
        let line = said.lines().rev().find_map(|line| line.strip_prefix(name))?;
        line.trim_start().strip_prefix(':')?.trim().parse::<u64>().ok()
    };
    let (nodes, milliseconds) = (figure("Nodes searched")?, figure("Total time (ms)")?);
    // Below a millisecond it says 0.
    let per_second = nodes as f64 / (milliseconds.max(1) as f64 / 1e3);
    Some(Measured { nodes, per_second })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_of_a_bench_is_read() {
        let said = "Position: 1/1 (8/8)\n\n===========================\nTotal time (ms) : 225\nNodes searched  : 259759\nNodes/second    : 1154484\n";
        assert_eq!(read(said), Some(Measured { nodes: 259_759, per_second: 259_759.0 / 0.225 }));
        assert_eq!(read("Nodes searched  : 12\n"), None);
        assert_eq!(read("Total time (ms) : 1\nNodes searched  : many\n"), None);
        assert_eq!(read(""), None);
    }

    #[test]
    fn a_signature_that_is_not_the_same_in_every_round_is_refused() {
        let rounds = [7, 8].map(|nodes| Measured { nodes, per_second: 1.0 });
        let refused = row("engine", 1, &rounds).unwrap_err().to_string();
        assert_eq!(refused, "engine: 7 nodes in one round, 8 in another");
    }
}
