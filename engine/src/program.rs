//! Connects the UCI session to standard input and output, a clock and files. No other module of the library
//! does this.
//!
//! Knows no chess.

use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::search_api::{Clock, Searcher};
use crate::tables::file::{BlockCache, SeekSource, TableFile};
use crate::tables::{Metric, TableSet};
use crate::uci::{self, Host};

/// Speaks UCI on standard input and output until `quit` or the end of input.
///
/// # Errors
/// Standard input cannot be read, or standard output cannot be written; [`io::ErrorKind::BrokenPipe`] if the
/// reader of the output has closed it.
pub fn run(searcher: Box<dyn Searcher>) -> io::Result<()> {
    uci::run(System, searcher, BufReader::new(io::stdin()), io::stdout())
}

/// The real clock and the file system.
#[derive(Debug, Clone, Copy)]
pub struct System;

impl Host for System {
    type Clock = Stopwatch;

    fn start_clock(&self) -> Stopwatch {
        Stopwatch(Instant::now())
    }

    fn load_tables(&self, folder: &str, cache: usize) -> Result<TableSet, String> {
        load_tables(Path::new(folder), cache)
    }
}

/// The time since it was started.
#[derive(Debug, Clone, Copy)]
pub struct Stopwatch(Instant);

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
