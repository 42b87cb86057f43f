//! One row against all sources, under every reading of its values.

use shakmaty::{Chess, Color, Position};
use suites::SkipReason;

use super::reading::Reading;
use super::row::{Row, RowClaim};
use super::sources::{self, Answer, Answers, Source};
use crate::authorities::Authorities;
use crate::table_probe::Wdl;

/// The readings under which something holds, a bit each in the order of [`Reading::ALL`].
pub(super) type Readings = u8;

/// A row, and what the sources say of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Judged {
    /// Its line in the file.
    pub(super) line: u64,
    pub(super) fen: String,
    pub(super) claim: RowClaim,
    pub(super) answers: Answers,
}

/// How a row comes out.
pub(super) struct Outcome {
    /// The readings under which a source says otherwise, by source.
    pub(super) against: [Readings; Source::ALL.len()],
    /// Whether the sources say different things, so that the row differs whatever it means.
    pub(super) is_disputed: bool,
    /// Why the row is not decided although no source contradicts it: no source knows all that it claims.
    pub(super) undecided: Option<SkipReason>,
    /// Whether the Syzygy table is missing.
    pub(super) lacks_syzygy: bool,
}

impl Outcome {
    /// The readings under which the row is wrong.
    pub(super) fn differs(&self) -> Readings {
        if self.is_disputed { Readings::MAX } else { self.against.iter().fold(0, |all, one| all | one) }
    }
}

/// Judges a row, and gives its position back.
pub(super) fn row(line: u64, row: Row, authorities: &Authorities) -> (Judged, Outcome, Chess) {
    let Row { fen, position, claim } = row;
    let (answers, lacks_syzygy) = sources::ask(&position, authorities);
    let mut against = [0; Source::ALL.len()];
    for (place, reading) in Reading::ALL.into_iter().enumerate() {
        let claim = reading.read(claim, position.turn());
        for (against, answer) in against.iter_mut().zip(answers.0) {
            let agrees = answer.is_none_or(|answer| agrees(claim, answer, &position));
            *against |= Readings::from(!agrees) << place;
        }
    }
    let is_known = answers.known().any(|(_, answer)| decides(claim, answer));
    let outcome = Outcome {
        against,
        is_disputed: answers.contradict_each_other(),
        undecided: (!is_known).then(|| why_undecided(authorities, &answers, lacks_syzygy)),
        lacks_syzygy,
    };
    (Judged { line, fen, claim, answers }, outcome, position)
}

/// Whether a claim, from the view of the side to move and in plies, is what a source says.
pub(super) fn agrees(claim: RowClaim, answer: Answer, position: &Chess) -> bool {
    match (claim, answer.dtm) {
        (RowClaim::Wdl(wdl), _) | (RowClaim::Dtm(wdl, _), None) => wdl == answer.wdl,
        (RowClaim::Dtm(wdl, plies), Some(dtm)) => wdl == answer.wdl && plies == dtm.map(u32::from),
        (RowClaim::Zero, Some(dtm)) => dtm.is_none_or(|plies| plies == 0),
        (RowClaim::Zero, None) => answer.wdl == Wdl::Draw || position.is_checkmate(),
    }
}

/// Whether an answer is enough to say of all that is claimed that it is true.
fn decides(claim: RowClaim, answer: Answer) -> bool {
    answer.dtm.is_some() || answer.wdl == Wdl::Draw || !matches!(claim, RowClaim::Dtm(..))
}

fn why_undecided(authorities: &Authorities, answers: &Answers, lacks_syzygy: bool) -> SkipReason {
    if authorities.truth.is_none() {
        SkipReason::NotCertified
    } else if lacks_syzygy && answers.known().next().is_none() {
        SkipReason::TableMissing
    } else {
        SkipReason::NoSource
    }
}

impl Judged {
    /// The position again: the row was read once.
    pub(super) fn position(&self) -> Option<Chess> {
        super::row::position(&self.fen).ok()
    }

    /// What it claims under a reading.
    pub(super) fn read(&self, reading: Reading, turn: Color) -> RowClaim {
        reading.read(self.claim, turn)
    }

    /// The sources that say otherwise.
    pub(super) fn against(&self, claim: RowClaim, position: &Chess) -> Vec<Source> {
        let known = self.answers.known().filter(|(_, answer)| !agrees(claim, *answer, position));
        known.map(|(source, _)| source).collect()
    }
}
