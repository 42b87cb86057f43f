//! The failures of a program as findings: one for each kind of failure and case, with the transcript in a
//! file.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::time::Duration;

use arbiter::{AT_START, Coverage, Incident};
use suites::catalogue;
use suites::{Cause, Difference, Evidence, Findings, Replay, SkipReason, Tally, Verdict};
use uci::{LateAnswer, ReplayStep};

use super::super::failures::Failures;
use super::super::selection::{START, family};
use super::EngineRun;

/// The family of these checks. Each kind of failure is a check, also if it did not occur.
const FAMILY: &str = "process";
/// The id of failures that did not come again.
const FLAKY: &str = "process/flaky";
/// The kind of failure that a busy machine may cause.
const HANG: &str = "process/hang";
/// The kind of failure of an engine that neither a limit nor `stop` ends.
const LATE: &str = "process/late";
/// The case set of failures over cases of suites. Failures over checks have the name of their family.
const SUITES: &str = "suites";
/// Why a program is not asked cases. The first reason that applies is reported.
const REASONS: [SkipReason; 2] = [SkipReason::OutOfTime, SkipReason::GivenUp];
/// The most transcripts that are written; each is of bounded length.
const MOST_TRANSCRIPTS: usize = 100;

/// The failures of this run, in an order that does not depend on threads. Nothing is reported of cases that
/// were not asked.
pub(in super::super) fn tell(session: &EngineRun, of_suites: &Failures) -> anyhow::Result<Vec<Findings>> {
    let (mut told, mut written) = (Vec::new(), 0);
    let late = session.players.limits().and_then(|limits| limits.late);
    if session.suites == 0 && session.job.checks().iter().any(|id| id == START) {
        told.push(started(&session.program.name));
    }
    let of_suites = || {
        let mut of_suites = of_suites.clone();
        of_suites.incidents.splice(0..0, arbiter::at_limits(&session.players));
        (SUITES, of_suites)
    };
    let suites = (session.suites > 0).then(of_suites);
    let families = session.of_families.iter().cloned();
    for (cases, Failures { mut incidents, coverage }) in suites.into_iter().chain(families) {
        incidents.retain(|incident| late.is_none() || !incident.failure.is_no_move());
        told.extend(findings_of(session, cases, incidents, &coverage, &mut written)?);
    }
    if let Some(late) = late
        && let Some(findings) = told.iter_mut().find(|findings| findings.tally.check == LATE)
    {
        findings.tally.agreed = 0;
        let case = format!("{}/{}", findings.tally.case_set, late.question.limit);
        findings.record(Verdict::Differ(Box::new(Difference { case, ..late_answer(session, &late) })));
    }
    Ok(told)
}

/// The finding of an engine that keeps no limit, and does not know `stop`.
fn late_answer(session: &EngineRun, late: &LateAnswer) -> Difference {
    let [position, go] = late.question.commands();
    let seconds = late.took.as_secs().max(1);
    let step = |lines: Vec<String>, wait| ReplayStep { lines, wait };
    let steps = vec![
        step(vec![position, go], late.stopped_after),
        step(vec!["stop".to_owned()], Duration::from_secs(2 * seconds)),
    ];
    let scores = if late.has_score { "" } else { ", and without a score" };
    Difference {
        subject: session.program.name.clone(),
        check: LATE.to_owned(),
        case: late.question.limit.to_string(),
        fen: late.question.fen.clone(),
        played: None,
        limit: None,
        stored: format!(
            "bestmove after {seconds} s{scores}, stop was sent after {} s",
            late.stopped_after.as_secs()
        )
        .into(),
        given: None,
        best: Vec::new(),
        expected: "bestmove at the limit of go, or soon after stop".into(),
        source: "UCI".to_owned(),
        explanation:
            "it ignores depth, nodes, movetime, the clock and stop: other answers that do not come in time \
                      are no findings of their own"
                .to_owned(),
        cause: None,
        replay: Replay::shell(
            session.program.replay_steps(&session.players.options().unwrap_or_default(), steps),
        ),
    }
}

/// The engine started and got ready. Otherwise the run would have ended there.
fn started(name: &str) -> Findings {
    let mut findings = Findings::new(Tally::new(name, START, Evidence::Specification, "start"));
    findings.record(Verdict::Agree);
    findings
}

/// The failures over one case set.
fn findings_of(
    session: &EngineRun,
    cases: &str,
    incidents: Vec<Incident>,
    coverage: &Coverage,
    written: &mut usize,
) -> anyhow::Result<Vec<Findings>> {
    let name = &session.program.name;
    let tally = |kind| Findings::new(Tally::new(name, kind, Evidence::Specification, cases));
    let kinds = catalogue::pages().map(|page| page.id).filter(|id| family(id) == FAMILY && *id != FLAKY);
    let mut findings: Vec<Findings> = kinds.map(tally).collect();
    for FailureGroup { broken, others } in grouped(incidents) {
        let kind = broken.failure.id();
        if broken.is_cut_off && !broken.reproduced {
            if let Some(findings) = findings.iter_mut().find(|findings| findings.tally.check == kind) {
                findings.record(Verdict::Skip(SkipReason::OutOfTime));
            }
            continue;
        }
        let mut why = Vec::new();
        if others > 0 {
            why.push(format!(
                "asked the same again it answered, but it broke so over {others} other questions too"
            ));
        } else if !broken.reproduced {
            why.push("it came once in 2 tries: asked the same again, it answered".to_owned());
        }
        if let Some(line) = broken.failure.last_error() {
            why.push(format!("its last line on standard error is \"{line}\""));
        }
        if *written < MOST_TRANSCRIPTS {
            *written += 1;
            let file = session.transcripts.write(&format!("{kind}-{written:03}"), &broken.transcript)?;
            why.push(format!("what went over the pipes is in {file}"));
        }
        let difference = difference(name, cases, broken, why.join("; "));
        if let Some(findings) = findings.iter_mut().find(|findings| findings.tally.check == kind) {
            findings.record(Verdict::Differ(Box::new(difference)));
        }
    }
    for findings in &mut findings {
        let not_asked = REASONS.into_iter().find(|reason| coverage.not_asked.contains(reason));
        if let Some(reason) = not_asked {
            findings.record(Verdict::Skip(reason));
        }
        if findings.differences.is_empty() && (not_asked.is_none() || coverage.answered > 0) {
            findings.record(Verdict::Agree);
        }
    }
    Ok(findings)
}

/// The finding of a failure over cases of this kind.
fn difference(engine: &str, cases: &str, broken: Incident, explanation: String) -> Difference {
    Difference {
        subject: engine.to_owned(),
        check: if broken.reproduced { broken.failure.id() } else { FLAKY }.to_owned(),
        case: format!("{cases}/{}", broken.case),
        fen: broken.fen,
        played: broken.played,
        limit: broken.limit,
        stored: arbiter::answer::of_failure(&broken.failure),
        given: None,
        best: Vec::new(),
        expected: "an answer".into(),
        source: "UCI".to_owned(),
        explanation,
        cause: broken.failure.cause().map(|panic| Cause::Message(panic.to_owned())),
        replay: broken.replay,
    }
}

/// A failure over a case, and the number of other cases with the same kind of failure that it stands for.
struct FailureGroup {
    broken: Incident,
    others: usize,
}

/// Groups failures by kind and case. A failure came again if it occurred over one case more than once, or
/// over several cases once each; then the first case stands for all of them. A hang over several cases did
/// not come again, since a busy machine may cause it, unless a panic is its cause.
fn grouped(broken: Vec<Incident>) -> Vec<FailureGroup> {
    let mut by_case = BTreeMap::<String, Incident>::new();
    for broken in broken {
        match by_case.entry(broken.case.clone()) {
            Entry::Vacant(first) => {
                first.insert(broken);
            }
            // Several starts are not one case. For a hang, a second failure at a start proves nothing.
            Entry::Occupied(mut first) if broken.case == AT_START && broken.failure.id() == HANG => {
                if broken.reproduced {
                    first.insert(broken);
                }
            }
            Entry::Occupied(mut first) => first.get_mut().reproduce(&broken.transcript),
        }
    }
    let mut by_kind = BTreeMap::<&str, Vec<Incident>>::new();
    for broken in by_case.into_values() {
        by_kind.entry(broken.failure.id()).or_default().push(broken);
    }
    let told = by_kind.into_iter().flat_map(|(kind, broken)| {
        let (again, mut once): (Vec<_>, Vec<_>) = broken.into_iter().partition(|broken| broken.reproduced);
        let mut others = 0;
        let may_be_busy = kind == HANG && once.iter().any(|broken| broken.failure.cause().is_none());
        if !may_be_busy && once.len() > 1 {
            others = once.len() - 1;
            let second = once.swap_remove(1).transcript;
            once.truncate(1);
            once[0].reproduce(&second);
        }
        let once = once.into_iter().map(move |broken| FailureGroup { broken, others });
        again.into_iter().map(|broken| FailureGroup { broken, others: 0 }).chain(once).collect::<Vec<_>>()
    });
    told.collect()
}

#[cfg(test)]
mod tests {
    use uci::{Exit, Failure};

    use super::*;

    /// A failure that came once is a note. One that came again, over the same case or others, is one finding
    /// with both transcripts.
    #[test]
    fn what_comes_again_is_told_and_what_came_once_is_a_note() {
        let crash = || Failure::Ended {
            exit: Exit::Status(3),
            after: "go depth 1".to_owned(),
            panic: None,
            last_error: None,
        };
        let hang = || Failure::Mute { after: "go depth 1".to_owned() };
        let silent = || Failure::Silent {
            awaited: "bestmove".to_owned(),
            waited: std::time::Duration::from_secs(1),
            after: "go depth 1".to_owned(),
            panic: None,
        };
        let check = |broken: &[(&str, Failure)], expected: &[(&str, bool, usize, &str)]| {
            let broken = (1..).zip(broken).map(|(number, (case, failure))| Incident {
                failure: failure.clone(),
                case: (*case).to_owned(),
                fen: String::new(),
                played: None,
                limit: None,
                replay: Replay::default(),
                transcript: format!("{number}"),
                reproduced: false,
                is_cut_off: false,
            });
            let told = grouped(broken.collect());
            let told: Vec<_> = told
                .iter()
                .map(|FailureGroup { broken, others }| {
                    let transcript = broken.transcript.replace("\n# the same, asked again\n", "+");
                    (broken.case.clone(), broken.reproduced, *others, transcript)
                })
                .collect();
            let expected: Vec<_> = expected
                .iter()
                .map(|(case, again, others, text)| ((*case).to_owned(), *again, *others, (*text).to_owned()))
                .collect();
            assert_eq!(told, expected);
        };
        check(&[("b", crash())], &[("b", false, 0, "1")]);
        check(&[("b", crash()), ("b", crash()), ("b", crash())], &[("b", true, 0, "1+2")]);
        check(&[("b", crash()), ("b", hang())], &[("b", true, 0, "1+2")]);
        check(&[("b", crash()), ("a", crash()), ("c", crash())], &[("a", true, 2, "2+1")]);
        check(&[("b", crash()), ("a", hang())], &[("b", false, 0, "1"), ("a", false, 0, "2")]);
        check(&[("b", silent()), ("a", silent())], &[("a", false, 0, "2"), ("b", false, 0, "1")]);
        check(&[("start", silent()), ("start", silent())], &[("start", false, 0, "1")]);
        let lost = || Failure::Silent {
            awaited: "bestmove".to_owned(),
            waited: std::time::Duration::from_secs(1),
            after: "stop".to_owned(),
            panic: Some("thread 'search' panicked at src/root.rs:7:1: no move".to_owned()),
        };
        check(&[("b", lost()), ("a", lost())], &[("a", true, 1, "2+1")]);
        check(&[("start", crash()), ("start", crash())], &[("start", true, 0, "1+2")]);
        check(
            &[("b", crash()), ("a", crash()), ("b", crash())],
            &[("b", true, 0, "1+3"), ("a", false, 0, "2")],
        );
    }
}
