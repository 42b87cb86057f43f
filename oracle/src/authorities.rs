//! The sources of true values that a table can be compared with.

use suites::census::{PublishedCounts, SideToMove};

use crate::dtm_source::DtmSource;
use crate::positions::{Men, Scope};
use crate::syzygy::Syzygy;
use crate::table_probe::TableProbe;

/// The authorities of one run. A check whose authority is missing is skipped with a reason.
#[derive(Default)]
pub struct Authorities<'a> {
    /// Syzygy tables, if files were found.
    pub syzygy: Option<&'a Syzygy>,
    /// Gaviota and Prophet, if they are part of the build.
    pub dtm_sources: Vec<&'a dyn DtmSource>,
    /// Published counts of positions.
    pub published: &'a [PublishedCounts],
    /// The production table, if it is certified.
    pub truth: Option<&'a dyn TableProbe>,
}

impl Authorities<'_> {
    /// The DTM source with this name.
    pub fn dtm_source(&self, name: &str) -> Option<&dyn DtmSource> {
        self.dtm_sources.iter().find(|source| source.name() == name).copied()
    }

    /// The published counts of a table with one side to move.
    pub fn published(&self, men: &Men, side_to_move: SideToMove) -> Option<&PublishedCounts> {
        self.published.iter().find(|row| row.table == men.name() && row.side_to_move == side_to_move)
    }

    /// The number of symmetry classes of won and lost positions by the published counts, for both sides to
    /// move together.
    pub fn published_decided(&self, men: &Men) -> Option<u64> {
        let decided = |side| self.published(men, side).map(|row| row.unique.wins + row.unique.losses);
        Some(decided(SideToMove::White)? + decided(SideToMove::Black)?)
    }

    /// The number of legal positions of a table by the published counts, for both sides to move together.
    pub fn published_positions(&self, men: &Men, scope: Scope) -> Option<u64> {
        let count = |side| {
            let row = self.published(men, side)?;
            match scope {
                Scope::Raw => row.raw.map(|raw| raw.legal),
                Scope::Unique => Some(row.unique.legal),
            }
        };
        Some(count(SideToMove::White)? + count(SideToMove::Black)?)
    }
}
