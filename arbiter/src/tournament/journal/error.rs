//! Why a journal cannot be read or written, and what to do.

use std::io;

use super::LONGEST_LINE;
use super::header::{FORMAT, HeaderDifference};

/// Why a journal cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The system refuses to read or write.
    #[error("cannot read or write the journal: {0}")]
    Io(#[from] io::Error),
    /// The file is no journal.
    #[error("line 1 is not the header of a match; give another file or folder")]
    NoJournal,
    /// The journal has another format.
    #[error("the journal has format {0}, not {FORMAT}; resume the match with the program that began it")]
    Format(u64),
    /// The journal is of another match.
    #[error(
        "the journal is of another match: {} is {} there and {} here; give its arguments, or another folder",
        .0.field, .0.journal, .0.this
    )]
    OtherMatch(HeaderDifference),
    /// The header is damaged.
    #[error("line 1, the header of the match, is damaged: {0}; restore the line, or begin the match anew")]
    DamagedHeader(serde_json::Error),
    /// Another program has the journal open.
    #[error("another program is writing the journal; wait until it ends, or give another folder")]
    InUse,
    /// The line of a game is damaged.
    #[error("line {line} is damaged: {reason}; restore the line, or delete it to play its game again")]
    Damaged {
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        reason: serde_json::Error,
    },
    /// A line is too long.
    #[error(
        "line {0} has more than {LONGEST_LINE} bytes; restore the line, or delete it to play its game again"
    )]
    Long(u64),
    /// A game has two lines.
    #[error("line {line}: game {game} is there a second time; delete one of its lines")]
    Twice {
        /// The line, from 1.
        line: u64,
        /// The number of the game.
        game: u64,
    },
    /// A game that the journal has was to be added.
    #[error("game {0} is in the journal already")]
    Known(u64),
    /// The header cannot be written as JSON.
    #[error("the header cannot be written: {0}")]
    Header(serde_json::Error),
    /// The header is too long.
    #[error("the header cannot be written: it has more than {LONGEST_LINE} bytes")]
    LongHeader,
    /// The record of a game cannot be written as JSON.
    #[error("game {game} cannot be written: {reason}")]
    Record {
        /// The number of the game.
        game: u64,
        /// Why.
        reason: serde_json::Error,
    },
    /// The record of a game is too long.
    #[error("game {0} cannot be written: its record has more than {LONGEST_LINE} bytes")]
    LongRecord(u64),
}
