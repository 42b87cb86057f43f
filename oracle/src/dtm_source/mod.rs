//! An independent authority on DTM: what the libraries that probe other people's tables have in common, and
//! how they fail. Knows neither our tables nor what the answers are compared with.

#[cfg(test)]
#[cfg(any(feature = "gaviota", feature = "prophet"))]
pub(crate) mod conformance;

use std::io;

use shakmaty::Chess;

/// Most men, kings included, of the tables that the packages of the libraries carry.
pub const MAX_MEN: usize = 3;

/// An independent authority on DTM, for up to [`MAX_MEN`] men.
///
/// Threads may share it; what they gain by that is said at each implementation.
pub trait DtmSource: Sync {
    /// The name under which it appears in reports, such as `gaviota`.
    fn name(&self) -> &'static str;

    /// Plies to mate with best play of both sides, the fifty-move rule ignored: `Some(0)` is checkmate, an odd
    /// number a win of the side to move, an even one its loss. `None` is a draw, stalemate among them.
    ///
    /// # Errors
    ///
    /// Refuses positions with more than [`MAX_MEN`] men or with castling rights, and answers of its library
    /// that mean nothing.
    fn dtm(&self, position: &Chess) -> Result<Option<u16>, DtmSourceError>;
}

/// Why an authority on DTM cannot be asked, or what is wrong with its answer.
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
        /// What the system says.
        #[source]
        source: io::Error,
    },
    /// The temporary folder has a path that the library cannot take, or it did not find its tables there.
    #[error("{library} does not find its tables in \"{folder}\"")]
    TablesNotFound {
        /// Name of the library.
        library: &'static str,
        /// The folder.
        folder: String,
    },
    /// There is no table for so many men.
    #[error("{library} has tables for at most {MAX_MEN} men, the position has {men}")]
    TooManyMen {
        /// Name of the library.
        library: &'static str,
        /// Men on the board, kings included.
        men: usize,
    },
    /// The tables know no castling.
    #[error("{library} has no positions with castling rights")]
    CastlingRights {
        /// Name of the library.
        library: &'static str,
    },
    /// The answer is none that the library's documentation has for a legal position.
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
