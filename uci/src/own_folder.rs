//! The working directories of isolated programs. Each is removed after its process has ended, or before this
//! process exits.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::{fs, io};

use tempfile::TempDir;

static FOLDERS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn folders() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    FOLDERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An empty folder. It is removed with its contents when it is dropped.
pub(crate) struct OwnFolder(TempDir);

impl OwnFolder {
    pub(crate) fn new() -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("touchstone-engine-").tempdir()?;
        folders().insert(folder.path().to_owned());
        Ok(Self(folder))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for OwnFolder {
    fn drop(&mut self) {
        folders().remove(self.path());
    }
}

/// Removes the folders of programs that still run, or were just killed.
pub(crate) fn remove_all() {
    for folder in std::mem::take(&mut *folders()) {
        // What an engine still writes there stays.
        let _ = fs::remove_dir_all(folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_removed_with_their_contents() {
        let [dropped, running] = [OwnFolder::new().unwrap(), OwnFolder::new().unwrap()];
        let paths = [&dropped, &running].map(|folder| folder.path().to_owned());
        for path in &paths {
            fs::write(path.join("book.bin"), "x").unwrap();
        }
        drop(dropped);
        assert_eq!(paths.each_ref().map(|path| path.exists()), [false, true]);
        remove_all();
        assert!(!paths[1].exists());
        drop(running);
    }
}
