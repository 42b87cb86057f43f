//! What the parts of a run have found, and how it is handed over.

use std::time::Duration;

use oracle::checks::Check;
use reports::{
    DifferenceRow, DumpRow, EngineCard, MalformedRow, RegressionRow, RegressionVerdict, Row, Run, Scope,
};
use suites::{Findings, Tally};
use tempfile::NamedTempFile;

use super::baseline::Extent;
use super::failures::Failures;
use super::{Format, SHOWN, VerifyArgs, baseline, selection};
use crate::outcome::{Event, Exit};
use crate::{console, files, program};

/// The reports of a dump, staged until the run is over.
pub(super) struct Streamed {
    pub(super) differences: NamedTempFile,
    pub(super) malformed: NamedTempFile,
}

/// What the parts of a run have found.
#[derive(Default)]
pub(crate) struct Collected {
    pub(super) run: Run,
    /// How a program failed over the cases of suites.
    pub(super) failures: Failures,
    /// The checks that were asked for; none is all.
    pub(super) asked: Vec<String>,
    /// Where the differences of a dump stand already.
    pub(super) streamed: Option<Streamed>,
}

impl Collected {
    /// Takes what a check has found. What was not asked for is neither counted nor listed.
    pub(super) fn add(&mut self, mut findings: Findings, took: Duration) {
        let counts = self.selects(&findings.tally.check);
        findings.retain(|check| counts && self.selects(check));
        self.run.differences.extend(findings.differences.into_iter().map(program::with_command));
        self.add_tally(findings.tally, took);
    }

    /// Takes the counts of a check.
    pub(super) fn add_tally(&mut self, tally: Tally, took: Duration) {
        let optional = [Check::Gaviota, Check::Prophet].iter().any(|check| check.id() == tally.check);
        self.run.checks.push(reports::Check { tally, duration: Some(took), optional });
    }

    /// Leaves out the counts of checks that were not asked for. Until the end they say how far the run came.
    pub(super) fn leave_out_counts(&mut self) {
        let asked = &self.asked;
        self.run.checks.retain(|check| selection::selects(asked, &check.tally.check));
    }

    fn selects(&self, check: &str) -> bool {
        selection::selects(&self.asked, check)
    }

    /// Writes the reports, and says how the run ended.
    pub(super) fn write(&mut self, args: &VerifyArgs, extent: Extent) -> anyhow::Result<Exit> {
        if let Some(folder) = baseline::folder(args, extent) {
            let tallies = self.run.tallies();
            let scope = match extent {
                Extent::Whole => Scope::whole(tallies),
                Extent::Part => Scope::part(tallies),
                Extent::SomeChecks => Scope::exactly(tallies),
            };
            self.run.regression = Some(baseline::compare(&folder, &self.run, &scope)?);
        }
        let events = self.events(args);
        let mut written = self.run.files();
        // What an earlier run left where this one writes nothing would pass for this one's.
        let occasional = [
            (RegressionRow::FILE, self.run.regression.is_none()),
            (MalformedRow::FILE, self.streamed.is_none()),
            (DumpRow::FILE, self.streamed.is_none()),
            (EngineCard::FILE, self.run.engine.is_none()),
        ];
        let stale = occasional.into_iter().filter_map(|(name, stale)| stale.then_some(name));
        if let Some(streamed) = self.streamed.take() {
            for (staged, name) in
                [(streamed.differences, DifferenceRow::FILE), (streamed.malformed, MalformedRow::FILE)]
            {
                written.remove(name);
                files::publish(staged, &args.out.join(name))?;
            }
        }
        for (name, bytes) in &written {
            files::write(&args.out.join(name), bytes)?;
        }
        for name in stale {
            files::remove(&args.out.join(name))?;
        }
        if args.update_baseline {
            baseline::update(args, &self.run.baseline_files())?;
        }
        Ok(Exit::of(events))
    }

    /// Prints what was found.
    pub(super) fn print(&self, args: &VerifyArgs) -> anyhow::Result<()> {
        match args.format {
            Format::Human => {
                console::data(reports::text::render(&self.run, SHOWN).as_bytes())?;
                console::message(&format!("reports in {}", args.out.display()));
            }
            Format::Github => console::data(reports::github::annotations(&self.run, SHOWN).as_bytes())?,
            Format::Json => console::data(&reports::json::document(&self.run))?,
        }
        Ok(())
    }

    /// All that happened, for the exit code.
    fn events(&self, args: &VerifyArgs) -> Vec<Event> {
        let of_tally = |tally| Event::of_tally_from(tally, self.run.fails_from);
        let mut events: Vec<Event> = self.run.tallies().flat_map(of_tally).collect();
        if self.run.checks.is_empty() {
            events.push(Event::CouldNotRun);
        }
        for required in &args.require {
            let ran = |tally: &Tally| tally.check == required.check().id() && tally.compared() > 0;
            let of_dump =
                |row: &DumpRow| row.source == required.source().name() && row.agreed + row.differed > 0;
            if !self.run.tallies().any(ran) && !self.run.dump.iter().any(of_dump) {
                let why = if required.is_built() {
                    "has no part in a run of this kind"
                } else {
                    "is not in this build: use cargo xtask-full verify"
                };
                console::message(&format!("{} was required and {why}", required.check()));
                events.push(Event::CouldNotRun);
            }
        }
        events.extend(self.run.regression.iter().flatten().map(|row| match row.verdict {
            RegressionVerdict::Broken => Event::Broken,
            RegressionVerdict::Fixed
            | RegressionVerdict::Changed
            | RegressionVerdict::Added
            | RegressionVerdict::Gone => Event::Changed,
        }));
        events
    }
}

#[cfg(test)]
mod tests {
    use suites::catalogue::Severity;
    use suites::{Difference, Evidence, Verdict};

    use super::*;

    /// What differs on two cases, counted by one check under two other names.
    fn collected(asked: &str, counting: &str, found: [&str; 2]) -> Collected {
        let mut findings = Findings::new(Tally::new("mine", counting, Evidence::Agreement, "cases"));
        for (check, case) in found.into_iter().zip(["cases/1", "cases/2"]) {
            let [fen, stored, expected, source, explanation] = [(); 5].map(|()| String::new());
            let [subject, check, case] = ["mine", check, case].map(str::to_owned);
            findings.record(Verdict::Differ(Box::new(Difference {
                subject,
                check,
                case,
                fen,
                stored,
                expected,
                source,
                explanation,
                replay: suites::Replay::default(),
            })));
        }
        let mut collected = Collected { asked: vec![asked.to_owned()], ..Collected::default() };
        collected.add(findings, Duration::ZERO);
        collected.leave_out_counts();
        collected
    }

    #[test]
    fn what_was_not_asked_for_is_neither_counted_nor_listed() {
        let check = |asked: &str, counting: &str, found: [&str; 2], listed: &[&str]| {
            let Collected { run, .. } = collected(asked, counting, found);
            let checks: Vec<&str> = run.differences.iter().map(|found| found.check.as_str()).collect();
            assert_eq!(checks, listed, "{asked}");
            for tally in run.tallies() {
                let errors =
                    listed.iter().filter(|id| suites::catalogue::severity(id) == Severity::Error).count();
                assert_eq!(tally.differed, listed.len() as u64, "{asked}");
                assert_eq!(tally.differed_with(Severity::Error), errors as u64, "{asked}");
                assert_eq!(tally.observed, 2 - listed.len() as u64, "{asked}");
            }
            run.tallies().count()
        };
        let draws = ["draw/score", "draw/twofold"];
        assert_eq!(check("draw/move", "draw", draws, &[]), 1);
        assert_eq!(check("draw/score", "draw", draws, &["draw/score"]), 1);
        assert_eq!(check("draw/twofold", "draw", draws, &["draw/twofold"]), 1);
        assert_eq!(check("draw", "draw", draws, &draws), 1);
        assert_eq!(check("mate", "draw", draws, &[]), 0);
        // They are counted with what is an opinion.
        let moves = ["bestmove/move", "bestmove/flaky"];
        assert_eq!(check("bestmove/move", "bestmove/solved", moves, &moves), 1);
        assert_eq!(check("bestmove/unanswered", "bestmove/solved", moves, &["bestmove/flaky"]), 1);
        assert_eq!(check("bestmove/thrown", "bestmove/solved", moves, &[]), 0);
    }
}
