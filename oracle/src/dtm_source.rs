//! An independent authority on DTM: what the libraries that probe other people's tables have in common, and
//! how they fail. Knows neither our tables nor what the answers are compared with.

#[cfg(test)]
pub(crate) mod conformance;

use std::io;

use shakmaty::fen::Fen;
use shakmaty::{Chess, EnPassantMode, Position};

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

/// An answer of a library that means nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Meaningless;

impl DtmSourceError {
    /// The error of an answer without meaning.
    pub(crate) fn answer(library: &'static str, position: &Chess, answer: String) -> Self {
        let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
        Self::Answer { library, fen, answer }
    }
}

/// Refuses what the tables of `library` do not hold. What passes has at most one pawn: en passant is
/// impossible, and an en passant square that the position remembers means nothing.
///
/// # Errors
///
/// Fails for more than [`MAX_MEN`] men, and for castling rights.
pub(crate) fn check_material(library: &'static str, position: &Chess) -> Result<(), DtmSourceError> {
    let men = position.board().occupied().count();
    if men > MAX_MEN {
        return Err(DtmSourceError::TooManyMen { library, men });
    }
    if position.castles().any() {
        return Err(DtmSourceError::CastlingRights { library });
    }
    Ok(())
}
