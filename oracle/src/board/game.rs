//! A game: its positions, its moves, and the rule that draws it by repetition or the fifty-move rule.

use shakmaty::{Chess, Move, Position};

use super::moves::{Spelling, after, legal_move};
use super::position::{Accept, position};

/// A game is drawn after this many plies without a capture or pawn move.
pub const FIFTY_MOVES: u32 = 100;
/// A game is drawn when a position occurs this often.
pub const REPETITION: usize = 3;

/// Why a game cannot exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// The FEN is not a legal position.
    #[error("\"{0}\" is no legal position")]
    Fen(String),
    /// A move is not legal where it is played.
    #[error("{text} is not legal after {after} moves")]
    Move {
        /// The move.
        text: String,
        /// How many moves were played before it.
        after: usize,
    },
    /// The game was over before its last move, or is over now.
    #[error("the game is over after {after} moves")]
    Over {
        /// How many moves were played.
        after: usize,
    },
}

/// A rule that draws a game because of its earlier moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DrawRule {
    /// The position stands on the board for the third time.
    Repetition,
    /// 100 plies have passed without a capture or pawn move.
    FiftyMoves,
}

/// A game: its start and its moves.
#[derive(Debug, Clone)]
pub struct Game {
    /// All positions, the present one last. shakmaty counts two positions as equal if men, side to move,
    /// castling rights and legal en passant captures are the same; the clocks do not count.
    positions: Vec<Chess>,
    moves: Vec<Move>,
}

impl Game {
    /// The game that starts with a FEN of standard chess and continues with moves in UCI notation.
    ///
    /// Insufficient material does not end it, so that a caller can ask engines for its score. All other rules
    /// that end a game do.
    ///
    /// # Errors
    /// If the position or a move is not legal, or the game is over.
    pub fn new(fen: &str, moves: &[String]) -> Result<Self, GameError> {
        let start = position(fen, Accept::Legal).map_err(|_| GameError::Fen(fen.to_owned()))?;
        let mut game = Self::at(start);
        for text in moves {
            game.check_not_over()?;
            game.play_text(text, Spelling::Tolerant)?;
        }
        game.check_not_over()?;
        Ok(game)
    }

    /// A game that starts with this position.
    pub fn at(start: Chess) -> Self {
        Self { positions: vec![start], moves: Vec::new() }
    }

    /// A game with known positions and unknown moves, the present position last.
    ///
    /// # Panics
    /// If there is no position.
    pub fn of_positions(positions: Vec<Chess>) -> Self {
        assert!(!positions.is_empty(), "a game has a position");
        Self { positions, moves: Vec::new() }
    }

    fn check_not_over(&self) -> Result<(), GameError> {
        let is_over = self.position().legal_moves().is_empty() || self.drawn().is_some();
        if is_over { Err(GameError::Over { after: self.moves.len() }) } else { Ok(()) }
    }

    /// All positions from the first on, the present one last.
    pub fn positions(&self) -> &[Chess] {
        &self.positions
    }

    /// The position on the board.
    pub fn position(&self) -> &Chess {
        &self.positions[self.positions.len() - 1]
    }

    /// The moves that were played.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The moves that were played, in UCI notation.
    pub fn uci_moves(&self) -> Vec<String> {
        let mode = self.position().castles().mode();
        self.moves.iter().map(|&mv| super::moves::uci_text(mv, mode)).collect()
    }

    /// How many positions there are, the present one included.
    pub fn length(&self) -> usize {
        self.positions.len()
    }

    /// Plies since the last capture or pawn move.
    pub fn clock(&self) -> u32 {
        self.position().halfmoves()
    }

    /// The legal move that a text in UCI notation stands for.
    pub fn legal(&self, text: &str) -> Option<Move> {
        legal_move(self.position(), text, Spelling::Tolerant)
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) {
        self.positions.push(after(self.position(), mv));
        self.moves.push(mv);
    }

    /// Plays the move of a text in UCI notation, even if the game is over.
    ///
    /// # Errors
    /// If it is not a legal move.
    pub fn play_text(&mut self, text: &str, spelling: Spelling) -> Result<(), GameError> {
        let illegal = || GameError::Move { text: text.to_owned(), after: self.moves.len() };
        let mv = legal_move(self.position(), text, spelling).ok_or_else(illegal)?;
        self.play(mv);
        Ok(())
    }

    /// Takes the last move back.
    pub fn take_back(&mut self) {
        self.positions.pop();
        self.moves.pop();
    }

    /// The position after a legal move.
    pub fn after(&self, mv: Move) -> Chess {
        after(self.position(), mv)
    }

    /// The earlier positions that the present one can be equal to, with their indices, the last first: those
    /// since the last capture or pawn move.
    fn reversible(&self) -> impl Iterator<Item = (usize, &Chess)> {
        let plies = self.clock() as usize;
        self.positions.iter().enumerate().rev().skip(1).take(plies)
    }

    /// The positions that can come again: those since the last capture or pawn move, the present one
    /// included.
    fn live(&self) -> impl Iterator<Item = &Chess> {
        self.reversible().map(|(_, past)| past).chain([self.position()])
    }

    /// How often the present position has stood on the board, now included.
    pub fn occurrences(&self) -> usize {
        self.occurrences_at(self.positions.len() - 1)
    }

    /// How often the position after so many plies had stood on the board, then included.
    ///
    /// # Panics
    /// If the game has fewer positions.
    pub fn occurrences_at(&self, ply: usize) -> usize {
        let position = &self.positions[ply];
        let earlier = self.positions[..ply].iter().rev().take(position.halfmoves() as usize);
        1 + earlier.skip(1).step_by(2).filter(|past| *past == position).count()
    }

    /// How often a position has stood on the board since the last capture or pawn move.
    pub fn times(&self, position: &Chess) -> usize {
        self.live().filter(|&past| past == position).count()
    }

    /// The rule by which the game is drawn now. Mate on the hundredth ply is mate.
    pub fn drawn(&self) -> Option<DrawRule> {
        self.drawn_at(self.positions.len() - 1)
    }

    /// The rule by which the game was drawn after so many plies.
    ///
    /// # Panics
    /// If the game has fewer positions.
    pub fn drawn_at(&self, ply: usize) -> Option<DrawRule> {
        drawn(&self.positions[ply], self.occurrences_at(ply))
    }

    /// The positions since the last capture or pawn move, up to this ply, that had stood on the board twice.
    ///
    /// # Panics
    /// If the game has fewer positions.
    pub fn twice_at(&self, ply: usize) -> impl Iterator<Item = &Chess> {
        let first = ply.saturating_sub(self.positions[ply].halfmoves() as usize);
        (first..=ply).filter(|&ply| self.occurrences_at(ply) == 2).map(|ply| &self.positions[ply])
    }

    /// The rule by which the game would be drawn after a legal move.
    pub fn would_draw(&self, mv: Move) -> Option<DrawRule> {
        let after = self.after(mv);
        let before = if mv.is_zeroing() { 0 } else { self.times(&after) };
        drawn(&after, before + 1)
    }

    /// Whether the game is over: by mate, stalemate, insufficient material, repetition or the fifty-move
    /// rule.
    pub fn is_over(&self) -> bool {
        self.position().is_game_over() || self.drawn().is_some()
    }

    /// Whether the present position stood on the board before, at this index or later.
    pub fn stood_since(&self, index: usize) -> bool {
        let mut since = self.reversible().take_while(|(at, _)| *at >= index);
        since.any(|(_, past)| past == self.position())
    }

    /// The positions that have stood on the board at least twice and can come again, each listed as often as
    /// it stood.
    pub fn twice(&self) -> Vec<&Chess> {
        let live: Vec<&Chess> = self.live().collect();
        let is_twice = |position: &&&Chess| live.iter().filter(|other| *other == *position).count() >= 2;
        live.iter().filter(is_twice).copied().collect()
    }

    /// The index of the first position after the last change of castling rights or of legal en passant
    /// captures. From there on, positions with the same men and side to move are the same. `None` if nothing
    /// changed.
    pub fn alike_since(&self) -> Option<usize> {
        let rights = |position: &Chess| (position.castles().castling_rights(), position.legal_ep_square());
        let pairs = self.positions.windows(2).enumerate();
        pairs.filter(|(_, pair)| rights(&pair[0]) != rights(&pair[1])).map(|(index, _)| index + 1).next_back()
    }
}

fn drawn(position: &Chess, occurrences: usize) -> Option<DrawRule> {
    if position.is_checkmate() {
        None
    } else if position.halfmoves() >= FIFTY_MOVES {
        Some(DrawRule::FiftyMoves)
    } else {
        (occurrences >= REPETITION).then_some(DrawRule::Repetition)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(fen: &str, moves: &str) -> Game {
        let mut game = Game::at(position(fen, Accept::Legal).unwrap());
        for text in moves.split_whitespace() {
            game.play_text(text, Spelling::Exact).unwrap();
        }
        game
    }

    fn would_draw(game: &Game, text: &str) -> Option<DrawRule> {
        game.would_draw(game.legal(text).unwrap())
    }

    #[test]
    fn the_third_occurrence_draws() {
        let (start, round) = ("8/8/8/4k3/8/8/4P3/R3K3 w - - 0 1", "a1a2 e5e4 a2a1 e4e5 ");
        assert_eq!(game(start, round).drawn(), None);
        assert_eq!(game(start, &round.repeat(2)).drawn(), Some(DrawRule::Repetition));
        let nearly = game(start, &(round.to_owned() + "a1a2 e5e4 a2a1"));
        assert_eq!(would_draw(&nearly, "e4e5"), Some(DrawRule::Repetition));
        assert_eq!(would_draw(&nearly, "e4d5"), None);
        assert_eq!((nearly.occurrences(), nearly.times(&nearly.positions()[0])), (2, 2));
        // Positions before a pawn move do not count.
        let pawn = game(start, &format!("{round}e2e3 e5d5 e1d2 d5e5 d2e1 e5d5 a1a2 d5e5"));
        assert_eq!((pawn.drawn(), pawn.times(&pawn.positions()[0])), (None, 0));
    }

    #[test]
    fn castling_rights_tell_positions_apart() {
        let fen = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1";
        let round = "e1e2 e8e7 e2e1 e7e8 ";
        assert_eq!((game(fen, round).occurrences(), game(fen, round).alike_since()), (1, Some(1)));
        assert_eq!(game(fen, &round.repeat(2)).occurrences(), 2);
        assert_eq!(game(fen, &round.repeat(2)).twice().len(), 8);
    }

    #[test]
    fn the_hundredth_ply_draws_unless_it_mates() {
        let late = game("k7/8/1K6/8/8/8/8/7R w - - 98 80", "h1g1 a8b8");
        assert_eq!((late.drawn(), late.is_over()), (Some(DrawRule::FiftyMoves), true));
        assert!(!game("k7/8/1K6/8/8/8/8/7R w - - 98 80", "h1g1").is_over());
        let mated = game("k7/8/1K6/8/8/8/8/7R w - - 99 80", "h1h8");
        assert_eq!((mated.drawn(), mated.is_over()), (None, true));
        let last = game("8/8/8/8/8/1k6/4P3/K6R w - - 99 80", "");
        assert_eq!(would_draw(&last, "h1g1"), Some(DrawRule::FiftyMoves));
        assert_eq!(would_draw(&last, "e2e3"), None);
    }

    #[test]
    fn moves_are_taken_back() {
        let mut game = game("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1 e8e7");
        assert_eq!(game.uci_moves(), ["e1c1", "e8e7"]);
        game.take_back();
        assert_eq!((game.moves().len(), game.length(), game.clock()), (1, 2, 1));
        let error = game.play_text("e8c8", Spelling::Exact).unwrap_err();
        assert_eq!(error.to_string(), "e8c8 is not legal after 1 moves");
    }
}
