//! The checks that only a process can be put to: a line for each family.

use std::time::{Duration, Instant};

use arbiter::player::ProgramFactory;
use arbiter::{Effort, Outcome, movegen, protocol, time};
use oracle::perft::CountFile;
use suites::Findings;

use super::super::failures::Failures;
use super::super::suite_name::SuiteName;
use super::super::{Collected, VerifyArgs, selection};
use super::{Session, share};
use crate::progress::Progress;

/// A family of such checks.
struct Family {
    name: &'static str,
    /// What it weighs when time is divided.
    weight: u32,
    run: fn(&Put) -> anyhow::Result<Came>,
}

const FAMILIES: [Family; 3] = [
    Family { name: "protocol", weight: 40, run: |put| Ok(protocol(put)) },
    Family { name: MOVEGEN, weight: 25, run: movegen },
    Family { name: TIME, weight: 60, run: |put| Ok(time(put)) },
];

const MOVEGEN: &str = "movegen";
/// The family that takes minutes: it is asked for by name, or thoroughly.
const TIME: &str = "time";

/// What such checks are told.
struct Put<'a> {
    session: &'a Session<'a>,
    subjects: ProgramFactory,
    until: Option<Instant>,
    /// Whether files are counted for in place of our suites.
    files: bool,
    progress: &'a Progress,
}

impl Put<'_> {
    /// The time that is left; `None` if there is no end to it.
    fn left(&self) -> Option<Duration> {
        self.until.map(|until| until.saturating_duration_since(Instant::now()))
    }
}

/// What a check found, and what went over the pipes.
struct Heard {
    findings: Findings,
    transcript: String,
}

/// What came of a family.
struct Came {
    heard: Vec<Heard>,
    /// How the program broke; `None` where each check of the family tells that itself.
    broken: Option<Failures>,
}

/// The families of which some checks are asked for.
/// Where files are counted for, our suites are not.
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

/// What those that are asked for weigh together.
pub(super) fn weight(args: &VerifyArgs, suites: &[SuiteName]) -> u32 {
    asked(args, suites).map(|family| family.weight).sum()
}

/// Puts them to the program.
pub(in super::super) fn run(
    session: &mut Session,
    suites: &[SuiteName],
    progress: &Progress,
    found: &mut Collected,
) -> anyhow::Result<()> {
    let files = suites.contains(&SuiteName::Perft);
    for family in asked(session.args, suites) {
        progress.say(&format!("{} of {}", family.name, session.program.name));
        let (subjects, until) = session.subjects_of(family.name, family.weight);
        let started = Instant::now();
        let Came { heard, broken } = (family.run)(&Put { session, subjects, until, files, progress })?;
        session.of_families.extend(broken.map(|broken| (family.name, broken)));
        let mut took = started.elapsed();
        for Heard { findings, transcript } in heard {
            let tally = &findings.tally;
            if !transcript.is_empty() && tally.differed > 0 {
                session.transcripts.write(&tally.check, &transcript)?;
            }
            // The time of a family is one figure: it stands beside the first check.
            found.add(findings, std::mem::take(&mut took));
        }
    }
    Ok(())
}

/// Puts perft files whose figures were counted to the program, up to figures of so many nodes.
pub(in super::super) fn count_files(
    session: &mut Session,
    files: &[CountFile],
    most: Option<u64>,
    progress: &Progress,
    found: &mut Collected,
) {
    progress.say(&format!("perft of {}", session.program.name));
    let (subjects, until) = session.subjects_of(MOVEGEN, share(SuiteName::Perft));
    let started = Instant::now();
    let mut extent: movegen::Extent = session.args.effort().into();
    extent.most_nodes = most.unwrap_or(u64::MAX);
    extent.counting = until.map(|until| until.saturating_duration_since(started));
    let Outcome { findings, incidents, coverage, .. } =
        movegen::run_files(&subjects, files, &extent, progress);
    let mut took = started.elapsed();
    for findings in findings {
        found.add(findings, std::mem::take(&mut took));
    }
    match session.of_families.iter_mut().find(|(family, _)| *family == MOVEGEN) {
        Some((_, failures)) => failures.extend(incidents, coverage),
        None => session.of_families.push((MOVEGEN, Failures { incidents, coverage })),
    }
}

fn protocol(put: &Put) -> Came {
    let stand = protocol::Config {
        program: put.subjects.program(),
        timeouts: put.session.timeouts,
        effort: put.session.args.effort(),
        until: put.until,
        progress: put.progress,
    };
    let heard = protocol::run(&stand, &|check| put.session.selects(check));
    let both = heard.findings.into_iter().zip(heard.rows);
    let heard = both.map(|(findings, record)| Heard { findings, transcript: record.transcript }).collect();
    Came { heard, broken: None }
}

fn movegen(put: &Put) -> anyhow::Result<Came> {
    let mut extent: movegen::Extent = put.session.args.effort().into();
    extent.suites = !put.files;
    let half = put.left().map(|left| left / 2);
    for time in [&mut extent.counting, &mut extent.asking] {
        *time = half.into_iter().chain(*time).min();
    }
    Ok(came(put, movegen::run(&put.subjects, &extent, put.progress)?))
}

fn time(put: &Put) -> Came {
    let conditions = time::Conditions { asking: put.left(), ..time::Conditions::default() };
    came(put, time::run(&put.subjects, &conditions, put.progress))
}

/// Those of the findings that were asked for, and how the program broke, with its transcripts.
fn came(put: &Put, outcome: Outcome<()>) -> Came {
    let Outcome { findings, incidents, coverage, .. } = outcome;
    let asked = findings.into_iter().filter(|findings| put.session.selects(&findings.tally.check));
    let heard = asked.map(|findings| Heard { findings, transcript: String::new() }).collect();
    Came { heard, broken: Some(Failures { incidents, coverage }) }
}
