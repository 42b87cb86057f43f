//! The findings of a run, and how they are written and printed.

use std::path::PathBuf;
use std::time::Duration;

use oracle::checks::Check;
use reports::{DifferenceRow, DumpRow, MalformedRow, RegressionVerdict, Row, Run, Scope};
use suites::{Answer, Cause, Difference, EngineScore, Findings, Tally, ToldScore};
use tempfile::NamedTempFile;

use super::accepted::{Accepted, Checked};
use super::args::Format;
use super::baseline::BaselineScope;
use super::failures::Failures;
use super::job::Job;
use super::{SHOWN, baseline, selection};
use crate::outcome::{Event, Exit};
use crate::{console, files, program, report_folder};

/// The reports of a dump, staged until the run is over.
pub(super) struct Streamed {
    pub(super) differences: NamedTempFile,
    pub(super) malformed: NamedTempFile,
}

/// A difference, and the check and case set that count it.
struct Counted {
    difference: Difference,
    check: String,
    case_set: String,
}

/// The findings of all parts of a run.
#[derive(Default)]
pub(crate) struct Collected {
    pub(super) run: Run,
    /// How a program failed over the cases of suites.
    pub(super) failures: Failures,
    /// The checks that `--check` selects; empty for all.
    pub(super) asked: Vec<String>,
    /// What the author of the engine accepts.
    pub(super) accepted: Accepted,
    /// The differences, which [`Collected::finish`] puts into the run.
    found: Vec<Counted>,
    /// Whether production tables that this run checks are not certified.
    pub(super) refuted: bool,
    /// Whether a Syzygy file has a wrong checksum. It is named and not used; the run is incomplete, whatever
    /// else was compared.
    pub(super) has_wrong_file: bool,
    /// The files with the differences of a dump.
    pub(super) streamed: Option<Streamed>,
}

/// Whether entries of `[accept]` that are of no use are errors.
fn is_strict(job: &Job) -> bool {
    job.engine().is_some_and(|engine| engine.strict)
}

impl Collected {
    /// Nothing yet, of this job.
    pub(super) fn new(job: &Job, accepted: Accepted) -> Self {
        let run = Run { fails_from: job.fails_from, ..Run::default() };
        Self { run, asked: job.checks().to_vec(), accepted, ..Self::default() }
    }

    /// Adds the findings of a check. Checks that were not selected are neither counted nor listed.
    pub(super) fn add(&mut self, mut findings: Findings, took: Duration) {
        let counts = self.selects(&findings.tally.check);
        findings.retain(|check| counts && self.selects(check));
        let Tally { check, case_set, .. } = &findings.tally;
        self.found.extend(findings.differences.into_iter().map(|difference| Counted {
            difference: program::with_command(difference),
            check: check.clone(),
            case_set: case_set.clone(),
        }));
        self.add_tally(findings.tally, took);
    }

    /// Adds the findings of several checks. Their time is one figure, which the first of them gets.
    pub(super) fn add_all(&mut self, findings: impl IntoIterator<Item = Findings>, mut took: Duration) {
        for findings in findings {
            self.add(findings, std::mem::take(&mut took));
        }
    }

    /// The differences that were found so far.
    fn differences(&mut self) -> impl Iterator<Item = &mut Difference> {
        self.found.iter_mut().map(|counted| &mut counted.difference)
    }

    /// A part of this run, in which nothing was found yet.
    pub(super) fn part(&self) -> Self {
        let run = Run { fails_from: self.run.fails_from, ..Run::default() };
        Self { run, asked: self.asked.clone(), ..Self::default() }
    }

    /// Adds what a part found.
    pub(super) fn absorb(&mut self, part: Self) {
        self.run.absorb(part.run);
        self.found.extend(part.found);
    }

    /// Adds the differences of a dump. Their counts come by [`Collected::add_tally`], and `[accept]` does not
    /// cover them.
    pub(super) fn add_differences(&mut self, found: Vec<Difference>) {
        let counted = |difference| Counted { difference, check: String::new(), case_set: String::new() };
        self.found.extend(found.into_iter().map(counted));
    }

    /// Gives findings of an engine that share a cause this cause.
    pub(super) fn join_causes(&mut self, engine: &str) {
        arbiter::join_causes(self.differences(), engine);
    }

    /// Ends the run: moves the collected differences into it.
    pub(super) fn finish(&mut self) {
        self.run
            .differences
            .extend(std::mem::take(&mut self.found).into_iter().map(|counted| counted.difference));
    }

    /// Adds the counts of a check.
    pub(super) fn add_tally(&mut self, tally: Tally, took: Duration) {
        let optional = [Check::Gaviota, Check::Prophet].iter().any(|check| check.name() == tally.check);
        self.run.checks.push(reports::CheckRun { tally, duration: Some(took), optional });
    }

    /// Removes the counts of checks that were not selected. They are kept until the end, since they show how
    /// far the run came.
    pub(super) fn remove_unselected(&mut self) {
        let asked = &self.asked;
        self.run.checks.retain(|check| selection::selects(asked, &check.tally.check));
    }

    fn selects(&self, check: &str) -> bool {
        selection::selects(&self.asked, check)
    }

    /// If an engine prints mates in centipawns, adds to each of its findings that show a mate the value of a
    /// mate in one.
    pub(super) fn tell_mate_scale(&mut self, engine: &str, mate_in_one: i32) {
        for found in self.differences().filter(|found| found.subject == engine) {
            let Answer::Score(ToldScore { score: EngineScore::Mate(_), mate_in_one: scale, .. }) =
                &mut found.stored
            else {
                continue;
            };
            *scale = Some(mate_in_one);
            found.explanation =
                format!("{}; it prints mates in centipawns: cp {mate_in_one} is mate 1", found.explanation);
        }
    }

    /// Makes the check of a finding its cause if the finding has none: such findings are one finding a check.
    pub(super) fn name_causes(&mut self, engine: &str) {
        let unnamed = |found: &&mut Difference| found.subject == engine && found.cause.is_none();
        self.differences()
            .filter(unnamed)
            .for_each(|found| found.cause = Some(Cause::Check(found.check.clone())));
    }

    /// Takes out the findings that the author of this engine accepts, once their causes are known. They are
    /// counted as skipped.
    pub(super) fn accept(&mut self, engine: &str) {
        for counted in std::mem::take(&mut self.found) {
            let Counted { difference: found, check, case_set } = &counted;
            if found.subject != engine || self.accepted.accept(found).is_none() {
                self.found.push(counted);
                continue;
            }
            let mut tallies = self.run.checks.iter_mut().map(|check| &mut check.tally);
            let counts = |tally: &&mut Tally| {
                tally.subject == engine
                    && tally.check == *check
                    && tally.case_set == *case_set
                    && tally.differed > 0
            };
            if let Some(tally) = tallies.find(counts) {
                tally.accept(&found.check);
            }
        }
    }

    /// What the run compared. It shows whether an entry of `[accept]` matches no finding any more.
    fn checked(&self, job: &Job) -> Checked {
        Checked::new(self.run.tallies(), &self.asked, job.suites.is_empty())
    }

    /// Compares the run with the baseline in a folder, writes the reports and returns the exit code.
    pub(super) fn write(
        &mut self,
        job: &Job,
        extent: BaselineScope,
        baseline: Option<PathBuf>,
    ) -> anyhow::Result<Exit> {
        if let Some(folder) = baseline {
            let tallies = self.run.tallies();
            let scope = match extent {
                BaselineScope::Whole => Scope::whole(tallies),
                BaselineScope::Part => Scope::part(tallies),
                BaselineScope::SomeChecks => Scope::exactly(tallies),
            };
            self.run.regression = Some(baseline::compare(&folder, &self.run, &scope)?);
        }
        let events = self.events(job);
        self.run.folder = uci::quoted(&job.out.display().to_string());
        let mut written = self.run.files();
        let mut streamed = Vec::new();
        if let Some(Streamed { differences, malformed }) = self.streamed.take() {
            streamed = vec![(DifferenceRow::FILE, differences), (MalformedRow::FILE, malformed)];
            written.retain(|name, _| streamed.iter().all(|(streamed, _)| name != streamed));
        }
        if let Some(page) = job.page() {
            files::remove(&page)?;
        }
        report_folder::put(&job.out, &written, streamed)?;
        if job.updates_baseline {
            baseline::update(job, &self.run.baseline_files())?;
        }
        if let Some(page) = job.page() {
            report_folder::write(&job.out, &page)?;
        }
        Ok(Exit::from_events(events))
    }

    /// Prints the result.
    pub(super) fn print(&self, job: &Job) -> anyhow::Result<()> {
        let checked = self.checked(job);
        self.accepted.messages(&checked).iter().for_each(|line| console::message(line));
        if is_strict(job) {
            for error in self.accepted.faults(&checked) {
                console::message(&format!("error: {error}"));
            }
        }
        match job.format {
            Format::Human => {
                console::colored(&reports::text::render_in(&self.run, SHOWN, console::view()))?;
            }
            Format::Github => console::data(reports::github::annotations(&self.run, SHOWN).as_bytes())?,
            Format::Markdown => console::data(reports::markdown::document(&self.run).as_bytes())?,
            Format::Summary => console::data(reports::text::pasted(&self.run).as_bytes())?,
            Format::Json => console::data(&reports::json::document(&self.run))?,
            Format::Row => console::data(&reports::engine_row::document([&self.run]))?,
        }
        match job.page() {
            Some(page) => console::message(&format!("page: {}", page.display())),
            None => console::message(&format!("reports in {}", job.out.display())),
        }
        Ok(())
    }

    /// All events of the run, for the exit code.
    fn events(&self, job: &Job) -> Vec<Event> {
        let of_tally = |tally| Event::of_tally_from(tally, self.run.fails_from);
        let mut events: Vec<Event> = self.run.tallies().flat_map(of_tally).collect();
        events.extend(self.has_wrong_file.then_some(Event::CouldNotRun));
        // `merge` reports the events that depend on all shards.
        if job.shard.is_some() {
            return events;
        }
        if self.run.checks.is_empty() {
            events.push(Event::CouldNotRun);
        }
        events.extend(Event::of_nothing_compared(self.run.tallies()));
        if is_strict(job) && !self.accepted.faults(&self.checked(job)).is_empty() {
            events.push(Event::StaleEntry);
        }
        for required in &job.require {
            let ran = |tally: &Tally| tally.check == required.check().name() && tally.compared() > 0;
            let of_dump =
                |row: &DumpRow| row.source == required.source().name() && row.agreed + row.differed > 0;
            if !self.run.tallies().any(ran) && !self.run.dump.iter().any(of_dump) {
                let why = if required.is_built() {
                    "does not apply to a run of this kind"
                } else if program::is_run_by_cargo() {
                    "is not in this build: use cargo xtask-full verify"
                } else {
                    "is not in this build: build Touchstone with --features gaviota,prophet"
                };
                console::message(&format!("{} is required and {why}", required.check()));
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
    use suites::{Evidence, Verdict};

    use super::*;

    /// Two differences with the ids `found`, in the tally of check `counting`.
    fn collected(asked: &str, counting: &str, found: [&str; 2]) -> Collected {
        let mut findings = Findings::new(Tally::new("mine", counting, Evidence::Agreement, "cases"));
        for (check, case) in found.into_iter().zip(["cases/1", "cases/2"]) {
            let [subject, check, case] = ["mine", check, case].map(str::to_owned);
            let found = Difference { subject, check, case, ..Difference::default() };
            findings.record(Verdict::Differ(Box::new(found)));
        }
        let mut collected = Collected { asked: vec![asked.to_owned()], ..Collected::default() };
        collected.add(findings, Duration::ZERO);
        collected.remove_unselected();
        collected.finish();
        collected
    }

    #[test]
    fn unselected_checks_are_neither_counted_nor_listed() {
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
        // `bestmove/solved` counts the cases of these checks.
        let moves = ["bestmove/move", "bestmove/flaky"];
        assert_eq!(check("bestmove/move", "bestmove/solved", moves, &moves), 1);
        assert_eq!(check("bestmove/unanswered", "bestmove/solved", moves, &["bestmove/flaky"]), 1);
        assert_eq!(check("bestmove/thrown", "bestmove/solved", moves, &[]), 0);
    }
}
