//! The search: does the side to move mate in so many moves, whatever is answered?

use shakmaty::{Chess, Move, Position};

use super::Limits;
use super::certificate::LAST_PLY;
use super::checks::CheckSquares;
use super::table::{Keys, Known, Table};

/// The limits are reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Spent;

/// A search, and what it remembers from one question to the next.
pub(super) struct Search {
    table: Table,
    nodes: u64,
    most: u64,
    /// Bytes left for the proof.
    room: usize,
}

impl Search {
    pub(super) fn new(limits: &Limits) -> Self {
        let bytes = limits.memory.saturating_mul(1 << 20);
        let room = bytes / 4;
        Self { table: Table::new(bytes - room, limits.nodes), nodes: 0, most: limits.nodes, room }
    }

    /// Positions looked at.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Bytes for the proof.
    pub(super) fn room(&self) -> usize {
        self.room
    }

    /// The position after a move, counted.
    fn after(&mut self, position: &Chess, mv: Move) -> Result<Chess, Spent> {
        if self.nodes >= self.most {
            return Err(Spent);
        }
        self.nodes += 1;
        let mut after = position.clone();
        after.play_unchecked(mv);
        Ok(after)
    }

    /// The least number of moves in which the side to move mates, if at most `most`.
    pub(super) fn mates(&mut self, position: &Chess, most: u16) -> Result<Option<u16>, Spent> {
        if most == 0 || position.halfmoves() >= LAST_PLY {
            return Ok(None);
        }
        let keys = Keys::of(position);
        let known = keys.known(&self.table, most);
        if known.mate > 0 {
            return Ok(Some(known.mate).filter(|&moves| moves <= most));
        }
        for moves in known.refuted + 1..=most {
            let found = self.mates_in(position, moves)?;
            let known = if found {
                Known { refuted: moves - 1, mate: moves }
            } else {
                Known { refuted: moves, mate: 0 }
            };
            self.table.put(keys.for_moves(moves), known);
            if found {
                return Ok(Some(moves));
            }
        }
        Ok(None)
    }

    fn mates_in(&mut self, position: &Chess, moves: u16) -> Result<bool, Spent> {
        if moves == 1 {
            return Ok(self.mate_at_once(position)?.is_some());
        }
        for mv in position.legal_moves() {
            let after = self.after(position, mv)?;
            if self.is_mated(&after, moves - 1)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn mate_at_once(&mut self, position: &Chess) -> Result<Option<Move>, Spent> {
        let Some(squares) = CheckSquares::of(position) else { return Ok(None) };
        for mv in position.legal_moves() {
            if squares.gives_check(position, mv) && self.after(position, mv)?.is_checkmate() {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }

    /// Whether the side to move is mated in at most so many moves of the other side.
    pub(super) fn is_mated(&mut self, position: &Chess, moves: u16) -> Result<bool, Spent> {
        let replies = position.legal_moves();
        if replies.is_empty() {
            return Ok(position.is_check());
        }
        if moves == 0 || position.halfmoves() >= LAST_PLY {
            return Ok(false);
        }
        for reply in replies {
            let after = self.after(position, reply)?;
            if self.mates(&after, moves)?.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The first of the legal moves that mates as soon as possible, its place, and in how many moves it does,
    /// where it is known that there is a mate in at most `most`.
    pub(super) fn mating_move(
        &mut self,
        position: &Chess,
        legal: &[Move],
        most: u16,
    ) -> Result<(usize, Move, u16), Spent> {
        let least = self.mates(position, most)?.ok_or(Spent)?;
        for (place, &mv) in legal.iter().enumerate() {
            let after = self.after(position, mv)?;
            if self.is_mated(&after, least - 1)? {
                return Ok((place, mv, least));
            }
        }
        Err(Spent)
    }
}
