//! The search for a mate within a number of plies.
//!
//! Finds distances only; [`line`](super::line) constructs the moves.

use super::Mutation;
use super::Prover;
use super::status::{ProofNumbers, ProofStatus, combine};
use crate::Ply;
use crate::movegen::{self, MoveCounter};
use crate::outcome::FIFTY_MOVES;
use crate::side::{Black, White};
use crate::tables::{Dtm, ProbeError};
use crate::{Color, Move, Position};

/// The stop flag is checked every this many nodes.
const POLL: u64 = 256;

/// A move, the position after it, and its status.
struct Child {
    position: Position,
    verdict: ProofStatus,
}

impl Prover<'_> {
    /// Whether the attacker mates from the root within this many plies, with these moves. Not stored: the
    /// root is exempt from draws and may have restricted moves.
    pub(super) fn solve_root(&mut self, root: &Position, moves: &[Move], plies: Ply) -> ProofStatus {
        self.decide(root, moves, plies, ProofNumbers::BOUNDLESS)
    }

    /// Searches a position that is neither mate nor draw until it is decided or the proof numbers exceed the
    /// limit.
    pub(super) fn search(&mut self, position: &Position, plies: Ply, limit: ProofNumbers) -> ProofStatus {
        if let Some(verdict) = self.table.get(position, plies) {
            return verdict;
        }
        let verdict = match plies.0 {
            0 => return ProofStatus::NoMate,
            1 => return self.mates_at_once(position),
            2 => self.is_mated_next(position),
            _ => self.decide(position, &position.legal_moves(), plies, limit),
        };
        self.table.store(position, plies, verdict);
        verdict
    }

    fn decide(
        &mut self,
        position: &Position,
        moves: &[Move],
        plies: Ply,
        limit: ProofNumbers,
    ) -> ProofStatus {
        if !self.enter() {
            return ProofStatus::Open(ProofNumbers::BLANK);
        }
        let attacking = self.is_attacking(position);
        let left = Ply(plies.0 - 1);
        let mut children = self.children(position, moves, left);
        loop {
            let (verdict, choice) = combine(attacking, children.iter().map(|child| child.verdict));
            let ProofStatus::Open(here) = verdict else { return verdict };
            let over = here.proof >= limit.proof || here.disproof >= limit.disproof;
            if over || self.is_exhausted() {
                return verdict;
            }
            let Some(child) = children.get_mut(choice.index) else { return verdict };
            let ProofStatus::Open(chosen) = child.verdict else { return verdict };
            let limit = choice.limit(attacking, here, chosen, limit);
            child.verdict = self.search(&child.position, left, limit);
        }
    }

    /// Looks at the position after each move.
    fn children(&mut self, position: &Position, moves: &[Move], left: Ply) -> Vec<Child> {
        let attacking = self.is_attacking(position);
        let hint = if attacking { (self.hint)(position) } else { None };
        let mut children = Vec::with_capacity(moves.len());
        for &mv in moves {
            let after = position.play_unchecked(mv);
            let mut verdict = self.look(&after, left);
            if let ProofStatus::Open(numbers) = &mut verdict
                && hint == Some(mv)
                && self.table.numbers(&after, left).is_none()
            {
                numbers.proof = 1;
            }
            children.push(Child { position: after, verdict });
            let decided = if attacking {
                matches!(verdict, ProofStatus::Mate(_))
            } else {
                verdict == ProofStatus::NoMate
            };
            if decided {
                break;
            }
        }
        children
    }

    /// The status of a position below the root without a search.
    pub(super) fn look(&self, position: &Position, plies: Ply) -> ProofStatus {
        let attacking = self.is_attacking(position);
        let replies = if attacking { 1 } else { count_moves(position) };
        if replies == 0 {
            let mated = position.checkers().any();
            return if mated { ProofStatus::Mate(Ply(0)) } else { ProofStatus::NoMate };
        }
        if plies.0 == 0 || self.is_drawn(position) || self.is_bare(position) {
            return ProofStatus::NoMate;
        }
        if let Some(verdict) = self.look_up(position, plies) {
            return verdict;
        }
        if let Some(verdict) = self.table.get(position, plies) {
            return verdict;
        }
        // Few replies make a mate likely.
        let blank = ProofNumbers { proof: replies, disproof: 1 };
        ProofStatus::Open(self.table.numbers(position, plies).unwrap_or(blank))
    }

    /// Whether the attacker has only its king.
    fn is_bare(&self, position: &Position) -> bool {
        !position.board().color(self.attacker).many()
    }

    /// The status of a mate within this many plies, by the tables.
    fn look_up(&self, position: &Position, plies: Ply) -> Option<ProofStatus> {
        let Some(height) = self.table_height(position).ok()? else { return Some(ProofStatus::NoMate) };
        if height > plies {
            return Some(ProofStatus::NoMate);
        }
        if self.is_trusted(position, height) {
            return Some(ProofStatus::Mate(height));
        }
        let known = self.table.get(position, plies);
        let numbers = || {
            self.table
                .numbers(position, plies)
                .unwrap_or(ProofNumbers { proof: u32::from(height.0), disproof: 1 })
        };
        Some(known.unwrap_or_else(|| ProofStatus::Open(numbers())))
    }

    /// The attacker's distance to mate by the tables, ignoring the clock; `None` if there is no mate.
    ///
    /// # Errors
    ///
    /// There is no table, or the position has castling rights.
    pub(super) fn table_height(&self, position: &Position) -> Result<Option<Ply>, ProbeError> {
        let set = self.tables.ok_or(ProbeError::NoMaterial)?;
        let ours = u16::from(self.is_attacking(position));
        let dtm = set.dtm_of(position)?;
        Ok(dtm.filter(|dtm| dtm.plies() % 2 == ours).map(|Dtm(plies)| plies))
    }

    /// Whether neither the clock nor repetition can prevent a table's mate. Positions that occurred twice
    /// have as many men as the root.
    pub(super) fn is_trusted(&self, position: &Position, height: Ply) -> bool {
        let men = |position: &Position| position.board().occupied().count();
        let in_time = position.halfmove_clock() + height.0 <= FIFTY_MOVES;
        (in_time || self.mutation == Some(Mutation::TableClock))
            && (self.stood_twice.is_empty() || men(position) < men(self.game.position()))
    }

    /// The attacker's last move: only checks are tried.
    fn mates_at_once(&mut self, position: &Position) -> ProofStatus {
        if !self.enter() {
            return ProofStatus::Open(ProofNumbers::BLANK);
        }
        let mates = |mv: &Move| position.play_unchecked(*mv).is_checkmate();
        if position.legal_moves().iter().any(mates) { ProofStatus::Mate(Ply(1)) } else { ProofStatus::NoMate }
    }

    /// The defender's last move.
    fn is_mated_next(&mut self, position: &Position) -> ProofStatus {
        if !self.enter() {
            return ProofStatus::Open(ProofNumbers::BLANK);
        }
        for mv in position.legal_moves() {
            let after = position.play_unchecked(mv);
            if self.is_drawn(&after) || self.is_bare(&after) {
                return ProofStatus::NoMate;
            }
            match self.mates_at_once(&after) {
                ProofStatus::Mate(_) => {}
                other => return other,
            }
        }
        ProofStatus::Mate(Ply(2))
    }

    /// Counts a node; false if none is left.
    pub(super) fn enter(&mut self) -> bool {
        if self.is_exhausted() {
            return false;
        }
        self.is_stopped = self.nodes.is_multiple_of(POLL) && (self.is_over)();
        self.nodes += 1;
        !self.is_stopped
    }

    fn is_exhausted(&self) -> bool {
        self.is_stopped || self.nodes >= self.share
    }
}

/// The number of legal moves.
fn count_moves(position: &Position) -> u32 {
    let mut counter = MoveCounter::default();
    match position.side_to_move() {
        Color::White => movegen::generate::<White>(position.state(), &mut counter),
        Color::Black => movegen::generate::<Black>(position.state(), &mut counter),
    }
    counter.0 as u32
}
