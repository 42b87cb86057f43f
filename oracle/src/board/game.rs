//! A game on shakmaty's board: the present position and all that count for repetition. Knows no result but that it is over.

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Move, Position};

/// Plies without capture or move of a pawn after which the game is drawn.
pub const FIFTY_MOVES: u32 = 100;

/// Why there is no such game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoGame {
    /// The FEN is no legal position.
    #[error("\"{0}\" is no legal position")]
    Fen(String),
    /// A move is not legal where it is played.
    #[error("{text} is not legal after {after} moves")]
    Move {
        /// The move.
        text: String,
        /// How many were played before it.
        after: usize,
    },
    /// The game was drawn, or over, before its present position, or is so now.
    #[error("the game is over after {after} moves")]
    Over {
        /// How many were played.
        after: usize,
    },
}

/// A game that is not over.
#[derive(Debug, Clone)]
pub struct Game {
    /// All positions, the present one last. shakmaty takes two for equal if men, side to move, castling rights and an en
    /// passant capture that is legal are the same.
    pub positions: Vec<Chess>,
}

impl Game {
    /// The game that begins with this position and goes on with these moves.
    ///
    /// Dead material does not end it, so that its score can be asked for; all else that ends a game does.
    ///
    /// # Errors
    /// If the position or a move is not legal, or the game is over.
    pub fn new(fen: &str, moves: &[String]) -> Result<Self, NoGame> {
        let position = read(fen).ok_or_else(|| NoGame::Fen(fen.to_owned()))?;
        let mut game = Self { positions: vec![position] };
        for (after, text) in moves.iter().enumerate() {
            game.goes_on(after)?;
            let wrong = || NoGame::Move { text: text.clone(), after };
            game.play(game.legal(text).ok_or_else(wrong)?);
        }
        game.goes_on(moves.len())?;
        Ok(game)
    }

    /// A game of which nothing but the present position is known.
    pub fn at(position: Chess) -> Self {
        Self { positions: vec![position] }
    }

    fn goes_on(&self, after: usize) -> Result<(), NoGame> {
        let position = self.position();
        let over =
            position.legal_moves().is_empty() || self.clock() >= FIFTY_MOVES || self.occurrences() >= 3;
        if over { Err(NoGame::Over { after }) } else { Ok(()) }
    }

    /// The position on the board.
    pub fn position(&self) -> &Chess {
        &self.positions[self.positions.len() - 1]
    }

    /// How many positions there are, the present one included.
    pub fn length(&self) -> usize {
        self.positions.len()
    }

    /// The place in the list of the first position from which on nothing but the men tells positions apart: the last change
    /// of castling rights, or of an en passant capture that is legal, is before it. `None` if nothing changed.
    pub fn alike_since(&self) -> Option<usize> {
        let tells = |position: &Chess| (position.castles().castling_rights(), position.legal_ep_square());
        let pairs = self.positions.windows(2).enumerate();
        pairs.filter(|(_, pair)| tells(&pair[0]) != tells(&pair[1])).map(|(place, _)| place + 1).next_back()
    }

    /// Plies since the last capture or move of a pawn.
    pub fn clock(&self) -> u32 {
        self.position().halfmoves()
    }

    /// The legal move that is written so.
    pub fn legal(&self, text: &str) -> Option<Move> {
        text.parse::<UciMove>().ok()?.to_move(self.position()).ok()
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) {
        let mut after = self.position().clone();
        after.play_unchecked(mv);
        self.positions.push(after);
    }

    /// Takes the last move back.
    pub fn take_back(&mut self) {
        self.positions.pop();
    }

    /// The positions that the present one can be equal to, the last first: those since the last capture or move of a pawn.
    fn reversible(&self) -> impl Iterator<Item = (usize, &Chess)> {
        let plies = self.clock() as usize;
        self.positions.iter().enumerate().rev().skip(1).take(plies)
    }

    /// How often the present position has stood on the board, now included.
    pub fn occurrences(&self) -> usize {
        1 + self.reversible().skip(1).step_by(2).filter(|(_, past)| *past == self.position()).count()
    }

    /// Whether the present position stood on the board before, at this place in the list or later.
    pub fn stood_since(&self, place: usize) -> bool {
        let mut since = self.reversible().take_while(|(at, _)| *at >= place);
        since.any(|(_, past)| past == self.position())
    }

    /// The positions that stood on the board twice already and could stand there again.
    pub fn twice(&self) -> Vec<&Chess> {
        let live: Vec<&Chess> = self.reversible().map(|(_, past)| past).chain([self.position()]).collect();
        let is_twice = |position: &&&Chess| live.iter().filter(|other| *other == *position).count() >= 2;
        live.iter().filter(is_twice).copied().collect()
    }
}

fn read(fen: &str) -> Option<Chess> {
    fen.parse::<Fen>().ok()?.into_position(CastlingMode::Standard).ok()
}
