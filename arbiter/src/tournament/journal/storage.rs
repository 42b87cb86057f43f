//! Where a journal is stored: a file that its caller opened.

use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, Write};

/// Where a journal is stored.
pub trait Storage: Read + Write + Seek {
    /// Locks it for this program. Returns false if another program has locked it.
    ///
    /// # Errors
    /// If the system refuses for another reason.
    fn lock(&self) -> io::Result<bool>;

    /// Ends the lock.
    fn unlock(&self);

    /// Cuts it to this length, in bytes.
    ///
    /// # Errors
    /// If the system refuses.
    fn truncate(&mut self, length: u64) -> io::Result<()>;

    /// Waits until what was written is on the disk.
    ///
    /// # Errors
    /// If the system refuses.
    fn sync(&mut self) -> io::Result<()>;
}

impl Storage for File {
    /// File systems without locks are used without.
    fn lock(&self) -> io::Result<bool> {
        match self.try_lock() {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(true),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Closing the file would not end it at once: a process that is being started has the file open for a moment.
    fn unlock(&self) {
        let _ = File::unlock(self);
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }
}
