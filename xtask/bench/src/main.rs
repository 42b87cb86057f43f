//! Benchmarks: how fast the workspace is beside its peers, as ratios. `cargo xtask bench` builds and starts this program.
//!
//! Each comparison alternates between the contenders, round after round, so that a slow moment of the machine affects all of them.
//! The reported figure is the median of the ratios of each round. Crates that serve as peers are dependencies of this package.
//! Other peers (Stockfish, fastchess, python-chess) are programs that may be installed.

mod console;
mod perft;
mod prove;
mod search;
mod solver;
mod spread;
mod stockfish;
mod tables;
mod uci;
mod verify;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Measure the speed of moves, search, proofs, tables, checks and driving engines beside their peers.
#[derive(Debug, Parser)]
#[command(name = "bench", bin_name = "cargo xtask bench")]
struct Cli {
    #[command(subcommand)]
    benchmark: Option<Benchmark>,
}

#[derive(Debug, Clone, Subcommand)]
enum Benchmark {
    Perft(perft::PerftArgs),
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

fn main() -> ExitCode {
    match run(Cli::parse().benchmark) {
        Ok(Peers::Measured) => ExitCode::SUCCESS,
        Ok(Peers::Missing) => ExitCode::from(2),
        Err(error) => {
            console::message(&format!("error: {error:#}"));
            ExitCode::from(2)
        }
    }
}

/// Runs one benchmark, or all of them.
fn run(benchmark: Option<Benchmark>) -> anyhow::Result<Peers> {
    match benchmark {
        Some(Benchmark::Perft(args)) => perft::run(&args)?,
        Some(Benchmark::Prove(args)) => return prove::run(&args),
        Some(Benchmark::Search(args)) => return search::run(&args),
        Some(Benchmark::Tables(args)) => tables::run(&args)?,
        Some(Benchmark::Uci(args)) => return uci::run(&args),
        Some(Benchmark::Verify(args)) => verify::run(&args)?,
        None => {
            perft::run(&perft::PerftArgs::default())?;
            tables::run(&tables::TablesArgs::default())?;
            verify::run(&verify::VerifyArgs::default())?;
            let peers = [
                prove::run(&prove::ProveArgs::default())?,
                search::run(&search::SearchArgs::default())?,
                uci::run(&uci::UciArgs::default())?,
            ];
            return Ok(if peers.contains(&Peers::Missing) { Peers::Missing } else { Peers::Measured });
        }
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
