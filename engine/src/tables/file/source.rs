//! The source of the bytes of a table file. Programs open files; this module does not.

use std::io::{self, Read, Seek, SeekFrom};
use std::sync::{Mutex, PoisonError};

use super::error::FileError;

/// The bytes of a table file, read by position.
pub trait Source: Send + Sync {
    /// The number of bytes.
    fn size(&self) -> u64;

    /// Fills the buffer with the bytes from this offset on.
    ///
    /// # Errors
    /// The bytes cannot be read, or there are too few.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()>;
}

impl<T: AsRef<[u8]> + Send + Sync> Source for T {
    fn size(&self) -> u64 {
        self.as_ref().len() as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let from = usize::try_from(offset).ok();
        let bytes = from.and_then(|from| self.as_ref().get(from..)?.get(..buffer.len()));
        buffer.copy_from_slice(bytes.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

/// A source that seeks, such as an open file. Threads take turns to read, which they seldom do: blocks are
/// cached.
#[derive(Debug)]
pub struct SeekSource<R> {
    reader: Mutex<R>,
    size: u64,
}

impl<R: Read + Seek> SeekSource<R> {
    /// All bytes of a reader.
    ///
    /// # Errors
    /// Its end cannot be found.
    pub fn new(mut reader: R) -> io::Result<Self> {
        Ok(Self { size: reader.seek(SeekFrom::End(0))?, reader: Mutex::new(reader) })
    }
}

impl<R: Read + Seek + Send> Source for SeekSource<R> {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let mut reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        reader.seek(SeekFrom::Start(offset))?;
        reader.read_exact(buffer)
    }
}

/// Reads some bytes. The caller bounds their number.
pub(super) fn read(source: &dyn Source, offset: u64, bytes: usize) -> Result<Vec<u8>, FileError> {
    let mut buffer = vec![0; bytes];
    match source.read_at(offset, &mut buffer) {
        Ok(()) => Ok(buffer),
        Err(error) => Err(FileError::Unreadable { offset, bytes, what: error.to_string() }),
    }
}
