//! Every placement of a material's men on shakmaty's board, and which of them are legal positions.
//!
//! The oracle walks placements square by square and asks shakmaty; it never walks the index of a table, or a
//! table that forgets positions would pass.

use std::fmt;
use std::str::FromStr;

use shakmaty::fen::Fen;
use shakmaty::{
    Board, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Piece, PositionError, PositionErrorKinds,
    Role, Setup, Square,
};

/// The most men whose placements are walked: 64 to the fifth would be a thousand million.
pub const MAX_MEN: usize = 4;

/// The men of a table, White's as named first: `KPvK`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Men {
    name: String,
    pieces: Vec<Piece>,
}

/// A name that names no table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected a table such as KPvK with at most {MAX_MEN} men, got \"{0}\"")]
pub struct ParseMenError(String);

impl FromStr for Men {
    type Err = ParseMenError;

    fn from_str(text: &str) -> Result<Self, ParseMenError> {
        let wrong = || ParseMenError(text.chars().take(24).collect());
        let (white, black) = text.split_once('v').ok_or_else(wrong)?;
        let mut pieces = Vec::new();
        for (color, letters) in [(Color::White, white), (Color::Black, black)] {
            if !letters.starts_with('K') || letters.matches('K').count() != 1 || letters.len() > MAX_MEN {
                return Err(wrong());
            }
            for letter in letters.chars() {
                let role =
                    Role::from_char(letter).filter(|_| letter.is_ascii_uppercase()).ok_or_else(wrong)?;
                pieces.push(Piece { color, role });
            }
        }
        if pieces.len() > MAX_MEN {
            return Err(wrong());
        }
        Ok(Self { name: text.to_owned(), pieces })
    }
}

impl fmt::Display for Men {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl Men {
    /// The name of the table.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether there is a pawn, which leaves a board only its left-right mirror.
    pub fn has_pawns(&self) -> bool {
        self.pieces.iter().any(|piece| piece.role == Role::Pawn)
    }

    /// Whether both sides have a pawn, so that en passant may arise.
    pub fn has_opposing_pawns(&self) -> bool {
        let pawn = |color| self.pieces.contains(&Piece { color, role: Role::Pawn });
        pawn(Color::White) && pawn(Color::Black)
    }

    /// Placements for one side to move, those with two men on a square included.
    pub fn numbers(&self) -> u64 {
        1 << (6 * self.pieces.len())
    }

    /// The placement of a number: its digits to the base 64 are the squares. `None` where two men share a square.
    fn board(&self, number: u64) -> Option<Board> {
        let mut board = Board::empty();
        let mut digits = number;
        for &piece in self.pieces.iter().rev() {
            let square = Square::new((digits % 64) as u32);
            if board.piece_at(square).is_some() {
                return None;
            }
            board.set_piece_at(square, piece);
            digits /= 64;
        }
        Some(board)
    }

    /// Whether a placement stands for its symmetry class: whether none of its images has a lower number.
    fn is_representative(&self, number: u64) -> bool {
        self.symmetries().iter().all(|&symmetry| self.image(number, symmetry) >= number)
    }

    fn symmetries(&self) -> &'static [fn(Square) -> Square] {
        if self.has_pawns() { &SYMMETRIES[..2] } else { &SYMMETRIES }
    }

    fn image(&self, number: u64, symmetry: fn(Square) -> Square) -> u64 {
        (0..self.pieces.len()).rev().fold(0, |image, man| {
            let square = Square::new((number >> (6 * man) & 63) as u32);
            image << 6 | u64::from(symmetry(square))
        })
    }
}

/// The symmetries of the board; the first two leave pawns pawns.
const SYMMETRIES: [fn(Square) -> Square; 8] = [
    |square| square,
    Square::flip_horizontal,
    Square::flip_vertical,
    |square| square.flip_horizontal().flip_vertical(),
    Square::flip_diagonal,
    |square| square.flip_horizontal().flip_diagonal(),
    |square| square.flip_vertical().flip_diagonal(),
    |square| square.flip_horizontal().flip_vertical().flip_diagonal(),
];

/// A placement with a side to move, and shakmaty's word on it.
#[derive(Debug, Clone)]
pub struct Placement {
    /// Where the men stand.
    pub board: Board,
    /// Who is to move.
    pub turn: Color,
    /// The position, if it is legal.
    pub legal: Option<Chess>,
    /// Whether it stands for its symmetry class.
    pub representative: bool,
}

impl Placement {
    /// The placement of a number and a side to move; `None` where two men share a square.
    pub fn numbered(men: &Men, number: u64, turn: Color) -> Option<Self> {
        let board = men.board(number)?;
        let legal = position(board.clone(), turn).ok();
        Some(Self { board, turn, legal, representative: men.is_representative(number) })
    }

    /// As a FEN, with the counters of a new game.
    pub fn fen(&self) -> String {
        fen(&self.board, self.turn)
    }
}

/// The position with these men and nothing else: no castling rights, no en passant.
///
/// No game reaches a position with an impossible check, yet it is sound and stands in tables: it is forgiven here, by
/// name. All else that shakmaty finds wrong makes a position illegal.
pub fn position(board: Board, turn: Color) -> Result<Chess, PositionErrorKinds> {
    let setup = Setup { board, turn, ..Setup::empty() };
    Chess::from_setup(setup, CastlingMode::Standard)
        .or_else(PositionError::ignore_impossible_check)
        .map_err(|error| error.kinds())
}

/// A placement as a FEN, with the counters of a new game.
pub fn fen(board: &Board, turn: Color) -> String {
    let setup = Setup { board: board.clone(), turn, ..Setup::empty() };
    Fen::try_from_setup(setup).unwrap_or_else(shakmaty::fen::LossyFenError::ignore).to_string()
}

/// A legal position as a FEN.
pub fn fen_of(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}
