//! The events of a run and the exit code that follows from them.

use std::process::ExitCode;

use suites::catalogue::Severity;
use suites::{SkipReason, Tally};

/// An event of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    /// Everything was compared and agreed.
    AllAgree,
    /// A claim is wrong.
    Differs,
    /// A difference whose severity does not fail the run.
    Noted,
    /// A requested check could not run: a table is missing, a feature is not built, or there is nothing to
    /// compare.
    CouldNotRun,
    /// An oracle that was not requested is not in this build.
    NotInThisBuild,
    /// Some cases were decided; others reached a limit of an oracle or of size.
    Undecided,
    /// The engine does not support what the check needs, or fails in a step that another check judges.
    Unsupported,
    /// A row of a dump cannot be read.
    MalformedRow,
    /// A difference that is not in the baseline.
    Broken,
    /// A difference of the baseline is gone, or figures changed.
    Changed,
    /// With `--strict`, an entry of `[accept]` has expired, or no finding matches it any more.
    StaleEntry,
    /// The command line or an input is unusable.
    Unusable,
}

/// The exit code of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) enum Exit {
    /// 0: all compared, all agree.
    #[default]
    Agree,
    /// 2: nothing differs, but not everything that was requested could be checked.
    Incomplete,
    /// 1: something differs.
    Differs,
}

impl Event {
    /// The events of a check, if every difference fails the run.
    pub(crate) fn of_tally(tally: &Tally) -> impl Iterator<Item = Self> {
        Self::of_tally_from(tally, Severity::Note)
    }

    /// The events of a check, if differences of this severity or a graver one fail the run.
    pub(crate) fn of_tally_from(tally: &Tally, least: Severity) -> impl Iterator<Item = Self> {
        let fails = tally.differed_from(least) > 0;
        let differs = (tally.differed > 0).then_some(if fails { Self::Differs } else { Self::Noted });
        let nothing = (tally.total() == 0).then_some(Self::CouldNotRun);
        let skipped = tally.skipped.keys().map(|reason| match reason {
            SkipReason::Malformed => Self::MalformedRow,
            SkipReason::NotInThisBuild => Self::NotInThisBuild,
            SkipReason::Unsupported | SkipReason::FailedElsewhere => Self::Unsupported,
            SkipReason::Accepted => Self::Noted,
            // If nothing was decided, nothing was checked.
            SkipReason::Undecided | SkipReason::LeftOut if tally.answered() > 0 => Self::Undecided,
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

    /// The event of a run that compared nothing because the engine failed in steps that other checks judge. These
    /// checks were not asked, or their findings would be counted.
    pub(crate) fn of_nothing_compared<'a>(tallies: impl Iterator<Item = &'a Tally> + Clone) -> Option<Self> {
        let failed = |tally: &Tally| tally.skipped.contains_key(&SkipReason::FailedElsewhere);
        let is_nothing = tallies.clone().all(|tally| tally.answered() == 0);
        (is_nothing && tallies.into_iter().any(failed)).then_some(Self::CouldNotRun)
    }

    /// Its effect on the exit code; the greatest of all events decides.
    pub(crate) fn exit(self) -> Exit {
        match self {
            Self::AllAgree
            | Self::Noted
            | Self::NotInThisBuild
            | Self::Undecided
            | Self::Unsupported
            | Self::Changed => Exit::Agree,
            Self::CouldNotRun | Self::MalformedRow | Self::StaleEntry | Self::Unusable => Exit::Incomplete,
            Self::Differs | Self::Broken => Exit::Differs,
        }
    }
}

impl Exit {
    /// The exit code of a run with these events.
    pub(crate) fn from_events(events: impl IntoIterator<Item = Event>) -> Self {
        events.into_iter().map(Event::exit).max().unwrap_or_default()
    }

    /// The number that the shell receives.
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
            assert_eq!(Exit::from_events(events.iter().copied()).code(), code, "{events:?}");
        }
    }

    #[test]
    fn a_run_in_which_nothing_was_decided_is_incomplete() {
        let mut tally = Tally::new("engine", "mates", suites::Evidence::Certificate, "their.epd");
        tally.skip(SkipReason::Undecided, 3);
        assert_eq!(Exit::from_events(Event::of_tally(&tally)), Exit::Incomplete);
        tally.agreed = 1;
        assert_eq!(Exit::from_events(Event::of_tally(&tally)), Exit::Agree);
    }

    #[test]
    fn a_run_in_which_all_failed_elsewhere_is_incomplete() {
        let check = |reason, agreed, expected| {
            let mut tally = Tally::new("mine", "protocol/infinite", suites::Evidence::Specification, "uci");
            tally.skip(reason, 1);
            let other =
                Tally { agreed, ..Tally::new("mine", "draw", suites::Evidence::Agreement, "fifty-clock") };
            let event = Event::of_nothing_compared([&tally, &other].into_iter());
            assert_eq!(Exit::from_events(event), expected, "{reason} {agreed}");
        };
        check(SkipReason::FailedElsewhere, 0, Exit::Incomplete);
        check(SkipReason::FailedElsewhere, 1, Exit::Agree);
        check(SkipReason::Unsupported, 0, Exit::Agree);
    }

    /// Each incomplete run has an annotation that says why.
    #[test]
    fn each_cause_of_an_incomplete_run_is_annotated() {
        use SkipReason::{
            FailedElsewhere, GivenUp, LeftOut, Malformed, NoSource, NotCertified, NotInThisBuild, OutOfTime,
            TableMissing, Undecided, Unsupported,
        };
        let reasons = [
            FailedElsewhere,
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
            let exit = Exit::from_events(Event::of_tally(&tally));
            let check = reports::CheckRun { tally, duration: None, optional: false };
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
    fn a_note_does_not_fail_the_run() {
        let mut tally = Tally::new("mine", "protocol/blanks", suites::Evidence::Specification, "lines");
        tally.differ("protocol/blanks");
        assert_eq!(Exit::from_events(Event::of_tally_from(&tally, Severity::Error)), Exit::Agree);
        assert_eq!(Exit::from_events(Event::of_tally_from(&tally, Severity::Warning)), Exit::Differs);
        assert_eq!(Exit::from_events(Event::of_tally(&tally)), Exit::Differs);
    }
}
