//! Writes the fields of a FEN.

use crate::castling::CastlingSide;
use crate::{Board, Color, File, Rank, Setup, Square};

/// The notation of castling rights.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Castling {
    /// `K` and `Q` for the outermost rook of a side, else the letter of the file (X-FEN).
    XFen,
    /// Always the letter of the file (Shredder-FEN).
    Shredder,
}

pub(super) fn fen(setup: &Setup, style: Castling) -> String {
    // The longest: 64 men and 7 slashes, all rights, two numbers of five digits.
    let mut text = String::with_capacity(96);
    push_board(&mut text, &setup.board);
    text.extend([' ', setup.side_to_move.to_char(), ' ']);
    push_castling(&mut text, setup, style);
    let en_passant = setup.en_passant.map_or_else(|| "-".to_owned(), |square| square.to_string());
    text + &format!(" {en_passant} {} {}", setup.halfmove_clock, setup.fullmove_number)
}

fn push_board(text: &mut String, board: &Board) {
    for rank in Rank::ALL.into_iter().rev() {
        let mut empty = 0;
        for file in File::ALL {
            match board.piece_at(Square::new(file, rank)) {
                None => empty += 1,
                Some(piece) => {
                    text.extend(digit(empty));
                    text.push(piece.to_char());
                    empty = 0;
                }
            }
        }
        text.extend(digit(empty));
        if rank != Rank::First {
            text.push('/');
        }
    }
}

/// The digit for a number of empty squares, at most eight; none for none.
fn digit(empty: u32) -> Option<char> {
    char::from_digit(empty, 10).filter(|_| empty > 0)
}

/// White's rights first, from the h-file to the a-file.
fn push_castling(text: &mut String, setup: &Setup, style: Castling) {
    let before = text.len();
    for color in Color::ALL {
        let rooks: Vec<Square> = setup.castling.rooks_of(color).into_iter().collect();
        for &rook in rooks.iter().rev() {
            let letter = castling_letter(setup, style, color, rook);
            text.push(color.pick(letter.to_ascii_uppercase(), letter));
        }
    }
    if text.len() == before {
        text.push('-');
    }
}

fn castling_letter(setup: &Setup, style: Castling, color: Color, rook: Square) -> char {
    let outermost = |side: CastlingSide| side.outermost_rook(&setup.board, color) == Some(rook);
    match style {
        Castling::XFen if outermost(CastlingSide::King) => 'k',
        Castling::XFen if outermost(CastlingSide::Queen) => 'q',
        Castling::XFen | Castling::Shredder => rook.file().to_char(),
    }
}
