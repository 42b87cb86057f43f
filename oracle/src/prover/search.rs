//! The search: whether the side to move mates in a number of moves against every reply.
//!
//! The search is depth first. In every position where the side that mates is to move, it searches shorter
//! mates first, because they cost little. One reply refutes a position that is not mated: replies that
//! refuted other positions are tried first. Of the moves of the side that mates, those that leave few replies
//! come first, and after a failure those that were hardest to refute.
//!
//! This refutes quickly, but it finds a long mate only after it has refuted all moves before the right one.
//! Therefore a proof-number search looks for long mates first, and may search as many positions as the
//! refutations so far have cost.

use std::collections::HashSet;

use shakmaty::{Chess, Move, Position};

use super::ProverLimits;
use super::certificate::LAST_PLY;
use super::checks::CheckSquares;
use super::proof_numbers::{ProofNumbers, UNKNOWN};
use super::reply_history::ReplyHistory;
use super::table::{HashTable, Keys};
use crate::board;

/// A limit was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LimitReached;

/// A search with its hash tables, which later questions use too.
pub(super) struct Search {
    table: HashTable,
    /// The hash table of proof and disproof numbers.
    pub(super) numbers: HashTable,
    /// The moves to try in all positions of the current line, those of the last position last.
    pub(super) tried: Vec<Candidate>,
    /// The most moves in that list.
    room_for_tries: usize,
    reply_history: ReplyHistory,
    /// Positions that stood on the board twice before. A third occurrence is a draw.
    drawn: HashSet<Chess>,
    nodes: u64,
    most: u64,
    /// Bytes for the proof.
    room: usize,
}

/// A move to try.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) after: Chess,
    /// Its index in the order of the move generator.
    pub(super) place: u8,
    /// The least is tried first.
    pub(super) order: u64,
    /// Its proof and disproof number.
    pub(super) numbers: ProofNumbers,
}

/// A move without check is ordered as if it left this many more replies.
const QUIET: u64 = 8;
/// From this many moves on, the proof-number search looks for a mate first.
const LONG: u16 = 4;
/// How many positions the proof-number search may search: at least the first number, and the second for each
/// position that the refutation of the last shorter mate has cost.
const ALLOWANCE: (u64, u64) = (20_000, 3);

impl Search {
    pub(super) fn new(limits: &ProverLimits, drawn: HashSet<Chess>) -> Self {
        let bytes = limits.memory.saturating_mul(1 << 20);
        let (room, tries, numbers) = (bytes / 4, bytes / 8, bytes / 4);
        Self {
            table: HashTable::new(bytes - room - tries - numbers),
            numbers: HashTable::new(numbers),
            tried: Vec::new(),
            // A growing list is copied into one of twice the size.
            room_for_tries: tries / size_of::<Candidate>() / 3,
            reply_history: ReplyHistory::default(),
            drawn,
            nodes: 0,
            most: limits.nodes,
            room,
        }
    }

    /// Whether a position with a legal move is drawn by the fifty-move rule or by repetition.
    pub(super) fn is_drawn(&self, position: &Chess) -> bool {
        position.halfmoves() >= LAST_PLY || !self.drawn.is_empty() && self.drawn.contains(position)
    }

    /// Positions searched.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Bytes for the proof.
    pub(super) fn room(&self) -> usize {
        self.room
    }

    /// The position after a move. Counts it as searched.
    fn after(&mut self, position: &Chess, mv: Move) -> Result<Chess, LimitReached> {
        if self.nodes >= self.most {
            return Err(LimitReached);
        }
        self.nodes += 1;
        Ok(board::after(position, mv))
    }

    /// The least number of moves in which the side to move mates, if at most `most`.
    pub(super) fn least(&mut self, position: &Chess, most: u16) -> Result<Option<u16>, LimitReached> {
        if position.has_insufficient_material(position.turn()) {
            return Ok(None);
        }
        let mut cost = 0;
        for moves in 1..=most {
            let before = self.nodes;
            if self.decide(position, moves, cost)? {
                return Ok(Some(moves));
            }
            cost = self.nodes - before;
        }
        Ok(None)
    }

    /// The least number of moves of the other side in which the side to move is mated, if at most `most`.
    pub(super) fn least_mated(&mut self, position: &Chess, most: u16) -> Result<Option<u16>, LimitReached> {
        let replies = position.legal_moves();
        if replies.is_empty() {
            return Ok(position.is_check().then_some(0));
        }
        if self.is_drawn(position) || position.has_insufficient_material(!position.turn()) {
            return Ok(None);
        }
        let mut cost = 0;
        'moves: for moves in 1..=most {
            let before = self.nodes;
            for &reply in &replies {
                let after = self.after(position, reply)?;
                if !self.decide(&after, moves, cost)? {
                    cost = self.nodes - before;
                    continue 'moves;
                }
            }
            return Ok(Some(moves));
        }
        Ok(None)
    }

    /// Whether the side to move mates in at most `moves` moves. `cost` is the cost of refuting a shorter
    /// mate.
    fn decide(&mut self, position: &Chess, moves: u16, cost: u64) -> Result<bool, LimitReached> {
        if self.is_drawn(position) {
            return Ok(false);
        }
        if let Some(known) = self.known(&Keys::from_position(position), moves) {
            return Ok(known);
        }
        if moves >= LONG {
            let allowed = ALLOWANCE.0 + ALLOWANCE.1 * cost;
            if let Some(found) = self.within(allowed, |search| search.by_numbers(position, moves))? {
                return Ok(found);
            }
        }
        self.mates(position, moves)
    }

    /// Whether there is a mate in at most this many moves, if the hash table knows it.
    pub(super) fn known(&self, keys: &Keys, moves: u16) -> Option<bool> {
        keys.known(&self.table, moves).decides(moves)
    }

    /// Stores a result; `by` is the index of the first move of a mate.
    pub(super) fn enter(&mut self, keys: &Keys, moves: u16, by: Option<u8>) {
        keys.enter(&mut self.table, moves, by);
    }

    /// Runs a part of the search with fewer positions. `None` if they are not enough.
    fn within<T>(
        &mut self,
        nodes: u64,
        does: impl FnOnce(&mut Self) -> Result<T, LimitReached>,
    ) -> Result<Option<T>, LimitReached> {
        let (most, tried) = (self.most, self.tried.len());
        self.most = most.min(self.nodes.saturating_add(nodes));
        let done = does(self);
        self.most = most;
        self.tried.truncate(tried);
        match done {
            Ok(done) => Ok(Some(done)),
            Err(LimitReached) if self.nodes < most => Ok(None),
            Err(LimitReached) => Err(LimitReached),
        }
    }

    /// Whether the side to move mates in at most `most` moves.
    pub(super) fn mates(&mut self, position: &Chess, most: u16) -> Result<bool, LimitReached> {
        if most == 0 || self.is_drawn(position) {
            return Ok(false);
        }
        if most == 1 {
            return Ok(self.mate_at_once(position)?.is_some());
        }
        if position.has_insufficient_material(position.turn()) {
            return Ok(false);
        }
        let keys = Keys::from_position(position);
        let known = keys.known(&self.table, most);
        if let Some(known) = known.decides(most) {
            return Ok(known);
        }
        if known.refuted == 0
            && let Some(by) = self.mate_at_once(position)?
        {
            self.enter(&keys, 1, Some(by));
            return Ok(true);
        }
        let first = self.tried.len();
        let found = self.mates_later(position, known.refuted.max(1) + 1, most, &keys)?;
        self.tried.truncate(first);
        Ok(found)
    }

    /// The same, where the mate takes at least `least` moves, which are two or more.
    fn mates_later(
        &mut self,
        position: &Chess,
        least: u16,
        most: u16,
        keys: &Keys,
    ) -> Result<bool, LimitReached> {
        let first = self.tried.len();
        self.expand(position)?;
        for moves in least..=most {
            for at in first..self.tried.len() {
                let before = self.nodes;
                let Candidate { after, place, .. } = self.tried[at].clone();
                if self.is_mated(&after, moves - 1)? {
                    self.enter(keys, moves, Some(place));
                    return Ok(true);
                }
                self.tried[at].order = u64::MAX - (self.nodes - before);
            }
            self.enter(keys, moves, None);
            if moves < most {
                self.tried[first..].sort_by_key(|one| one.order);
            }
        }
        Ok(false)
    }

    /// Adds the moves of a position to the moves to try, without those that end the game.
    #[inline(never)]
    pub(super) fn expand(&mut self, position: &Chess) -> Result<(), LimitReached> {
        let first = self.tried.len();
        for (place, mv) in (0..).zip(position.legal_moves()) {
            let after = self.after(position, mv)?;
            let replies = after.legal_moves().len();
            // There is no reply: this is stalemate, as a mate would have been found before.
            if replies == 0 {
                continue;
            }
            let order = replies as u64 + if after.is_check() { 0 } else { QUIET };
            self.push(Candidate { after, place, order, numbers: UNKNOWN })?;
        }
        self.tried[first..].sort_by_key(|one| one.order);
        Ok(())
    }

    /// Adds the replies in a position to the moves to try.
    #[inline(never)]
    pub(super) fn expand_replies(&mut self, position: &Chess) -> Result<(), LimitReached> {
        for (place, mv) in (0..).zip(position.legal_moves()) {
            let after = self.after(position, mv)?;
            self.push(Candidate { after, place, order: 0, numbers: UNKNOWN })?;
        }
        Ok(())
    }

    fn push(&mut self, one: Candidate) -> Result<(), LimitReached> {
        if self.tried.len() >= self.room_for_tries {
            return Err(LimitReached);
        }
        self.tried.push(one);
        Ok(())
    }

    /// The index of a move that mates at once.
    #[inline(never)]
    fn mate_at_once(&mut self, position: &Chess) -> Result<Option<u8>, LimitReached> {
        let Some(squares) = CheckSquares::from_position(position) else { return Ok(None) };
        for (place, mv) in (0..).zip(position.legal_moves()) {
            if squares.gives_check(position, mv) && self.after(position, mv)?.legal_moves().is_empty() {
                return Ok(Some(place));
            }
        }
        Ok(None)
    }

    /// Whether the side to move is mated in at most this many moves of the other side.
    pub(super) fn is_mated(&mut self, position: &Chess, moves: u16) -> Result<bool, LimitReached> {
        let mut replies = position.legal_moves();
        if replies.is_empty() {
            return Ok(position.is_check());
        }
        if moves == 0 || self.is_drawn(position) {
            return Ok(false);
        }
        for at in 0..replies.len() {
            self.reply_history.bring_forward(&mut replies[at..], moves);
            let reply = replies[at];
            let after = self.after(position, reply)?;
            if !self.mates(&after, moves)? {
                self.reply_history.praise(reply, moves);
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// A first move of the shortest mate and its number of moves, where there is a mate in at most `most`
    /// moves.
    pub(super) fn mating_move(&mut self, position: &Chess, most: u16) -> Result<(Move, u16), LimitReached> {
        let moves = self.least(position, most)?.ok_or(LimitReached)?;
        let by = if moves == 1 {
            self.mate_at_once(position)?
        } else {
            Some(Keys::from_position(position).known(&self.table, moves))
                .filter(|known| known.mate == moves)
                .map(|known| known.by)
        };
        let legal = position.legal_moves();
        if let Some(mv) = by.and_then(|by| legal.get(usize::from(by))) {
            return Ok((*mv, moves));
        }
        // The entry in the hash table was replaced, so the move is searched again.
        for mv in legal {
            let after = self.after(position, mv)?;
            if self.is_mated(&after, moves - 1)? {
                return Ok((mv, moves));
            }
        }
        Err(LimitReached)
    }
}
