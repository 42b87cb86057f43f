//! A specimen of a searcher: small, plain, and wrong in a way that is understood.
//!
//! It follows H.G. Muller's description of micro-Max 3.2: pseudo-legal moves on a mailbox board; the king may be taken,
//! and that is the highest score; if all moves lose the king, one more search of depth zero with the other side to move
//! tells mate, worth half a king, from stalemate. Leaves look at recaptures alone; iterations deepen inside each node;
//! a gain counts one point less for each move that it is delayed; pawns become queens. What the description leaves open
//! is our own, and so is the code.
//!
//! **Here the promises that scores make do not hold**: a mate it announces is what it believes. It knows no repetition,
//! no fifty moves, no dead material, no castling but that of standard chess. Legality alone is kept: what it answers is
//! a legal move.
//!
//! # What the modes see
//! A beta cutoff takes for granted that a good reply is bad for who allowed it. If the reply could also have taken the
//! king, the move was illegal, and without it the side may be stalemated, which may be just what it wants. So
//! [`Mode::Plain`] overlooks stalemates of a side that has anything better than what the cutoff suggests;
//! [`Mode::Guarded`] does not; [`Mode::Threats`] has no guard, but sees mate and hanging pieces in leaves.

mod mailbox;
mod memory;
mod root;
mod search;
mod spot;
mod steps;
mod words;
mod worth;

#[cfg(test)]
mod tests;

use memory::Memories;
use search::Leaf;

/// Which of the three it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// As described.
    Plain,
    /// No cutoff while the opponent has no move known to be legal: the cure that the description gives.
    Guarded,
    /// Leaves pass first, to see what the opponent threatens: the description's wish.
    Threats,
}

impl Mode {
    pub(crate) const ALL: [Self; 3] = [Self::Plain, Self::Guarded, Self::Threats];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Plain => "micromax",
            Self::Guarded => "micromax-guarded",
            Self::Threats => "micromax-threats",
        }
    }

    fn leaf(self) -> Leaf {
        if self == Self::Threats { Leaf::Threats } else { Leaf::Recaptures }
    }
}

/// The specimen.
pub(crate) struct MicroMax {
    mode: Mode,
    memories: Memories,
}

impl MicroMax {
    pub(crate) fn new(mode: Mode) -> Self {
        Self { mode, memories: Memories::new() }
    }
}
