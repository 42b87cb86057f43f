//! The lease of a C library that keeps its state in globals: a process has at most one. It comes with a
//! private folder for the tables of the library, which are part of this program.

use std::ffi::CString;
use std::fs;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use shakmaty::{Chess, Position};
use tempfile::TempDir;

use crate::board;
use crate::dtm_source::{DtmSourceError, MAX_MEN};

/// The files that `build.rs` copied for a library.
macro_rules! embed {
    ($library:literal, $($name:literal),+) => {
        &[$(($name, include_bytes!(concat!(env!("OUT_DIR"), "/", $library, "/", $name)))),+]
    };
}

pub(crate) use embed;

/// The files of a library: name and content.
pub(crate) type Files = [(&'static str, &'static [u8])];

/// While it lives, this process can open no other handle of the library, and the folder with the tables
/// exists.
#[derive(Debug)]
pub(crate) struct Lease {
    library: &'static str,
    folder: TempDir,
    _taken: Taken,
}

impl Lease {
    /// Leases the library with the flag `taken`, and unpacks its tables.
    ///
    /// # Errors
    ///
    /// Fails if the library is leased already, or if the files cannot be written.
    pub(crate) fn new(
        library: &'static str,
        taken: &'static AtomicBool,
        files: &Files,
    ) -> Result<Self, DtmSourceError> {
        let taken = Taken::set(taken).ok_or(DtmSourceError::AlreadyOpen { library })?;
        let folder = unpack(library, files).map_err(|source| DtmSourceError::Unpack { library, source })?;
        Ok(Self { library, folder, _taken: taken })
    }

    /// The path of the folder as a C string.
    ///
    /// # Errors
    ///
    /// Fails if the path contains a zero byte.
    pub(crate) fn path(&self) -> Result<CString, DtmSourceError> {
        CString::new(self.folder.path().as_os_str().as_encoded_bytes()).map_err(|_| self.tables_not_found())
    }

    /// The error of a library that does not find its tables in the folder.
    pub(crate) fn tables_not_found(&self) -> DtmSourceError {
        let folder = self.folder.path().display().to_string();
        DtmSourceError::TablesNotFound { library: self.library, folder }
    }

    /// Refuses positions that the tables do not hold. A position that passes has at most one pawn, so en
    /// passant is impossible, and an en passant square in the position has no meaning.
    ///
    /// # Errors
    ///
    /// Fails for more than [`MAX_MEN`] men, and for castling rights.
    pub(crate) fn check_material(&self, position: &Chess) -> Result<(), DtmSourceError> {
        let library = self.library;
        let men = position.board().occupied().count();
        if men > MAX_MEN {
            return Err(DtmSourceError::TooManyMen { library, men });
        }
        if position.castles().any() {
            return Err(DtmSourceError::CastlingRights { library });
        }
        Ok(())
    }

    /// The error for an answer without meaning, in the form that the library returned.
    pub(crate) fn meaningless(&self, position: &Chess, answer: String) -> DtmSourceError {
        DtmSourceError::Answer { library: self.library, fen: board::fen(position), answer }
    }
}

/// An answer without meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Meaningless;

fn unpack(library: &str, files: &Files) -> io::Result<TempDir> {
    let folder = tempfile::Builder::new().prefix(&format!("touchstone-{library}-")).tempdir()?;
    for (name, content) in files {
        fs::write(folder.path().join(name), content)?;
    }
    Ok(folder)
}

/// A flag that is set while this lives.
#[derive(Debug)]
struct Taken(&'static AtomicBool);

impl Taken {
    /// Sets the flag; `None` if it is set already.
    fn set(flag: &'static AtomicBool) -> Option<Self> {
        let was_set = flag.swap(true, Ordering::Acquire);
        (!was_set).then_some(Self(flag))
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: &Files = &[("kqk", b"queen"), ("krk", b"rook")];

    #[test]
    fn the_folder_lives_as_long_as_the_lease() {
        static TAKEN: AtomicBool = AtomicBool::new(false);
        let lease = Lease::new("test", &TAKEN, FILES).unwrap();
        let folder = lease.folder.path().to_owned();
        assert_eq!(lease.path().unwrap().to_bytes(), folder.as_os_str().as_encoded_bytes());
        for (name, content) in FILES {
            assert_eq!(fs::read(folder.join(name)).unwrap(), *content);
        }
        drop(lease);
        assert!(!folder.exists());
    }

    #[test]
    fn a_second_lease_is_refused_until_the_first_is_dropped() {
        static TAKEN: AtomicBool = AtomicBool::new(false);
        let first = Lease::new("test", &TAKEN, FILES).unwrap();
        let second = Lease::new("test", &TAKEN, FILES);
        assert!(matches!(second, Err(DtmSourceError::AlreadyOpen { library: "test" })));
        drop(first);
        assert!(Lease::new("test", &TAKEN, FILES).is_ok());
    }

    #[test]
    fn files_that_cannot_be_written_give_the_library_back() {
        static TAKEN: AtomicBool = AtomicBool::new(false);
        let lease = Lease::new("test", &TAKEN, &[("no such folder/kqk", b"queen")]);
        assert!(matches!(lease, Err(DtmSourceError::Unpack { library: "test", .. })));
        assert!(Lease::new("test", &TAKEN, FILES).is_ok());
    }
}
