//! Who is asked: everything that a check may hold a claim against.

use suites::census::{PublishedCounts, SideToMove};

use crate::checks::Scope;
use crate::dtm_source::DtmSource;
use crate::positions::Men;
use crate::syzygy::Syzygy;
use crate::table_probe::TableProbe;

/// The authorities at hand in one run. What is not there is skipped by name, never silently.
#[derive(Default)]
pub struct Authorities<'a> {
    /// Syzygy tables, as far as they were found.
    pub syzygy: Option<&'a Syzygy>,
    /// Gaviota and Prophet, as far as they are built.
    pub dtm_sources: Vec<&'a dyn DtmSource>,
    /// Published counts.
    pub published: &'a [PublishedCounts],
    /// The production table, if it was certified in this run.
    pub truth: Option<&'a dyn TableProbe>,
}

impl Authorities<'_> {
    /// The DTM source of a name.
    pub fn dtm_source(&self, name: &str) -> Option<&dyn DtmSource> {
        self.dtm_sources.iter().find(|source| source.name() == name).copied()
    }

    /// What is published of a table with one side to move.
    pub fn published(&self, men: &Men, side_to_move: SideToMove) -> Option<&PublishedCounts> {
        self.published.iter().find(|row| row.table == men.name() && row.side_to_move == side_to_move)
    }

    /// How many classes of legal positions are won or lost by published counts, both sides to move together.
    pub fn published_decided(&self, men: &Men) -> Option<u64> {
        let decided = |side| self.published(men, side).map(|row| row.unique.wins + row.unique.losses);
        Some(decided(SideToMove::White)? + decided(SideToMove::Black)?)
    }

    /// How many legal positions a table has by published counts, both sides to move together.
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
