//! Files on this machine: the cache, and bounded reading. Knows no checksums.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::Probed;
use crate::files;

/// The folder of Syzygy files within that of our caches.
pub(crate) const FOLDER: &str = "syzygy";

/// The folder into which written files go.
#[derive(Debug)]
pub(super) struct Cache(PathBuf);

impl Cache {
    pub(super) fn new(folder: &Path) -> Self {
        Self(folder.join(FOLDER))
    }

    pub(super) fn folder(&self) -> PathBuf {
        self.0.clone()
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The lock of those who write. It ends with the program that holds it.
    pub(super) fn lock(&self) -> anyhow::Result<File> {
        if let Some(folder) = self.0.parent() {
            std::fs::create_dir_all(folder)?;
        }
        files::lock(&self.0)
    }

    /// Writes a file. No reader sees half of it, and of two writers of the same file at once the last wins.
    pub(super) fn write(&self, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
        files::write(&self.path(name), bytes)
    }
}

/// Reads a regular file of at most `most` bytes.
pub(super) fn read_bounded(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    take_bounded(file, most)
}

/// Reads all there is, if it is at most `most` bytes.
pub(super) fn take_bounded(source: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("more than {most} bytes")));
    }
    Ok(bytes)
}

/// The names of the files in a directory that belong to these tables, sorted.
pub(super) fn table_files(directory: &Path, probed: &Probed) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(directory)? {
        if let Ok(name) = entry?.file_name().into_string()
            && probed.has(&name)
        {
            names.push(name);
        }
    }
    names.sort_unstable();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_is_bounded() {
        let read = |length: usize| take_bounded(&vec![0; length][..], 10).map(|bytes| bytes.len());
        assert_eq!(read(10).unwrap(), 10);
        assert_eq!(read(11).unwrap_err().to_string(), "more than 10 bytes");
    }

    #[test]
    fn a_directory_is_no_file() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(read_bounded(folder.path(), 10).unwrap_err().to_string(), "not a regular file");
    }

    #[test]
    fn writers_at_once_leave_a_whole_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path());
        std::thread::scope(|scope| {
            for byte in 0..8 {
                let cache = &cache;
                scope.spawn(move || cache.write("KPvK.rtbw", &vec![byte; 100_000]).unwrap());
            }
        });
        let bytes = std::fs::read(cache.path("KPvK.rtbw")).unwrap();
        assert!(bytes.len() == 100_000 && bytes.iter().all(|byte| *byte == bytes[0]));
        assert_eq!(std::fs::read_dir(folder.path().join("syzygy")).unwrap().count(), 1);
    }

    #[test]
    fn only_files_of_the_tables_are_listed() {
        let folder = tempfile::tempdir().unwrap();
        let table_files = |path: &Path, men| table_files(path, &Probed::up_to(men));
        for name in ["KQvK.rtbw", "KPvK.rtbz", "KQvKR.rtbw", "KPvK.txt", "notes"] {
            File::create(folder.path().join(name)).unwrap();
        }
        assert_eq!(table_files(folder.path(), 3).unwrap(), ["KPvK.rtbz", "KQvK.rtbw"]);
        assert_eq!(table_files(folder.path(), 4).unwrap().len(), 3);
        assert!(table_files(&folder.path().join("none"), 3).is_err());
    }
}
