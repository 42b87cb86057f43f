//! Where the bytes of a table file come from. Programs open files; this module does not.

use std::io;

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

/// Reads some bytes. The caller bounds their number.
pub(super) fn read(source: &dyn Source, offset: u64, bytes: usize) -> Result<Vec<u8>, FileError> {
    let mut buffer = vec![0; bytes];
    match source.read_at(offset, &mut buffer) {
        Ok(()) => Ok(buffer),
        Err(error) => Err(FileError::Unreadable { offset, bytes, what: error.to_string() }),
    }
}
