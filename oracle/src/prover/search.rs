//! The search: does the side to move mate in so many moves, whatever is answered?
//!
//! Depth first, one move more at a time in every position where the side that mates is to move, so that the shorter
//! mates, which cost little to look for, are found first. Each position that is not mated falls to one reply: replies
//! that refuted others are tried first. Of the moves that may mate, those come first that leave few replies, and after a
//! failure those that were hardest to refute.
//!
//! That refutes quickly; a long mate it finds only when it has refuted all moves before the right one. So proof numbers
//! look for long mates first, and get as much work as the refutations so far have cost.

use std::collections::HashSet;

use shakmaty::{Chess, Move, Position};

use super::Limits;
use super::certificate::LAST_PLY;
use super::checks::CheckSquares;
use super::proof_numbers::{Numbers, UNKNOWN};
use super::reply_history::ReplyHistory;
use super::table::{Keys, Table};

/// The limits are reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Spent;

/// A search, and what it remembers from one question to the next.
pub(super) struct Search {
    table: Table,
    /// Proof and disproof numbers.
    pub(super) numbers: Table,
    /// Moves that are being tried, of all positions on the way, those of the last position last.
    pub(super) tried: Vec<Try>,
    /// How many there may be.
    room_for_tries: usize,
    reply_history: ReplyHistory,
    /// Positions that stood twice before: the third occurrence is a draw.
    drawn: HashSet<Chess>,
    nodes: u64,
    most: u64,
    /// Bytes left for the proof.
    room: usize,
}

/// A move that is being tried.
#[derive(Debug, Clone)]
pub(super) struct Try {
    pub(super) after: Chess,
    /// Its place among the legal moves as they are generated.
    pub(super) place: u8,
    /// The least is tried first.
    pub(super) order: u64,
    /// What there is left to prove.
    pub(super) numbers: Numbers,
}

/// By how many replies a move that gives no check goes behind one that does.
const QUIET: u64 = 8;
/// Mates of so many moves and more are looked for by proof numbers first.
const LONG: u16 = 4;
/// Positions that proof numbers may look at, and for each that the refutation of the last shorter mate has cost.
const ALLOWANCE: (u64, u64) = (20_000, 3);

impl Search {
    pub(super) fn new(limits: &Limits, drawn: HashSet<Chess>) -> Self {
        let bytes = limits.memory.saturating_mul(1 << 20);
        let (room, tries, numbers) = (bytes / 4, bytes / 8, bytes / 4);
        Self {
            table: Table::new(bytes - room - tries - numbers),
            numbers: Table::new(numbers),
            tried: Vec::new(),
            // A list that grows is copied into one of twice the size.
            room_for_tries: tries / size_of::<Try>() / 3,
            reply_history: ReplyHistory::default(),
            drawn,
            nodes: 0,
            most: limits.nodes,
            room,
        }
    }

    /// Whether a position in which somebody has a move is a draw by the clock or by what stood before.
    pub(super) fn is_drawn(&self, position: &Chess) -> bool {
        position.halfmoves() >= LAST_PLY || !self.drawn.is_empty() && self.drawn.contains(position)
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
    pub(super) fn least(&mut self, position: &Chess, most: u16) -> Result<Option<u16>, Spent> {
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
    pub(super) fn least_mated(&mut self, position: &Chess, most: u16) -> Result<Option<u16>, Spent> {
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

    /// Whether the side to move mates in at most so many moves. The refutation of a shorter mate has cost so much.
    fn decide(&mut self, position: &Chess, moves: u16, cost: u64) -> Result<bool, Spent> {
        if self.is_drawn(position) {
            return Ok(false);
        }
        if let Some(known) = self.known(&Keys::of(position), moves) {
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

    /// What is known of mates in at most so many moves.
    pub(super) fn known(&self, keys: &Keys, moves: u16) -> Option<bool> {
        keys.known(&self.table, moves).decides(moves)
    }

    /// Enters what has been found out; `by` is the first move of a mate, by its place.
    pub(super) fn enter(&mut self, keys: &Keys, moves: u16, by: Option<u8>) {
        keys.enter(&mut self.table, moves, by);
    }

    /// Does something with less to spend; `None` if that was not enough.
    fn within<T>(
        &mut self,
        nodes: u64,
        does: impl FnOnce(&mut Self) -> Result<T, Spent>,
    ) -> Result<Option<T>, Spent> {
        let (most, tried) = (self.most, self.tried.len());
        self.most = most.min(self.nodes.saturating_add(nodes));
        let done = does(self);
        self.most = most;
        self.tried.truncate(tried);
        match done {
            Ok(done) => Ok(Some(done)),
            Err(Spent) if self.nodes < most => Ok(None),
            Err(Spent) => Err(Spent),
        }
    }

    /// Whether the side to move mates in at most so many moves.
    pub(super) fn mates(&mut self, position: &Chess, most: u16) -> Result<bool, Spent> {
        if most == 0 || self.is_drawn(position) {
            return Ok(false);
        }
        if most == 1 {
            return Ok(self.mate_at_once(position)?.is_some());
        }
        if position.has_insufficient_material(position.turn()) {
            return Ok(false);
        }
        let keys = Keys::of(position);
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
    fn mates_later(&mut self, position: &Chess, least: u16, most: u16, keys: &Keys) -> Result<bool, Spent> {
        let first = self.tried.len();
        self.expand(position)?;
        for moves in least..=most {
            for at in first..self.tried.len() {
                let before = self.nodes;
                let Try { after, place, .. } = self.tried[at].clone();
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

    /// Adds the moves of a position to those that are being tried, but for those that end the game.
    #[inline(never)]
    pub(super) fn expand(&mut self, position: &Chess) -> Result<(), Spent> {
        let first = self.tried.len();
        for (place, mv) in (0..).zip(position.legal_moves()) {
            let after = self.after(position, mv)?;
            let replies = after.legal_moves().len();
            // No move: stalemate, or a mate that would have been found already.
            if replies == 0 {
                continue;
            }
            let order = replies as u64 + if after.is_check() { 0 } else { QUIET };
            self.push(Try { after, place, order, numbers: UNKNOWN })?;
        }
        self.tried[first..].sort_by_key(|one| one.order);
        Ok(())
    }

    /// Adds the replies in a position to what is being tried.
    #[inline(never)]
    pub(super) fn expand_replies(&mut self, position: &Chess) -> Result<(), Spent> {
        for (place, mv) in (0..).zip(position.legal_moves()) {
            let after = self.after(position, mv)?;
            self.push(Try { after, place, order: 0, numbers: UNKNOWN })?;
        }
        Ok(())
    }

    fn push(&mut self, one: Try) -> Result<(), Spent> {
        if self.tried.len() >= self.room_for_tries {
            return Err(Spent);
        }
        self.tried.push(one);
        Ok(())
    }

    /// A move that mates, by its place.
    #[inline(never)]
    fn mate_at_once(&mut self, position: &Chess) -> Result<Option<u8>, Spent> {
        let Some(squares) = CheckSquares::of(position) else { return Ok(None) };
        for (place, mv) in (0..).zip(position.legal_moves()) {
            if squares.gives_check(position, mv) && self.after(position, mv)?.legal_moves().is_empty() {
                return Ok(Some(place));
            }
        }
        Ok(None)
    }

    /// Whether the side to move is mated in at most so many moves of the other side.
    pub(super) fn is_mated(&mut self, position: &Chess, moves: u16) -> Result<bool, Spent> {
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

    /// A move that mates as soon as possible, and in how many moves it does, where there is a mate in at most `most`.
    pub(super) fn mating_move(&mut self, position: &Chess, most: u16) -> Result<(Move, u16), Spent> {
        let moves = self.least(position, most)?.ok_or(Spent)?;
        let by = if moves == 1 {
            self.mate_at_once(position)?
        } else {
            Some(Keys::of(position).known(&self.table, moves))
                .filter(|known| known.mate == moves)
                .map(|known| known.by)
        };
        let legal = position.legal_moves();
        if let Some(mv) = by.and_then(|by| legal.get(usize::from(by))) {
            return Ok((*mv, moves));
        }
        // It was known and has been displaced: it is looked for again.
        for mv in legal {
            let after = self.after(position, mv)?;
            if self.is_mated(&after, moves - 1)? {
                return Ok((mv, moves));
            }
        }
        Err(Spent)
    }
}
