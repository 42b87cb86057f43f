//! `micromax`: a small search with known and understood faults.
//!
//! It follows H.G. Muller's description of micro-Max 3.2. Moves are pseudo-legal on a mailbox board.
//! Capturing the king has the highest score. If all moves lose the king, a search of depth zero with the
//! other side to move distinguishes mate (half a king) from stalemate. Leaves search recaptures only;
//! iterations deepen inside each node; a gain counts one point less for each move of delay; pawns promote to
//! queens. Details that the description leaves open are our own, and so is the code.
//!
//! **Its scores promise nothing**: a mate that it announces is not proven. It ignores repetition, the
//! fifty-move rule, dead material and castling of Chess960. Its moves are legal.
//!
//! # The modes
//!
//! A beta cutoff assumes that a good reply is bad for the side that allowed it. But if the reply could also
//! capture the king, the move was illegal. Without that move the side may be stalemated, which may be its
//! best result. So [`Mode::Plain`] overlooks stalemates of a side that has a better alternative than the
//! cutoff suggests. [`Mode::Guarded`] does not. [`Mode::Threats`] has no guard, but its leaves see mates and
//! the opponent's captures. In no mode does a leaf see its own captures, except of the piece that has just
//! moved.
//!
//! Nodes of a search to a fixed depth, checked by the tests:
//!
//! | position | depth | plain | guarded | threats |
//! |---|---|---|---|---|
//! | the start | 5 | 75,192 | 78,426 | 287,408 |
//! | a busy middlegame | 3 | 10,052 | 10,224 | 222,436 |
//! | a rook endgame | 5 | 9,342 | 9,945 | 30,472 |
//! | queen for stalemate | 4 | 10,203 | 6,328 | 91,939 |

mod square0x88;

mod mailbox;
mod movegen;

mod convert;
mod piece_values;
mod ttable;

mod root;
mod search;

#[cfg(test)]
mod tests;

use search::Leaf;
use ttable::TTable;

/// The variants of the specimen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// As described.
    Plain,
    /// No cutoff while the opponent has no move known to be legal: the remedy in the description.
    Guarded,
    /// Leaves play a null move first, to see the opponent's threats: a wish in the description.
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
