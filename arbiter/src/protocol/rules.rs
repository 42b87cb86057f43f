//! Positions and moves as the protocol writes them, on shakmaty's board.

use oracle::board::{self, Accept, Spelling};
use shakmaty::{CastlingMode, Chess};
use suites::Answer;
use uci::{BestMove, Search};

use super::abort::CaseProblem;
pub(super) use crate::move_text::{is_move, is_no_move};

/// The position that follows the token `position`. `None` if it, or a move, is not legal.
pub(super) fn read(position: &str) -> Option<Chess> {
    read_in(position, CastlingMode::Standard)
}

/// The same with the castling of standard chess, or of Chess960. `startpos` is that of standard chess.
pub(super) fn read_in(position: &str, mode: CastlingMode) -> Option<Chess> {
    let (start, moves) = position.split_once(" moves ").unwrap_or((position, ""));
    let start = match start.strip_prefix("fen ") {
        Some(fen) => board::position_in(fen, mode, Accept::Legal).ok()?,
        None => Chess::default(),
    };
    moves.split_whitespace().try_fold(start, |board, text| after(&board, text))
}

/// A position of a check.
///
/// # Panics
/// If it is not legal. A test reads them all.
pub(super) fn board(position: &str) -> Chess {
    read(position).expect("the positions of the checks are legal")
}

/// The position after a legal move that is spelled exactly as UCI spells it.
pub(super) fn after(board: &Chess, text: &str) -> Option<Chess> {
    board::legal_move(board, text, Spelling::Exact).map(|mv| board::after(board, mv))
}

/// What is wrong with a move as the answer to a position. Any spelling is accepted.
pub(super) fn problem(position: &str, best: &BestMove) -> CaseProblem {
    problem_on(&board(position), best)
}

/// What is wrong with a move in a position. Any spelling is accepted.
pub(super) fn problem_on(board: &Chess, best: &BestMove) -> CaseProblem {
    let text = best.text.as_str();
    if board::legal_move(board, text, Spelling::AnyCase).is_some() {
        return None;
    }
    let illegal = || Answer::BestMove { text: text.to_owned(), more: ", which is not legal".to_owned() };
    Some(if text.is_empty() { "bestmove without a move".into() } else { illegal() })
}

/// What is wrong with a search that has to end without `stop`.
pub(super) fn problem_without_stop(position: &str, search: &Search) -> CaseProblem {
    if search.stopped { Some("no bestmove before stop".into()) } else { problem(position, &search.best) }
}

/// The first illegal move of a line, and its index.
pub(super) fn first_illegal<'a>(board: &Chess, line: &'a [String]) -> Option<(usize, &'a str)> {
    let mut board = board.clone();
    line.iter().enumerate().find_map(|(index, text)| match after(&board, text) {
        Some(next) => {
            board = next;
            None
        }
        None => Some((index, text.as_str())),
    })
}
