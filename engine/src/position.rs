//! A legal position: its moves, and the position after a move.
//!
//! Knows no history: [`crate::Game`] counts repetitions.

use std::fmt;

use crate::movegen::{self, MoveFinder};
use crate::side::{Black, Side, White};
use crate::state::State;
use crate::validate::{self, MAX_COUNTER, SetupFault};
use crate::{Bitboard, Board, CastlingRights, Color, Move, MoveList, Role, Setup, Square, zobrist};

/// A legal position.
///
/// Two positions are equal if their FENs are equal, clocks included. For repetition see
/// [`Position::repeats`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    state: State,
    key: u64,
    halfmove_clock: u16,
    fullmove_number: u16,
}

/// A setup that is not a legal position, with all the reasons.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", join(.faults))]
pub struct InvalidPosition {
    /// At least one reason.
    pub faults: Vec<SetupFault>,
}

/// A move that is not legal in a position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{tried} is not legal in {}", .position.to_fen())]
pub struct IllegalMove {
    /// The move.
    pub tried: Move,
    /// The position.
    pub position: Box<Position>,
}

/// Joins all faults in one line.
pub(crate) fn join<T: fmt::Display>(faults: &[T]) -> String {
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

impl Position {
    /// The position at the start of a game.
    ///
    /// # Panics
    /// Never.
    pub fn starting() -> Self {
        Self::from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").expect("a sound position")
    }

    /// The position of a setup.
    ///
    /// An en passant square where no pawn may legally capture is dropped: it makes no difference to the game.
    ///
    /// # Errors
    ///
    /// All reasons why the setup is not a legal position.
    pub fn from_setup(setup: &Setup) -> Result<Self, InvalidPosition> {
        let faults = validate::faults(setup);
        if !faults.is_empty() {
            return Err(InvalidPosition { faults });
        }
        let Setup { board, side_to_move, castling, .. } = *setup;
        let mut state = State { board, castling, en_passant: None, side_to_move };
        state.en_passant = setup.en_passant.and_then(|square| match side_to_move {
            Color::White => state.takeable::<White>(square),
            Color::Black => state.takeable::<Black>(square),
        });
        Ok(Self {
            state,
            key: zobrist::key(&state),
            halfmove_clock: setup.halfmove_clock,
            fullmove_number: setup.fullmove_number,
        })
    }

    /// The position of a board, without castling rights and en passant, with the clocks of a new game.
    ///
    /// # Errors
    ///
    /// All reasons why the setup is not a legal position.
    pub fn from_board(board: Board, side_to_move: Color) -> Result<Self, InvalidPosition> {
        Self::from_setup(&Setup::new(board, side_to_move))
    }

    /// The setup of this position.
    pub fn to_setup(self) -> Setup {
        Setup {
            board: self.state.board,
            side_to_move: self.state.side_to_move,
            castling: self.state.castling,
            en_passant: self.state.en_passant,
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number,
        }
    }

    /// The board.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.state.board
    }

    /// The side to move.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.state.side_to_move
    }

    /// The rooks that may still castle.
    #[inline]
    pub fn castling(&self) -> CastlingRights {
        self.state.castling
    }

    /// The square on which a pawn may legally capture en passant.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.state.en_passant
    }

    /// Plies since the last capture or pawn move.
    #[inline]
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The move number: incremented after each move of Black.
    #[inline]
    pub fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// The Zobrist key of board, side to move, castling rights and the file of a legal en passant capture.
    /// The clocks are not in it, so positions that repeat each other have the same key.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The square of a side's king.
    ///
    /// # Panics
    /// Never: each side has a king.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        self.board().king(color).expect("each side has one king")
    }

    /// The pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        let us = self.side_to_move();
        self.board().attackers(self.king(us), !us, self.board().occupied())
    }

    /// Whether both count as the same position for repetition: same pieces on the same squares, same side to
    /// move, same possible moves, castling and en passant included (FIDE Laws of Chess, 9.2.3).
    #[inline]
    pub fn repeats(&self, other: &Self) -> bool {
        self.state == other.state
    }

    /// All legal moves.
    #[inline]
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::default();
        match self.side_to_move() {
            Color::White => movegen::generate::<White>(&self.state, &mut moves),
            Color::Black => movegen::generate::<Black>(&self.state, &mut moves),
        }
        moves
    }

    /// Whether a move is legal.
    pub fn is_legal(&self, mv: Move) -> bool {
        let mut finder = MoveFinder::new(mv);
        match self.side_to_move() {
            Color::White => movegen::generate::<White>(&self.state, &mut finder),
            Color::Black => movegen::generate::<Black>(&self.state, &mut finder),
        }
        finder.is_found
    }

    /// Whether the side to move has a legal move.
    pub fn has_legal_move(&self) -> bool {
        match self.side_to_move() {
            Color::White => movegen::any::<White>(&self.state),
            Color::Black => movegen::any::<Black>(&self.state),
        }
    }

    /// The position after a move.
    ///
    /// # Errors
    /// If the move is not legal.
    pub fn try_play(&self, mv: Move) -> Result<Self, IllegalMove> {
        if self.is_legal(mv) {
            Ok(self.play_unchecked(mv))
        } else {
            Err(IllegalMove { tried: mv, position: Box::new(*self) })
        }
    }

    /// The position after a move.
    ///
    /// # Panics
    /// If the move is not legal.
    pub fn play(&self, mv: Move) -> Self {
        self.try_play(mv).unwrap_or_else(|illegal| panic!("{illegal}"))
    }

    /// The position after a move that is known to be legal.
    ///
    /// After any other move the position is not legal, and may panic later.
    #[inline]
    pub fn play_unchecked(&self, mv: Move) -> Self {
        match self.side_to_move() {
            Color::White => self.played::<White>(mv),
            Color::Black => self.played::<Black>(mv),
        }
    }

    /// The position after a null move, for search. No position before it can be repeated, so the halfmove
    /// clock is reset. `None` in check.
    #[inline]
    pub fn null_move(&self) -> Option<Self> {
        if self.checkers().any() {
            return None;
        }
        let mut state = self.state;
        state.side_to_move = !state.side_to_move;
        state.en_passant = None;
        Some(Self {
            state,
            key: self.key ^ zobrist::change(&self.state, &state),
            halfmove_clock: 0,
            fullmove_number: self.fullmove_number,
        })
    }

    #[inline]
    fn played<S: Side>(&self, mv: Move) -> Self {
        let Move { from, to, promotion } = mv;
        let before = &self.state;
        let role = before.board.role_at(from).unwrap_or(Role::Pawn);
        let after = match (role, promotion) {
            (Role::Pawn, Some(role)) => before.after_promotion::<S>(from, to, role),
            (Role::Pawn, None) if before.en_passant == Some(to) && from.file() != to.file() => {
                before.after_en_passant::<S>(from, to)
            }
            (Role::Pawn, None) => before.after_pawn::<S>(to, to as i8 - from as i8),
            (Role::King, _) if before.board.color(S::US).contains(to) => before.after_castling::<S>(from, to),
            _ => before.after_piece::<S>(role, from, to),
        };
        let resets = role == Role::Pawn || before.board.color(S::THEM).contains(to);
        let blacks = u16::from(S::US == Color::Black);
        Self {
            state: after,
            key: self.key ^ zobrist::change(before, &after),
            halfmove_clock: if resets { 0 } else { self.halfmove_clock.saturating_add(1).min(MAX_COUNTER) },
            fullmove_number: self.fullmove_number.saturating_add(blacks).min(MAX_COUNTER),
        }
    }

    /// The state, for the modules of this crate that walk states (perft, proof search).
    #[inline]
    pub(crate) fn state(&self) -> &State {
        &self.state
    }
}
