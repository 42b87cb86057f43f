//! The checks that only a program can be asked, by family.

use std::time::{Duration, Instant};

use arbiter::player::ProgramFactory;
use arbiter::{Effort, Outcome, movegen, protocol, time};
use oracle::perft::CountFile;
use suites::{Findings, SkipReason};

use super::super::failures::Failures;
use super::super::suite_name::SuiteName;
use super::super::{Collected, VerifyArgs, selection};
use super::{Session, share};
use crate::progress::Progress;
use crate::syzygy_sources;

/// A family of checks.
struct Family {
    name: &'static str,
    /// Its weight when the time limit is divided.
    weight: u32,
    run: fn(&FamilyRun) -> anyhow::Result<FamilyOutcome>,
}

const FAMILIES: [Family; 3] = [
    Family { name: PROTOCOL, weight: 40, run: |run| Ok(protocol(run, &|check| run.session.selects(check))) },
    Family { name: MOVEGEN, weight: 25, run: movegen },
    Family { name: TIME, weight: 60, run: |run| Ok(time(run)) },
];

const PROTOCOL: &str = "protocol";
const MOVEGEN: &str = "movegen";
/// The family that takes minutes. It runs with --thorough, or when it is named.
const TIME: &str = "time";

/// What a family needs for its run.
struct FamilyRun<'a> {
    session: &'a Session<'a>,
    players: ProgramFactory,
    until: Option<Instant>,
    /// Whether the user's perft files take the place of our perft suites.
    files: bool,
    progress: &'a Progress,
}

impl FamilyRun<'_> {
    /// The time that is left; `None` without a limit.
    fn left(&self) -> Option<Duration> {
        self.until.map(|until| until.saturating_duration_since(Instant::now()))
    }
}

/// The findings of a check, and the transcript of its sessions.
struct CheckRecord {
    findings: Findings,
    transcript: String,
}

/// The outcome of a family.
struct FamilyOutcome {
    records: Vec<CheckRecord>,
    /// How the program failed; `None` if each check of the family reports that itself.
    failures: Option<Failures>,
}

/// The families with checks that were asked for. Our perft suites are left out if the user gives perft files.
fn asked(args: &VerifyArgs, suites: &[SuiteName]) -> impl Iterator<Item = &'static Family> {
    let check = &args.program.check;
    let all = check.is_empty() && args.suite.is_empty() && args.epd.is_empty();
    let files = suites.contains(&SuiteName::Perft);
    let usual = move |family: &Family| all && (family.name != TIME || args.effort() == Effort::Thorough);
    let is_left = move |id: &str| !(files && id == selection::COUNTS);
    let named =
        move |family: &Family| check.iter().any(|id| selection::family(id) == family.name && is_left(id));
    FAMILIES.iter().filter(move |family| usual(family) || named(family))
}

/// The sum of the weights of the families that were asked for.
pub(super) fn weight(args: &VerifyArgs, suites: &[SuiteName]) -> u32 {
    asked(args, suites).map(|family| family.weight).sum()
}

/// Runs the families that were asked for.
pub(in super::super) fn run(
    session: &mut Session,
    suites: &[SuiteName],
    progress: &Progress,
    found: &mut Collected,
) -> anyhow::Result<()> {
    let files = suites.contains(&SuiteName::Perft);
    for family in asked(session.args, suites) {
        progress.say(&format!("{} of {}", family.name, session.program.name));
        let (players, until) = session.subjects_of(family.name, family.weight);
        let started = Instant::now();
        let FamilyOutcome { records, failures } =
            (family.run)(&FamilyRun { session, players, until, files, progress })?;
        session.of_families.extend(failures.map(|failures| (family.name, failures)));
        let mut took = started.elapsed();
        for CheckRecord { findings, transcript } in records {
            let tally = &findings.tally;
            if family.name == PROTOCOL
                && tally.skipped.contains_key(&SkipReason::OutOfTime)
                && tally.differed == 0
            {
                session.late.push(tally.check.clone());
            }
            if !transcript.is_empty() && tally.differed > 0 {
                session.transcripts.write(&tally.check, &transcript)?;
            }
            // The time of a family is one figure: it stands with the first check.
            found.add(findings, std::mem::take(&mut took));
        }
    }
    Ok(())
}

/// Compares the counts of the program with perft files, up to counts of `most` nodes.
pub(in super::super) fn count_files(
    session: &mut Session,
    files: &[CountFile],
    most: Option<u64>,
    progress: &Progress,
    found: &mut Collected,
) {
    progress.say(&format!("perft of {}", session.program.name));
    let (players, until) = session.subjects_of(MOVEGEN, share(SuiteName::Perft));
    let started = Instant::now();
    let mut extent: movegen::Extent = session.args.effort().into();
    extent.most_nodes = most.unwrap_or(u64::MAX);
    extent.counting = until.map(|until| until.saturating_duration_since(started));
    let Outcome { findings, incidents, coverage, .. } =
        movegen::run_files(&players, files, &extent, progress);
    found.add_all(findings, started.elapsed());
    match session.of_families.iter_mut().find(|(family, _)| *family == MOVEGEN) {
        Some((_, failures)) => failures.extend(incidents, coverage),
        None => session.of_families.push((MOVEGEN, Failures { incidents, coverage })),
    }
}

/// Runs the checks of the protocol again that were out of time, in the time that the suites left.
pub(in super::super) fn run_late(
    session: &mut Session,
    progress: &Progress,
    found: &mut Collected,
) -> anyhow::Result<()> {
    let late = std::mem::take(&mut session.late);
    if late.is_empty() || session.until.is_some_and(|until| Instant::now() >= until) {
        return Ok(());
    }
    progress.say(&format!("protocol of {}", session.program.name));
    let (players, until) = (session.players.for_session("protocol", session.until), session.until);
    let run = FamilyRun { session, players, until, files: false, progress };
    for CheckRecord { findings, transcript } in
        protocol(&run, &|check| late.iter().any(|id| id == check)).records
    {
        if !transcript.is_empty() && findings.tally.differed > 0 {
            session.transcripts.write(&findings.tally.check, &transcript)?;
        }
        found.replace(findings);
    }
    Ok(())
}

fn protocol(run: &FamilyRun, wanted: &(dyn Fn(&str) -> bool + Sync)) -> FamilyOutcome {
    let limits = run.players.detect_limits();
    let syzygy = syzygy_sources::folder(&run.session.args.syzygy);
    let config = protocol::Config {
        program: run.players.program(),
        limits: &limits,
        timeouts: run.session.timeouts,
        effort: run.session.args.effort(),
        syzygy: syzygy.as_deref(),
        until: run.until,
        progress: run.progress,
    };
    let records = protocol::run(&config, wanted);
    let both = records.findings.into_iter().zip(records.rows);
    let records =
        both.map(|(findings, record)| CheckRecord { findings, transcript: record.transcript }).collect();
    FamilyOutcome { records, failures: None }
}

fn movegen(run: &FamilyRun) -> anyhow::Result<FamilyOutcome> {
    let mut extent: movegen::Extent = run.session.args.effort().into();
    extent.suites = !run.files;
    let half = run.left().map(|left| left / 2);
    for time in [&mut extent.counting, &mut extent.asking] {
        *time = half.into_iter().chain(*time).min();
    }
    Ok(outcome_of(run, movegen::run(&run.players, &extent, run.progress)?))
}

fn time(run: &FamilyRun) -> FamilyOutcome {
    let conditions = time::Conditions { asking: run.left(), ..time::Conditions::default() };
    outcome_of(run, time::run(&run.players, &conditions, run.progress))
}

/// The findings that were asked for, and how the program failed.
fn outcome_of(run: &FamilyRun, outcome: Outcome<()>) -> FamilyOutcome {
    let Outcome { findings, incidents, coverage, .. } = outcome;
    let asked = findings.into_iter().filter(|findings| run.session.selects(&findings.tally.check));
    let records = asked.map(|findings| CheckRecord { findings, transcript: String::new() }).collect();
    FamilyOutcome { records, failures: Some(Failures { incidents, coverage }) }
}
