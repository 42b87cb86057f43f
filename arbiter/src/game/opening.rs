//! The start of a game: a position, and moves that are played before the engines move.

use shakmaty::{CastlingMode, Position};

use oracle::board::{Accept, Game, GameError, Spelling, fen, position_in};

/// The FEN of the start position of standard chess.
pub const START_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A legal position with legal moves.
#[derive(Debug, Clone)]
pub struct Opening {
    game: Game,
    fen: String,
}

impl Opening {
    /// Reads a FEN and moves in UCI notation. With `chess960` castling is that of Chess960, the FEN may be an
    /// X-FEN or a Shredder-FEN, and castling is written as king takes rook.
    ///
    /// The opening may end the game.
    ///
    /// # Errors
    /// If the position or a move is not legal.
    pub fn new(fen_text: &str, chess960: bool, moves: &[String]) -> Result<Self, GameError> {
        let mode = CastlingMode::from_chess960(chess960);
        let start = position_in(fen_text, mode, Accept::Legal);
        let start = start.map_err(|_| GameError::Fen(fen_text.to_owned()))?;
        let (fen, mut game) = (fen(&start), Game::at(start));
        for text in moves {
            game.play_text(text, Spelling::Tolerant)?;
        }
        Ok(Self { game, fen })
    }

    /// The game so far.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The FEN of the first position. A square for en passant is given only where the capture is legal.
    pub fn fen(&self) -> &str {
        &self.fen
    }

    /// The command `position` with the moves of the opening.
    pub(super) fn command(&self) -> String {
        let start = if self.is_standard() { "startpos".to_owned() } else { format!("fen {}", self.fen) };
        let mut command = format!("position {start}");
        for text in self.game.uci_moves() {
            append_move(&mut command, &text);
        }
        command
    }

    /// Whether castling is that of Chess960.
    pub fn is_chess960(&self) -> bool {
        self.game.position().castles().mode().is_chess960()
    }

    /// Whether the game begins with the start position of standard chess.
    pub fn is_standard(&self) -> bool {
        self.fen == START_FEN && !self.is_chess960()
    }
}

/// Adds a move to a command `position`.
pub(super) fn append_move(command: &mut String, text: &str) {
    if !command.contains(" moves ") {
        command.push_str(" moves");
    }
    command.push(' ');
    command.push_str(text);
}

impl Default for Opening {
    /// The start position of standard chess.
    fn default() -> Self {
        let game = Game::at(shakmaty::Chess::default());
        Self { fen: fen(game.position()), game }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn an_opening_has_legal_moves() {
        let opening = Opening::new(START_FEN, false, &moves("e2e4 e7e5")).unwrap();
        assert_eq!((opening.game().moves().len(), opening.is_standard()), (2, true));
        assert!(Opening::default().is_standard());
        let error = Opening::new(START_FEN, false, &moves("e2e4 e2e4")).unwrap_err().to_string();
        assert_eq!(error, "e2e4 is not legal after 1 moves");
        let error = Opening::new("8/8", false, &[]).unwrap_err().to_string();
        assert_eq!(error, "\"8/8\" is no legal position");
    }

    #[test]
    fn castling_of_chess960_needs_its_mode() {
        let shredder = "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1";
        assert!(Opening::new(shredder, false, &[]).is_err());
        let opening = Opening::new(shredder, true, &moves("e1g1")).unwrap();
        assert_eq!(opening.fen(), "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w KQkq - 0 1");
        assert_eq!((opening.is_chess960(), opening.is_standard()), (true, false));
        assert_eq!(opening.game().uci_moves(), ["e1g1"]);
        assert!(!Opening::new(START_FEN, true, &[]).unwrap().is_standard());
    }
}
