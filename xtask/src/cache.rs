//! `cache`: lists and clears what is kept between runs.

use std::fs;

use clap::Subcommand;

use crate::outcome::Exit;
use crate::store::{Kind, Store};
use crate::{console, own_tables, store, syzygy_sources};

/// List or clear the cache: builds, results and clones of `regress` and `bisect`, what `verify` found in tables, and endgame tables.
#[derive(Debug, Subcommand)]
#[command(after_help = "\
Examples:
  touchstone cache list     what is kept, the newest first
  touchstone cache clear    remove all of it but the tables

The folder is TOUCHSTONE_CACHE, or else one in the system's folder for caches. It is bounded: the oldest entries go.")]
pub(crate) enum CacheCommand {
    /// List the entries of the cache.
    #[command(after_help = "Example:\n  touchstone cache list")]
    List,
    /// Remove all of it but the tables.
    #[command(after_help = "Example:\n  touchstone cache clear --all")]
    Clear {
        /// Remove the endgame tables too.
        #[arg(long)]
        all: bool,
    },
}

/// The folders of endgame tables: Syzygy files, and ours.
const TABLES: [&str; 2] = [syzygy_sources::FOLDER, own_tables::FOLDER];

/// Runs the command.
pub(crate) fn run(command: &CacheCommand) -> anyhow::Result<Exit> {
    match command {
        CacheCommand::List => list()?,
        CacheCommand::Clear { all } => {
            for kind in Kind::ALL {
                Store::open(kind)?.clear()?;
            }
            if *all {
                for folder in TABLES {
                    store::remove(&syzygy_sources::cache_folder()?.join(folder))?;
                }
            }
        }
    }
    Ok(Exit::Agree)
}

fn list() -> anyhow::Result<()> {
    for kind in Kind::ALL {
        for entry in Store::open(kind)?.entries()? {
            let hours = entry.age().as_secs() / 3_600;
            let size = indicatif::BinaryBytes(entry.bytes);
            console::line(&format!(
                "{:<8}{size:>12}  {hours:>5} h  {}",
                kind.name(),
                entry.about.trim_end()
            ))?;
        }
    }
    for folder in TABLES {
        let tables = syzygy_sources::cache_folder()?.join(folder);
        if let Ok(files) = fs::read_dir(&tables) {
            console::line(&format!("{folder:<8}{:>6} files in {}", files.count(), tables.display()))?;
        }
    }
    Ok(())
}
