//! Finds the Syzygy table files, and fetches those that are nowhere on this machine.
//!
//! Order of sources: the directories that the user names, the cache, our own writer for three men, the Python source package
//! `chess` through pip, the mirrors that the user names, the public mirror of the official files, our own writer for four men. Whatever is
//! written or fetched is held against its published sum before it enters the cache; a cached file with another sum is named and replaced.

mod cache;
mod mirror;
mod package;
mod probed;
mod published;
mod writer;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use etcetera::BaseStrategy;
use oracle::syzygy_files::{FileStatus, TableFiles};

use crate::program;

use cache::Cache;
pub(crate) use cache::FOLDER;
use mirror::Mirror;
use package::Package;
pub(crate) use probed::Probed;
use published::Published;
use writer::Writer;

/// Most bytes of one table file: the largest with five men has a fraction of it.
const MAX_FILE_BYTES: u64 = 64 << 20;

/// Where to look for Syzygy table files, as the user says it.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct SyzygyArgs {
    /// Directories with Syzygy table files, separated as in PATH [default: the environment's `SYZYGY_PATH`]
    #[arg(long, value_name = "DIR")]
    pub(crate) syzygy: Option<std::ffi::OsString>,
    /// Address under which missing table files are fetched, one file each; may be given several times. The public mirror of the
    /// official files is tried last
    #[arg(long, value_name = "URL")]
    pub(crate) mirror: Vec<String>,
}

impl SyzygyArgs {
    /// The sources that these arguments and the environment name: `SYZYGY_PATH` where no directory is given,
    /// `TOUCHSTONE_CACHE` in place of the system's own folder for caches.
    ///
    /// # Errors
    /// A mirror that is no HTTPS address, or no place for a cache.
    pub(crate) fn sources(&self) -> anyhow::Result<Sources> {
        let list = self.syzygy.clone().or_else(|| std::env::var_os("SYZYGY_PATH")).unwrap_or_default();
        let directories = std::env::split_paths(&list).filter(|path| !path.as_os_str().is_empty()).collect();
        let named = self.mirror.iter().map(|url| Mirror::new(url)).collect::<Result<Vec<_>, _>>()?;
        let mirrors = named.into_iter().chain(Mirror::official()?).collect();
        Ok(Sources {
            published: Arc::new(Published::embedded()?),
            directories,
            cache: Cache::new(&cache_folder()?),
            quick_writer: Some(Writer::QUICK),
            package: Package::published(),
            mirrors,
            slow_writer: Some(Writer::SLOW),
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
    /// `None`, as the other writer, in tests of the other sources.
    quick_writer: Option<Writer>,
    package: Package,
    mirrors: Vec<Mirror>,
    slow_writer: Option<Writer>,
}

/// What was found.
#[derive(Debug)]
pub(crate) struct Located {
    /// The files, each with its status.
    pub(crate) files: TableFiles,
    published: Arc<Published>,
    /// What the user should know of files that were passed over: one sentence each.
    pub(crate) warnings: Vec<String>,
    /// Sources that brought nothing: worth a word only where a file is missing.
    failures: Vec<String>,
}

impl Located {
    /// What is missing and how to get it; `None` if every file wanted serves.
    pub(crate) fn shortfall(&self) -> Option<Shortfall> {
        let missing: Vec<_> =
            self.files.unusable().map(|(name, status)| (name.to_owned(), status.clone())).collect();
        if missing.is_empty() { None } else { Some(Shortfall { missing, causes: self.causes() }) }
    }

    fn causes(&self) -> Vec<String> {
        [&self.warnings[..], &self.failures].concat()
    }
}

/// Table files that could not be had, and how to get them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shortfall {
    /// The files, each with what is wrong with it.
    pub(crate) missing: Vec<(String, FileStatus)>,
    /// What was tried.
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
            writeln!(f, "  tried: {cause}")?;
        }
        writeln!(f, "to get them, do one of these:")?;
        let ways = [
            "  cargo xtask tables fetch                  # with a network: through pip, or from the public mirror",
            "  cargo xtask tables fetch --mirror URL     # from another mirror of the official files",
            "  cargo xtask verify --syzygy DIR           # from a directory that has them",
        ];
        f.write_str(&program::examples(&ways.join("\n")))
    }
}

/// Finds the files of the tables that are probed; what no directory and no cache has is written or fetched. Files that
/// cannot be had are in the shortfall of the result: the rest serves.
///
/// # Errors
/// Arguments that mean nothing, or embedded checksums that cannot be read.
pub(crate) fn locate(args: &SyzygyArgs, probed: &Probed, progress: &dyn Fn(&str)) -> anyhow::Result<Located> {
    Ok(args.sources()?.locate(probed, progress))
}

/// A folder on this machine with all tables of three men: the cache, or one of the user's. Nothing is fetched.
pub(crate) fn folder(args: &SyzygyArgs) -> Option<PathBuf> {
    let sources = args.sources().ok()?;
    let is_whole = |folder: &PathBuf| {
        sources.published.pins.iter().filter(|pin| pin.men == 3).all(|pin| folder.join(&pin.file).is_file())
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
pub(crate) fn fetch(args: &SyzygyArgs, men: u8, progress: &dyn Fn(&str)) -> anyhow::Result<Located> {
    Ok(args.sources()?.fetch(&Probed::up_to(men), progress)?)
}

impl Sources {
    fn nothing_yet(&self, probed: &Probed) -> Located {
        let published = Arc::clone(&self.published);
        let files = TableFiles::wanted_of(published.pins.clone(), |pin| probed.has(&pin.file));
        Located { files, published, warnings: Vec::new(), failures: Vec::new() }
    }

    /// Finds the files of the tables that are probed, and writes or fetches into the cache what is nowhere.
    pub(crate) fn locate(&self, probed: &Probed, progress: &dyn Fn(&str)) -> Located {
        let mut located = self.nothing_yet(probed);
        for directory in &self.directories {
            located.take_directory(directory, probed);
        }
        located.take_cache(&self.cache);
        self.write_or_download(&mut located, progress);
        located
    }

    /// As `locate`, but all of it must be in the cache in the end, also what a directory has.
    ///
    /// # Errors
    /// A [`Shortfall`]: files that could not be had, or not be written.
    pub(crate) fn fetch(&self, probed: &Probed, progress: &dyn Fn(&str)) -> Result<Located, Shortfall> {
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
        self.write_or_download(&mut located, progress);
        let absent = located.files.statuses().filter(|(name, _)| !self.cache.path(name).is_file());
        let missing: Vec<_> = absent.map(|(name, _)| (name.to_owned(), FileStatus::Missing)).collect();
        match located.shortfall() {
            Some(shortfall) => Err(shortfall),
            None if missing.is_empty() => Ok(located),
            None => Err(Shortfall { missing, causes: located.causes() }),
        }
    }

    fn write_or_download(&self, located: &mut Located, progress: &dyn Fn(&str)) {
        self.write(self.quick_writer.as_ref(), located, progress);
        if located.lacking().is_empty() {
            return;
        }
        self.unpack(located, progress);
        for mirror in &self.mirrors {
            self.ask(mirror, located, progress);
        }
        self.write(self.slow_writer.as_ref(), located, progress);
    }

    /// Writes what is lacking: the files of each table go into the cache as soon as they are made.
    fn write(&self, writer: Option<&Writer>, located: &mut Located, progress: &dyn Fn(&str)) {
        let Some(writer) = writer else { return };
        let source = writer.to_string();
        let lacking = located.lacking();
        let store = &mut |name: &str, bytes| located.store(&self.cache, &source, name, bytes);
        if let Err(error) = writer.write(&lacking, progress, store) {
            located.warnings.push(format!("{source}: {error:#}"));
        }
    }

    /// Takes from the package what is lacking.
    fn unpack(&self, located: &mut Located, progress: &dyn Fn(&str)) {
        let lacking = located.lacking();
        progress(&format!("fetching {} Syzygy table files: {}", lacking.len(), self.package));
        let source = self.package.to_string();
        match self.package.files(&lacking) {
            Ok(files) => {
                for (name, bytes) in files {
                    located.store(&self.cache, &source, &name, bytes);
                }
            }
            Err(error) => located.failures.push(format!("{source}: {error:#}")),
        }
    }

    /// Asks a mirror for all that is lacking. Of many failures the first is told, with their number.
    fn ask(&self, mirror: &Mirror, located: &mut Located, progress: &dyn Fn(&str)) {
        let lacking: Vec<String> =
            located.lacking().into_iter().filter(|name| mirror.may_have(name)).collect();
        let mut failures = Vec::new();
        for name in &lacking {
            progress(&format!("fetching {name}: {mirror}"));
            match mirror.file(name) {
                Ok(bytes) => located.store(&self.cache, &mirror.to_string(), name, bytes),
                Err(error) => {
                    failures.push(error.text);
                    if error.is_hopeless {
                        break;
                    }
                }
            }
        }
        if let Some(first) = failures.first() {
            let (failed, asked) = (failures.len(), lacking.len());
            located.failures.push(format!("{mirror}: {first} ({failed} of {asked} files failed)"));
        }
    }
}

impl Located {
    fn lacking(&self) -> Vec<String> {
        self.files.unusable().map(|(name, _)| name.to_owned()).collect()
    }

    /// Takes from a directory of the user's what is wanted, and files of five men that are probed.
    fn take_directory(&mut self, directory: &Path, probed: &Probed) {
        let names = match cache::table_files(directory, probed) {
            Ok(names) => names,
            Err(error) => {
                self.warnings.push(format!("{}: {error}", directory.display()));
                return;
            }
        };
        for name in names {
            if self.files.has(&name) {
                continue;
            }
            if let Some(bytes) = self.read_if_there(&directory.join(&name)) {
                let status = self.add(&name, bytes);
                if !matches!(status, FileStatus::Pinned { .. }) {
                    self.warnings.push(format!("{}: {status}", directory.join(&name).display()));
                }
            }
        }
    }

    fn add(&mut self, name: &str, bytes: Vec<u8>) -> FileStatus {
        let status = self.published.status(name, &bytes);
        self.files.add_as(name, bytes, status)
    }

    fn take_cache(&mut self, cache: &Cache) {
        for name in self.lacking() {
            let path = cache.path(&name);
            if let Some(bytes) = self.read_if_there(&path) {
                let status = self.add(&name, bytes);
                if !status.is_usable() {
                    self.warnings.push(format!("{}: {status}", path.display()));
                }
            }
        }
    }

    /// The bytes of a file; one that is there and cannot be read is named.
    fn read_if_there(&mut self, path: &Path) -> Option<Vec<u8>> {
        match cache::read_bounded(path, MAX_FILE_BYTES) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                self.warnings.push(format!("{}: {error}", path.display()));
                self.files.refuse(&name, FileStatus::Unreadable { reason: error.to_string() });
                None
            }
        }
    }

    /// Takes a file that a source brought, and puts it into the cache, if its sum is a known one.
    fn store(&mut self, cache: &Cache, source: &str, name: &str, bytes: Vec<u8>) {
        let status = self.published.status(name, &bytes);
        if !matches!(status, FileStatus::Pinned { .. }) {
            self.warnings.push(format!("{source}: {name}: {status}"));
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
