//! A position as it is put to a program, by shakmaty's rules: legal in every respect.

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position, Setup, Square};

/// A position.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) position: Chess,
    pub(super) mode: CastlingMode,
    pub(super) fen: String,
}

impl Place {
    /// Reads a FEN; `None` if it is no legal position.
    pub(super) fn read(fen: &str, mode: CastlingMode) -> Option<Self> {
        let position: Chess = fen.parse::<Fen>().ok()?.into_position(mode).ok()?;
        Some(Self { position, mode, fen: fen.to_owned() })
    }

    fn of(position: Chess, mode: CastlingMode) -> Self {
        // The square is there wherever a pawn has just stepped over one: a fault in judging it shows only then.
        let fen = Fen::from_position(&position, EnPassantMode::Always).to_string();
        Self { position, mode, fen }
    }

    /// A move as UCI writes it.
    pub(super) fn uci(&self, m: Move) -> String {
        m.to_uci(self.mode).to_string()
    }

    /// The legal move that a text means, if it does.
    pub(super) fn legal(&self, text: &str) -> Option<Move> {
        let m = text.parse::<UciMove>().ok()?.to_move(&self.position).ok()?;
        self.position.is_legal(m).then_some(m)
    }

    /// The position after a legal move; `None` if the text is none.
    pub(super) fn after(&self, text: &str) -> Option<Self> {
        let position = self.position.clone().play(self.legal(text)?).ok()?;
        Some(Self::of(position, self.mode))
    }

    /// Whether there is nothing to search here.
    pub(super) fn is_over(&self) -> bool {
        self.position.is_game_over()
    }

    /// Whether a move, as a text, moves a man of the side that is not to move.
    pub(super) fn moves_other_side(&self, text: &str) -> bool {
        let from = text.get(..2).and_then(|square| square.parse::<Square>().ok());
        from.is_some_and(|from| self.position.board().by_color(!self.position.turn()).contains(from))
    }

    /// The squares of all men but the kings.
    pub(super) fn removable(&self) -> impl Iterator<Item = Square> + use<> {
        let board = self.position.board();
        (board.occupied() & !board.kings()).into_iter()
    }

    /// The same without the man of a square; `None` if that is no legal position.
    pub(super) fn without(&self, square: Square) -> Option<Self> {
        let mut setup: Setup = self.position.to_setup(EnPassantMode::Always);
        setup.board.discard_piece_at(square);
        setup.castling_rights.discard(square);
        setup.position::<Chess>(self.mode).ok().map(|position| Self::of(position, self.mode))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(fen: &str) -> Place {
        Place::read(fen, CastlingMode::Standard).unwrap()
    }

    #[test]
    fn men_go_with_their_rights() {
        let place = read("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
        assert_eq!(place.without(Square::H1).unwrap().fen, "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
        let passed = read("4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1");
        assert_eq!(passed.without(Square::C5).unwrap().fen, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
        assert!(passed.without(Square::D5).is_none());
        let shielded = read("4k3/4n3/8/8/4R3/8/8/4K3 w - - 0 1");
        assert!(shielded.without(Square::E7).is_none());
        assert_eq!(shielded.removable().count(), 2);
    }

    #[test]
    fn texts_are_read_by_the_rules() {
        let place = read("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
        assert!(place.legal("e1g1").is_some() && place.legal("e1e3").is_none() && place.legal("").is_none());
        assert!(place.moves_other_side("e8e7") && !place.moves_other_side("e1e2"));
        assert!(!place.moves_other_side("(none)") && !place.moves_other_side("é"));
        assert_eq!(place.after("e1g1").unwrap().fen, "4k3/8/8/8/8/8/8/R4RK1 b - - 1 1");
    }
}
