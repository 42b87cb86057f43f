//! The values of a position in the sources: the certified production table, Syzygy, Gaviota and Prophet.

use shakmaty::{Chess, Position};

use crate::authorities::Authorities;
use crate::checks::{self, Check};
use crate::table_probe::{Dtm, Wdl, wdl_of};

/// The most men of Syzygy tables.
const SYZYGY_MEN: usize = 7;

suites::words! {
    /// A source of values. The word is its name in reports, which list sources in this order.
    pub enum Source: "source" {
        /// The production table that was certified in the same run.
        Table = "certified production table",
        /// Syzygy tables, which give results only here.
        Syzygy = "Syzygy tables",
        /// Gaviota's tables.
        Gaviota = "Gaviota",
        /// Prophet's tables.
        Prophet = "Prophet",
    }
}

impl Source {
    /// The check of tables that uses the same source.
    pub const fn check(self) -> Check {
        match self {
            Self::Table => Check::Truth,
            Self::Syzygy => Check::SyzygyWdl,
            Self::Gaviota => Check::Gaviota,
            Self::Prophet => Check::Prophet,
        }
    }

    /// Whether this run has the source.
    pub(super) fn is_asked(self, authorities: &Authorities) -> bool {
        match self {
            Self::Table => authorities.truth.is_some(),
            Self::Syzygy => authorities.syzygy.is_some(),
            Self::Gaviota | Self::Prophet => authorities.dtm_source(self.check().name()).is_some(),
        }
    }
}

/// The value of a position in a source, from the view of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SourceAnswer {
    pub(super) wdl: Wdl,
    /// Distance to mate, `Some(None)` for a draw; `None` if the source gives results only.
    #[expect(clippy::option_option, reason = "a draw has no distance, and a source may know none")]
    pub(super) dtm: Option<Option<Dtm>>,
}

impl SourceAnswer {
    fn of_dtm(dtm: Option<Dtm>) -> Self {
        Self { wdl: wdl_of(dtm), dtm: Some(dtm) }
    }

    /// Whether the two cannot both be true.
    fn contradicts(self, other: Self) -> bool {
        self.wdl != other.wdl || self.dtm.zip(other.dtm).is_some_and(|(one, other)| one != other)
    }
}

/// The values in all sources, in the order of [`Source::ALL`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct SourceAnswers(pub(super) [Option<SourceAnswer>; Source::ALL.len()]);

/// The values in all sources, and whether the Syzygy table is missing.
pub(super) fn ask(position: &Chess, authorities: &Authorities) -> (SourceAnswers, bool) {
    let mut is_missing = false;
    let answers = Source::ALL.map(|source| match source {
        Source::Table => {
            let value = checks::resolved(authorities.truth?, position).ok()?;
            Some(SourceAnswer { wdl: value.wdl, dtm: Some(value.dtm) })
        }
        Source::Syzygy => {
            let wdl = authorities.syzygy?.wdl(position).ok();
            // If no table of this size is loaded, Syzygy's error is that there are too many men.
            is_missing = wdl.is_none() && position.board().occupied().count() <= SYZYGY_MEN;
            wdl.map(|wdl| SourceAnswer { wdl, dtm: None })
        }
        Source::Gaviota | Source::Prophet => {
            authorities.dtm_source(source.check().name())?.dtm(position).ok().map(SourceAnswer::of_dtm)
        }
    });
    (SourceAnswers(answers), is_missing)
}

impl SourceAnswers {
    /// The sources that know the position, with their values.
    pub(super) fn known(&self) -> impl Iterator<Item = (Source, SourceAnswer)> + '_ {
        Source::ALL.into_iter().zip(self.0).filter_map(|(source, answer)| Some((source, answer?)))
    }

    /// The value of one source.
    pub(super) fn of(&self, source: Source) -> Option<SourceAnswer> {
        self.0[source as usize]
    }

    /// Whether two sources contradict each other.
    pub(super) fn contradict_each_other(&self) -> bool {
        self.known().any(|(_, one)| self.known().any(|(_, other)| one.contradicts(other)))
    }

    /// A value that has a distance, if there is one, otherwise any value.
    pub(super) fn best(&self) -> Option<SourceAnswer> {
        let with_distance = self.known().find(|(_, answer)| answer.dtm.is_some());
        with_distance.or_else(|| self.known().next()).map(|(_, answer)| answer)
    }
}
