//! Causes that findings of several suites share. See [`suites::Difference::cause`].

/// The halfmove clock of the FEN, or what the moves of the game add to it, is not counted.
pub(crate) const CLOCK: &str = "the halfmove clock is not counted";
/// Earlier positions of the game are not remembered.
pub(crate) const REPETITION: &str = "repetitions in the game are not counted";
/// Mates are announced that take one move more.
pub(crate) const ONE_MOVE_SHORT: &str = "mates are announced one move too short";
