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
//! [`Mode::Guarded`] does not; [`Mode::Threats`] has no guard, but its leaves see mate, and what the opponent would take
//! next. What a leaf may take itself it sees in no mode, unless it is the piece that has just moved.
//!
//! Nodes of a search to a fixed depth, counted by the tests:
//!
//! | position | depth | plain | guarded | threats |
//! |---|---|---|---|---|
//! | the start | 5 | 75,192 | 78,426 | 287,408 |
//! | a busy middlegame | 3 | 10,052 | 10,224 | 222,436 |
//! | a rook endgame | 5 | 9,342 | 9,945 | 30,472 |
//! | queen for stalemate | 4 | 10,203 | 6,328 | 91,939 |

mod convert;
mod mailbox;
mod movegen;
mod piece_values;
mod root;
mod search;
mod square0x88;
mod ttable;

#[cfg(test)]
mod tests;

use search::Leaf;
use ttable::TTable;

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
    ttable: TTable,
}

impl MicroMax {
    pub(crate) fn new(mode: Mode) -> Self {
        Self { mode, ttable: TTable::new() }
    }
}
