//! The parser of `position`.

use super::tokens::{quoted, split};
use crate::{CastlingMode, Game, InvalidFen, Position, UciError};

/// Why a `position` is rejected. A rejected one changes nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum PositionError {
    /// Neither `startpos` nor `fen`.
    #[error("expected \"startpos\" or \"fen\", got {}", found(.0))]
    NoStart(String),
    /// The FEN is invalid.
    #[error("bad FEN {}: {error}", quoted(.fen))]
    Fen {
        /// The FEN.
        fen: String,
        /// The reasons.
        error: InvalidFen,
    },
    /// A word other than `moves` after the position.
    #[error("expected \"moves\" after the position, got {}", quoted(.0))]
    NotMoves(String),
    /// A move is malformed or not legal.
    #[error("move {number}: {error}")]
    Move {
        /// The number of the move, counted from 1.
        number: usize,
        /// The reason.
        error: UciError,
    },
}

fn found(word: &str) -> String {
    if word.is_empty() { "nothing".to_owned() } else { quoted(word) }
}

/// Parses the arguments of `position`.
///
/// A FEN of four fields gets the clocks of a new game: collections of positions often omit them.
pub(super) fn parse(text: &str, mode: CastlingMode) -> Result<Game, PositionError> {
    let (start, rest) = split(text).unwrap_or_default();
    let (position, moves) = match start {
        "startpos" => (Position::starting(), rest),
        "fen" => fen(rest)?,
        other => return Err(PositionError::NoStart(other.to_owned())),
    };
    let mut game = Game::new(position);
    let mut moves = moves.split_whitespace();
    match moves.next() {
        None | Some("moves") => {}
        Some(other) => return Err(PositionError::NotMoves(other.to_owned())),
    }
    for (index, word) in moves.enumerate() {
        let refused = |error| PositionError::Move { number: index + 1, error };
        let mv = game.position().parse_uci(word, mode).map_err(refused)?;
        game.play(mv).map_err(|illegal| {
            refused(UciError::Illegal { text: word.to_owned(), position: illegal.position })
        })?;
    }
    Ok(game)
}

/// The position of a FEN, and the text from `moves` on.
fn fen(text: &str) -> Result<(Position, &str), PositionError> {
    // Excess words are kept for the error message, but not a megabyte of them.
    let (mut words, mut rest) = (Vec::new(), text);
    while let Some((word, after)) = split(rest) {
        if word == "moves" {
            break;
        }
        if words.len() < 64 {
            words.push(word);
        }
        rest = after;
    }
    let clocks = if words.len() == 4 { " 0 1" } else { "" };
    let fen = words.join(" ") + clocks;
    match Position::from_fen(&fen) {
        Ok(position) => Ok((position, rest)),
        Err(error) => Err(PositionError::Fen { fen, error }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Result<&str, &str>) {
        let got = parse(text, CastlingMode::Standard);
        let got = got.map(|game| game.position().to_fen()).map_err(|error| error.to_string());
        assert_eq!(got.as_deref().map_err(String::as_str), expected, "{text}");
    }

    #[test]
    fn positions_and_moves() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let lone = "8/8/8/8/8/1K6/2R5/1k6 b - - 7 9";
        check("startpos", Ok(start));
        check(" startpos  moves ", Ok(start));
        check(
            "startpos\tmoves\te2e4  e7e5",
            Ok("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"),
        );
        check(&format!("fen {lone}"), Ok(lone));
        check(&format!("fen  {} ", lone.replace(' ', "\t ")), Ok(lone));
        check("fen 8/8/8/8/8/1K6/2R5/1k6 b - -", Ok("8/8/8/8/8/1K6/2R5/1k6 b - - 0 1"));
        check(&format!("fen {lone} moves b1a1"), Ok("8/8/8/8/8/1K6/2R5/k7 w - - 8 10"));
    }

    #[test]
    fn errors_name_what_is_wrong_and_where() {
        check("", Err("expected \"startpos\" or \"fen\", got nothing"));
        check("moves e2e4", Err("expected \"startpos\" or \"fen\", got \"moves\""));
        check("startpos e2e4", Err("expected \"moves\" after the position, got \"e2e4\""));
        check(
            "startpos moves e2e4 e7e5 e9e4",
            Err("move 3: expected a move such as e2e4 or e7e8q, got \"e9e4\""),
        );
        check(
            "startpos moves e2e5",
            Err(
                "move 1: \"e2e5\" is no legal move in rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            ),
        );
        check("fen x w - - 0 1", Err("bad FEN \"x w - - 0 1\": board: expected 8 ranks, got 1"));
        check(
            "fen",
            Err(
                "bad FEN \"\": expected 6 fields separated by single spaces, got 1; board: expected 8 ranks, got 1",
            ),
        );
        check(
            "fen 8/8/8/8/8/8/8/8 w - - 0 1 moves e2e4",
            Err("bad FEN \"8/8/8/8/8/8/8/8 w - - 0 1\": white has no king; black has no king"),
        );
    }
}
