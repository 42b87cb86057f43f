//! What is known of a position in a hunt for mate, and how that of a position follows from those of its moves.
//!
//! The numbers of an undecided position are Allis' proof numbers (1994): how many positions at least have still to be
//! decided for a proof, and for a disproof. Knows no chess.

use crate::Ply;

/// More than any number of an undecided position.
pub(super) const BOUNDLESS: u32 = 1 << 30;

/// What is known of a position: whether the attacker mates within the plies that were asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ProofStatus {
    /// Yes, in at most so many plies.
    Mate(Ply),
    /// No.
    NoMate,
    /// Not known yet.
    Open(ProofNumbers),
}

/// How much is missing at least.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ProofNumbers {
    pub(super) proof: u32,
    pub(super) disproof: u32,
}

impl ProofNumbers {
    /// Nothing is known.
    pub(super) const BLANK: Self = Self { proof: 1, disproof: 1 };
    /// Never reached.
    pub(super) const BOUNDLESS: Self = Self { proof: BOUNDLESS, disproof: BOUNDLESS };

    /// Seen by the side to move: first what it strives for, then what it fears. Its own inverse.
    pub(super) fn turned(self, attacking: bool) -> Self {
        if attacking { self } else { Self { proof: self.disproof, disproof: self.proof } }
    }
}

/// What follows from the verdicts of all moves: for the attacker one mate is enough, of the defender's all must be.
/// With it the move to look at next, and the second best number beside it.
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

/// The most promising of the moves for the side to move.
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

    /// How far to go into the chosen move: until it is worse than the second by a quarter, or until it alone takes this
    /// position to its own limit. (Depth-first proof-number search: Nagai 2002; the quarter: Pawlewicz and Lew 2007.)
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
