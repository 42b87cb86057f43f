//! The files of a run: every report, as bytes by name.

use crate::csv_file::{Files, file};
use crate::run::is_not_built;
use crate::{CheckRow, DifferenceRow, EngineCard, Run, TimingRow, junit, to_bytes};

/// Name of the report on checks that need a cargo feature. It has the columns of `checks.csv`, and no
/// baseline has it.
pub const FEATURES: &str = "features.csv";

impl Run {
    /// The reports of a baseline. They are equal in every run with the same results.
    ///
    /// `checks.csv` leaves out checks that not every build has; these are in [`FEATURES`]. It also leaves out
    /// checks of time, since their results vary.
    pub fn baseline_files(&self) -> Files {
        self.files_of(|check, cases| check.starts_with("time/") || cases.split('/').next() == Some("time"))
    }

    /// The reports of a baseline without the rows that `is_left_out` selects: checks by id and case set,
    /// differences by check and case.
    fn files_of(&self, is_left_out: fn(&str, &str) -> bool) -> Files {
        let in_every_build = self.checks.iter().filter(|check| !check.optional).map(|check| &check.tally);
        let kept = in_every_build.filter(|tally| !is_left_out(&tally.check, &tally.case_set));
        let differences = self.differences.iter().filter(|found| !is_left_out(&found.check, &found.case));
        let mut files = self.usual_files();
        files.extend([file(kept.map(CheckRow::from)), file(differences.cloned().map(DifferenceRow))]);
        files
    }

    /// All reports: those of a baseline with nothing left out, [`FEATURES`], `timings.csv`, `junit.xml`, and
    /// where they apply `dump.csv`, `edge_cases.csv`, `engine.json`, `regression.csv`, and the scripts of
    /// long replays.
    ///
    /// A caller that streamed the differences to a file keeps that file instead of the one given here.
    pub fn files(&self) -> Files {
        let timings = self.checks.iter().filter_map(|check| Some((&check.tally, check.duration?)));
        let mut files = self.files_of(|_, _| false);
        files.extend([file(timings.map(|(tally, duration)| TimingRow::new(tally, duration)))]);
        let built = self.checks.iter().filter(|check| check.optional && !is_not_built(&check.tally));
        files.insert(junit::FILE.to_owned(), junit::document(self));
        files.insert(FEATURES.to_owned(), to_bytes(built.map(|check| CheckRow::from(&check.tally))));
        files.extend(self.occasional_files());
        files.extend(self.engine.iter().map(|card| (EngineCard::FILE.to_owned(), card.document())));
        files.extend(self.regression.iter().map(|rows| file(rows.iter().cloned())));
        files.extend(self.replays().files());
        files
    }
}
