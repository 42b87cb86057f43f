//! The `engine` program: connects the UCI session to standard input and output, a clock and files.
//!
//! Knows no chess.

use std::fs::{self, File};
use std::io::{self, BufReader, ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::{Parser, Subcommand};

use engine::search::AlphaBeta;
use engine::search_api::{Clock, Searcher, Settings};
use engine::tables::file::{BlockCache, SeekSource, TableFile};
use engine::tables::{Metric, TableSet};
use engine::uci::{self, Host};
use engine::{bench, specimens};

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
        None => uci::run(System, searcher, BufReader::new(io::stdin()), io::stdout()),
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

/// The real clock and the file system.
struct System;

impl Host for System {
    type Clock = Stopwatch;

    fn start_clock(&self) -> Stopwatch {
        Stopwatch(Instant::now())
    }

    fn load_tables(&self, folder: &str, cache: usize) -> Result<TableSet, String> {
        load_tables(Path::new(folder), cache)
    }
}

struct Stopwatch(Instant);

impl Clock for Stopwatch {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// Opens all table files (`*.dtm`, `*.dtz`) of a folder. A file that is not a valid table is an error.
fn load_tables(folder: &Path, cache: usize) -> Result<TableSet, String> {
    let say = |what: &Path, error: &dyn std::fmt::Display| format!("{}: {error}", what.display());
    let cache = Arc::new(BlockCache::new(cache));
    let mut set = TableSet::new();
    for entry in fs::read_dir(folder).map_err(|error| say(folder, &error))? {
        let path = entry.map_err(|error| say(folder, &error))?.path();
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        if extension.parse::<Metric>().is_err() || !path.is_file() {
            continue;
        }
        let source = File::open(&path).and_then(SeekSource::new).map_err(|error| say(&path, &error))?;
        let name = path.display().to_string();
        set.add_file(TableFile::open(name, source, &cache).map_err(|error| say(&path, &error))?);
    }
    if set.is_empty() {
        return Err(say(folder, &"no tables (*.dtm, *.dtz) here"));
    }
    Ok(set)
}
