//! Reads numbers from bytes, each within its bounds.

use super::FileError;

/// Bytes, and the offset of the reader in them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bytes<'a> {
    all: &'a [u8],
    offset: usize,
}

impl<'a> Bytes<'a> {
    pub(super) fn new(all: &'a [u8]) -> Self {
        Self { all, offset: 0 }
    }

    /// The offset of the next byte.
    pub(super) fn offset(&self) -> usize {
        self.offset
    }

    /// The next bytes.
    pub(super) fn take(&mut self, needed: usize, what: &'static str) -> Result<&'a [u8], FileError> {
        let end = self.offset.checked_add(needed);
        let taken = end.and_then(|end| self.all.get(self.offset..end)).ok_or(FileError::Truncated {
            what,
            offset: self.offset,
            needed,
            size: self.all.len(),
        })?;
        self.offset += needed;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], FileError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N, what)?);
        Ok(array)
    }

    pub(super) fn u8(&mut self, what: &'static str) -> Result<u8, FileError> {
        Ok(u8::from_le_bytes(self.array(what)?))
    }

    pub(super) fn u16(&mut self, what: &'static str) -> Result<u16, FileError> {
        Ok(u16::from_le_bytes(self.array(what)?))
    }

    pub(super) fn u32(&mut self, what: &'static str) -> Result<u32, FileError> {
        Ok(u32::from_le_bytes(self.array(what)?))
    }

    /// Skips to the next multiple of a size.
    pub(super) fn align(&mut self, size: usize) -> Result<(), FileError> {
        let rest = self.offset % size;
        if rest != 0 {
            self.take(size - rest, "padding")?;
        }
        Ok(())
    }
}
