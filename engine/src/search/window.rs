//! The alpha-beta window.

use crate::Score;

/// The alpha-beta window: scores outside it need not be exact.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

impl Window {
    /// The infinite window.
    pub(super) const FULL: Self = Self { alpha: Score::INFINITE.negated(), beta: Score::INFINITE };

    /// The null window that tests whether a score is above this one.
    #[inline]
    pub(super) fn above(alpha: Score) -> Self {
        Self { alpha, beta: alpha + 1 }
    }

    /// Whether the window is open, as in nodes of the principal variation.
    #[inline]
    pub(super) fn is_open(self) -> bool {
        self.beta.raw() - self.alpha.raw() > 1
    }

    /// The window from the other side's view.
    #[inline]
    pub(super) fn negated(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}
