//! Scores of search and evaluation: centipawns, or the distance to mate.
//!
//! Always from the view of the side to move. Knows no position.

use std::fmt;
use std::ops::{Add, Sub};

use derive_more::Neg;

use crate::Ply;

/// A score. Scores order as the side to move prefers them: quick mates, slow mates, centipawns, slow losses,
/// quick losses.
///
/// ```
/// use engine::Score;
/// use engine::Ply;
/// assert_eq!(Score::mate_in(Ply(31)).to_string(), "mate 16");
/// assert_eq!(Score::mated_in(Ply(0)).to_string(), "mate 0");
/// assert_eq!((-Score::centipawns(35)).to_string(), "cp -35");
/// assert!(Score::mate_in(Ply(1)) > Score::mate_in(Ply(3)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Neg)]
pub struct Score(i16);

/// The meaning of a score, as UCI prints it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ScoreKind {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// The side to move mates in this many plies: odd.
    Mate(Ply),
    /// The side to move is mated in this many plies: even, 0 for checkmate on the board.
    Mated(Ply),
}

impl Score {
    /// A draw.
    pub const DRAW: Self = Self(0);
    /// Above every score.
    pub const INFINITE: Self = Self(32_001);
    /// The largest centipawn score. Larger numbers are mates.
    pub const MOST_CENTIPAWNS: i32 = 30_000;
    /// The score of the side that has just given checkmate.
    const MATE: i16 = 32_000;

    /// A score in centipawns, clamped to [`Score::MOST_CENTIPAWNS`].
    #[inline]
    pub fn centipawns(hundredths: i32) -> Self {
        Self(hundredths.clamp(-Self::MOST_CENTIPAWNS, Self::MOST_CENTIPAWNS) as i16)
    }

    /// The side to move mates in this many plies, below 2,000.
    #[inline]
    pub const fn mate_in(plies: Ply) -> Self {
        Self(Self::MATE - plies.0 as i16)
    }

    /// The side to move is mated in this many plies.
    #[inline]
    pub const fn mated_in(plies: Ply) -> Self {
        Self(plies.0 as i16 - Self::MATE)
    }

    /// The meaning of this score.
    pub fn kind(self) -> ScoreKind {
        let plies = Ply(Self::MATE.abs_diff(self.0.saturating_abs()));
        if !self.is_mate() {
            ScoreKind::Centipawns(i32::from(self.0))
        } else if self.0 > 0 {
            ScoreKind::Mate(plies)
        } else {
            ScoreKind::Mated(plies)
        }
    }

    /// Whether this is a mate, for either side.
    #[inline]
    pub const fn is_mate(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// Whether the side to move mates.
    #[inline]
    pub const fn is_win(self) -> bool {
        self.0 as i32 > Self::MOST_CENTIPAWNS
    }

    /// Whether the side to move is mated.
    #[inline]
    pub const fn is_loss(self) -> bool {
        (self.0 as i32) < -Self::MOST_CENTIPAWNS
    }

    /// Negation as a `const fn`.
    #[inline]
    pub(crate) const fn negated(self) -> Self {
        Self(-self.0)
    }

    /// Converts a mate score of a position this many plies down the tree to the distance from here.
    /// Centipawns stay.
    #[inline]
    pub(crate) fn further(self, Ply(plies): Ply) -> Self {
        let plies = i32::from(plies);
        match (self.is_win(), self.is_loss()) {
            (true, _) => self - plies,
            (_, true) => self + plies,
            _ => self,
        }
    }

    /// The inverse of [`Score::further`].
    #[inline]
    pub(crate) fn nearer(self, Ply(plies): Ply) -> Self {
        let plies = i32::from(plies);
        match (self.is_win(), self.is_loss()) {
            (true, _) => self + plies,
            (_, true) => self - plies,
            _ => self,
        }
    }

    /// The internal number: centipawns, unless the score is a mate.
    #[inline]
    pub const fn raw(self) -> i32 {
        self.0 as i32
    }

    /// The score of an internal number, clamped to the range of scores.
    #[inline]
    pub fn from_raw(raw: i32) -> Self {
        let most = i32::from(Self::INFINITE.0);
        Self(raw.clamp(-most, most) as i16)
    }
}

impl Add<i32> for Score {
    type Output = Self;

    /// Adds a margin in centipawns.
    #[inline]
    fn add(self, margin: i32) -> Self {
        Self::from_raw(self.raw() + margin)
    }
}

impl Sub<i32> for Score {
    type Output = Self;

    #[inline]
    fn sub(self, margin: i32) -> Self {
        self + -margin
    }
}

/// As UCI prints it after `score`: `cp 13`, `mate 3`, `mate -2`. Mates count moves, not plies.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            ScoreKind::Centipawns(hundredths) => write!(f, "cp {hundredths}"),
            ScoreKind::Mate(Ply(plies)) => write!(f, "mate {}", plies.div_ceil(2)),
            ScoreKind::Mated(Ply(0)) => f.write_str("mate 0"),
            ScoreKind::Mated(Ply(plies)) => write!(f, "mate -{}", plies.div_ceil(2)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_count_moves_and_centipawns_stay_below_them() {
        for (score, text) in [
            (Score::mate_in(Ply(1)), "mate 1"),
            (Score::mate_in(Ply(55)), "mate 28"),
            (Score::mated_in(Ply(2)), "mate -1"),
            (Score::mated_in(Ply(56)), "mate -28"),
            (Score::centipawns(1_000_000), "cp 30000"),
            (Score::centipawns(-1_000_000), "cp -30000"),
            (Score::DRAW, "cp 0"),
        ] {
            assert_eq!(score.to_string(), text);
        }
        assert!(Score::mate_in(Ply(1_000)) > Score::centipawns(i32::MAX));
        assert_eq!(-Score::mate_in(Ply(5)), Score::mated_in(Ply(5)));
    }
}
