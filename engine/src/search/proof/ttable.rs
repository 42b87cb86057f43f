//! The hash table of the mate prover: facts and proof numbers.
//!
//! Facts are stored by the whole position, so that key collisions cannot make them wrong. Proof numbers are
//! stored by key: they only guide the search. Knows no moves.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use super::status::{ProofNumbers, ProofStatus};
use crate::Ply;
use crate::outcome::FIFTY_MOVES;
use crate::state::State;
use crate::{Color, Position};

/// Capacity for facts, and for proof numbers: about 30 MB.
const CAPACITY: usize = 1 << 18;

/// The facts and proof numbers of one attacker.
#[derive(Default)]
pub(super) struct ProofTable {
    attacker: Option<Color>,
    /// A planted fault: facts are used at any clock.
    ignores_clocks: bool,
    facts: HashMap<ProofKey, Fact, BuildHasherDefault<KeyHasher>>,
    numbers: HashMap<u64, ProofNumbers, BuildHasherDefault<KeyHasher>>,
}

/// A mate in `mate` plies; no mate in `none` plies.
#[derive(Debug, Clone, Copy, Default)]
struct Fact {
    mate: Option<Ply>,
    none: Option<Ply>,
}

/// A position, with its clock if the fifty-move rule may have mattered.
#[derive(PartialEq, Eq)]
struct ProofKey {
    state: State,
    clock: Option<u16>,
    key: u64,
}

impl ProofKey {
    /// The key for results within this many plies: without the clock if the fifty-move draw is farther away.
    fn new(position: &Position, Ply(plies): Ply) -> Self {
        let clock = position.halfmove_clock();
        let clock = (clock + plies > FIFTY_MOVES).then_some(clock);
        Self { state: *position.state(), clock, key: position.key() }
    }
}

impl Hash for ProofKey {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.key);
    }
}

/// Zobrist keys need no further hashing.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(self.0.rotate_left(8) ^ u64::from(byte));
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

fn numbers_key(position: &Position, Ply(plies): Ply) -> u64 {
    position.key() ^ u64::from(plies).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

impl ProofTable {
    /// Clears the table if it belongs to another attacker.
    pub(super) fn set_attacker(&mut self, attacker: Color) {
        if self.attacker != Some(attacker) {
            let ignores_clocks = self.ignores_clocks;
            *self = Self { attacker: Some(attacker), ignores_clocks, ..Self::default() };
        }
    }

    /// Plants the fault: results of one clock are used at any other.
    pub(super) fn ignore_clocks(&mut self) {
        self.ignores_clocks = true;
    }

    fn place(&self, position: &Position, plies: Ply) -> ProofKey {
        let place = ProofKey::new(position, plies);
        if self.ignores_clocks { ProofKey { clock: None, ..place } } else { place }
    }

    /// The stored status of a mate within this many plies.
    pub(super) fn get(&self, position: &Position, plies: Ply) -> Option<ProofStatus> {
        let asked = self.place(position, plies);
        if asked.clock.is_some() {
            let free = self.facts.get(&ProofKey { clock: None, ..asked });
            let clock = position.halfmove_clock();
            let mate = free.and_then(|fact| fact.mate).filter(|mate| clock + mate.0 <= FIFTY_MOVES);
            let none = free.and_then(|fact| fact.none);
            if let Some(verdict) = (Fact { mate, none }).verdict(plies) {
                return Some(verdict);
            }
        }
        self.facts.get(&self.place(position, plies)).and_then(|fact| fact.verdict(plies))
    }

    /// The stored proof numbers of a mate within this many plies.
    pub(super) fn numbers(&self, position: &Position, plies: Ply) -> Option<ProofNumbers> {
        self.numbers.get(&numbers_key(position, plies)).copied()
    }

    /// Stores the status of a mate within this many plies.
    pub(super) fn store(&mut self, position: &Position, plies: Ply, verdict: ProofStatus) {
        match verdict {
            ProofStatus::Mate(height) => {
                if let Some(fact) = self.fact(self.place(position, height)) {
                    fact.mate = Some(fact.mate.map_or(height, |old| old.min(height)));
                }
            }
            ProofStatus::NoMate => {
                if let Some(fact) = self.fact(self.place(position, plies)) {
                    fact.none = fact.none.max(Some(plies));
                }
            }
            ProofStatus::Open(numbers) => {
                if self.numbers.len() >= CAPACITY {
                    self.numbers.clear();
                }
                self.numbers.insert(numbers_key(position, plies), numbers);
            }
        }
    }

    /// The fact of a key; `None` if it is new and the table is full.
    fn fact(&mut self, place: ProofKey) -> Option<&mut Fact> {
        if self.facts.len() >= CAPACITY && !self.facts.contains_key(&place) {
            return None;
        }
        Some(self.facts.entry(place).or_default())
    }
}

impl Fact {
    fn verdict(self, plies: Ply) -> Option<ProofStatus> {
        match self {
            Self { mate: Some(height), .. } if height <= plies => Some(ProofStatus::Mate(height)),
            Self { none: Some(none), .. } if none >= plies => Some(ProofStatus::NoMate),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two positions with equal keys do not share a fact.
    #[test]
    fn equal_keys_do_not_share_facts() {
        let (one, other) = ("8/8/8/8/8/8/8/K1k5 w - - 0 1", "8/8/8/8/8/8/8/1K1k4 w - - 0 1");
        let place = |fen| ProofKey { key: 7, ..ProofKey::new(&Position::from_fen(fen).unwrap(), Ply(5)) };
        let mut table = ProofTable::default();
        table.fact(place(one)).unwrap().mate = Some(Ply(3));
        assert!(table.facts.contains_key(&place(one)));
        assert!(!table.facts.contains_key(&place(other)));
    }

    /// A mate is used at every clock at which it comes in time. A result that depends on the clock is used at
    /// that clock only.
    #[test]
    fn facts_respect_the_clock() {
        let at = |clock| Position::from_fen(&format!("8/8/8/8/8/2K5/8/k6R b - - {clock} 90")).unwrap();
        let mut table = ProofTable::default();
        table.store(&at(0), Ply(6), ProofStatus::Mate(Ply(4)));
        table.store(&at(98), Ply(6), ProofStatus::Mate(Ply(6)));
        table.store(&at(99), Ply(8), ProofStatus::NoMate);
        for (clock, expected) in [
            (0, Some(ProofStatus::Mate(Ply(4)))),
            (96, Some(ProofStatus::Mate(Ply(4)))),
            (97, None),
            (98, Some(ProofStatus::Mate(Ply(6)))),
            (99, Some(ProofStatus::NoMate)),
        ] {
            assert_eq!(table.get(&at(clock), Ply(6)), expected, "{clock}");
        }
    }
}
