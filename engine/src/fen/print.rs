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
    format!(
        "{} {} {} {} {} {}",
        board(&setup.board),
        setup.side_to_move.to_char(),
        castling(setup, style),
        setup.en_passant.map_or_else(|| "-".to_owned(), |square| square.to_string()),
        setup.halfmove_clock,
        setup.fullmove_number,
    )
}

fn board(board: &Board) -> String {
    Rank::ALL.iter().rev().map(|&at| rank(board, at)).collect::<Vec<_>>().join("/")
}

fn rank(board: &Board, rank: Rank) -> String {
    let mut text = String::new();
    let mut empty = 0;
    let flush = |text: &mut String, empty: &mut u32| {
        if *empty > 0 {
            text.push_str(&empty.to_string());
            *empty = 0;
        }
    };
    for file in File::ALL {
        match board.piece_at(Square::new(file, rank)) {
            None => empty += 1,
            Some(piece) => {
                flush(&mut text, &mut empty);
                text.push(piece.to_char());
            }
        }
    }
    flush(&mut text, &mut empty);
    text
}

/// White's rights first, from the h-file to the a-file.
fn castling(setup: &Setup, style: Castling) -> String {
    let mut text = String::new();
    for color in Color::ALL {
        let rooks: Vec<Square> = setup.castling.rooks_of(color).into_iter().collect();
        for &rook in rooks.iter().rev() {
            let letter = castling_letter(setup, style, color, rook);
            text.push(color.pick(letter.to_ascii_uppercase(), letter));
        }
    }
    if text.is_empty() { "-".to_owned() } else { text }
}

fn castling_letter(setup: &Setup, style: Castling, color: Color, rook: Square) -> char {
    let outermost = |side: CastlingSide| side.outermost_rook(&setup.board, color) == Some(rook);
    match style {
        Castling::XFen if outermost(CastlingSide::King) => 'k',
        Castling::XFen if outermost(CastlingSide::Queen) => 'q',
        Castling::XFen | Castling::Shredder => rook.file().to_char(),
    }
}
