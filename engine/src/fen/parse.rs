//! Parses each field of a FEN independently, so that one fault does not hide another.

use super::{FenFault, MAX_LENGTH};
use crate::castling::CastlingSide;
use crate::{Bitboard, Board, CastlingRights, Color, File, Piece, Rank, Setup, Square};

/// The parsed fields and all faults of form. `None` if the board or the side to move cannot be parsed; any
/// other field that cannot be parsed keeps its default.
pub(super) fn parse(fen: &str) -> (Option<Setup>, Vec<FenFault>) {
    if fen.len() > MAX_LENGTH {
        return (None, vec![FenFault::TooLong(fen.len())]);
    }
    let fields: Vec<&str> = fen.split(' ').collect();
    let mut faults = Faults(Vec::new());
    if fields.len() != 6 {
        faults.0.push(FenFault::WrongNumberOfFields(fields.len()));
    }
    let field = |index: usize| fields.get(index).copied();
    let board = faults.board(fields[0]);
    let side = field(1).and_then(|text| faults.sift(side_to_move(text)));
    let rooks = field(2).and_then(|text| faults.sift(castling(text, &board.unwrap_or_default())));
    let square = field(3).and_then(|text| faults.sift(en_passant(text)));
    let clock = field(4)
        .and_then(|text| faults.sift(counter(text).ok_or_else(|| FenFault::BadHalfmoveClock(quote(text)))));
    let number = field(5)
        .and_then(|text| faults.sift(counter(text).ok_or_else(|| FenFault::BadFullmoveNumber(quote(text)))));
    let setup = board.zip(side).map(|(board, side)| Setup {
        castling: rooks.unwrap_or_default(),
        en_passant: square.flatten(),
        halfmove_clock: clock.unwrap_or(0),
        fullmove_number: number.unwrap_or(1),
        ..Setup::new(board, side)
    });
    (setup, faults.0)
}

struct Faults(Vec<FenFault>);

impl Faults {
    /// Records the fault, or returns the value.
    fn sift<T>(&mut self, read: Result<T, FenFault>) -> Option<T> {
        read.map_err(|fault| self.0.push(fault)).ok()
    }

    fn board(&mut self, text: &str) -> Option<Board> {
        let ranks: Vec<&str> = text.split('/').collect();
        if ranks.len() != 8 {
            self.0.push(FenFault::WrongNumberOfRanks(ranks.len()));
            return None;
        }
        let before = self.0.len();
        let mut board = Board::EMPTY;
        for (text, &rank) in ranks.iter().zip(Rank::ALL.iter().rev()) {
            self.rank(text, rank, &mut board);
        }
        (self.0.len() == before).then_some(board)
    }

    fn rank(&mut self, text: &str, rank: Rank, board: &mut Board) {
        let mut squares = 0;
        let mut after_number = false;
        for found in text.chars() {
            let number = found.to_digit(10).map(|number| number as usize);
            match (number, Piece::from_char(found)) {
                (Some(number @ 1..=8), _) => {
                    if after_number {
                        self.0.push(FenFault::AdjacentNumbers(rank));
                    }
                    squares += number;
                }
                (None, Some(piece)) => {
                    if let Some(&file) = File::ALL.get(squares) {
                        board.put(Square::new(file, rank), piece);
                    }
                    squares += 1;
                }
                _ => return self.0.push(FenFault::UnknownPiece { rank, found }),
            }
            after_number = number.is_some();
        }
        if squares != 8 {
            self.0.push(FenFault::WrongRankLength { rank, squares });
        }
    }
}

/// The start of a text, for an error message.
fn quote(text: &str) -> String {
    text.chars().take(16).collect()
}

fn side_to_move(text: &str) -> Result<Color, FenFault> {
    let mut sides = Color::ALL.into_iter();
    sides.find(|side| text == side.to_char().to_string()).ok_or_else(|| FenFault::BadSideToMove(quote(text)))
}

fn castling(text: &str, board: &Board) -> Result<CastlingRights, FenFault> {
    if text == "-" {
        return Ok(CastlingRights::NONE);
    }
    let bad = || FenFault::BadCastling(quote(text));
    let mut rooks = Bitboard::EMPTY;
    for letter in text.chars() {
        let rook = castling_rook(letter, board).ok_or_else(bad)?;
        if rooks.contains(rook) {
            return Err(bad());
        }
        rooks = rooks.with(rook);
    }
    if rooks.is_empty() { Err(bad()) } else { Ok(CastlingRights::from_rooks(rooks)) }
}

/// The rook's square that a castling letter names: by file, or the outermost rook of a side. If there is no
/// such rook, the corner, which validation then rejects.
fn castling_rook(letter: char, board: &Board) -> Option<Square> {
    let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
    let rank = Rank::First.relative_to(color);
    let (side, corner) = match letter.to_ascii_lowercase() {
        'k' => (CastlingSide::King, Square::new(File::H, rank)),
        'q' => (CastlingSide::Queen, Square::new(File::A, rank)),
        file => return Some(Square::new(File::from_char(file)?, rank)),
    };
    Some(side.outermost_rook(board, color).unwrap_or(corner))
}

fn en_passant(text: &str) -> Result<Option<Square>, FenFault> {
    match text {
        "-" => Ok(None),
        square => square.parse().map(Some).map_err(|_| FenFault::BadEnPassant(quote(text))),
    }
}

/// Parses a number without sign and leading zeros.
fn counter(text: &str) -> Option<u16> {
    text.parse().ok().filter(|number: &u16| number.to_string() == text)
}
