//! The checks that only a process can be put to: a line for each family.

use std::time::Instant;

use oracle::trials::{movegen, protocol};
use oracle::uci::UciSubjects;
use suites::Findings;

use super::super::{Collected, VerifyArgs};
use super::{Session, selection};
use crate::progress::Progress;

/// A family of such checks.
struct Family {
    name: &'static str,
    /// What it weighs when time is divided.
    weight: u32,
    run: fn(&Put) -> anyhow::Result<Vec<Heard>>,
}

const FAMILIES: [Family; 2] = [
    Family { name: "protocol", weight: 40, run: |put| Ok(protocol(put)) },
    Family { name: "movegen", weight: 25, run: movegen },
];

/// What such checks are told.
struct Put<'a> {
    session: &'a Session<'a>,
    subjects: UciSubjects,
    until: Option<Instant>,
    progress: &'a Progress,
}

/// What a check found, and what went over the pipes.
struct Heard {
    findings: Findings,
    transcript: String,
}

/// The families of which some checks are asked for.
fn asked(args: &VerifyArgs) -> impl Iterator<Item = &'static Family> {
    let check = &args.program.check;
    let all = check.is_empty() && args.suite.is_empty();
    FAMILIES.iter().filter(move |family| all || check.iter().any(|id| selection::family(id) == family.name))
}

/// What those that are asked for weigh together.
pub(super) fn weight(args: &VerifyArgs) -> u32 {
    asked(args).map(|family| family.weight).sum()
}

/// Puts them to the program.
pub(in super::super) fn run(
    session: &mut Session,
    progress: &Progress,
    found: &mut Collected,
) -> anyhow::Result<()> {
    for family in asked(session.args) {
        progress.say(&format!("{} of {}", family.name, session.program.name));
        let (subjects, until) = session.subjects_of(family.name, family.weight);
        let started = Instant::now();
        let heard = (family.run)(&Put { session, subjects, until, progress })?;
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

fn protocol(put: &Put) -> Vec<Heard> {
    let stand = protocol::Stand {
        program: put.subjects.program(),
        patience: put.session.patience,
        effort: put.session.args.effort(),
        until: put.until,
        watch: put.progress,
    };
    let heard = protocol::run(&stand, &|check| put.session.selects(check));
    let both = heard.findings.into_iter().zip(heard.rows);
    both.map(|(findings, record)| Heard { findings, transcript: record.transcript }).collect()
}

fn movegen(put: &Put) -> anyhow::Result<Vec<Heard>> {
    let findings = movegen::run(&put.subjects, put.session.args.effort(), put.progress)?;
    Ok(findings.into_iter().map(|findings| Heard { findings, transcript: String::new() }).collect())
}
