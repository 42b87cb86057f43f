//! The position that was asked, where a replay leads to it by moves from the position of the finding.
//!
//! Moves are carried out as they are written. Whether they are legal is not asked: the program that wrote them has asked it.

use crate::board::{Board, Square, name};

/// The position that `position startpos` sets up.
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The moves of a game, and the position after them as a FEN.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Game {
    pub(crate) moves: String,
    pub(crate) fen: String,
}

/// The game that a replay sends after `position fen`; `None` if it sends no moves, or moves that do not fit.
pub(crate) fn game(fen: &str, replay: &str) -> Option<Game> {
    let after =
        |position: &str| replay.rsplit_once(&format!("position {position} moves ")).map(|(_, rest)| rest);
    let rest = after(&format!("fen {fen}")).or_else(|| after("startpos").filter(|_| fen == START))?;
    let line = rest.split(['\\', '\'', '\n']).next()?;
    let moves: Vec<&str> = line.split_whitespace().collect();
    let mut fields = fen.split(' ');
    let board = Board::of(fen)?;
    let (_, _, rights) = (fields.next()?, fields.next()?, fields.next()?);
    let mut position = Position {
        board,
        rights: rights.to_owned(),
        clock: fields.nth(1).and_then(|clock| clock.parse().ok()).unwrap_or(0),
    };
    for text in &moves {
        position.make(text)?;
    }
    (!moves.is_empty()).then(|| Game { moves: moves.join(" "), fen: position.fen() })
}

struct Position {
    board: Board,
    rights: String,
    clock: u32,
}

impl Position {
    fn make(&mut self, text: &str) -> Option<()> {
        let arrow = self.board.arrow(text)?;
        let (from, to) = (arrow.from, arrow.to);
        let man = self.board.man(from)?;
        let role = man.to_ascii_lowercase();
        let captured = self.board.man(to);
        let zeroes = role == 'p' || captured.is_some();
        self.clock = if zeroes { 0 } else { self.clock.saturating_add(1) };
        self.board.put(from, None);
        let promoted = text
            .chars()
            .nth(4)
            .map(|letter| if man.is_ascii_uppercase() { letter.to_ascii_uppercase() } else { letter });
        self.board.put(to, Some(promoted.unwrap_or(man)));
        if role == 'p' && from.0 != to.0 && captured.is_none() {
            self.board.put((to.0, from.1), None);
        }
        if role == 'k' && from.0.abs_diff(to.0) == 2 {
            let (corner, beside) = if to.0 > from.0 { (7, to.0 - 1) } else { (0, to.0 + 1) };
            let rook = self.board.man((corner, from.1))?;
            self.board.put((corner, from.1), None);
            self.board.put((beside, from.1), Some(rook));
        }
        self.lose_rights(&[from, to]);
        self.board.turn();
        Some(())
    }

    /// A right is lost where its king or rook has moved or was taken.
    fn lose_rights(&mut self, touched: &[Square]) {
        const SQUARES: [(char, [&str; 2]); 4] =
            [('K', ["e1", "h1"]), ('Q', ["e1", "a1"]), ('k', ["e8", "h8"]), ('q', ["e8", "a8"])];
        let is_touched = |letter: char| {
            let squares = SQUARES.iter().find(|(right, _)| *right == letter).map(|(_, squares)| squares);
            squares
                .is_some_and(|squares| touched.iter().any(|square| squares.contains(&name(*square).as_str())))
        };
        self.rights.retain(|letter| !is_touched(letter));
        if self.rights.is_empty() {
            self.rights.push('-');
        }
    }

    fn fen(&self) -> String {
        format!("{} {} - {} 1", self.board.placement(), self.rights, self.clock)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replay_leads_to_the_position_that_was_asked() {
        let check = |fen: &str, moves: &str, expected: Option<&str>| {
            let replay = format!(
                "(printf 'uci\\nposition fen {fen} moves {moves}\\ngo nodes 9\\n'; sleep 3) | ./mine"
            );
            let found = game(fen, &replay);
            assert_eq!(found.as_ref().map(|game| game.fen.as_str()), expected, "{fen} {moves}");
            assert!(found.is_none_or(|game| game.moves == moves));
        };
        check("8/8/8/8/5R2/3K4/8/3k4 w - - 0 2", "f4e4 d1c1", Some("8/8/8/8/4R3/3K4/8/2k5 w - - 2 1"));
        check("4k3/8/8/8/8/8/8/R3K2R w KQ - 4 9", "e1g1", Some("4k3/8/8/8/8/8/8/R4RK1 b - - 5 1"));
        check("r3k3/8/8/8/8/8/8/4K2R b Kq - 4 9", "a8a1 h1h8", Some("4k2R/8/8/8/8/8/8/r3K3 b - - 6 1"));
        check("8/8/8/8/pP6/8/8/K1k5 b - b3 0 9", "a4b3", Some("8/8/8/8/8/1p6/8/K1k5 w - - 0 1"));
        check("8/P7/8/8/8/8/8/K1k5 w - - 7 9", "a7a8q c1d1", Some("Q7/8/8/8/8/8/8/K2k4 w - - 1 1"));
        check("8/P7/8/8/8/8/8/K1k5 w - - 7 9", "b7b8q", None);
        check("8/P7/8/8/8/8/8/K1k5 w - - 7 9", "", None);
        assert_eq!(game("8/8 w - - 0 1", "position fen 8/8 w - - 0 1 moves a1a2"), None);
    }
}
