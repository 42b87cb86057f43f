//! Syzygy tables as an authority on WDL and DTZ, and for lone queens and rooks on DTM.

use shakmaty::{Chess, Position};
use shakmaty_syzygy::{SyzygyError, Tablebase};

use crate::claims::Wdl;

/// Folds the results that the fifty-move rule changes into those without it: a cursed win is a win, a blessed loss a
/// loss.
///
/// DTM tables ignore that rule. No table with four men or fewer has such positions.
pub fn fold_fifty_moves(wdl: shakmaty_syzygy::Wdl) -> Wdl {
    match wdl {
        shakmaty_syzygy::Wdl::Loss | shakmaty_syzygy::Wdl::BlessedLoss => Wdl::Loss,
        shakmaty_syzygy::Wdl::Draw => Wdl::Draw,
        shakmaty_syzygy::Wdl::CursedWin | shakmaty_syzygy::Wdl::Win => Wdl::Win,
    }
}

/// Syzygy tables that were found.
pub struct Syzygy {
    tables: Tablebase<Chess>,
}

impl Syzygy {
    /// Asks these tables.
    pub fn new(tables: Tablebase<Chess>) -> Self {
        Self { tables }
    }

    /// Who wins, from the view of the side to move.
    pub fn wdl(&self, position: &Chess) -> Result<Wdl, SyzygyError> {
        self.tables.probe_wdl_after_zeroing(position).map(fold_fifty_moves)
    }

    /// Distance to the next zeroing move in plies, with its sign; a mated side reads -1.
    ///
    /// Nearly all decisive values are marked as rounded, as the format allows them to be. In tables with four men or
    /// fewer they were always exact, so equality is demanded: an interval would hide errors of one ply.
    pub fn dtz(&self, position: &Chess) -> Result<i32, SyzygyError> {
        self.tables.probe_dtz(position).map(|dtz| dtz.ignore_rounding().0)
    }

    /// Distance to mate of a position with a lone queen or rook against the bare king, in plies; `None` for a draw.
    ///
    /// There is nothing to zero on the way, so DTZ is DTM, but that a mated side reads -1.
    pub fn dtm_of_lone_piece(&self, position: &Chess) -> Result<Option<u16>, SyzygyError> {
        let dtz = self.dtz(position)?;
        Ok(match dtz {
            0 => None,
            _ if position.is_checkmate() && dtz == -1 => Some(0),
            _ => u16::try_from(dtz.unsigned_abs()).ok(),
        })
    }
}
