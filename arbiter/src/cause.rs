//! Causes that findings of several suites share. See [`suites::Difference::cause`].

/// The halfmove clock of the FEN, or what the moves of the game add to it, is not counted.
pub(crate) const CLOCK: &str = "the halfmove clock is not counted";
/// Earlier positions of the game are not remembered.
pub(crate) const REPETITION: &str = "repetitions in the game are not counted";
/// Castling rights are left out where positions are compared.
pub(crate) const CASTLING_RIGHTS: &str = "positions with different castling rights count as the same";
/// En passant captures are left out where positions are compared, or count even if they are not legal.
pub(crate) const EN_PASSANT: &str = "en passant captures are not compared as the rules demand";
/// A twofold repetition is scored as a draw.
pub(crate) const TWOFOLD: &str = "twofold repetitions are scored as draws";
/// Where there is no move, the answer names one of an earlier search.
pub(crate) const LEFT_OVER: &str = "a move is left over from an earlier search";
/// A search that is too shallow to see the stalemate plays into it.
pub(crate) const SHALLOW: &str = "won positions are stalemated at small depths";
/// A principal variation has a move that is not legal.
pub(crate) const ILLEGAL_LINE: &str = "a pv has an illegal move";
/// The announced mate is one move shorter than the shortest one.
pub(crate) const ONE_MOVE_SHORT: &str = "mates are announced one move too short";
