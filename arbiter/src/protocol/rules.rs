//! Positions and moves of the protocol, read with shakmaty's rules.

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};

use super::abort::Fault;
pub(super) use crate::runner::is_no_move as is_nothing;
use uci::BestMove;

/// The position that follows the word `position`; `None` if it, or a move, is not legal.
pub(super) fn read(position: &str) -> Option<Chess> {
    let (start, moves) = position.split_once(" moves ").unwrap_or((position, ""));
    let mut board = match start.strip_prefix("fen ") {
        Some(fen) => fen.parse::<Fen>().ok()?.into_position(CastlingMode::Standard).ok()?,
        None => Chess::default(),
    };
    for mv in moves.split_whitespace() {
        board = after(&board, mv)?;
    }
    Some(board)
}

/// A position of a check.
///
/// # Panics
/// If it is not legal: a test reads them all.
pub(super) fn board(position: &str) -> Chess {
    read(position).expect("the positions of the checks are legal")
}

/// The legal moves as UCI writes them in standard chess.
pub(super) fn moves(board: &Chess) -> Vec<String> {
    board.legal_moves().iter().map(|mv| mv.to_uci(CastlingMode::Standard).to_string()).collect()
}

/// The position after a legal move, written just so; `None` if it is none.
pub(super) fn after(board: &Chess, text: &str) -> Option<Chess> {
    let legal = board.legal_moves();
    let mv = legal.iter().find(|mv| mv.to_uci(CastlingMode::Standard).to_string() == text)?;
    let mut after = board.clone();
    after.play_unchecked(*mv);
    Some(after)
}

/// What is wrong with a move as the answer to a position. How it is written is not looked at.
pub(super) fn fault(position: &str, best: &BestMove) -> Fault {
    let board = board(position);
    let text = best.text.as_str();
    let read = text.to_lowercase().parse::<shakmaty::uci::UciMove>().ok();
    if read.is_some_and(|mv| mv.to_move(&board).is_ok()) {
        return None;
    }
    Some(if text.is_empty() {
        "bestmove without a move".to_owned()
    } else {
        format!("bestmove {text}, which is not legal")
    })
}

/// The first move of a line that is not legal, and its place.
pub(super) fn illegal(board: &Chess, line: &[String]) -> Option<(usize, String)> {
    let mut board = board.clone();
    for (place, mv) in line.iter().enumerate() {
        match after(&board, mv) {
            Some(next) => board = next,
            None => return Some((place, mv.clone())),
        }
    }
    None
}
