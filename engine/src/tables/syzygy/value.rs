//! The five results of Syzygy tables, where the fifty-move rule counts.

use std::ops::Neg;

use derive_more::Display;

/// A result with the fifty-move rule, from the view of the side to move, right after a capture or a pawn
/// move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Display)]
#[display(rename_all = "lowercase")]
pub enum Wdl {
    /// A loss.
    Loss,
    /// A loss that the fifty-move rule makes a draw.
    #[display("blessed loss")]
    BlessedLoss,
    /// A draw.
    Draw,
    /// A win that the fifty-move rule makes a draw.
    #[display("cursed win")]
    CursedWin,
    /// A win.
    Win,
}

impl Wdl {
    /// All five, the worst first: the order of the numbers that files store.
    pub const ALL: [Self; 5] = [Self::Loss, Self::BlessedLoss, Self::Draw, Self::CursedWin, Self::Win];

    pub(super) fn from_stored(stored: u16) -> Option<Self> {
        Self::ALL.get(usize::from(stored)).copied()
    }

    /// The DTZ of a position whose best move is a capture or a pawn move, and has this result.
    pub(super) fn before_zeroing(self) -> i16 {
        match self {
            Self::Loss => -1,
            Self::BlessedLoss => -101,
            Self::Draw => 0,
            Self::CursedWin => 101,
            Self::Win => 1,
        }
    }

    /// The sign of the result: -1 for both kinds of losses, 0 for a draw, 1 for both kinds of wins.
    pub fn signum(self) -> i16 {
        self.before_zeroing().signum()
    }
}

impl Neg for Wdl {
    type Output = Self;

    /// The result from the other side's view.
    fn neg(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::BlessedLoss => Self::CursedWin,
            Self::Draw => Self::Draw,
            Self::CursedWin => Self::BlessedLoss,
            Self::Win => Self::Loss,
        }
    }
}
