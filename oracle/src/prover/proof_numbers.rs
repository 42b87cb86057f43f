//! Proof numbers: the search goes where a mate seems least work to prove, or to disprove.
//!
//! Depth-first proof-number search (Nagai 2002), bounded in depth, so that no position comes again under itself. The
//! last moves are left to the search depth first, which decides them at once.

use shakmaty::Chess;

use super::search::{Search, Spent};
use super::table::Keys;

/// Mates of so many moves are decided depth first.
const SHORT: u16 = 2;
/// What is disproven needs so much to be proven.
const NEVER: u32 = 1 << 30;

/// How much there is left to prove: at least so many positions, to show the mate or to show that there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Numbers {
    proof: u32,
    disproof: u32,
}

pub(super) const UNKNOWN: Numbers = Numbers { proof: 1, disproof: 1 };
const PROVEN: Numbers = Numbers { proof: 0, disproof: NEVER };
const DISPROVEN: Numbers = Numbers { proof: NEVER, disproof: 0 };

impl Numbers {
    fn of(proven: bool) -> Self {
        if proven { PROVEN } else { DISPROVEN }
    }

    fn reach(self, limits: Self) -> bool {
        self.proof >= limits.proof
            || self.disproof >= limits.disproof
            || self.proof == 0
            || self.disproof == 0
    }

    fn packed(self) -> u64 {
        u64::from(self.proof) << 32 | u64::from(self.disproof)
    }

    fn unpacked(bits: u64) -> Self {
        Self { proof: (bits >> 32) as u32, disproof: bits as u32 }
    }
}

/// A sum that stays below what is never.
fn add(one: u32, other: u32) -> u32 {
    if one == NEVER || other == NEVER { NEVER } else { (one + other).min(NEVER - 1) }
}

/// Room for the best before the second best takes over: less going to and fro.
fn above(second: u32) -> u32 {
    second.saturating_add(second / 4 + 1).min(NEVER)
}

impl Search {
    /// Whether the side to move mates in at most so many moves.
    pub(super) fn by_numbers(&mut self, position: &Chess, moves: u16) -> Result<bool, Spent> {
        let limits = Numbers { proof: NEVER, disproof: NEVER };
        // A limit that is never reached: the numbers are then 0 on one side.
        Ok(self.number_mates(position, moves, limits)?.proof == 0)
    }

    fn number_mates(&mut self, position: &Chess, moves: u16, limits: Numbers) -> Result<Numbers, Spent> {
        let keys = Keys::of(position);
        if self.mates(position, moves.min(SHORT))? {
            return Ok(PROVEN);
        }
        if moves <= SHORT || self.is_drawn(position) {
            return Ok(DISPROVEN);
        }
        let first = self.tried.len();
        self.expand(position)?;
        for one in &mut self.tried[first..] {
            let key = Keys::of(&one.after).with_moves(moves - 1, true);
            // What leaves many replies is more to prove.
            let begin = || Numbers { proof: one.order as u32, disproof: 1 };
            one.numbers = self.numbers.get(key).map_or_else(begin, Numbers::unpacked);
        }
        let numbers = loop {
            let mut best = (first, NEVER + 1, 0);
            let (mut second, mut sum) = (NEVER, 0);
            for at in first..self.tried.len() {
                let numbers = self.tried[at].numbers;
                sum = add(sum, numbers.disproof);
                if numbers.proof < best.1 {
                    second = best.1.min(NEVER);
                    best = (at, numbers.proof, numbers.disproof);
                } else {
                    second = second.min(numbers.proof);
                }
            }
            let (at, proof, disproof) = best;
            let numbers = Numbers { proof: proof.min(NEVER), disproof: if proof == 0 { NEVER } else { sum } };
            if numbers.proof == 0 {
                self.enter(&keys, moves, Some(self.tried[at].place));
            } else if numbers.disproof == 0 {
                self.enter(&keys, moves, None);
            }
            if numbers.reach(limits) {
                break numbers;
            }
            let below = Numbers {
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

    fn number_mated(&mut self, position: &Chess, moves: u16, limits: Numbers) -> Result<Numbers, Spent> {
        if moves <= SHORT || self.is_drawn(position) {
            return Ok(Numbers::of(self.is_mated(position, moves)?));
        }
        let first = self.tried.len();
        self.expand_replies(position)?;
        for at in first..self.tried.len() {
            let keys = Keys::of(&self.tried[at].after);
            let stored = || self.numbers.get(keys.with_moves(moves, false)).map(Numbers::unpacked);
            let numbers = self.known(&keys, moves).map(Numbers::of).or_else(stored);
            self.tried[at].numbers = numbers.unwrap_or(UNKNOWN);
        }
        let numbers = loop {
            let mut best = (first, NEVER + 1, 0);
            let (mut second, mut sum) = (NEVER, 0);
            for at in first..self.tried.len() {
                let numbers = self.tried[at].numbers;
                sum = add(sum, numbers.proof);
                if numbers.disproof < best.1 {
                    second = best.1.min(NEVER);
                    best = (at, numbers.disproof, numbers.proof);
                } else {
                    second = second.min(numbers.disproof);
                }
            }
            let (at, disproof, proof) = best;
            let numbers =
                Numbers { proof: if disproof == 0 { NEVER } else { sum }, disproof: disproof.min(NEVER) };
            if numbers.reach(limits) {
                break numbers;
            }
            let below = Numbers {
                proof: if limits.proof == NEVER { NEVER } else { limits.proof - (sum - proof) },
                disproof: limits.disproof.min(above(second)),
            };
            let after = self.tried[at].after.clone();
            self.tried[at].numbers = self.number_mates(&after, moves, below)?;
        };
        self.tried.truncate(first);
        self.numbers.put(Keys::of(position).with_moves(moves, true), numbers.packed(), |_| 0);
        Ok(numbers)
    }
}
