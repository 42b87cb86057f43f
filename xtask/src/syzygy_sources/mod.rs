//! Finds the Syzygy table files, and writes those that no source has.
//!
//! Order of sources: the directories that the user names, the cache, our own writer. Each file is compared
//! with what is published of it before it is used. A file with a wrong checksum is named and refused, and no
//! other source replaces it. Nothing opens a network connection.

mod cache;
mod probed;
mod published;
mod writer;

use std::fmt;
use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::Context;
use etcetera::BaseStrategy;
use oracle::syzygy_files::{FileStatus, TableFiles};

use cache::Cache;
pub(crate) use cache::FOLDER;
pub(crate) use probed::Probed;
use published::Published;

/// Most bytes of one table file: the largest with five men has a fraction of it.
const MAX_FILE_BYTES: u64 = 64 << 20;

/// How long to wait before another program's files are looked for again.
const BETWEEN_TRIES: Duration = Duration::from_millis(50);

/// Where to look for Syzygy table files, as the user says it.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct SyzygyArgs {
    /// Directories with Syzygy table files, separated as in PATH [default: the environment's `SYZYGY_PATH`]
    #[arg(long, value_name = "DIR")]
    pub(crate) syzygy: Option<std::ffi::OsString>,
}

impl SyzygyArgs {
    /// The sources that these arguments and the environment name: `SYZYGY_PATH` where no directory is given,
    /// `TOUCHSTONE_CACHE` in place of the system's own folder for caches.
    ///
    /// # Errors
    /// No place for a cache.
    pub(crate) fn sources(&self) -> anyhow::Result<Sources> {
        let list = self.syzygy.clone().or_else(|| std::env::var_os("SYZYGY_PATH")).unwrap_or_default();
        let directories = std::env::split_paths(&list).filter(|path| !path.as_os_str().is_empty()).collect();
        Ok(Sources {
            published: Arc::new(Published::embedded()?),
            directories,
            cache: Cache::new(&cache_folder()?),
            writes: true,
        })
    }
}

/// The folder of our caches: `TOUCHSTONE_CACHE`, or else one in the system's folder for caches.
pub(crate) fn cache_folder() -> anyhow::Result<PathBuf> {
    if let Some(folder) = std::env::var_os("TOUCHSTONE_CACHE").filter(|folder| !folder.is_empty()) {
        return Ok(folder.into());
    }
    let strategy = etcetera::choose_base_strategy()
        .context("no home folder, hence no cache folder: set TOUCHSTONE_CACHE")?;
    Ok(strategy.cache_dir().join("touchstone"))
}

/// The status of a file by what is published of it: its SHA-256 sum, or with five men its checksum.
///
/// # Errors
/// Embedded checksums that cannot be read.
pub(crate) fn status(name: &str, bytes: &[u8]) -> anyhow::Result<FileStatus> {
    Ok(Published::embedded()?.status(name, bytes))
}

/// Where table files may come from, in this order.
#[derive(Debug)]
pub(crate) struct Sources {
    published: Arc<Published>,
    directories: Vec<PathBuf>,
    cache: Cache,
    /// Whether our own writer writes the files that no other source has. Tests of the other sources turn it
    /// off.
    writes: bool,
}

/// What was found.
#[derive(Debug)]
pub(crate) struct Located {
    /// The files, each with its status.
    pub(crate) files: TableFiles,
    published: Arc<Published>,
    /// Warnings about files and folders for the user, one sentence each.
    pub(crate) warnings: Vec<String>,
    /// Whether a file with a wrong checksum, or one that cannot be read, was found.
    pub(crate) has_refused: bool,
}

impl Located {
    /// The missing and the refused files, and what to do; `None` if all wanted files can be used.
    pub(crate) fn shortfall(&self) -> Option<Shortfall> {
        let missing: Vec<_> =
            self.files.unusable().map(|(name, status)| (name.to_owned(), status.clone())).collect();
        if missing.is_empty() { None } else { Some(Shortfall { missing, causes: self.warnings.clone() }) }
    }
}

/// Table files that no source could provide, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shortfall {
    /// The files, each with what is wrong with it.
    pub(crate) missing: Vec<(String, FileStatus)>,
    /// The warnings that explain why they are missing.
    pub(crate) causes: Vec<String>,
}

impl std::error::Error for Shortfall {}

impl fmt::Display for Shortfall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 8;
        writeln!(f, "Syzygy table files not at hand: {}", self.missing.len())?;
        for (name, status) in self.missing.iter().take(SHOWN) {
            writeln!(f, "  {name}: {status}")?;
        }
        if let Some(rest @ 1..) = self.missing.len().checked_sub(SHOWN) {
            writeln!(f, "  and {rest} more")?;
        }
        for cause in &self.causes {
            writeln!(f, "  cause: {cause}")?;
        }
        if self.missing.iter().any(|(_, status)| *status != FileStatus::Missing) {
            f.write_str(
                "delete a wrong file of the cache, and it is written anew; replace one of your own folders",
            )?;
        }
        Ok(())
    }
}

/// Finds the files of the tables that are probed, and writes those that no directory and no cache has. Files
/// that no source could provide are in the shortfall of the result. The other files can be used.
///
/// # Errors
/// Arguments that mean nothing, or embedded checksums that cannot be read.
pub(crate) fn locate(args: &SyzygyArgs, probed: &Probed, progress: &dyn Fn(&str)) -> anyhow::Result<Located> {
    Ok(args.sources()?.locate(probed, progress))
}

/// A folder on this machine with all tables of three men, each with its published sum: the cache, or one of
/// the user's. Nothing is written.
pub(crate) fn folder(args: &SyzygyArgs) -> Option<PathBuf> {
    let sources = args.sources().ok()?;
    let is_whole = |folder: &PathBuf| {
        sources.published.pins.iter().filter(|pin| pin.men == 3).all(|pin| {
            let bytes = cache::read_bounded(&folder.join(&pin.file), MAX_FILE_BYTES);
            bytes.is_ok_and(|bytes| sources.published.status(&pin.file, &bytes).is_usable())
        })
    };
    std::iter::once(sources.cache.folder())
        .chain(sources.directories.iter().cloned())
        .find(is_whole)
        .and_then(|folder| std::path::absolute(folder).ok())
}

/// Brings the files of all tables up to `men` men into the cache.
///
/// # Errors
/// As [`locate`]; and a [`Shortfall`] if a file could not be had.
pub(crate) fn fill_cache(args: &SyzygyArgs, men: u8, progress: &dyn Fn(&str)) -> anyhow::Result<Located> {
    Ok(args.sources()?.fill_cache(&Probed::up_to(men), progress)?)
}

impl Sources {
    fn nothing_yet(&self, probed: &Probed) -> Located {
        let published = Arc::clone(&self.published);
        let files = TableFiles::wanted_of(published.pins.clone(), |pin| probed.has(&pin.file));
        Located { files, published, warnings: Vec::new(), has_refused: false }
    }

    /// Finds the files of the tables that are probed, and writes into the cache what is nowhere.
    pub(crate) fn locate(&self, probed: &Probed, progress: &dyn Fn(&str)) -> Located {
        let mut located = self.nothing_yet(probed);
        for directory in &self.directories {
            located.take_directory(directory, probed);
        }
        located.take_cache(&self.cache);
        self.write(&mut located, progress);
        located
    }

    /// As `locate`, but all of it must be in the cache in the end, also what a directory has.
    ///
    /// # Errors
    /// A [`Shortfall`]: files that could not be had, or not be written.
    pub(crate) fn fill_cache(&self, probed: &Probed, progress: &dyn Fn(&str)) -> Result<Located, Shortfall> {
        let mut located = self.nothing_yet(probed);
        located.take_cache(&self.cache);
        for directory in &self.directories {
            for name in located.lacking() {
                let path = directory.join(&name);
                if let Some(bytes) = located.read_if_there(&path) {
                    located.store(&self.cache, &directory.display().to_string(), &name, bytes);
                }
            }
        }
        self.write(&mut located, progress);
        let absent = located.files.statuses().filter(|(name, _)| !self.cache.path(name).is_file());
        let missing: Vec<_> = absent.map(|(name, _)| (name.to_owned(), FileStatus::Missing)).collect();
        match located.shortfall() {
            Some(shortfall) => Err(shortfall),
            None if missing.is_empty() => Ok(located),
            None => Err(Shortfall { missing, causes: located.warnings }),
        }
    }

    /// Writes what is lacking: the files of each table go into the cache as soon as they are made. Of several
    /// programs one at a time writes; the others wait, and take its files from the cache.
    fn write(&self, located: &mut Located, progress: &dyn Fn(&str)) {
        if !self.writes || located.lacking().is_empty() {
            return;
        }
        // A cache that cannot be written has no lock, and some file systems have none.
        let lock = self.cache.lock().ok();
        let is_held = |lock: &File| matches!(lock.try_lock(), Err(TryLockError::WouldBlock));
        while lock.as_ref().is_some_and(is_held) && !located.lacking().is_empty() {
            progress("another program writes Syzygy tables");
            thread::sleep(BETWEEN_TRIES);
            located.take_cache(&self.cache);
        }
        located.take_cache(&self.cache);
        let lacking = located.lacking();
        let store = &mut |name: &str, bytes| located.store(&self.cache, writer::NAME, name, bytes);
        if let Err(error) = writer::write(&lacking, progress, store) {
            located.warnings.push(format!("{}: {error:#}", writer::NAME));
        }
    }
}

impl Located {
    /// The files that no source had yet. A file that was refused is not among them.
    fn lacking(&self) -> Vec<String> {
        let missing = self.files.unusable().filter(|(_, status)| **status == FileStatus::Missing);
        missing.map(|(name, _)| name.to_owned()).collect()
    }

    /// Takes the wanted files from a directory of the user, and files of probed tables of five men.
    fn take_directory(&mut self, directory: &Path, probed: &Probed) {
        let names = match cache::table_files(directory, probed) {
            Ok(names) => names,
            Err(error) => {
                self.warnings.push(format!("{}: {error}", directory.display()));
                return;
            }
        };
        for name in names {
            if self.files.status(&name).is_none_or(|status| *status == FileStatus::Missing) {
                self.take(&directory.join(&name), &name);
            }
        }
    }

    fn take_cache(&mut self, cache: &Cache) {
        for name in self.lacking() {
            self.take(&cache.path(&name), &name);
        }
    }

    /// Takes a file, if it is there: it is used, or refused and named.
    fn take(&mut self, path: &Path, name: &str) {
        let Some(bytes) = self.read_if_there(path) else { return };
        let status = self.published.status(name, &bytes);
        if !matches!(status, FileStatus::Pinned { .. }) {
            self.warnings.push(format!("{}: {status}", path.display()));
        }
        self.has_refused |= !status.is_usable();
        self.files.add_as(name, bytes, status);
    }

    /// The bytes of a file, if it exists. Names a file that exists and cannot be read.
    fn read_if_there(&mut self, path: &Path) -> Option<Vec<u8>> {
        match cache::read_bounded(path, MAX_FILE_BYTES) {
            Ok(bytes) => Some(bytes),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => None,
            Err(error) => {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                self.warnings.push(format!("{}: {error}", path.display()));
                self.has_refused = true;
                self.files.refuse(&name, FileStatus::Unreadable { reason: error.to_string() });
                None
            }
        }
    }

    /// Takes a file that a source brought, and puts it into the cache, if its sum is a published one.
    fn store(&mut self, cache: &Cache, source: &str, name: &str, bytes: Vec<u8>) {
        let status = self.published.status(name, &bytes);
        if !matches!(status, FileStatus::Pinned { .. }) {
            self.warnings.push(format!("{source}: {name}: {status}"));
            self.has_refused = true;
            self.files.refuse(name, status);
            return;
        }
        if let Err(error) = cache.write(name, &bytes) {
            self.warnings.push(format!("{name}: not written: {error:#}"));
        }
        self.files.add_as(name, bytes, status);
    }
}

#[cfg(test)]
mod tests;
