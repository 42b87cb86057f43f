//! The checks that only a program can be asked, by family.

use std::time::Instant;

use arbiter::player::ProgramFactory;
use arbiter::{Effort, SuiteOutcome, movegen, protocol, time};
use oracle::perft::CountFile;
use suites::Findings;
use suites::rows::ProtocolRow;

use super::super::failures::Failures;
use super::super::suite_name::SuiteName;
use super::super::{Collected, Job, selection};
use super::EngineRun;
use crate::progress::Progress;
use crate::syzygy_sources;

/// A family of checks.
struct Family {
    name: &'static str,
    run: fn(&FamilyRun) -> anyhow::Result<FamilyOutcome>,
}

const FAMILIES: [Family; 3] = [
    Family { name: PROTOCOL, run: |run| Ok(protocol(run)) },
    Family { name: MOVEGEN, run: movegen },
    Family { name: TIME, run: |run| Ok(time(run)) },
];

const PROTOCOL: &str = "protocol";
const MOVEGEN: &str = "movegen";
/// The family that takes minutes. It runs with --thorough, or when it is named.
const TIME: &str = "time";

/// What a family needs for its run.
struct FamilyRun<'a> {
    session: &'a EngineRun<'a>,
    players: ProgramFactory,
    /// Whether the user's perft files take the place of our perft suites.
    files: bool,
    progress: &'a Progress,
}

/// The findings of a check, the transcript of its sessions, and its cases if they have rows of their own.
struct CheckRecord {
    findings: Findings,
    transcript: String,
    cases: Vec<ProtocolRow>,
}

/// The outcome of a family.
struct FamilyOutcome {
    records: Vec<CheckRecord>,
    /// How the program failed; `None` if each check of the family reports that itself.
    failures: Option<Failures>,
}

/// The families with checks that were asked for. Our perft suites are left out if the user gives perft files.
fn asked(job: &Job, suites: &[SuiteName]) -> impl Iterator<Item = &'static Family> {
    let check = job.checks();
    let all = check.is_empty() && job.suites.is_empty() && job.epd.is_empty();
    let files = suites.contains(&SuiteName::Perft);
    let usual = move |family: &Family| all && (family.name != TIME || job.effort == Effort::Thorough);
    let is_left = move |id: &str| !(files && id == selection::COUNTS);
    let named =
        move |family: &Family| check.iter().any(|id| selection::family(id) == family.name && is_left(id));
    FAMILIES.iter().filter(move |family| usual(family) || named(family))
}

/// Runs the families that were asked for.
pub(in super::super) fn run(
    session: &mut EngineRun,
    suites: &[SuiteName],
    progress: &Progress,
    found: &mut Collected,
) -> anyhow::Result<()> {
    let files = suites.contains(&SuiteName::Perft);
    for family in asked(session.job, suites) {
        progress.say(&format!("{} of {}", family.name, session.program.name));
        let players = session.subjects_of(family.name);
        let started = Instant::now();
        let FamilyOutcome { records, failures } =
            (family.run)(&FamilyRun { session, players, files, progress })?;
        session.of_families.extend(failures.map(|failures| (family.name, failures)));
        let mut took = started.elapsed();
        for CheckRecord { findings, transcript, cases } in records {
            let tally = &findings.tally;
            if !transcript.is_empty() && tally.differed > 0 {
                session.transcripts.write(&tally.check, &transcript)?;
            }
            // The time of a family is one figure: it stands with the first check.
            found.add(findings, std::mem::take(&mut took));
            found.run.protocol.extend(cases);
        }
    }
    Ok(())
}

/// Compares the counts of the program with perft files, up to counts of `most` nodes.
pub(in super::super) fn count_files(
    session: &mut EngineRun,
    files: &[CountFile],
    most: Option<u64>,
    progress: &Progress,
    found: &mut Collected,
) {
    progress.say(&format!("perft of {}", session.program.name));
    let players = session.subjects_of(MOVEGEN);
    let started = Instant::now();
    let mut extent: movegen::Extent = session.job.effort.into();
    extent.most_nodes = most.unwrap_or(u64::MAX);
    extent.until = session.until;
    let SuiteOutcome { findings, incidents, coverage, .. } =
        movegen::run_files(&players, files, &extent, progress);
    found.add_all(findings, started.elapsed());
    match session.of_families.iter_mut().find(|(family, _)| *family == MOVEGEN) {
        Some((_, failures)) => failures.extend(incidents, coverage),
        None => session.of_families.push((MOVEGEN, Failures { incidents, coverage })),
    }
}

fn protocol(run: &FamilyRun) -> FamilyOutcome {
    let limits = run.players.detect_limits();
    let syzygy = syzygy_sources::folder(&run.session.job.syzygy);
    let config = protocol::Config {
        program: run.players.program(),
        limits: &limits,
        timeouts: run.session.timeouts,
        effort: run.session.job.effort,
        syzygy: syzygy.as_deref(),
        until: run.session.until,
        progress: run.progress,
    };
    let records = protocol::run(&config, &|check| run.session.selects(check));
    let both = records.findings.into_iter().zip(records.rows);
    let records = both
        .map(|(findings, log)| CheckRecord { findings, transcript: log.transcript, cases: log.cases })
        .collect();
    FamilyOutcome { records, failures: None }
}

fn movegen(run: &FamilyRun) -> anyhow::Result<FamilyOutcome> {
    let mut extent: movegen::Extent = run.session.job.effort.into();
    extent.suites = !run.files;
    extent.until = run.session.until;
    Ok(outcome_of(run, movegen::run(&run.players, &extent, run.progress)?))
}

fn time(run: &FamilyRun) -> FamilyOutcome {
    let conditions = time::Conditions { until: run.session.until, ..time::Conditions::default() };
    outcome_of(run, time::run(&run.players, &conditions, run.progress))
}

/// The findings that were asked for, and how the program failed.
fn outcome_of(run: &FamilyRun, outcome: SuiteOutcome<()>) -> FamilyOutcome {
    let SuiteOutcome { findings, incidents, coverage, .. } = outcome;
    let asked = findings.into_iter().filter(|findings| run.session.selects(&findings.tally.check));
    let records = asked
        .map(|findings| CheckRecord { findings, transcript: String::new(), cases: Vec::new() })
        .collect();
    FamilyOutcome { records, failures: Some(Failures { incidents, coverage }) }
}
