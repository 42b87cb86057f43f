//! An independent source of DTM, implemented by the libraries that probe other programs' tables, and its
//! errors. It knows nothing of the values that it is compared with.

#[cfg(test)]
#[cfg(any(feature = "gaviota", feature = "prophet"))]
pub(crate) mod conformance;

use std::io;

use shakmaty::Chess;

use crate::table_probe::Dtm;

/// The most men, kings included, of the tables that come with the libraries.
pub const MAX_MEN: usize = 3;

/// An independent source of DTM for up to [`MAX_MEN`] men.
///
/// Threads may share it. Each implementation says whether they gain by that.
pub trait DtmSource: Sync {
    /// The name in reports, such as `gaviota`.
    fn name(&self) -> &'static str;

    /// Distance to mate with best play of both sides, without the fifty-move rule. `None` is a draw, which
    /// includes stalemate.
    ///
    /// # Errors
    ///
    /// Refuses positions with more than [`MAX_MEN`] men or with castling rights. An answer of the library
    /// that has no meaning is an error.
    fn dtm(&self, position: &Chess) -> Result<Option<Dtm>, DtmSourceError>;
}

/// Why a DTM source cannot be used, or why its answer is wrong.
#[derive(Debug, thiserror::Error)]
pub enum DtmSourceError {
    /// The library keeps its state in globals: a process has one handle at a time.
    #[error("{library} is already open in this process")]
    AlreadyOpen {
        /// Name of the library.
        library: &'static str,
    },
    /// The tables could not be unpacked.
    #[error("cannot write the tables of {library} into a temporary folder")]
    Unpack {
        /// Name of the library.
        library: &'static str,
        /// The error of the system.
        #[source]
        source: io::Error,
    },
    /// The library cannot use the path of the temporary folder, or does not find its tables there.
    #[error("{library} does not find its tables in \"{folder}\"")]
    TablesNotFound {
        /// Name of the library.
        library: &'static str,
        /// The folder.
        folder: String,
    },
    /// There is no table with this many men.
    #[error("{library} has tables for at most {MAX_MEN} men, the position has {men}")]
    TooManyMen {
        /// Name of the library.
        library: &'static str,
        /// Men on the board, kings included.
        men: usize,
    },
    /// The tables have no castling.
    #[error("{library} has no positions with castling rights")]
    CastlingRights {
        /// Name of the library.
        library: &'static str,
    },
    /// The documentation of the library has no such answer for a legal position.
    #[error("{library} gives an answer without meaning for \"{fen}\": {answer}")]
    Answer {
        /// Name of the library.
        library: &'static str,
        /// The position.
        fen: String,
        /// The answer, in the library's own terms.
        answer: String,
    },
}
