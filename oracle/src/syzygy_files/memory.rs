//! A file system that is a map from names to bytes.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use shakmaty_syzygy::filesystem::{Filesystem, RandomAccessFile, ReadHint};

/// Files by name. The only directory is the empty path.
#[derive(Debug)]
pub(super) struct MemoryFiles(BTreeMap<String, Arc<[u8]>>);

impl MemoryFiles {
    pub(super) fn new(files: BTreeMap<String, Arc<[u8]>>) -> Self {
        Self(files)
    }

    fn get(&self, path: &Path) -> io::Result<&Arc<[u8]>> {
        path.to_str().and_then(|name| self.0.get(name)).ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

impl Filesystem for MemoryFiles {
    fn regular_file_size(&self, path: &Path) -> io::Result<u64> {
        Ok(self.get(path)?.len() as u64)
    }

    fn read_dir(&self, _: &Path) -> io::Result<Vec<PathBuf>> {
        Ok(self.0.keys().map(PathBuf::from).collect())
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        Ok(Box::new(MemoryFile(Arc::clone(self.get(path)?))))
    }
}

struct MemoryFile(Arc<[u8]>);

impl RandomAccessFile for MemoryFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64, _: ReadHint) -> io::Result<usize> {
        let rest = usize::try_from(offset).ok().and_then(|offset| self.0.get(offset..)).unwrap_or_default();
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_stop_at_the_end_of_the_file() {
        let files = MemoryFiles::new([("a".to_owned(), Arc::from(*b"0123456789"))].into());
        let file = files.open(Path::new("a")).unwrap();
        let read = |length, offset| {
            let mut buffer = vec![b'-'; length];
            let count = file.read_at(&mut buffer, offset, ReadHint::Data).unwrap();
            (count, String::from_utf8(buffer).unwrap())
        };
        assert_eq!(read(4, 3), (4, "3456".into()));
        assert_eq!(read(4, 8), (2, "89--".into()));
        assert_eq!(read(4, 10), (0, "----".into()));
        assert_eq!(read(4, u64::MAX), (0, "----".into()));
        let error = file.read_exact_at(&mut [0; 4], 8, ReadHint::Data).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    }

    #[test]
    fn a_file_that_is_not_there_is_not_found() {
        let files = MemoryFiles::new(BTreeMap::new());
        assert_eq!(files.regular_file_size(Path::new("a")).unwrap_err().kind(), io::ErrorKind::NotFound);
        assert!(files.open(Path::new("a")).is_err());
    }
}
