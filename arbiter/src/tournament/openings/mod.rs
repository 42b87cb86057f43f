//! Books of openings: from EPD or PGN to positions and moves, and the order in which a match plays them.
//! Knows no files.

mod book;
mod epd;
mod fault;
mod line;
mod order;
#[cfg(test)]
mod own;
mod pgn;
#[cfg(test)]
mod tests;

pub use book::Book;
pub use fault::{BookError, Ending, OpeningFault};
pub use order::{OpeningOrder, Order, StartError};

/// The largest book that is read, in bytes.
pub const MOST_BYTES: usize = 1 << 30;
/// The most openings of a book.
pub const MOST_OPENINGS: usize = 1 << 23;
/// The most plies of an opening.
pub const MOST_PLIES: usize = 1000;
/// The most letters of a name that are kept.
pub const MOST_NAME: usize = 200;

/// An opening of a book: the moves with which both games of a pair begin. It is legal and not over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookOpening {
    /// The position before the first move, as a FEN of six fields; `None` for the initial position of
    /// standard chess.
    pub fen: Option<String>,
    /// The moves in UCI notation. In Chess960 castling is written as king takes rook.
    pub moves: Vec<String>,
    /// Its name, if the book has one: the `id` of EPD, or `ECO`, `Opening` and `Variation` of PGN.
    pub name: Option<String>,
    /// Whether it is played by the rules of Chess960.
    pub is_chess960: bool,
}

suites::words! {
    /// The format of a book.
    pub enum BookFormat: "format of a book" {
        /// Lines of EPD or FEN.
        Epd = "epd",
        /// Games.
        Pgn = "pgn",
    }
}

/// How a book is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReadOptions {
    /// Whether all openings are of Chess960. Otherwise those are whose castling rights or tags need it.
    pub is_chess960: bool,
    /// After how many plies the games of a PGN file are cut. Moves after that are not played.
    pub plies: Option<usize>,
}

impl Book {
    /// Reads a book. Bytes that are not UTF-8 may stand in names and comments.
    ///
    /// # Errors
    /// If the file is too large, has no opening, or an opening is wrong: the error says its line or game.
    pub fn read(bytes: &[u8], format: BookFormat, options: ReadOptions) -> Result<Self, BookError> {
        if bytes.len() > MOST_BYTES {
            return Err(BookError::Bytes(bytes.len()));
        }
        let text = String::from_utf8_lossy(bytes);
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let book = match format {
            BookFormat::Epd => epd::read(text, options)?,
            BookFormat::Pgn => pgn::read(text, options)?,
        };
        if book.len() == 0 { Err(BookError::Empty) } else { Ok(book) }
    }
}
