//! Proof-number search: expands the position in which a mate seems to need the least work to prove, or to
//! disprove.
//!
//! Depth-first proof-number search (Nagai 2002) with a limit on the depth, so that no position repeats on its
//! own line. The last moves are left to the depth-first search, which decides them fastest.

use shakmaty::Chess;

use super::proof_numbers::{DISPROVEN, NEVER, PROVEN, ProofNumbers, UNKNOWN, above, add};
use super::search::{LimitReached, Search};
use super::table::Keys;

/// Mates in at most this many moves are decided depth first.
const SHORT: u16 = 2;

/// The child to search next.
struct Selection {
    /// Its index in the moves to try.
    at: usize,
    /// Its number of the kind that is minimised.
    least: u32,
    /// Its other number.
    other: u32,
    /// The second least number of the children.
    second: u32,
    /// The sum of the other numbers of all children.
    sum: u32,
}

impl Search {
    /// Selects among the moves to try from `first` on. `of` returns the number to minimise and the number to
    /// add up.
    #[inline]
    fn select(&self, first: usize, of: impl Fn(ProofNumbers) -> (u32, u32)) -> Selection {
        let mut found = Selection { at: first, least: NEVER + 1, other: 0, second: NEVER, sum: 0 };
        for (at, tried) in self.tried.iter().enumerate().skip(first) {
            let (number, other) = of(tried.numbers);
            found.sum = add(found.sum, other);
            if number < found.least {
                found.second = found.least.min(NEVER);
                (found.at, found.least, found.other) = (at, number, other);
            } else {
                found.second = found.second.min(number);
            }
        }
        found
    }

    /// Whether the side to move mates in at most `moves` moves.
    pub(super) fn by_numbers(&mut self, position: &Chess, moves: u16) -> Result<bool, LimitReached> {
        let limits = ProofNumbers { proof: NEVER, disproof: NEVER };
        // Limits that are never reached. In the end one of the numbers is 0.
        Ok(self.number_mates(position, moves, limits)?.proof == 0)
    }

    fn number_mates(
        &mut self,
        position: &Chess,
        moves: u16,
        limits: ProofNumbers,
    ) -> Result<ProofNumbers, LimitReached> {
        let keys = Keys::from_position(position);
        if self.mates(position, moves.min(SHORT))? {
            return Ok(PROVEN);
        }
        if moves <= SHORT || self.is_drawn(position) {
            return Ok(DISPROVEN);
        }
        let first = self.tried.len();
        self.expand(position)?;
        for one in &mut self.tried[first..] {
            let key = Keys::from_position(&one.after).with_moves(moves - 1, true);
            // The number of replies is the first estimate.
            let begin = || ProofNumbers { proof: one.order as u32, disproof: 1 };
            one.numbers = self.numbers.get(key).map_or_else(begin, ProofNumbers::unpacked);
        }
        let numbers = loop {
            let Selection { at, least: proof, other: disproof, second, sum } =
                self.select(first, |numbers| (numbers.proof, numbers.disproof));
            let numbers =
                ProofNumbers { proof: proof.min(NEVER), disproof: if proof == 0 { NEVER } else { sum } };
            if numbers.proof == 0 {
                self.enter(&keys, moves, Some(self.tried[at].place));
            } else if numbers.disproof == 0 {
                self.enter(&keys, moves, None);
            }
            if numbers.reach(limits) {
                break numbers;
            }
            let below = ProofNumbers {
                proof: limits.proof.min(above(second)),
                disproof: if limits.disproof == NEVER { NEVER } else { limits.disproof - (sum - disproof) },
            };
            let after = self.tried[at].after.clone();
            self.tried[at].numbers = self.number_mated(&after, moves - 1, below)?;
        };
        self.tried.truncate(first);
        self.numbers.put(keys.with_moves(moves, false), numbers.packed(), |_| 0);
        Ok(numbers)
    }

    fn number_mated(
        &mut self,
        position: &Chess,
        moves: u16,
        limits: ProofNumbers,
    ) -> Result<ProofNumbers, LimitReached> {
        if moves <= SHORT || self.is_drawn(position) {
            return Ok(ProofNumbers::from_proven(self.is_mated(position, moves)?));
        }
        let first = self.tried.len();
        self.expand_replies(position)?;
        for at in first..self.tried.len() {
            let keys = Keys::from_position(&self.tried[at].after);
            let stored = || self.numbers.get(keys.with_moves(moves, false)).map(ProofNumbers::unpacked);
            let numbers = self.known(&keys, moves).map(ProofNumbers::from_proven).or_else(stored);
            self.tried[at].numbers = numbers.unwrap_or(UNKNOWN);
        }
        let numbers = loop {
            let Selection { at, least: disproof, other: proof, second, sum } =
                self.select(first, |numbers| (numbers.disproof, numbers.proof));
            let numbers = ProofNumbers {
                proof: if disproof == 0 { NEVER } else { sum },
                disproof: disproof.min(NEVER),
            };
            if numbers.reach(limits) {
                break numbers;
            }
            let below = ProofNumbers {
                proof: if limits.proof == NEVER { NEVER } else { limits.proof - (sum - proof) },
                disproof: limits.disproof.min(above(second)),
            };
            let after = self.tried[at].after.clone();
            self.tried[at].numbers = self.number_mates(&after, moves, below)?;
        };
        self.tried.truncate(first);
        self.numbers.put(Keys::from_position(position).with_moves(moves, true), numbers.packed(), |_| 0);
        Ok(numbers)
    }
}
