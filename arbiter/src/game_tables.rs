//! Tables for the positions of games: those of few men that the caller brings, and Syzygy tables for more. Many
//! games share them. Opens no file and builds no table.

use std::sync::OnceLock;

use shakmaty::{Chess, Position};

use oracle::board::{FIFTY_MOVES, fen};
use oracle::syzygy::{Syzygy, SyzygyValue};
use oracle::table_probe::Wdl;

use crate::game::{TableResult, TableValue};

/// Tables of few men.
pub trait SmallTables: Send + Sync {
    /// The most men of a position that they have.
    fn most_men(&self) -> usize;

    /// The value of a position without castling rights; en passant captures count. `None` if there is no table.
    fn probe(&self, fen: &str) -> Option<TableValue>;
}

/// The tables of a match.
pub struct GameTables {
    small: Box<dyn SmallTables>,
    syzygy: Option<Syzygy>,
    /// The most men of a position that is looked up.
    most_men: usize,
    /// What was wrong with the first file that could not be read.
    fault: OnceLock<String>,
}

impl GameTables {
    /// Tables of few men, and Syzygy tables for positions with more.
    pub fn new(small: Box<dyn SmallTables>, syzygy: Option<Syzygy>) -> Self {
        Self { small, syzygy, most_men: usize::MAX, fault: OnceLock::new() }
    }

    /// The same tables, for positions of at most so many men.
    #[must_use]
    pub fn up_to(self, most_men: usize) -> Self {
        Self { most_men, ..self }
    }

    /// The value of a position. `None` if no table has it; none has positions with castling rights.
    pub fn probe(&self, position: &Chess) -> Option<TableValue> {
        let men = position.board().occupied().count();
        if position.castles().any() || men > self.most_men {
            return None;
        }
        if men <= self.small.most_men() {
            return self.small.probe(&fen(position));
        }
        let value = self.syzygy.as_ref()?.value(position);
        value
            .unwrap_or_else(|error| {
                self.fault.get_or_init(|| error.to_string());
                None
            })
            .map(of_syzygy)
    }

    /// What is wrong with a file that probes could not read. Its positions count as unknown.
    pub fn fault(&self) -> Option<&str> {
        self.fault.get().map(String::as_str)
    }
}

/// A win that is not cursed comes within the fifty moves, though the distance may be rounded.
fn of_syzygy(SyzygyValue { wdl, is_cursed, dtz }: SyzygyValue) -> TableValue {
    let result = match wdl {
        Wdl::Win if is_cursed => TableResult::CursedWin,
        Wdl::Win => TableResult::Win,
        Wdl::Draw => TableResult::Draw,
        Wdl::Loss if is_cursed => TableResult::BlessedLoss,
        Wdl::Loss => TableResult::Loss,
    };
    let latest = dtz.map(|dtz| dtz.plies.unsigned_abs() + u32::from(dtz.may_be_short));
    TableValue {
        result,
        plies_to_zero: if is_cursed { latest } else { latest.map(|plies| plies.min(FIFTY_MOVES)) },
        is_rounded: dtz.is_some_and(|dtz| dtz.may_be_short),
        plies_to_mate: None,
    }
}

#[cfg(test)]
mod tests {
    use oracle::syzygy::SyzygyDtz;

    use super::*;

    #[test]
    fn a_rounded_distance_is_the_larger_number() {
        let check = |wdl, is_cursed, plies, may_be_short, expected| {
            let value =
                of_syzygy(SyzygyValue { wdl, is_cursed, dtz: Some(SyzygyDtz { plies, may_be_short }) });
            assert_eq!((value.result, value.plies_to_zero, value.is_rounded), expected);
        };
        check(Wdl::Win, false, 20, true, (TableResult::Win, Some(21), true));
        check(Wdl::Loss, false, -20, false, (TableResult::Loss, Some(20), false));
        check(Wdl::Win, false, 100, true, (TableResult::Win, Some(100), true));
        check(Wdl::Loss, true, -101, true, (TableResult::BlessedLoss, Some(102), true));
        check(Wdl::Win, true, 112, false, (TableResult::CursedWin, Some(112), false));
        check(Wdl::Draw, false, 0, false, (TableResult::Draw, Some(0), false));
    }
}
