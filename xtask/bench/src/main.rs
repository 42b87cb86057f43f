//! Benchmarks: how fast the workspace is beside its peers, as ratios. `cargo xtask bench` builds and starts
//! this program.
//!
//! Each comparison alternates between the contenders, round after round, so that a slow moment of the machine
//! affects all of them. The reported figure is the median of the ratios of each round. Crates that serve as
//! peers are dependencies of this package. Other peers (Stockfish, fastchess, python-chess, Fathom, rtbver) are programs that
//! may be installed.

mod all_tables;
mod console;
mod fathom;
mod judge;
mod matches;
mod perft;
mod perft_peer;
mod probes;
mod prove;
mod rtbver;
mod search;
mod solver;
mod spread;
mod stockfish;
mod tables;
mod uci;
mod verify;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Measure the speed of perft, probes, proofs, searches, tables, UCI sessions, matches, judged games and runs of verify,
/// beside other programs.
#[derive(Debug, Parser)]
#[command(name = "bench", bin_name = "cargo xtask bench")]
struct Cli {
    #[command(subcommand)]
    benchmark: Option<Benchmark>,
}

#[derive(Debug, Clone, Subcommand)]
enum Benchmark {
    Judge(judge::JudgeArgs),
    Match(matches::MatchArgs),
    Perft(perft::PerftArgs),
    Probes(probes::ProbesArgs),
    Prove(prove::ProveArgs),
    Search(search::SearchArgs),
    Tables(tables::TablesArgs),
    Uci(uci::UciArgs),
    Verify(verify::VerifyArgs),
}

/// Whether all peers were there to be measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Peers {
    Measured,
    /// At least one is not installed.
    Missing,
}

/// An environment variable with which the tests run a build that is not measured.
const UNMEASURED: &str = "BENCH_UNMEASURED_BUILD";

fn main() -> ExitCode {
    let cli = Cli::parse();
    if cfg!(debug_assertions) && std::env::var_os(UNMEASURED).is_none() {
        console::message(
            "error: this is a debug build: its figures mean nothing. Run `cargo xtask bench`, or build it with --release",
        );
        return ExitCode::from(2);
    }
    match run_all(cli.benchmark) {
        Ok(Peers::Measured) => ExitCode::SUCCESS,
        Ok(Peers::Missing) => ExitCode::from(2),
        Err(error) => {
            console::message(&format!("error: {error:#}"));
            ExitCode::from(2)
        }
    }
}

/// Runs one benchmark, or each of them with its default arguments.
fn run_all(benchmark: Option<Benchmark>) -> anyhow::Result<Peers> {
    if let Some(benchmark) = benchmark {
        return run(benchmark);
    }
    let mut peers = Peers::Measured;
    for name in ["perft", "tables", "probes", "verify", "prove", "search", "uci", "match", "judge"] {
        let benchmark = Cli::parse_from(["bench", name]).benchmark;
        if benchmark.map(run).transpose()? == Some(Peers::Missing) {
            peers = Peers::Missing;
        }
    }
    Ok(peers)
}

fn run(benchmark: Benchmark) -> anyhow::Result<Peers> {
    match benchmark {
        Benchmark::Judge(args) => return judge::run(&args),
        Benchmark::Match(args) => return matches::run(&args),
        Benchmark::Perft(args) => perft::run(&args)?,
        Benchmark::Probes(args) => probes::run(&args)?,
        Benchmark::Prove(args) => return prove::run(&args),
        Benchmark::Search(args) => return search::run(&args),
        Benchmark::Tables(args) => tables::run(&args)?,
        Benchmark::Uci(args) => return uci::run(&args),
        Benchmark::Verify(args) => verify::run(&args)?,
    }
    Ok(Peers::Measured)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_valid() {
        Cli::command().debug_assert();
    }
}
