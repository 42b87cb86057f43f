//! Why bytes are not a valid table.

/// Why bytes are not a valid table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// The file does not start with the magic of this format.
    #[error("foreign: not a table of this program (it starts with {found})")]
    Foreign {
        /// The first bytes, in hexadecimal.
        found: String,
    },
    /// The file was written by an older version.
    #[error(
        "old: format version {found}, this program reads version {read}; build it anew: touchstone tables build {table}"
    )]
    Old {
        /// The version in the file.
        found: u16,
        /// The version that this program reads.
        read: u16,
        /// The name of the table in the file.
        table: String,
    },
    /// The file was written by a newer version.
    #[error("future: format version {found}, this program reads version {read}; use a newer program")]
    Future {
        /// The version in the file.
        found: u16,
        /// The version that is read.
        read: u16,
    },
    /// The file is too short.
    #[error("truncated: {found} bytes, expected {expected}; copy or build it again")]
    Truncated {
        /// The size of the file, in bytes.
        found: u64,
        /// The expected size, in bytes; a lower bound if the file ends before its index does.
        expected: u64,
    },
    /// The checksum or the contents are wrong.
    #[error("damaged: {0}; copy or build it again")]
    Damaged(String),
    /// A block is wrong. The others may be right.
    #[error("damaged: block {block} at offset {offset}: {what}; copy or build it again")]
    Block {
        /// The number of the block, from 0.
        block: usize,
        /// Where the block starts in the file, in bytes.
        offset: u64,
        /// The fault.
        what: String,
    },
    /// The system did not read the bytes.
    #[error("unreadable: {bytes} bytes at offset {offset}: {what}")]
    Unreadable {
        /// Where the bytes start in the file.
        offset: u64,
        /// How many bytes the reader asked for.
        bytes: usize,
        /// The message of the system.
        what: String,
    },
}

impl FileError {
    pub(super) fn damaged(what: impl Into<String>) -> Self {
        Self::Damaged(what.into())
    }
}
