//! What the sources of a run say of a position: the certified production table, Syzygy, Gaviota and Prophet.

use shakmaty::{Chess, Position};

use crate::authorities::Authorities;
use crate::checks::{self, Check};
use crate::table_probe::Wdl;

/// Men of the largest Syzygy tables that there are.
const SYZYGY_MEN: usize = 7;

/// One of those who are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// The production table that was certified in the same run.
    Table,
    /// The Syzygy tables: results alone.
    Syzygy,
    /// Gaviota's tables.
    Gaviota,
    /// Prophet's tables.
    Prophet,
}

impl Source {
    /// All, in the order in which they are named.
    pub const ALL: [Self; 4] = [Self::Table, Self::Syzygy, Self::Gaviota, Self::Prophet];

    /// Its name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Table => "certified production table",
            Self::Syzygy => "Syzygy tables",
            Self::Gaviota => "Gaviota",
            Self::Prophet => "Prophet",
        }
    }

    /// The check that asks the same source of a table.
    pub const fn check(self) -> Check {
        match self {
            Self::Table => Check::Truth,
            Self::Syzygy => Check::SyzygyWdl,
            Self::Gaviota => Check::Gaviota,
            Self::Prophet => Check::Prophet,
        }
    }

    /// Whether it is asked in this run.
    pub(super) fn is_asked(self, authorities: &Authorities) -> bool {
        match self {
            Self::Table => authorities.truth.is_some(),
            Self::Syzygy => authorities.syzygy.is_some(),
            Self::Gaviota | Self::Prophet => authorities.dtm_source(self.check().id()).is_some(),
        }
    }
}

/// What a source knows of a position, from the view of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) wdl: Wdl,
    /// Plies to mate, none of a draw; nothing where the source knows results alone.
    #[expect(clippy::option_option, reason = "a draw has no distance, and a source may know none")]
    pub(super) dtm: Option<Option<u16>>,
}

impl Answer {
    fn of_dtm(dtm: Option<u16>) -> Self {
        Self { wdl: Wdl::of_dtm(dtm), dtm: Some(dtm) }
    }

    /// Whether both cannot be true.
    fn contradicts(self, other: Self) -> bool {
        self.wdl != other.wdl || self.dtm.zip(other.dtm).is_some_and(|(one, other)| one != other)
    }
}

/// The answers of all sources, in their order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Answers(pub(super) [Option<Answer>; Source::ALL.len()]);

/// The answers of all sources, and whether Syzygy gives none for want of a table.
pub(super) fn ask(position: &Chess, authorities: &Authorities) -> (Answers, bool) {
    let mut is_missing = false;
    let answers = Source::ALL.map(|source| match source {
        Source::Table => {
            let claim = checks::resolved(authorities.truth?, position).ok()?;
            Some(Answer { wdl: claim.wdl, dtm: Some(claim.dtm) })
        }
        Source::Syzygy => {
            let wdl = authorities.syzygy?.wdl(position).ok();
            // Where no table of so many men is at hand, the position is said to have too many.
            is_missing = wdl.is_none() && position.board().occupied().count() <= SYZYGY_MEN;
            wdl.map(|wdl| Answer { wdl, dtm: None })
        }
        Source::Gaviota | Source::Prophet => {
            authorities.dtm_source(source.check().id())?.dtm(position).ok().map(Answer::of_dtm)
        }
    });
    (Answers(answers), is_missing)
}

impl Answers {
    /// The sources that know the position, with what they know.
    pub(super) fn known(&self) -> impl Iterator<Item = (Source, Answer)> + '_ {
        Source::ALL.into_iter().zip(self.0).filter_map(|(source, answer)| Some((source, answer?)))
    }

    /// What a source knows.
    pub(super) fn of(&self, source: Source) -> Option<Answer> {
        self.0[source as usize]
    }

    /// Whether two of them cannot both be true.
    pub(super) fn contradict_each_other(&self) -> bool {
        self.known().any(|(_, one)| self.known().any(|(_, other)| one.contradicts(other)))
    }

    /// What they say together: the distance where one knows it.
    pub(super) fn best(&self) -> Option<Answer> {
        let with_distance = self.known().find(|(_, answer)| answer.dtm.is_some());
        with_distance.or_else(|| self.known().next()).map(|(_, answer)| answer)
    }
}
