//! What may happen in a run, and the exit code that follows: the one table of outcomes.

use std::process::ExitCode;

use suites::catalogue::Severity;
use suites::{SkipReason, Tally};

/// One thing that happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    /// Everything was compared, and everything agreed.
    AllAgree,
    /// A claim is not true.
    Differs,
    /// Something differs that is only worth knowing.
    Noted,
    /// A check that was asked for could not run: a table missing, a feature not built, nothing to compare.
    CouldNotRun,
    /// An oracle is not in this build, and nobody asked for it.
    NotInThisBuild,
    /// An oracle reached its limits before it knew, something was too large, or time was over, beside other cases that were decided.
    Undecided,
    /// The subject does not offer what would be checked.
    Unsupported,
    /// A row of a dump says nothing.
    MalformedRow,
    /// A difference that was not there before, against the baseline.
    Broken,
    /// A difference that is gone, or figures that changed, against the baseline.
    Changed,
    /// The command line or an input is unusable: also a suite with fewer cases than it declares.
    Unusable,
}

/// The exit code of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) enum Exit {
    /// 0: all compared, all agree.
    #[default]
    Agree,
    /// 2: nothing differs, but not all that was asked for could be checked.
    Incomplete,
    /// 1: something differs, whatever else happened.
    Differs,
}

impl Event {
    /// What a check has brought about, where every difference fails the run.
    pub(crate) fn of_tally(tally: &Tally) -> impl Iterator<Item = Self> {
        Self::of_tally_from(tally, Severity::Note)
    }

    /// What a check has brought about; a difference of this severity or a graver one fails the run.
    pub(crate) fn of_tally_from(tally: &Tally, least: Severity) -> impl Iterator<Item = Self> {
        let fails = tally.differed_from(least) > 0;
        let differs = (tally.differed > 0).then_some(if fails { Self::Differs } else { Self::Noted });
        let nothing = (tally.total() == 0).then_some(Self::CouldNotRun);
        let skipped = tally.skipped.keys().map(|reason| match reason {
            SkipReason::Malformed => Self::MalformedRow,
            SkipReason::NotInThisBuild => Self::NotInThisBuild,
            SkipReason::Unsupported => Self::Unsupported,
            // Where nothing at all was decided, nothing was checked.
            SkipReason::Undecided | SkipReason::LeftOut | SkipReason::OutOfTime if tally.answered() > 0 => {
                Self::Undecided
            }
            SkipReason::Undecided
            | SkipReason::LeftOut
            | SkipReason::OutOfTime
            | SkipReason::TableMissing
            | SkipReason::NoSource
            | SkipReason::NotCertified
            | SkipReason::GivenUp => Self::CouldNotRun,
        });
        [Self::AllAgree].into_iter().chain(differs).chain(nothing).chain(skipped)
    }

    /// What it does to the exit code; the greatest of all events decides.
    pub(crate) fn exit(self) -> Exit {
        match self {
            Self::AllAgree
            | Self::Noted
            | Self::NotInThisBuild
            | Self::Undecided
            | Self::Unsupported
            | Self::Changed => Exit::Agree,
            Self::CouldNotRun | Self::MalformedRow | Self::Unusable => Exit::Incomplete,
            Self::Differs | Self::Broken => Exit::Differs,
        }
    }
}

impl Exit {
    /// The code of a run in which all of these happened.
    pub(crate) fn of(events: impl IntoIterator<Item = Event>) -> Self {
        events.into_iter().map(Event::exit).max().unwrap_or_default()
    }

    /// The number that the shell sees.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Agree => 0,
            Self::Differs => 1,
            Self::Incomplete => 2,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// DESIGN's table, row by row.
    #[test]
    fn exit_codes() {
        use Event::{
            AllAgree, Broken, Changed, CouldNotRun, Differs, MalformedRow, NotInThisBuild, Noted, Undecided,
            Unusable,
        };
        let cases: [(&[Event], u8); 15] = [
            (&[], 0),
            (&[AllAgree], 0),
            (&[Differs], 1),
            (&[Differs, CouldNotRun], 1),
            (&[AllAgree, CouldNotRun], 2),
            (&[AllAgree, NotInThisBuild], 0),
            (&[AllAgree, Undecided], 0),
            (&[AllAgree, MalformedRow], 2),
            (&[Differs, MalformedRow], 1),
            (&[Unusable], 2),
            (&[AllAgree, Noted], 0),
            (&[Noted, CouldNotRun], 2),
            (&[AllAgree, Changed], 0),
            (&[AllAgree, Broken], 1),
            (&[Broken, CouldNotRun, Changed], 1),
        ];
        for (events, code) in cases {
            assert_eq!(Exit::of(events.iter().copied()).code(), code, "{events:?}");
        }
    }

    #[test]
    fn where_nothing_was_decided_nothing_was_checked() {
        let mut tally = Tally::new("engine", "mates", suites::Evidence::Certificate, "their.epd");
        tally.skip(SkipReason::Undecided, 3);
        assert_eq!(Exit::of(Event::of_tally(&tally)), Exit::Incomplete);
        tally.agreed = 1;
        assert_eq!(Exit::of(Event::of_tally(&tally)), Exit::Agree);
    }

    /// A workflow sees no exit code without an annotation that says why.
    #[test]
    fn what_makes_a_run_incomplete_is_annotated() {
        use SkipReason::{
            GivenUp, LeftOut, Malformed, NoSource, NotCertified, NotInThisBuild, OutOfTime, TableMissing,
            Undecided, Unsupported,
        };
        let reasons = [
            GivenUp,
            Malformed,
            NoSource,
            NotCertified,
            NotInThisBuild,
            LeftOut,
            OutOfTime,
            TableMissing,
            Undecided,
            Unsupported,
        ];
        let check = |agreed, reason: Option<SkipReason>| {
            let mut tally = Tally::new("mine", "mate", suites::Evidence::Certificate, "castling");
            tally.agreed = agreed;
            if let Some(reason) = reason {
                tally.skip(reason, 2);
            }
            let exit = Exit::of(Event::of_tally(&tally));
            let check = reports::Check { tally, duration: None, optional: false };
            let run = reports::Run { checks: vec![check], ..reports::Run::default() };
            let warned = reports::github::annotations(&run, 10).starts_with("::warning ");
            assert_eq!(warned, exit == Exit::Incomplete, "{agreed} {reason:?}");
        };
        for agreed in [0, 1] {
            check(agreed, None);
            for reason in reasons {
                check(agreed, Some(reason));
            }
        }
    }

    #[test]
    fn what_is_worth_knowing_fails_nothing() {
        let mut tally = Tally::new("mine", "protocol/blanks", suites::Evidence::Specification, "lines");
        tally.differ("protocol/blanks");
        assert_eq!(Exit::of(Event::of_tally_from(&tally, Severity::Error)), Exit::Agree);
        assert_eq!(Exit::of(Event::of_tally_from(&tally, Severity::Warning)), Exit::Differs);
        assert_eq!(Exit::of(Event::of_tally(&tally)), Exit::Differs);
    }
}
