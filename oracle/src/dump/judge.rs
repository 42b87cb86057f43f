//! One row compared with all sources, under every reading of its value.

use shakmaty::{Chess, Color, Position};
use suites::SkipReason;

use super::reading::Reading;
use super::row::{ParsedRow, RowValue};
use super::sources::{self, Source, SourceAnswer, SourceAnswers};
use crate::authorities::Authorities;
use crate::table_probe::{Dtm, Wdl};

/// A set of readings: one bit each, in the order of [`Reading::ALL`].
pub(super) type Readings = u8;

/// A row with the values of the sources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AnsweredRow {
    /// Its line number.
    pub(super) line: u64,
    pub(super) fen: String,
    pub(super) value: RowValue,
    pub(super) answers: SourceAnswers,
}

/// The verdict on a row.
pub(super) struct RowOutcome {
    /// The readings under which a source contradicts the row, by source.
    pub(super) against: [Readings; Source::ALL.len()],
    /// Whether the sources contradict each other. The row then differs under every reading.
    pub(super) is_disputed: bool,
    /// Why the row is not decided although no source contradicts it: no source knows its whole value.
    pub(super) undecided: Option<SkipReason>,
    /// Whether the Syzygy table is missing.
    pub(super) lacks_syzygy: bool,
}

impl RowOutcome {
    /// The readings under which the row is wrong.
    pub(super) fn differs(&self) -> Readings {
        if self.is_disputed { Readings::MAX } else { self.against.iter().fold(0, |all, one| all | one) }
    }
}

/// Judges a row, and returns its position.
pub(super) fn row(line: u64, row: ParsedRow, authorities: &Authorities) -> (AnsweredRow, RowOutcome, Chess) {
    let ParsedRow { fen, position, value } = row;
    let (answers, lacks_syzygy) = sources::ask(&position, authorities);
    let mut against = [0; Source::ALL.len()];
    for (place, reading) in Reading::ALL.into_iter().enumerate() {
        let value = reading.read(value, position.turn());
        for (against, answer) in against.iter_mut().zip(answers.0) {
            let agrees = answer.is_none_or(|answer| agrees(value, answer, &position));
            *against |= Readings::from(!agrees) << place;
        }
    }
    let is_known = answers.known().any(|(_, answer)| decides(value, answer));
    let outcome = RowOutcome {
        against,
        is_disputed: answers.contradict_each_other(),
        undecided: (!is_known).then(|| why_undecided(authorities, &answers, lacks_syzygy)),
        lacks_syzygy,
    };
    (AnsweredRow { line, fen, value, answers }, outcome, position)
}

/// Whether a value, from the view of the side to move and in plies, agrees with a source.
pub(super) fn agrees(value: RowValue, answer: SourceAnswer, position: &Chess) -> bool {
    match (value, answer.dtm) {
        (RowValue::Wdl(wdl), _) | (RowValue::Dtm(wdl, _), None) => wdl == answer.wdl,
        (RowValue::Dtm(wdl, plies), Some(dtm)) => {
            wdl == answer.wdl && plies == dtm.map(|dtm| u32::from(dtm.plies()))
        }
        (RowValue::Zero, Some(dtm)) => dtm.is_none_or(|dtm| dtm == Dtm::CHECKMATED),
        (RowValue::Zero, None) => answer.wdl == Wdl::Draw || position.is_checkmate(),
    }
}

/// Whether a source decides the whole value.
fn decides(value: RowValue, answer: SourceAnswer) -> bool {
    answer.dtm.is_some() || answer.wdl == Wdl::Draw || !matches!(value, RowValue::Dtm(..))
}

fn why_undecided(authorities: &Authorities, answers: &SourceAnswers, lacks_syzygy: bool) -> SkipReason {
    if authorities.truth.is_none() {
        SkipReason::NotCertified
    } else if lacks_syzygy && answers.known().next().is_none() {
        SkipReason::TableMissing
    } else {
        SkipReason::NoSource
    }
}

impl AnsweredRow {
    /// The position. Its FEN was parsed without error before.
    pub(super) fn position(&self) -> Option<Chess> {
        super::row::position(&self.fen).ok()
    }

    /// Its value under a reading.
    pub(super) fn read(&self, reading: Reading, turn: Color) -> RowValue {
        reading.read(self.value, turn)
    }

    /// The sources that contradict a value.
    pub(super) fn against(&self, value: RowValue, position: &Chess) -> Vec<Source> {
        let known = self.answers.known().filter(|(_, answer)| !agrees(value, *answer, position));
        known.map(|(source, _)| source).collect()
    }
}
