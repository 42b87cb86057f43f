//! Syzygy tables as an authority on WDL and DTZ, and for KQvK and KRvK on DTM.

use std::collections::BTreeSet;
use std::fmt;
use std::io;
use std::path::Path;

use shakmaty::{Chess, Position};
use shakmaty_syzygy::{MaybeRounded, SyzygyError, Tablebase};

use crate::positions::{MAX_MEN, Men};
use crate::syzygy_files::{FileStatus, TableFiles};
use crate::table_probe::Wdl;

/// The result without the fifty-move rule: a cursed win is a win, a blessed loss is a loss.
///
/// DTM tables ignore the fifty-move rule. Tables with four men or fewer have no cursed wins and no blessed
/// losses.
pub fn fold_fifty_moves(wdl: shakmaty_syzygy::Wdl) -> Wdl {
    match wdl {
        shakmaty_syzygy::Wdl::Loss | shakmaty_syzygy::Wdl::BlessedLoss => Wdl::Loss,
        shakmaty_syzygy::Wdl::Draw => Wdl::Draw,
        shakmaty_syzygy::Wdl::CursedWin | shakmaty_syzygy::Wdl::Win => Wdl::Win,
    }
}

/// With at most this many men, every DTZ was found to be exact, although the format marks nearly all decisive
/// ones as rounded. Equality is required there, because an interval would hide errors of one ply.
const EXACT_MEN: usize = 3;

/// The DTZ of a Syzygy table: plies with their sign, from the view of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SyzygyDtz {
    /// The probed value.
    pub plies: i32,
    /// Whether the table stores moves, so that the true distance may be one ply longer.
    pub may_be_short: bool,
}

impl SyzygyDtz {
    /// Whether a stated distance is consistent with this one.
    pub fn allows(self, plies: i32) -> bool {
        plies == self.plies || self.may_be_short && plies == self.plies + self.plies.signum()
    }
}

impl fmt::Display for SyzygyDtz {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.plies)?;
        if self.may_be_short {
            write!(f, " or {}", self.plies + self.plies.signum())?;
        }
        Ok(())
    }
}

/// The value of a position by a Syzygy table, for a game whose halfmove clock is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SyzygyValue {
    /// Who wins, from the view of the side to move.
    pub wdl: Wdl,
    /// Whether the fifty-move rule makes this win or loss a draw.
    pub is_cursed: bool,
    /// `None` if the table of DTZ is missing.
    pub dtz: Option<SyzygyDtz>,
}

/// A set of Syzygy tables.
pub struct Syzygy {
    tables: Tablebase<Chess>,
    /// The names of the tables that have files, used or refused.
    names: BTreeSet<String>,
}

impl Syzygy {
    /// Probes the files that are used.
    pub fn new(mut files: TableFiles) -> Self {
        let there = files.statuses().filter(|(_, status)| **status != FileStatus::Missing);
        let names =
            there.filter_map(|(file, _)| file.split_once('.')).map(|(name, _)| name.to_owned()).collect();
        Self { names, tables: files.tablebase() }
    }

    /// The tables of folders, which may be far larger than the memory. Their files are opened when a position
    /// first needs them, and their sums are not compared. Returns the number of files too.
    ///
    /// # Errors
    /// A folder that cannot be listed, or a table file whose length is not that of one.
    pub fn of_folders<'p>(folders: impl IntoIterator<Item = &'p Path>) -> io::Result<(Self, usize)> {
        let mut tables = Tablebase::new();
        let mut files = 0;
        for folder in folders {
            let added = tables.add_directory(folder);
            files += added
                .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", folder.display())))?;
        }
        Ok((Self { tables, names: BTreeSet::new() }, files))
    }

    /// The value of a position; `None` if a table that decides it is missing, or it has castling rights.
    ///
    /// # Errors
    /// A table file that cannot be read, or is damaged.
    pub fn value(&self, position: &Chess) -> Result<Option<SyzygyValue>, SyzygyError> {
        if position.board().occupied().count() > self.tables.max_pieces() {
            return Ok(None);
        }
        let Some(wdl) = known(self.tables.probe_wdl_after_zeroing(position))? else { return Ok(None) };
        let is_cursed = matches!(wdl, shakmaty_syzygy::Wdl::CursedWin | shakmaty_syzygy::Wdl::BlessedLoss);
        Ok(Some(SyzygyValue { wdl: fold_fifty_moves(wdl), is_cursed, dtz: known(self.dtz(position))? }))
    }

    /// Whether a check asks Syzygy for a table. Only some users have files of five men. If such files were
    /// refused, the check asks in vain, and says so.
    pub fn is_for(&self, men: &Men) -> bool {
        men.count() < MAX_MEN || self.names.contains(men.name())
    }

    /// Who wins, from the view of the side to move.
    pub fn wdl(&self, position: &Chess) -> Result<Wdl, SyzygyError> {
        self.tables.probe_wdl_after_zeroing(position).map(fold_fifty_moves)
    }

    /// Distance to the next zeroing move. A side that is checkmated has -1.
    pub fn dtz(&self, position: &Chess) -> Result<SyzygyDtz, SyzygyError> {
        let rounded = self.tables.probe_dtz(position)?;
        let men = position.board().occupied().count();
        let plies = rounded.ignore_rounding().0;
        // The value of a lost position is the longest of its successors'. If an exact and a rounded value are
        // equal, shakmaty-syzygy keeps the exact one, though the other may be longer.
        let inexact = plies < 0 || matches!(rounded, MaybeRounded::Rounded(_));
        Ok(SyzygyDtz { plies, may_be_short: men > EXACT_MEN && inexact })
    }
}

/// `None` if no table has the position.
fn known<T>(probed: Result<T, SyzygyError>) -> Result<Option<T>, SyzygyError> {
    match probed {
        Ok(value) => Ok(Some(value)),
        Err(SyzygyError::Castling | SyzygyError::TooManyPieces | SyzygyError::MissingTable { .. }) => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_rounded_distance_may_be_one_ply_longer() {
        let allowed = |plies, may_be_short| {
            let dtz = SyzygyDtz { plies, may_be_short };
            (-30..=30).filter(|&claimed| dtz.allows(claimed)).collect::<Vec<_>>()
        };
        assert_eq!(allowed(26, true), [26, 27]);
        assert_eq!(allowed(-27, true), [-28, -27]);
        assert_eq!(allowed(26, false), [26]);
        assert_eq!(allowed(0, true), [0]);
    }

    #[test]
    fn results_ignore_the_fifty_move_rule() {
        use shakmaty_syzygy::Wdl as Five;
        let cases = [
            (Five::Loss, Wdl::Loss),
            (Five::BlessedLoss, Wdl::Loss),
            (Five::Draw, Wdl::Draw),
            (Five::CursedWin, Wdl::Win),
            (Five::Win, Wdl::Win),
        ];
        for (five, three) in cases {
            assert_eq!(fold_fifty_moves(five), three, "{five:?}");
        }
    }
}
