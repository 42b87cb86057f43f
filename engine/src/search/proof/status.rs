//! The status of a position in the mate search, and how it follows from the statuses after its moves.
//!
//! An open position has proof numbers (Allis, 1994): lower bounds of the positions still to be decided for a
//! proof and for a disproof. Knows no chess.

use crate::Ply;

/// Infinity: more than any number of an open position.
pub(super) const BOUNDLESS: u32 = 1 << 30;

/// Whether the attacker mates within the given plies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ProofStatus {
    /// A mate in at most this many plies.
    Mate(Ply),
    /// No mate.
    NoMate,
    /// Not decided yet.
    Open(ProofNumbers),
}

/// Proof number and disproof number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ProofNumbers {
    pub(super) proof: u32,
    pub(super) disproof: u32,
}

impl ProofNumbers {
    /// The numbers of a new position.
    pub(super) const BLANK: Self = Self { proof: 1, disproof: 1 };
    /// A limit that is never reached.
    pub(super) const BOUNDLESS: Self = Self { proof: BOUNDLESS, disproof: BOUNDLESS };

    /// Swaps the numbers for the defender: first the number that the side to move wants to lower. Its own
    /// inverse.
    pub(super) fn turned(self, attacking: bool) -> Self {
        if attacking { self } else { Self { proof: self.disproof, disproof: self.proof } }
    }
}

/// Combines the statuses of all moves: the attacker needs one mate, the defender must be mated by all. Also
/// returns the move to search next.
pub(super) fn combine(attacking: bool, verdicts: impl Iterator<Item = ProofStatus>) -> (ProofStatus, Choice) {
    let mut sum = 0u32;
    let mut choice = Choice { index: 0, least: BOUNDLESS, second: BOUNDLESS };
    let (mut height, mut refuted, mut open) = (None, false, false);
    for (index, verdict) in verdicts.enumerate() {
        match verdict {
            ProofStatus::Mate(Ply(plies)) => {
                let better = |old: u16| if attacking { old.min(plies) } else { old.max(plies) };
                height = Some(height.map_or(plies, better));
            }
            ProofStatus::NoMate => refuted = true,
            ProofStatus::Open(numbers) => {
                open = true;
                let numbers = numbers.turned(attacking);
                sum = sum.saturating_add(numbers.disproof).min(BOUNDLESS);
                choice.offer(index, numbers.proof);
            }
        }
    }
    let mate = height.map(|plies| ProofStatus::Mate(Ply(plies + 1)));
    let verdict = match (attacking, mate) {
        (true, Some(mate)) => mate,
        (false, _) if refuted => ProofStatus::NoMate,
        _ if open => ProofStatus::Open(ProofNumbers { proof: choice.least, disproof: sum }.turned(attacking)),
        (false, Some(mate)) => mate,
        (_, None) => ProofStatus::NoMate,
    };
    (verdict, choice)
}

/// The most promising move, and the number of the second best.
#[derive(Debug, Clone, Copy)]
pub(super) struct Choice {
    pub(super) index: usize,
    least: u32,
    second: u32,
}

impl Choice {
    fn offer(&mut self, index: usize, number: u32) {
        if number < self.least {
            (self.index, self.second, self.least) = (index, self.least, number);
        } else {
            self.second = self.second.min(number);
        }
    }

    /// The limit for the chosen move: until its number exceeds the second best by a quarter, or until it
    /// takes this position to its own limit. (Depth-first proof-number search: Nagai 2002; the quarter:
    /// Pawlewicz and Lew 2007.)
    pub(super) fn limit(
        self,
        attacking: bool,
        here: ProofNumbers,
        chosen: ProofNumbers,
        limit: ProofNumbers,
    ) -> ProofNumbers {
        let (here, chosen, limit) =
            (here.turned(attacking), chosen.turned(attacking), limit.turned(attacking));
        let second = self.second.saturating_add(self.second / 4).saturating_add(1);
        ProofNumbers {
            proof: limit.proof.min(second),
            disproof: (limit.disproof - here.disproof).saturating_add(chosen.disproof),
        }
        .turned(attacking)
    }
}
