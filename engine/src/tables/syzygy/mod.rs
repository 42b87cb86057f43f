//! Syzygy files: results (`.rtbw`) and distances to zeroing moves (`.rtbz`) of all positions with few men.
//!
//! In reading order: the five results ([`Wdl`]), the numbers of squares and of positions (`squares`,
//! `numbering`), the compressed values (`pairs`), a file ([`SyzygyFile`]) with its checksum, a set of files
//! that is probed by position ([`SyzygySet`]), and the writer ([`write()`]). Bytes go in and come out:
//! nothing here opens files.

mod bytes;
mod checksum;
mod error;
mod file;
mod kind;
mod numbering;
mod pairs;
mod prober;
mod squares;
mod value;
mod writer;

#[cfg(test)]
mod tests;

pub use checksum::of as checksum;
pub use error::{FileError, ProbeError};
pub use file::SyzygyFile;
pub use kind::Kind;
pub use numbering::NumberingError;
pub use prober::SyzygySet;
pub use value::Wdl;
pub use writer::{WriteError, Written, write};
