//! The alpha-beta window.

use crate::Score;

/// The scores that matter: what is not above alpha or not below beta need not be known exactly.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

impl Window {
    /// Every score.
    pub(super) const FULL: Self = Self { alpha: Score::INFINITE.negated(), beta: Score::INFINITE };

    /// The empty window that asks whether a score is above this one.
    #[inline]
    pub(super) fn above(alpha: Score) -> Self {
        Self { alpha, beta: alpha + 1 }
    }

    /// Whether there is room between alpha and beta, as in nodes of the principal variation.
    #[inline]
    pub(super) fn is_open(self) -> bool {
        self.beta.raw() - self.alpha.raw() > 1
    }

    /// The same from the other side's view.
    #[inline]
    pub(super) fn turned(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}
