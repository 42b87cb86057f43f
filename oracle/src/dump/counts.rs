//! Counts of rows by verdict under every reading, and which reading the file uses.

use std::collections::BTreeMap;

use suites::SkipReason;

use super::judge::{Readings, RowOutcome};
use super::reading::Reading;
use super::sources::Source;

/// A reading is recognised only if at least this many rows fit it alone. Fewer are listed one by one.
const FEWEST: u64 = 8;
/// At most one row in this many may fit the stated reading alone.
const EXCEPTIONS: u64 = 20;
/// After this many rows that fit the stated reading alone, a reading that fits no more rows is ruled out.
const ENOUGH: u64 = 1_000;

const READINGS: usize = Reading::ALL.len();

/// The counts of rows under one reading.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ReadingCount {
    pub(super) agreed: u64,
    pub(super) differed: u64,
    /// Rows that fit this reading and not the stated one. One finding covers all of them.
    pub(super) only_so: u64,
    /// Rows that fit the stated reading and not this one.
    only_as_stated: u64,
    pub(super) skipped: BTreeMap<SkipReason, u64>,
    /// Rows that a source contradicts, by source.
    pub(super) against: [u64; Source::ALL.len()],
}

/// The counts under every reading.
pub(super) struct Counts {
    stated: usize,
    by_reading: [ReadingCount; READINGS],
    /// Readings that are not ruled out yet.
    open: Readings,
}

impl Counts {
    pub(super) fn new(stated: Reading) -> Self {
        let stated = Reading::ALL.iter().position(|reading| *reading == stated).unwrap_or_default();
        Self { stated, by_reading: Default::default(), open: Readings::MAX }
    }

    /// Counts a row. Returns whether it differs under a reading that is not ruled out.
    pub(super) fn add(&mut self, outcome: &RowOutcome) -> bool {
        let differs = outcome.differs();
        let as_stated = differs >> self.stated & 1 == 1;
        for (place, count) in self.by_reading.iter_mut().enumerate() {
            let differs = differs >> place & 1 == 1;
            match (differs, outcome.undecided) {
                (true, _) => count.differed += 1,
                _ if as_stated => count.only_so += 1,
                (false, Some(reason)) => *count.skipped.entry(reason).or_default() += 1,
                (false, None) => count.agreed += 1,
            }
            count.only_as_stated += u64::from(differs && !as_stated);
            for (total, against) in count.against.iter_mut().zip(outcome.against) {
                *total += u64::from(against >> place & 1);
            }
            if count.only_as_stated >= ENOUGH && count.only_as_stated >= count.only_so {
                self.open &= !(1 << place);
            }
        }
        differs & (self.open | 1 << self.stated) != 0
    }

    /// The reading of the file, if it is not the stated one: nearly all rows that fit only one of the two fit
    /// this one, and they outnumber the rows that fit neither.
    pub(super) fn recognised(&self) -> Option<Reading> {
        let fits = |place: &usize| {
            let count = &self.by_reading[*place];
            self.open >> place & 1 == 1
                && count.only_so >= FEWEST
                && count.only_as_stated * EXCEPTIONS <= count.only_so
                && count.differed * 2 <= count.only_so
        };
        let best = (0..READINGS).filter(fits).min_by_key(|&place| self.by_reading[place].differed);
        best.map(|place| Reading::ALL[place])
    }

    /// The counts under a reading.
    pub(super) fn under(&self, reading: Reading) -> &ReadingCount {
        let place = Reading::ALL.iter().position(|known| *known == reading).unwrap_or_default();
        &self.by_reading[place]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows by the readings under which they differ.
    fn counts(rows: &[(u64, Readings)]) -> Counts {
        let mut counts = Counts::new(Reading::default());
        for &(rows, differs) in rows {
            let mut against = [0; Source::ALL.len()];
            against[0] = differs;
            for _ in 0..rows {
                counts.add(&RowOutcome { against, is_disputed: false, undecided: None, lacks_syzygy: false });
            }
        }
        counts
    }

    #[track_caller]
    fn check(rows: &[(u64, Readings)], expected: Option<usize>) {
        assert_eq!(counts(rows).recognised(), expected.map(|place| Reading::ALL[place]), "{rows:?}");
    }

    const FITS_FIRST: Readings = 0b1111_1110;
    const FITS_SECOND: Readings = 0b1111_1101;
    const FITS_NONE: Readings = 0b1111_1111;
    const FITS_ALL: Readings = 0;

    #[test]
    fn a_cause_of_all_rows_is_recognised() {
        check(&[(100_000, FITS_SECOND), (50_000, FITS_ALL)], Some(1));
        check(&[(8, FITS_SECOND)], Some(1));
        check(&[(100_000, FITS_SECOND), (5_000, FITS_FIRST), (45_000, FITS_NONE)], Some(1));
        check(&[(900, FITS_FIRST), (100_000, FITS_SECOND)], Some(1));
    }

    #[test]
    fn errors_of_single_rows_are_no_such_cause() {
        check(&[(100_000, FITS_FIRST)], None);
        check(&[(7, FITS_SECOND)], None);
        check(&[(300, FITS_SECOND), (331_052, FITS_FIRST)], None);
        check(&[(5_000, FITS_SECOND), (100_000, FITS_FIRST), (5_000, FITS_SECOND)], None);
        check(&[(20, FITS_SECOND), (2, FITS_FIRST)], None);
        check(&[(100_000, FITS_NONE)], None);
        check(&[(1_000, FITS_SECOND), (501, FITS_NONE)], None);
    }

    /// If two readings fit equally well, the first of the list is taken; otherwise the one that leaves fewer
    /// errors.
    #[test]
    fn the_reading_with_the_fewest_errors_is_told() {
        check(&[(100, 0b1111_0011)], Some(2));
        check(&[(100, 0b1111_0011), (1, 0b1111_0111)], Some(3));
    }

    /// Rows that differ only under readings that are ruled out are not kept: a correct dump keeps almost
    /// none.
    #[test]
    fn rows_that_tell_nothing_any_more_are_not_kept() {
        let mut counts = counts(&[(ENOUGH, FITS_FIRST)]);
        let row = |differs| RowOutcome {
            against: [differs, 0, 0, 0],
            is_disputed: false,
            undecided: None,
            lacks_syzygy: false,
        };
        assert!(!counts.add(&row(FITS_FIRST)));
        assert!(!counts.add(&row(FITS_ALL)));
        assert!(counts.add(&row(FITS_SECOND)));
        assert!(counts.add(&row(FITS_NONE)));
    }
}
