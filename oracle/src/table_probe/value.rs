//! The value of a position as tables state it: WDL, DTM and DTZ, from the view of the side to move.

use std::fmt;

use derive_more::Display;
use suites::Answer;
/// Who wins, from the view of the side to move. The fifty-move rule is ignored.
pub use suites::draws::GameResult as Wdl;

/// The result that belongs to a distance to mate; a position without one is drawn.
pub fn wdl_of(dtm: Option<Dtm>) -> Wdl {
    dtm.map_or(Wdl::Draw, Dtm::wdl)
}

/// Distance to mate in plies with best play of both sides: 0 is checkmate, an odd number a win of the side to
/// move, an even number its loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dtm(u16);

impl Dtm {
    /// The side to move is checkmated.
    pub const CHECKMATED: Self = Self(0);

    /// The distance of so many plies.
    pub const fn from_plies(plies: u16) -> Self {
        Self(plies)
    }

    /// The distance in plies.
    pub const fn plies(self) -> u16 {
        self.0
    }

    /// Who wins.
    pub const fn wdl(self) -> Wdl {
        if self.0 % 2 == 1 { Wdl::Win } else { Wdl::Loss }
    }

    /// One ply nearer to the mate; `None` at checkmate.
    pub fn one_less(self) -> Option<Self> {
        self.0.checked_sub(1).map(Self)
    }

    /// One ply further from the mate; `None` where the number is too large.
    pub fn one_more(self) -> Option<Self> {
        self.0.checked_add(1).map(Self)
    }
}

impl fmt::Display for Dtm {
    /// In moves: `checkmated`, `mate in 5`, `mated in 5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.write_str("checkmated"),
            plies if plies % 2 == 1 => write!(f, "mate in {}", plies.div_ceil(2)),
            plies => write!(f, "mated in {}", plies / 2),
        }
    }
}

/// A distance to mate in moves: `draw`, `checkmated`, `mate in 5`, `mated in 5`.
pub fn describe_dtm(dtm: Option<Dtm>) -> String {
    dtm.map_or_else(|| "draw".to_owned(), |dtm| dtm.to_string())
}

/// Distance to the next capture or pawn move in plies: positive for a win, negative for a loss, 0 for a draw.
/// A side that is checkmated has -1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Display)]
pub struct Dtz(i16);

impl Dtz {
    /// The distance of so many plies, with its sign.
    pub const fn from_plies(plies: i16) -> Self {
        Self(plies)
    }

    /// The distance in plies, with its sign.
    pub const fn plies(self) -> i16 {
        self.0
    }

    /// Whether the fifty-move rule makes the win or loss a draw: a cursed win, or a blessed loss. Results
    /// without that rule, as [`Wdl`] has them, fold these into wins and losses.
    pub const fn is_cursed(self) -> bool {
        self.0.unsigned_abs() > 100
    }
}

/// The value that a table states for a position, from the view of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableValue {
    /// Who wins.
    pub wdl: Wdl,
    /// Distance to mate; `None` for a draw.
    pub dtm: Option<Dtm>,
    /// Distance to zeroing; `None` where the table does not state it.
    pub dtz: Option<Dtz>,
}

impl TableValue {
    /// The value with this distance to mate, or of a draw, without a DTZ.
    pub fn of_dtm(dtm: Option<Dtm>) -> Self {
        Self { wdl: wdl_of(dtm), dtm, dtz: None }
    }
}

/// A distance to mate as a value of findings.
pub fn distance(dtm: Option<Dtm>) -> Answer {
    Answer::Distance(dtm.map(Dtm::plies))
}

impl From<&TableValue> for Answer {
    fn from(value: &TableValue) -> Self {
        if value.wdl == wdl_of(value.dtm) { distance(value.dtm) } else { value.to_string().into() }
    }
}

impl fmt::Display for TableValue {
    /// The distance to mate in moves, and the result where it contradicts the distance.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let distance = describe_dtm(self.dtm);
        if self.wdl == wdl_of(self.dtm) {
            return f.write_str(&distance);
        }
        write!(f, "{} with the distance of {distance}", self.wdl)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_written_in_moves() {
        let check = |plies: u16, expected: &str| {
            assert_eq!(Dtm::from_plies(plies).to_string(), expected);
        };
        check(0, "checkmated");
        check(1, "mate in 1");
        check(2, "mated in 1");
        check(31, "mate in 16");
        check(32, "mated in 16");
        assert_eq!(describe_dtm(None), "draw");
        let contradiction = TableValue { wdl: Wdl::Draw, ..TableValue::of_dtm(Some(Dtm::from_plies(9))) };
        assert_eq!(contradiction.to_string(), "draw with the distance of mate in 5");
    }
}
