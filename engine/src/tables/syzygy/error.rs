//! Why bytes are not a Syzygy table, and why a position has no value.

use super::kind::Kind;
use super::numbering::NumberingError;
use crate::tables::Material;

/// Why bytes are not a Syzygy table of a material.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// Another format.
    #[error("expected the magic {expected:08x} at the start, got {found:08x}")]
    Magic {
        /// The magic of this kind of table.
        expected: u32,
        /// The first four bytes.
        found: u32,
    },
    /// The bytes end too early.
    #[error("truncated: {what} needs {needed} bytes at offset {offset}, the file has {size}")]
    Truncated {
        /// The part that was read.
        what: &'static str,
        /// Where it stands.
        offset: usize,
        /// Its size.
        needed: usize,
        /// The size of the file.
        size: usize,
    },
    /// The byte after the magic does not fit the material.
    #[error("expected the byte {expected:#04x} at offset 4, got {found:#04x}")]
    Shape {
        /// The byte for tables of the material.
        expected: u8,
        /// The byte in the file.
        found: u8,
    },
    /// The men or their order do not fit the material.
    #[error("at offset {offset}: {fault}")]
    Men {
        /// Where the men stand.
        offset: usize,
        /// The fault.
        fault: NumberingError,
    },
    /// A byte that is not the number of a man.
    #[error("no man has the number {found} at offset {offset}")]
    Man {
        /// Where it stands.
        offset: usize,
        /// The number.
        found: u8,
    },
    /// A table with distances that no table of up to five men has.
    #[error(
        "the flags at offset {offset} announce maps of two bytes a value, which no table of up to five men has"
    )]
    Wide {
        /// Where the flags stand.
        offset: usize,
    },
    /// A part of a compressed table has an impossible value.
    #[error("{what} is {found} at offset {offset}")]
    Value {
        /// The part.
        what: &'static str,
        /// Where it stands.
        offset: usize,
        /// The value.
        found: u64,
    },
    /// The checksum at the end is not that of the bytes before it.
    #[error("the checksum is {found:032x}, that of the contents is {expected:032x}")]
    Checksum {
        /// The checksum of the contents.
        expected: u128,
        /// The checksum in the file.
        found: u128,
    },
}

/// Why a position has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ProbeError {
    /// Castling rights, or more men than any table.
    #[error("the position has castling rights, or too many men")]
    Special,
    /// A table is missing: that of the position, or one that a capture leads to.
    #[error("no {1} table {0} here")]
    NoTable(Material, Kind),
    /// The table is damaged where the position stands.
    #[error("the {1} table {0} is damaged")]
    Damaged(Material, Kind),
}
