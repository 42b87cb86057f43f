//! FEN: parses and prints the text of a position.
//!
//! Six fields separated by single spaces: board, side to move, castling, en passant, halfmove clock, move
//! number. Castling is read and written as X-FEN (`KQkq` for the outermost rook of a side, else the letter of
//! the rook's file) and as Shredder-FEN (always the letter of the file). For standard chess X-FEN equals FEN.
//!
//! Checks the form only; [`crate::validate`] checks the position.

mod parse;
mod print;

use crate::position::join;
use crate::validate::SetupFault;
use crate::{Position, Rank, Setup};

/// Longer texts are rejected unread. The longest FEN of a legal position has 96 characters.
pub const MAX_LENGTH: usize = 128;

/// One reason why a text is not the FEN of a legal position. Quoted texts are cut to sixteen characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash, thiserror::Error)]
pub enum FenFault {
    /// More than [`MAX_LENGTH`] bytes.
    #[error("expected at most {MAX_LENGTH} bytes, got {0}")]
    TooLong(usize),
    /// Not six fields separated by single spaces.
    #[error("expected 6 fields separated by single spaces, got {0}")]
    WrongNumberOfFields(usize),
    /// Not eight ranks separated by slashes.
    #[error("board: expected 8 ranks, got {0}")]
    WrongNumberOfRanks(usize),
    /// A rank of more or fewer than eight squares.
    #[error("board: expected 8 squares on rank {}, got {squares}", .rank.to_char())]
    WrongRankLength {
        /// The rank.
        rank: Rank,
        /// Squares that the text describes.
        squares: usize,
    },
    /// A character that is neither a piece nor a number from 1 to 8.
    #[error("board: expected a piece or a number from 1 to 8 on rank {}, got '{found}'", .rank.to_char())]
    UnknownPiece {
        /// The rank.
        rank: Rank,
        /// The character.
        found: char,
    },
    /// Two consecutive numbers of empty squares.
    #[error("board: expected a piece between two numbers on rank {}", .0.to_char())]
    AdjacentNumbers(Rank),
    /// Neither `w` nor `b`.
    #[error("side to move: expected w or b, got \"{0}\"")]
    BadSideToMove(String),
    /// Neither `-` nor castling letters, each at most once.
    #[error("castling: expected -, or some of KQkq or of the files of rooks, each once, got \"{0}\"")]
    BadCastling(String),
    /// Neither `-` nor a square.
    #[error("en passant: expected - or a square, got \"{0}\"")]
    BadEnPassant(String),
    /// Not a number from 0 to 65535, or with leading zeros or a sign.
    #[error("halfmove clock: expected a number, got \"{0}\"")]
    BadHalfmoveClock(String),
    /// Not a number from 0 to 65535, or with leading zeros or a sign.
    #[error("move number: expected a number, got \"{0}\"")]
    BadFullmoveNumber(String),
    /// The text describes an illegal position.
    #[error(transparent)]
    Position(#[from] SetupFault),
}

/// A text that is not the FEN of a legal position, with all the reasons.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", join(.faults))]
pub struct InvalidFen {
    /// At least one reason.
    pub faults: Vec<FenFault>,
}

impl Setup {
    /// Parses a FEN, whether or not the position is legal.
    ///
    /// # Errors
    /// All faults of form.
    pub fn from_fen(fen: &str) -> Result<Self, InvalidFen> {
        let (setup, faults) = parse::parse(fen);
        match setup {
            Some(setup) if faults.is_empty() => Ok(setup),
            _ => Err(InvalidFen { faults }),
        }
    }

    /// Writes the setup as FEN, with castling as X-FEN.
    pub fn to_fen(self) -> String {
        print::fen(&self, print::Castling::XFen)
    }

    /// Writes the setup as Shredder-FEN.
    pub fn to_shredder_fen(self) -> String {
        print::fen(&self, print::Castling::Shredder)
    }
}

impl Position {
    /// Parses FEN, X-FEN or Shredder-FEN.
    ///
    /// # Errors
    ///
    /// All faults, of the text and of the position. If the board or the side to move cannot be parsed, only
    /// faults of the text are listed.
    ///
    /// # Examples
    /// ```
    /// use engine::{Color, SetupFault, FenFault, Position};
    ///
    /// let position = Position::from_fen("8/8/8/8/8/1K6/2R5/1k6 b - - 0 1")?;
    /// assert_eq!(position.legal_moves().len(), 1);
    ///
    /// let refused = Position::from_fen("8/8/8/8/8/8/2R5/1k6 w - - x 1").unwrap_err();
    /// assert_eq!(refused.faults[0], FenFault::BadHalfmoveClock("x".into()));
    /// assert_eq!(refused.faults[1], SetupFault::MissingKing(Color::White).into());
    /// # Ok::<(), engine::InvalidFen>(())
    /// ```
    pub fn from_fen(fen: &str) -> Result<Self, InvalidFen> {
        let (setup, mut faults) = parse::parse(fen);
        if let Some(setup) = setup {
            match Self::from_setup(&setup) {
                Ok(position) if faults.is_empty() => return Ok(position),
                Ok(_) => {}
                Err(invalid) => faults.extend(invalid.faults.into_iter().map(FenFault::from)),
            }
        }
        Err(InvalidFen { faults })
    }

    /// Writes the position as FEN, with castling as X-FEN. The en passant square is written only if a pawn
    /// may legally capture.
    pub fn to_fen(self) -> String {
        self.to_setup().to_fen()
    }

    /// Writes the position as Shredder-FEN.
    pub fn to_shredder_fen(self) -> String {
        self.to_setup().to_shredder_fen()
    }
}
