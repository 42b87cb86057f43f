//! A position of a test, and the FEN with which a program is asked about it.

use oracle::board::{self, Accept, Spelling};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position, Square};

/// A legal position, and its FEN as it is sent.
#[derive(Debug, Clone)]
pub(super) struct TestPosition {
    pub(super) chess: Chess,
    pub(super) fen: String,
}

impl TestPosition {
    /// Reads a FEN. `None` if it is not a legal position.
    pub(super) fn read(fen: &str, mode: CastlingMode) -> Option<Self> {
        let chess = board::position_in(fen, mode, Accept::Legal).ok()?;
        Some(Self { chess, fen: fen.to_owned() })
    }

    fn from_chess(chess: Chess) -> Self {
        // The FEN has the en passant square after each double step: a program that judges the capture wrongly
        // shows it only then.
        let fen = board::fen_with(&chess, EnPassantMode::Always);
        Self { chess, fen }
    }

    /// The castling mode.
    pub(super) fn mode(&self) -> CastlingMode {
        self.chess.castles().mode()
    }

    /// A move in UCI notation.
    pub(super) fn uci(&self, mv: Move) -> String {
        board::uci_text(mv, self.mode())
    }

    /// The legal move that a text stands for.
    pub(super) fn legal(&self, text: &str) -> Option<Move> {
        board::legal_move(&self.chess, text, Spelling::Tolerant)
    }

    /// The position after a legal move. `None` if the text is not one.
    pub(super) fn after(&self, text: &str) -> Option<Self> {
        Some(Self::from_chess(board::after(&self.chess, self.legal(text)?)))
    }

    /// Whether the game is over: by mate, stalemate or insufficient material.
    pub(super) fn is_over(&self) -> bool {
        self.chess.is_game_over()
    }

    /// Whether a move moves a man of the side that is not to move.
    pub(super) fn moves_other_side(&self, text: &str) -> bool {
        let from = text.get(..2).and_then(|square| square.parse::<Square>().ok());
        from.is_some_and(|from| self.chess.board().by_color(!self.chess.turn()).contains(from))
    }

    /// The squares of all men but the kings.
    pub(super) fn removable(&self) -> impl Iterator<Item = Square> + use<> {
        let board = self.chess.board();
        (board.occupied() & !board.kings()).into_iter()
    }

    /// The position without the man on a square. `None` if it is not legal.
    pub(super) fn without(&self, square: Square) -> Option<Self> {
        board::without(&self.chess, square).map(Self::from_chess)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(fen: &str) -> TestPosition {
        TestPosition::read(fen, CastlingMode::Standard).unwrap()
    }

    #[test]
    fn a_man_is_removed_with_its_castling_right() {
        let position = read("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
        assert_eq!(position.without(Square::H1).unwrap().fen, "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
        let passed = read("4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1");
        assert_eq!(passed.without(Square::C5).unwrap().fen, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
        assert!(passed.without(Square::D5).is_none());
        let shielded = read("4k3/4n3/8/8/4R3/8/8/4K3 w - - 0 1");
        assert!(shielded.without(Square::E7).is_none());
        assert_eq!(shielded.removable().count(), 2);
    }

    #[test]
    fn moves_are_read_by_the_rules_of_chess() {
        let position = read("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
        assert!(
            position.legal("e1g1").is_some()
                && position.legal("e1e3").is_none()
                && position.legal("").is_none()
        );
        assert!(position.moves_other_side("e8e7") && !position.moves_other_side("e1e2"));
        assert!(!position.moves_other_side("(none)") && !position.moves_other_side("é"));
        assert_eq!(position.after("e1g1").unwrap().fen, "4k3/8/8/8/8/8/8/R4RK1 b - - 1 1");
    }
}
