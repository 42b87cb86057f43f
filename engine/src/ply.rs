//! Half-moves.

/// A number of plies (half-moves): a distance to mate, or a depth in a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Ply(pub u16);
