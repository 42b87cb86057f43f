//! The `engine` program: its command line.
//!
//! Knows no chess.

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use engine::program::{self, System};
use engine::search::AlphaBeta;
use engine::search_api::{Searcher, Settings};
use engine::{bench, specimens, uci};

/// A chess engine that speaks UCI on standard input and output; `help` there lists the commands.
#[derive(Debug, Parser)]
#[command(name = "engine", version)]
#[command(after_help = "Examples:
  engine                                  wait for UCI commands
  echo 'go depth 6' | engine              search; at the end of input wait for the answer, at most a minute
  engine bench                            search fixed positions and print the signature
  engine --specimen NAME                  play with a specimen, a search with known faults")]
struct Cli {
    /// Play as this specimen (a search with known faults) instead of the engine's own search.
    #[arg(long, value_name = "NAME", value_parser = specimen_named, global = true)]
    specimen: Option<String>,
    #[command(subcommand)]
    command: Option<CliCommand>,
}

#[derive(Debug, Subcommand)]
enum CliCommand {
    /// Search fixed positions with one thread, 16 MiB of hash and no tables, and print the sum of nodes.
    #[command(after_help = "Example:\n  engine bench 9")]
    Bench {
        /// Depth of each search.
        #[arg(default_value_t = bench::DEPTH, value_parser = clap::value_parser!(u16).range(1..))]
        depth: u16,
    },
}

/// Checks the name of a specimen.
fn specimen_named(name: &str) -> Result<String, String> {
    if specimens::by_name(name).is_some() {
        return Ok(name.to_owned());
    }
    Err(format!("no such specimen; there are: [{}]", specimens::NAMES.join(", ")))
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut searcher: Box<dyn Searcher> = match cli.specimen.as_deref().and_then(specimens::by_name) {
        Some(specimen) => specimen,
        None => Box::new(AlphaBeta::new(&Settings::default())),
    };
    let done = match cli.command {
        None => program::run(searcher),
        Some(CliCommand::Bench { depth }) => uci::run_bench(&System, &mut *searcher, depth, io::stdout()),
    };
    match done {
        // The reader of the output has closed it.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
        Ok(()) => ExitCode::SUCCESS,
    }
}
