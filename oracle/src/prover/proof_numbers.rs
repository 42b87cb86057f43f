//! Proof and disproof numbers: the estimated work to prove a mate, and to disprove it.

/// The number for impossible: a position that is disproven cannot be proven.
pub(super) const NEVER: u32 = 1 << 30;

/// The least number of positions that still have to be decided to prove a mate, and to disprove it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ProofNumbers {
    pub(super) proof: u32,
    pub(super) disproof: u32,
}

/// The numbers of a position that was not searched yet.
pub(super) const UNKNOWN: ProofNumbers = ProofNumbers { proof: 1, disproof: 1 };
pub(super) const PROVEN: ProofNumbers = ProofNumbers { proof: 0, disproof: NEVER };
pub(super) const DISPROVEN: ProofNumbers = ProofNumbers { proof: NEVER, disproof: 0 };

impl ProofNumbers {
    pub(super) fn from_proven(proven: bool) -> Self {
        if proven { PROVEN } else { DISPROVEN }
    }

    pub(super) fn reach(self, limits: Self) -> bool {
        self.proof >= limits.proof
            || self.disproof >= limits.disproof
            || self.proof == 0
            || self.disproof == 0
    }

    pub(super) fn packed(self) -> u64 {
        u64::from(self.proof) << 32 | u64::from(self.disproof)
    }

    pub(super) fn unpacked(bits: u64) -> Self {
        Self { proof: (bits >> 32) as u32, disproof: bits as u32 }
    }
}

/// The sum of two numbers. It stays below [`NEVER`] unless one of them is `NEVER`.
pub(super) fn add(one: u32, other: u32) -> u32 {
    if one == NEVER || other == NEVER { NEVER } else { (one + other).min(NEVER - 1) }
}

/// The limit for the best child: a quarter above the second best, so that the search changes between the two
/// less often.
pub(super) fn above(second: u32) -> u32 {
    second.saturating_add(second / 4 + 1).min(NEVER)
}
