//! The position of a `position` command. The judges have a board of their own, in the oracle.

use std::sync::atomic::{AtomicBool, Ordering};

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Move, Position, PositionError};

use crate::fault::Faults;
use crate::moves;

/// Whether it plays Chess960: `UCI_Chess960`.
pub(crate) static CHESS960: AtomicBool = AtomicBool::new(false);

fn mode() -> CastlingMode {
    if CHESS960.load(Ordering::Relaxed) { CastlingMode::Chess960 } else { CastlingMode::Standard }
}

/// The position of the tokens after `position`.
pub(crate) fn read(faults: &Faults, tokens: &[&str]) -> Result<Chess, String> {
    let moves_at = tokens.iter().position(|&token| token == "moves").unwrap_or(tokens.len());
    let mut position = match &tokens[..moves_at] {
        ["startpos", ..] => Chess::default(),
        ["fen", fields @ ..] => from_fen(&fields.join(" "))?,
        _ => return Err("neither startpos nor fen".to_owned()),
    };
    for text in tokens.iter().skip(moves_at + 1) {
        let mv = legal(faults, &position, text).ok_or_else(|| format!("{text} is not legal"))?;
        position.play_unchecked(mv);
    }
    Ok(position)
}

fn from_fen(fen: &str) -> Result<Chess, String> {
    let parsed: Fen = fen.parse().map_err(|error| format!("{fen}: {error}"))?;
    parsed
        .into_position(mode())
        .or_else(PositionError::ignore_impossible_check)
        .map_err(|error| format!("{fen}: {error}"))
}

fn legal(faults: &Faults, position: &Chess, text: &str) -> Option<Move> {
    moves::moves(faults, position).into_iter().find(|&mv| self::text(mv) == text)
}

/// A move in UCI notation.
pub(crate) fn text(mv: Move) -> String {
    mv.to_uci(mode()).to_string()
}

/// Its moves, with mating moves first.
pub(crate) fn moves(faults: &Faults, position: &Chess) -> Vec<Move> {
    let mut moves = moves::moves(faults, position);
    moves.sort_by_key(|&mv| !mates(position, mv));
    moves
}

/// Whether a move mates in so many moves.
pub(crate) fn mates_within(position: &Chess, mv: Move, moves: u32) -> bool {
    let after = |position: &Chess, mv| {
        let mut after = position.clone();
        after.play_unchecked(mv);
        after
    };
    let after_move = after(position, mv);
    let answers = after_move.legal_moves();
    mates(position, mv)
        || moves > 1
            && !answers.is_empty()
            && answers.into_iter().map(|answer| after(&after_move, answer)).all(|position| {
                position.legal_moves().into_iter().any(|mv| mates_within(&position, mv, moves - 1))
            })
}

/// Whether a move stalemates.
pub(crate) fn stalemates(position: &Chess, mv: Move) -> bool {
    let mut after = position.clone();
    after.play_unchecked(mv);
    after.is_stalemate()
}

/// Whether a move mates.
pub(crate) fn mates(position: &Chess, mv: Move) -> bool {
    let mut after = position.clone();
    after.play_unchecked(mv);
    after.is_checkmate()
}
