//! What a hunt for mate remembers: facts, and guesses.
//!
//! A fact is found by the whole position, never by a key alone: two positions of one key do not share one. Guesses
//! are found by key; they only order the work. Knows no moves.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use super::status::{ProofNumbers, ProofStatus};
use crate::Ply;
use crate::outcome::FIFTY_MOVES;
use crate::state::State;
use crate::{Color, Position};

/// The most facts, and the most guesses, that are kept: about 30 MB.
const CAPACITY: usize = 1 << 18;

/// Facts and guesses of one attacker.
#[derive(Default)]
pub(super) struct ProofTable {
    attacker: Option<Color>,
    /// Whether what was found holds at any clock: only specimens believe that.
    is_clockless: bool,
    facts: HashMap<ProofKey, Fact, BuildHasherDefault<KeyHasher>>,
    guesses: HashMap<u64, ProofNumbers, BuildHasherDefault<KeyHasher>>,
}

/// Mates in `mate` plies; not in `none` plies.
#[derive(Debug, Clone, Copy, Default)]
struct Fact {
    mate: Option<Ply>,
    none: Option<Ply>,
}

/// A position, and its clock where the fifty-move rule may have had a part.
#[derive(PartialEq, Eq)]
struct ProofKey {
    state: State,
    clock: Option<u16>,
    key: u64,
}

impl ProofKey {
    /// Where what holds for so many plies is kept: without the clock, if it cannot reach its end in them.
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

/// Zobrist keys are mixed already.
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

fn guess_key(position: &Position, Ply(plies): Ply) -> u64 {
    position.key() ^ u64::from(plies).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

impl ProofTable {
    /// Forgets all, if it was about another attacker.
    pub(super) fn serve(&mut self, attacker: Color) {
        if self.attacker != Some(attacker) {
            let is_clockless = self.is_clockless;
            *self = Self { attacker: Some(attacker), is_clockless, ..Self::default() };
        }
    }

    /// Makes it wrong: what was found at one clock is taken for true at any other.
    pub(super) fn forget_clocks(&mut self) {
        self.is_clockless = true;
    }

    fn place(&self, position: &Position, plies: Ply) -> ProofKey {
        let place = ProofKey::new(position, plies);
        if self.is_clockless { ProofKey { clock: None, ..place } } else { place }
    }

    /// What is known about a mate within so many plies.
    pub(super) fn recall(&self, position: &Position, plies: Ply) -> Option<ProofStatus> {
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

    /// The numbers last seen for a mate within so many plies.
    pub(super) fn guess(&self, position: &Position, plies: Ply) -> Option<ProofNumbers> {
        self.guesses.get(&guess_key(position, plies)).copied()
    }

    /// Keeps what was found about a mate within so many plies.
    pub(super) fn keep(&mut self, position: &Position, plies: Ply, verdict: ProofStatus) {
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
                if self.guesses.len() >= CAPACITY {
                    self.guesses.clear();
                }
                self.guesses.insert(guess_key(position, plies), numbers);
            }
        }
    }

    /// The fact of a place; none if it is new and there is no room.
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

    /// Two positions that share a key do not share a fact.
    #[test]
    fn a_key_alone_finds_nothing() {
        let (one, other) = ("8/8/8/8/8/8/8/K1k5 w - - 0 1", "8/8/8/8/8/8/8/1K1k4 w - - 0 1");
        let place = |fen| ProofKey { key: 7, ..ProofKey::new(&Position::from_fen(fen).unwrap(), Ply(5)) };
        let mut memory = ProofTable::default();
        memory.fact(place(one)).unwrap().mate = Some(Ply(3));
        assert!(memory.facts.contains_key(&place(one)));
        assert!(!memory.facts.contains_key(&place(other)));
    }

    /// A mate is used at every clock at which it comes in time, and at no other; where the clock had a part, at that clock.
    #[test]
    fn facts_and_the_clock() {
        let at = |clock| Position::from_fen(&format!("8/8/8/8/8/2K5/8/k6R b - - {clock} 90")).unwrap();
        let mut memory = ProofTable::default();
        memory.keep(&at(0), Ply(6), ProofStatus::Mate(Ply(4)));
        memory.keep(&at(98), Ply(6), ProofStatus::Mate(Ply(6)));
        memory.keep(&at(99), Ply(8), ProofStatus::NoMate);
        for (clock, expected) in [
            (0, Some(ProofStatus::Mate(Ply(4)))),
            (96, Some(ProofStatus::Mate(Ply(4)))),
            (97, None),
            (98, Some(ProofStatus::Mate(Ply(6)))),
            (99, Some(ProofStatus::NoMate)),
        ] {
            assert_eq!(memory.recall(&at(clock), Ply(6)), expected, "{clock}");
        }
    }
}
