//! The position of a `position` command. The judges have a board of their own, in the oracle.

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Move, Position, PositionError};

use crate::fault::Faults;
use crate::moves;

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
        .into_position(CastlingMode::Standard)
        .or_else(PositionError::ignore_impossible_check)
        .map_err(|error| format!("{fen}: {error}"))
}

fn legal(faults: &Faults, position: &Chess, text: &str) -> Option<Move> {
    moves::moves(faults, position).into_iter().find(|&mv| self::text(mv) == text)
}

/// A move in UCI notation.
pub(crate) fn text(mv: Move) -> String {
    mv.to_uci(CastlingMode::Standard).to_string()
}

/// Its moves, with mating moves first.
pub(crate) fn moves(faults: &Faults, position: &Chess) -> Vec<Move> {
    let mut moves = moves::moves(faults, position);
    moves.sort_by_key(|&mv| !mates(position, mv));
    moves
}

/// Whether a move mates.
pub(crate) fn mates(position: &Chess, mv: Move) -> bool {
    let mut after = position.clone();
    after.play_unchecked(mv);
    after.is_checkmate()
}
