//! `bench`: builds and starts the crate of benchmarks, `xtask/bench`. No installed program contains the peers
//! that it measures.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, bail};

use crate::outcome::Exit;
use crate::program;
use crate::progress::Progress;
use crate::syzygy_sources::{self, SyzygyArgs};

/// Measure the speed of perft, probes, proofs, searches, tables, UCI sessions, matches, judged games and runs of verify,
/// beside other programs, in a checkout of the workspace.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask bench                     everything: some minutes
  cargo xtask bench judge
  cargo xtask bench match --fastchess ./fastchess
  cargo xtask bench perft --rounds 3
  cargo xtask bench search
  cargo xtask bench probes
  cargo xtask bench prove
  cargo xtask bench tables
  cargo xtask bench uci
  cargo xtask bench verify
  cargo xtask bench search --help       the options of a benchmark

Exit codes: 0 measured; 2 not measured, or a peer is not installed.")]
pub(crate) struct BenchArgs {
    /// A benchmark (judge, match, perft, probes, prove, search, tables, uci or verify) and its options [default: all
    /// of them].
    #[arg(value_name = "BENCHMARK", trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<OsString>,
}

/// Builds the benchmarks as users build the program, and runs what is asked.
pub(crate) fn run(args: &BenchArgs) -> anyhow::Result<Exit> {
    let cargo = |verb: &str, package: &str| -> anyhow::Result<Command> {
        let mut command = program::cargo("bench", verb, package)?;
        command.arg("--release");
        Ok(command)
    };
    if args.args.first().is_none_or(|benchmark| benchmark == "match" || benchmark == "judge") {
        // The benchmark starts the program that users have.
        let status = cargo("build", env!("CARGO_PKG_NAME"))?.status().context("cannot start cargo")?;
        if !status.success() {
            bail!("touchstone cannot be built: {status}");
        }
    }
    let mut command = cargo("run", "bench")?;
    if cfg!(feature = "gaviota") {
        command.args(["--features", "gaviota"]);
    }
    command.arg("--").args(&args.args);
    if let Some(men) = syzygy_men(&args.args) {
        // The benchmark reads the files from this folder.
        command.env("SYZYGY_PATH", syzygy_folder(men)?);
    }
    program::exit_of(command, "the benchmark")
}

/// The most men of the Syzygy tables that the benchmark needs: `verify` and `probes` need some, and all
/// benchmarks together need those of `probes`.
fn syzygy_men(args: &[OsString]) -> Option<u8> {
    let asks_for_help = args.iter().any(|arg| ["--help", "-h"].iter().any(|help| arg == help));
    let benchmark = args.first().map(|arg| arg.to_string_lossy());
    match benchmark.as_deref() {
        _ if asks_for_help => None,
        None | Some("probes") => Some(4),
        Some("verify") if args.iter().any(|arg| arg.to_string_lossy().starts_with("--rtbver")) => Some(4),
        Some("verify") => Some(3),
        Some(_) => None,
    }
}

/// The folder of the cache with the Syzygy tables of so many men, written if they are not there.
fn syzygy_folder(men: u8) -> anyhow::Result<PathBuf> {
    let progress = Progress::new(None);
    syzygy_sources::fill_cache(&SyzygyArgs::default(), men, &|what| progress.say(what))?;
    Ok(syzygy_sources::cache_folder()?.join(syzygy_sources::FOLDER))
}
