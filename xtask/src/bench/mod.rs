//! `bench`: how fast the workspace is beside its peers, side by side in one run, as ratios.
//!
//! Each comparison runs in one process, in turns, round after round, so that a slow moment of the machine hits all
//! alike: the ratios of a round count, their median is reported. Peers that are crates come in by the cargo feature
//! `bench`: a program without it builds one with it, and starts that. Stockfish is a program that the system has or not.

mod perft;
mod prove;
mod search;
#[cfg(feature = "bench")]
mod solver;
mod spread;
mod stockfish;
mod tables;
mod uci;
mod verify;

use std::process::Command;

use anyhow::{Context, ensure};
use clap::Subcommand;

use crate::outcome::Exit;

/// Measure the speed of moves, search, proofs, tables, checks and driving engines beside their peers.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask bench                     everything: some minutes
  cargo xtask bench perft --rounds 3
  cargo xtask bench search
  cargo xtask bench prove
  cargo xtask bench tables
  cargo xtask bench uci")]
pub(crate) struct BenchArgs {
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Debug, Clone, Subcommand)]
enum What {
    Perft(perft::PerftArgs),
    Prove(prove::ProveArgs),
    Search(search::SearchArgs),
    Tables(tables::TablesArgs),
    Uci(uci::UciArgs),
    Verify(verify::VerifyArgs),
}

/// How a program is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Build {
    /// As users build it: for any x86-64, or whatever the default target is.
    Plain,
    /// For this processor, cozy-chess with `pext`.
    Native,
}

/// Measures what is asked, or everything.
pub(crate) fn run(args: &BenchArgs) -> anyhow::Result<Exit> {
    match &args.what {
        Some(What::Perft(args)) => perft::run(args)?,
        Some(What::Prove(args)) => return prove::run(args),
        Some(What::Search(args)) => return search::run(args),
        Some(What::Tables(args)) => tables::run(args)?,
        Some(What::Uci(args)) => return uci::run(args),
        Some(What::Verify(args)) => verify::run(args)?,
        None => {
            perft::run(&perft::PerftArgs::default())?;
            tables::run(&tables::TablesArgs::default())?;
            verify::run(&verify::VerifyArgs::default())?;
            let proven = prove::run(&prove::ProveArgs::default())?;
            let searched = search::run(&search::SearchArgs::default())?;
            return Ok(proven.max(searched).max(uci::run(&uci::UciArgs::default())?));
        }
    }
    Ok(Exit::Agree)
}

/// Builds the program with its peers and lets it measure `what`. Native code has a target directory of its own:
/// nothing built for users is built twice.
fn start(build: Build, what: &str, rounds: u32) -> anyhow::Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["run", "--release", "--quiet", "--package", "xtask", "--bin", "touchstone"]);
    match build {
        Build::Plain => command.args(["--features", "bench"]),
        Build::Native => command
            .args(["--features", "bench,cozy-chess/pext", "--target-dir", "target/bench-native"])
            .env("RUSTFLAGS", "-C target-cpu=native"),
    };
    command.args(["--", "bench", what, "--here", "--rounds", &rounds.to_string()]);
    let status = command.status().context("cannot start cargo: run this in the workspace, with cargo")?;
    ensure!(status.success(), "the measurement failed: {status}");
    Ok(())
}

/// What a program without the peers says when it is told to measure.
#[cfg(not(feature = "bench"))]
fn without_peers() -> anyhow::Result<()> {
    anyhow::bail!("this program was built without its peers (cargo feature `bench`)")
}
