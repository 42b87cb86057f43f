//! An engine that answers at once: always the same game.

use std::fs::OpenOptions;
use std::io::{self, BufRead, Write};
use std::path::Path;

use anyhow::Context;
use engine::{CastlingMode, Position};

/// Plies of a game.
const PLIES: usize = 60;

/// The moves of the game: each one of the legal moves, drawn by a fixed rule.
pub(super) fn game() -> Vec<String> {
    let (mut position, mut moves) = (Position::starting(), Vec::new());
    while let Some((text, next)) = answer(&position, moves.len())
        && moves.len() < PLIES
    {
        moves.push(text);
        position = next;
    }
    moves
}

/// The move that it plays after so many plies, and what comes of it; `None` if there is none.
fn answer(position: &Position, plies: usize) -> Option<(String, Position)> {
    let moves = position.legal_moves();
    let &mv = moves.get((plies * 7919 + 3) % moves.len().max(1))?;
    Some((position.to_uci(mv, CastlingMode::Standard), position.play_unchecked(mv)))
}

/// Hears and answers until it is told to quit; then adds how often it answered to the file.
pub(super) fn run(count: Option<&Path>) -> anyhow::Result<()> {
    let (mut position, mut plies, mut answered) = (Position::starting(), 0, 0_u64);
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line.context("cannot read the input")?;
        let said = match line.split(' ').next() {
            Some("uci") => "id name at once\nid author this program\nuciok\n".to_owned(),
            Some("isready") => "readyok\n".to_owned(),
            Some("position") => {
                (position, plies) = set_up(&line)?;
                continue;
            }
            Some("go") => {
                answered += 1;
                let best = answer(&position, plies).map_or("(none)".to_owned(), |(text, _)| text);
                format!(
                    "info depth 1 seldepth 1 score cp 13 nodes 20 nps 20000 time 1 pv {best}\nbestmove {best}\n"
                )
            }
            Some("quit") => break,
            _ => continue,
        };
        output.write_all(said.as_bytes()).and_then(|()| output.flush()).context("nobody listens")?;
    }
    let Some(path) = count else { return Ok(()) };
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    file.write_all(format!("{answered}\n").as_bytes())
        .with_context(|| format!("cannot write {}", path.display()))
}

/// The position of a line, and how many plies were played before it.
fn set_up(line: &str) -> anyhow::Result<(Position, usize)> {
    let (start, moves) = line.split_once(" moves ").unwrap_or((line, ""));
    let mut position = match start.strip_prefix("position fen ") {
        Some(fen) => Position::from_fen(fen).with_context(|| fen.to_owned())?,
        None => Position::starting(),
    };
    let mut plies = 0;
    for text in moves.split_whitespace() {
        let mv = position.parse_uci(text, CastlingMode::Standard).with_context(|| text.to_owned())?;
        position = position.play_unchecked(mv);
        plies += 1;
    }
    Ok((position, plies))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_plays_a_legal_game() {
        let game = game();
        assert_eq!(game.len(), PLIES);
        for plies in [0, 1, PLIES - 1] {
            let (position, played) = set_up(&super::super::peers::position(&game[..plies])).unwrap();
            assert_eq!(played, plies);
            assert_eq!(answer(&position, played).unwrap().0, game[plies]);
        }
        assert!(set_up("position startpos moves e2e5").is_err());
        let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        let (position, played) = set_up(&format!("position fen {fen} moves e2e4")).unwrap();
        assert_eq!((position.to_fen().as_str(), played), ("4k3/8/8/8/4P3/8/8/4K3 b - - 0 1", 1));
        assert!(set_up("position fen 8/8 w").is_err());
    }
}
