//! How a game ends by the position alone, and the names of all endings.
//!
//! Knows no history: [`crate::Game`] counts repetitions.

use derive_more::Display;

use crate::{Bitboard, Board, Color, Position, Role};

/// Plies without capture or pawn move after which a player may claim a draw.
pub const FIFTY_MOVES: u16 = 100;
/// Plies without capture or pawn move after which the game is drawn.
pub const SEVENTY_FIVE_MOVES: u16 = 150;

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Display)]
pub enum Outcome {
    /// The side to move is in check and has no move.
    #[display("checkmate: {winner} wins")]
    Checkmate {
        /// The side that gave mate.
        winner: Color,
    },
    /// A draw.
    #[display("draw: {_0}")]
    Draw(Draw),
}

/// Why a game was drawn without a claim (FIDE Laws of Chess, 5.2 and 9.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Display)]
pub enum Draw {
    /// The side to move is not in check and has no move.
    #[display("stalemate")]
    Stalemate,
    /// No series of legal moves leads to mate.
    #[display("dead material")]
    DeadMaterial,
    /// Seventy-five moves by each side without capture or pawn move.
    #[display("seventy-five moves")]
    SeventyFiveMoves,
    /// The position occurred for the fifth time.
    #[display("fivefold repetition")]
    FivefoldRepetition,
}

/// Why the side to move may claim a draw (FIDE Laws of Chess, 9.2 and 9.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Display)]
pub enum DrawClaim {
    /// Fifty moves by each side without capture or pawn move.
    #[display("fifty moves")]
    FiftyMoves,
    /// The position occurred for the third time.
    #[display("threefold repetition")]
    ThreefoldRepetition,
}

impl Position {
    /// Whether the side to move is checkmated.
    pub fn is_checkmate(&self) -> bool {
        self.checkers().any() && !self.has_legal_move()
    }

    /// Whether the side to move is stalemated.
    pub fn is_stalemate(&self) -> bool {
        self.checkers().is_empty() && !self.has_legal_move()
    }

    /// The outcome by the position and its halfmove clock alone. Mate takes precedence: a mate on the last
    /// ply of the seventy-five moves is a mate.
    pub fn outcome(&self) -> Option<Outcome> {
        if !self.has_legal_move() {
            return Some(if self.checkers().any() {
                Outcome::Checkmate { winner: !self.side_to_move() }
            } else {
                Outcome::Draw(Draw::Stalemate)
            });
        }
        if self.board().is_dead_material() {
            return Some(Outcome::Draw(Draw::DeadMaterial));
        }
        (self.halfmove_clock() >= SEVENTY_FIVE_MOVES).then_some(Outcome::Draw(Draw::SeventyFiveMoves))
    }
}

impl Board {
    /// Whether no arrangement of these pieces is a mate: bare kings, one minor piece beside them, or any
    /// number of bishops on squares of one colour. Two knights can mate with the opponent's help.
    pub fn is_dead_material(&self) -> bool {
        let kings = self.role(Role::King);
        let others = self.occupied() & !kings;
        let bishops = self.role(Role::Bishop);
        let minors = bishops | self.role(Role::Knight);
        let one_minor = !others.many() && others & minors == others;
        let one_color = others == bishops
            && (bishops.is_disjoint(Bitboard::LIGHT_SQUARES) || bishops & Bitboard::LIGHT_SQUARES == bishops);
        one_minor || one_color
    }
}
