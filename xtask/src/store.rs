//! The entries that are kept between runs in the folder of our caches: builds, results, and clones of
//! repositories. Each entry is a folder whose name is a key. If there are too many entries, or they are too
//! large together, the oldest ones are removed.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime};

use anyhow::Context;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use crate::{files, syzygy_sources};

/// A file of an entry that describes the entry in one line. Its time is when the entry was used last.
pub(crate) const ABOUT: &str = ".touchstone-about";

/// The start of the name of a staged folder, in which an entry is made.
const STAGED: &str = ".new-";
/// How often to try to remove a staged folder, and how long to wait between.
const TRIES: u32 = 50;
const BETWEEN_TRIES: Duration = Duration::from_millis(20);

/// A kind of entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Engines that were built from a revision.
    Builds,
    /// Reports of runs.
    Results,
    /// What was found in tables that are right.
    Checked,
    /// Clones in which revisions are built.
    Clones,
}

impl Kind {
    pub(crate) const ALL: [Self; 4] = [Self::Builds, Self::Results, Self::Checked, Self::Clones];

    /// The name of its folder.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Builds => "builds",
            Self::Results => "results",
            Self::Checked => "checked",
            Self::Clones => "clones",
        }
    }

    /// The most entries, and the most bytes of all together.
    fn bounds(self) -> (usize, u64) {
        match self {
            Self::Builds => (100, 2 << 30),
            Self::Results => (400, 1 << 30),
            // Six builds with all tables of up to five men.
            Self::Checked => (1_000, 4 << 30),
            // Folders of builds are large.
            Self::Clones => (8, 20 << 30),
        }
    }
}

/// The entries of one kind.
#[derive(Debug, Clone)]
pub(crate) struct Store {
    kind: Kind,
    folder: PathBuf,
}

/// An entry, as it is listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) path: PathBuf,
    /// What it is, in one line.
    pub(crate) about: String,
    pub(crate) bytes: u64,
    /// When it was used last.
    pub(crate) used: SystemTime,
}

impl Entry {
    /// How long ago it was used.
    pub(crate) fn age(&self) -> Duration {
        self.used.elapsed().unwrap_or_default()
    }
}

impl Store {
    /// The entries of this kind in the folder of our caches.
    pub(crate) fn open(kind: Kind) -> anyhow::Result<Self> {
        let folder = syzygy_sources::cache_folder()?.join(kind.name());
        fs::create_dir_all(&folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        // Replays name files of entries: they must not depend on the folder in which they are typed.
        Ok(Self { kind, folder: std::path::absolute(folder)? })
    }

    /// A store in this folder.
    #[cfg(test)]
    pub(crate) fn in_folder(kind: Kind, folder: &Path) -> Self {
        Self { kind, folder: folder.to_owned() }
    }

    /// The folder of an entry, which may not exist.
    pub(crate) fn path(&self, key: &str) -> PathBuf {
        self.folder.join(key)
    }

    /// The folder of an entry, if there is one. It counts as used now.
    pub(crate) fn get(&self, key: &str) -> Option<PathBuf> {
        let path = self.path(key);
        let about = fs::read(path.join(ABOUT)).ok()?;
        let _ = fs::write(path.join(ABOUT), about);
        Some(path)
    }

    /// A folder to make an entry in. Removes the staged folders that killed runs have left.
    pub(crate) fn stage(&self) -> anyhow::Result<Stage> {
        self.sweep();
        // Under the lock, so that the end of the run misses no folder.
        let mut all = staged();
        let made = tempfile::Builder::new().prefix(STAGED).tempdir_in(&self.folder);
        let folder = made.with_context(|| format!("cannot write into {}", self.folder.display()))?;
        all.push(folder.path().to_owned());
        drop(all);
        let lock = files::lock(folder.path())?;
        lock.lock()?;
        Ok(Stage { folder, lock })
    }

    /// Removes staged folders that no run has locked. A folder without a lock file is being made, unless it
    /// is old.
    fn sweep(&self) {
        let staged = |path: &Path| {
            path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(STAGED)) && path.is_dir()
        };
        let paths = fs::read_dir(&self.folder).into_iter().flatten().flatten().map(|file| file.path());
        for path in paths.filter(|path| staged(path)) {
            let beside = path.with_extension(files::LOCK);
            let is_left = match File::open(&beside) {
                Ok(lock) => lock.try_lock().is_ok(),
                Err(_) => fs::metadata(&path)
                    .and_then(|data| data.modified())
                    .is_ok_and(|made| made.elapsed().is_ok_and(|age| age > Duration::from_hours(1))),
            };
            if is_left && fs::remove_dir_all(&path).is_ok() {
                let _ = fs::remove_file(beside);
            }
        }
    }

    /// Makes the staged folder an entry. If another run was quicker, its entry stays.
    pub(crate) fn put(&self, key: &str, staged: Stage, about: &str) -> anyhow::Result<PathBuf> {
        let path = self.path(key);
        fs::write(staged.path().join(ABOUT), about)?;
        if let Err(error) = staged.rename(&path)
            && !path.is_dir()
        {
            return Err(error).with_context(|| format!("cannot write {}", path.display()));
        }
        self.evict(key)?;
        Ok(path)
    }

    /// Writes the description of an entry whose folder was made in its place.
    pub(crate) fn describe(&self, key: &str, about: &str) -> anyhow::Result<()> {
        let path = self.path(key).join(ABOUT);
        fs::write(&path, about).with_context(|| format!("cannot write {}", path.display()))
    }

    /// All entries, the one that was used last first.
    pub(crate) fn entries(&self) -> anyhow::Result<Vec<Entry>> {
        let mut entries = Vec::new();
        for file in fs::read_dir(&self.folder)? {
            let path = file?.path();
            let about = path.join(ABOUT);
            let Ok(text) = fs::read_to_string(&about) else { continue };
            let used =
                fs::metadata(&about).and_then(|data| data.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
            entries.push(Entry { bytes: size(&path), path, about: text, used });
        }
        entries.sort_by(|one, other| other.used.cmp(&one.used).then_with(|| one.path.cmp(&other.path)));
        Ok(entries)
    }

    /// Removes the oldest entries beyond the bounds, but not this one.
    pub(crate) fn evict(&self, kept: &str) -> anyhow::Result<()> {
        let (most, most_bytes) = self.kind.bounds();
        let mut bytes = 0;
        for (index, entry) in self.entries()?.into_iter().enumerate() {
            bytes += entry.bytes;
            if (index >= most || bytes > most_bytes) && entry.path != self.path(kept) {
                self.remove_unused(&entry.path)?;
            }
        }
        Ok(())
    }

    /// Removes all entries, and what runs that were killed have left.
    pub(crate) fn clear(&self) -> anyhow::Result<()> {
        for file in fs::read_dir(&self.folder)? {
            let path = file?.path();
            if path.is_dir() {
                self.remove_unused(&path)?;
            }
        }
        Ok(())
    }

    /// Removes an entry, unless it is a clone that another run uses.
    fn remove_unused(&self, path: &Path) -> anyhow::Result<()> {
        let lock = (self.kind == Kind::Clones).then(|| files::lock(path)).transpose()?;
        if lock.is_some_and(|lock| lock.try_lock().is_err()) { Ok(()) } else { remove(path) }
    }
}

/// A folder in which an entry is made. Dropping it removes the folder. If the run is killed, a later run
/// removes it.
#[derive(Debug)]
pub(crate) struct Stage {
    folder: TempDir,
    lock: File,
}

impl Stage {
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Makes it the folder of this path.
    pub(crate) fn rename(self, path: &Path) -> std::io::Result<()> {
        fs::rename(self.path(), path)
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        // The end of the run waits for the lock, and so for the removal.
        let mut all = staged();
        remove_staged_folder(self.path());
        all.retain(|path| path != self.path());
        let _ = self.lock.unlock();
    }
}

/// The staged folders of this run.
fn staged() -> MutexGuard<'static, Vec<PathBuf>> {
    static PATHS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
    PATHS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the staged folders of this run, which is about to end. No other is made while the result is kept.
#[must_use = "another thread may stage a folder before the run ends"]
pub(crate) fn remove_staged() -> impl Drop {
    let mut all = staged();
    for path in all.drain(..) {
        remove_staged_folder(&path);
    }
    all
}

/// Removes a staged folder, unless it was renamed, and its lock. Processes that were killed a moment ago may still
/// write into it.
fn remove_staged_folder(path: &Path) {
    for _ in 0..TRIES {
        match fs::remove_dir_all(path) {
            Err(error) if error.kind() != ErrorKind::NotFound => thread::sleep(BETWEEN_TRIES),
            _ => break,
        }
    }
    let _ = fs::remove_file(path.with_extension(files::LOCK));
}

/// Removes a folder with all that is in it. It renames the folder first, so that no other run reads a folder
/// that is half removed.
pub(crate) fn remove(folder: &Path) -> anyhow::Result<()> {
    if !folder.exists() {
        return Ok(());
    }
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let old = folder.with_file_name(format!(".old-{}-{name}", std::process::id()));
    let removed = match fs::rename(folder, &old) {
        // Another run removed it.
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        renamed => renamed.and_then(|()| fs::remove_dir_all(&old)),
    };
    removed.with_context(|| format!("cannot remove {}", folder.display()))
}

/// The bytes of all files in a folder.
fn size(folder: &Path) -> u64 {
    let Ok(files) = fs::read_dir(folder) else { return 0 };
    let size_of = |file: fs::DirEntry| match file.metadata() {
        Ok(data) if data.is_dir() => size(&file.path()),
        Ok(data) => data.len(),
        Err(_) => 0,
    };
    files.filter_map(Result::ok).map(size_of).sum()
}

/// The key of these parts: their SHA-256. Each part is hashed with its length.
pub(crate) fn key<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    suites::syzygy::Sha256(hash.finalize().into()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store(folder: &Path) -> Store {
        Store::in_folder(Kind::Clones, folder)
    }

    /// One test at a time stages folders: the end of a run removes all of them.
    fn alone() -> MutexGuard<'static, ()> {
        static ALONE: Mutex<()> = Mutex::new(());
        ALONE.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[test]
    fn entries_are_found_again_and_the_oldest_go() {
        let _alone = alone();
        let folder = tempfile::tempdir().unwrap();
        let store = store(folder.path());
        assert_eq!(store.get("a"), None);
        for number in 0..12 {
            let staged = store.stage().unwrap();
            fs::write(staged.path().join("engine"), [0; 100]).unwrap();
            let key = format!("{number:02}");
            let path = store.put(&key, staged, "mine").unwrap();
            let old = SystemTime::UNIX_EPOCH + Duration::from_secs(number);
            fs::File::options().write(true).open(path.join(ABOUT)).unwrap().set_modified(old).unwrap();
            assert!(path.join("engine").is_file());
        }
        let kept: Vec<String> = store
            .entries()
            .unwrap()
            .iter()
            .map(|entry| entry.path.file_name().unwrap().to_string_lossy().into_owned())
            .collect();
        assert_eq!(kept, ["11", "10", "09", "08", "07", "06", "05", "04"]);
        assert_eq!(store.entries().unwrap()[0].bytes, 104);
        // Used now, so that it is the last to go.
        store.get("04").unwrap();
        assert!(store.entries().unwrap()[0].path.ends_with("04"));
        let folders =
            fs::read_dir(folder.path()).unwrap().filter(|file| file.as_ref().unwrap().path().is_dir());
        assert_eq!(folders.count(), 8, "the locks stay");
    }

    #[test]
    fn what_a_killed_run_staged_is_removed() {
        let _alone = alone();
        let folder = tempfile::tempdir().unwrap();
        let store = store(folder.path());
        let used = store.stage().unwrap();
        let killed = folder.path().join(".new-killed");
        fs::create_dir(&killed).unwrap();
        drop(files::lock(&killed).unwrap());
        let begun = folder.path().join(".new-begun");
        fs::create_dir(&begun).unwrap();
        drop(store.stage().unwrap());
        assert!(used.path().is_dir() && begun.is_dir() && !killed.exists());
        drop(used);
        let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().path()).collect();
        assert_eq!(left, [begun]);
    }

    #[test]
    fn the_end_of_a_run_removes_what_is_staged() {
        let _alone = alone();
        let folder = tempfile::tempdir().unwrap();
        let staged = store(folder.path()).stage().unwrap();
        fs::write(staged.path().join("engine"), "").unwrap();
        let end = remove_staged();
        let files = || fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(files(), 0);
        // A build that ends at the same moment.
        thread::scope(|scope| {
            let late = scope.spawn(|| store(folder.path()).stage().unwrap());
            thread::sleep(Duration::from_millis(50));
            assert_eq!(files(), 0);
            drop(end);
            late.join().unwrap();
        });
    }

    /// As while a process that was killed a moment ago writes into it.
    #[test]
    fn a_staged_folder_that_cannot_be_removed_at_once_is_tried_again() {
        let _alone = alone();
        let folder = tempfile::tempdir().unwrap();
        let staged = store(folder.path()).stage().unwrap();
        let path = staged.path().to_owned();
        // A file is no folder to remove.
        fs::remove_dir(&path).unwrap();
        fs::write(&path, "").unwrap();
        let gone = path.clone();
        let other = thread::spawn(move || {
            thread::sleep(3 * BETWEEN_TRIES);
            fs::remove_file(gone)
        });
        drop(staged);
        assert!(!path.exists());
        other.join().unwrap().unwrap();
    }

    #[test]
    fn the_key_depends_on_where_a_part_ends() {
        let key = |parts: &[&str]| key(parts.iter().map(|part| part.as_bytes()));
        assert_ne!(key(&["ab", "c"]), key(&["a", "bc"]));
        assert_eq!(key(&["ab", "c"]), key(&["ab", "c"]));
        assert_eq!(key(&[]).len(), 64);
    }
}
