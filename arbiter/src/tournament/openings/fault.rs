//! What is wrong with a book of openings, and where.

use oracle::board::FenError;
use suites::epd::EpdError;

use super::{MOST_BYTES, MOST_OPENINGS, MOST_PLIES};
use crate::pgn::{TokenFault, Unplayable};

/// Why a book is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BookError {
    /// The file is too large.
    #[error("the book has {0} bytes, and at most {MOST_BYTES} are read")]
    Bytes(usize),
    /// The book has too many openings.
    #[error("the book has more than {MOST_OPENINGS} openings")]
    Many,
    /// The book has no opening.
    #[error("the book has no opening")]
    Empty,
    /// A line of EPD is wrong.
    #[error("line {line}: {fault}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        fault: OpeningFault,
    },
    /// A game of PGN is wrong.
    #[error("game {game}, line {line}: {fault}")]
    Game {
        /// The game, from 1.
        game: usize,
        /// The line with the fault, from 1.
        line: usize,
        /// What is wrong.
        fault: OpeningFault,
    },
}

/// What is wrong with an opening.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpeningFault {
    /// The line is not EPD.
    #[error(transparent)]
    Epd(#[from] EpdError),
    /// The position is not legal, or the text is no FEN.
    #[error(transparent)]
    Position(#[from] FenError),
    /// The game is over before the first move.
    #[error("the position is over: {0}")]
    StartsOver(Ending),
    /// The game is over after some moves.
    #[error("the game is over after {plies} plies: {ending}; plies=N cuts it after N plies")]
    Over {
        /// The plies that were played.
        plies: usize,
        /// How it ended.
        ending: Ending,
    },
    /// A word cannot be played.
    #[error(transparent)]
    Move(#[from] Unplayable),
    /// The game has too many moves.
    #[error("the game has more than {MOST_PLIES} plies; plies=N cuts it after N plies")]
    Plies,
    /// The game is of another variant of chess.
    #[error("the variant is \"{0}\", and only standard chess and Chess960 are played")]
    Variant(String),
    /// A text is no PGN.
    #[error(transparent)]
    Token(#[from] TokenFault),
    /// A tag comes a second time, before any move or result.
    #[error("the tag {0} is there twice; a game without moves ends with a result such as *")]
    TagTwice(String),
    /// A variation is not closed.
    #[error("a variation is opened with ( and not closed")]
    Variation,
    /// A variation is closed and was not opened.
    #[error("a ) closes no variation")]
    Closing,
}

suites::words! {
    /// How a game ended on the board.
    pub enum Ending: "ending" {
        /// The side to move is checkmated.
        Checkmate = "checkmate",
        /// The side to move is stalemated.
        Stalemate = "stalemate",
        /// No side can mate.
        InsufficientMaterial = "insufficient material",
        /// The position stands on the board for the third time.
        Repetition = "threefold repetition",
        /// 100 plies have passed without a capture or pawn move.
        FiftyMoves = "fifty-move rule",
    }
}
