//! A position of chess, sound by construction: its moves, and what follows a move.
//!
//! Knows no history: repetition is a [`crate::Game`]'s to tell.

use std::fmt;

use crate::movegen;
use crate::side::{Black, Side, White};
use crate::state::State;
use crate::validate::{self, MAX_COUNTER, SetupFault};
use crate::{Bitboard, Board, CastlingRights, Color, Move, MoveList, Role, Setup, Square, zobrist};

/// A position that can be played on.
///
/// Two positions are equal if all that a FEN tells of them is, the clocks among it; for what counts as a
/// repetition see [`Position::repeats`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    state: State,
    key: u64,
    halfmove_clock: u16,
    fullmove_number: u16,
}

/// A description that is no position, with all the reasons.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", join(.faults))]
pub struct InvalidPosition {
    /// Why: at least one reason.
    pub faults: Vec<SetupFault>,
}

/// A move that the laws do not allow here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{tried} is not legal in {fen}")]
pub struct IllegalMove {
    /// The move.
    pub tried: Move,
    /// The position.
    pub fen: String,
}

/// Joins the reasons of a refusal in one line.
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

    /// The position of a description.
    ///
    /// An en passant square where no pawn may legally take is forgotten: it makes no difference to the game.
    ///
    /// # Errors
    /// All reasons at once why it is none.
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

    /// The position of a board, without castling rights or en passant, with clocks as at the start of a game.
    ///
    /// # Errors
    /// All reasons at once why it is none.
    pub fn from_board(board: Board, side_to_move: Color) -> Result<Self, InvalidPosition> {
        Self::from_setup(&Setup::new(board, side_to_move))
    }

    /// The description of this position.
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

    /// Which piece stands where.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.state.board
    }

    /// Whose turn it is.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.state.side_to_move
    }

    /// The rooks that may still castle.
    #[inline]
    pub fn castling(&self) -> CastlingRights {
        self.state.castling
    }

    /// The square on which a pawn may legally take en passant.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.state.en_passant
    }

    /// Plies since the last capture or move of a pawn.
    #[inline]
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// Number of the move: one more after each move of Black's.
    #[inline]
    pub fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// The Zobrist key: of board, side to move, castling rights and the file of a legal en passant capture.
    /// Positions that repeat each other have one key; the clocks are not in it.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The square of a side's king.
    ///
    /// # Panics
    /// Never: each side of a position has one.
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

    /// Whether the two are one position in the sense of repetition: same pieces on the same squares, same side to
    /// move, same moves possible, castling and en passant included (FIDE Laws of Chess, 9.2.3).
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

    /// The legal captures, en passant among them, and promotions; only of a side that is not in check.
    #[inline]
    pub fn noisy_moves(&self) -> MoveList {
        let mut moves = MoveList::default();
        match self.side_to_move() {
            Color::White => movegen::generate_noisy::<White>(&self.state, &mut moves),
            Color::Black => movegen::generate_noisy::<Black>(&self.state, &mut moves),
        }
        moves
    }

    /// Whether a move is legal.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.legal_moves().contains(&mv)
    }

    /// Whether there is a legal move.
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
            Err(IllegalMove { tried: mv, fen: self.to_fen() })
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
    /// After any other move it is not sound, and may later panic.
    #[inline]
    pub fn play_unchecked(&self, mv: Move) -> Self {
        match self.side_to_move() {
            Color::White => self.played::<White>(mv),
            Color::Black => self.played::<Black>(mv),
        }
    }

    /// The position with the other side to move, as if this one had passed: no move of chess, but searches ask what it
    /// would be worth. Nothing before it can be repeated after it, so the clock starts anew. `None` in check.
    #[inline]
    pub fn pass(&self) -> Option<Self> {
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
            (Role::Pawn, None) => before.after_pawn::<S>(from, to),
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

    /// The state, for those of this crate who walk states.
    #[inline]
    pub(crate) fn state(&self) -> &State {
        &self.state
    }
}
