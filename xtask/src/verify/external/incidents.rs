//! How a program broke, as findings: one for each way and case, with what went over the pipes before in a file.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use arbiter::Break;
use arbiter::player::{Incident, ProgramFactory};
use arbiter::player::{PlayerFactory, Setup};
use reports::Run;
use suites::catalogue;
use suites::{Difference, Evidence, Findings, SkipReason, Tally, Verdict};
use uci::{Limit, Question};

use super::super::selection::{START, family};
use super::Session;

/// The family of the ways to break, each of which is told, whether or not it broke so.
const FAMILY: &str = "process";
/// The id of what did not come again.
const FLAKY: &str = "process/flaky";
/// The way to break that a busy machine may be the cause of.
const HANG: &str = "process/hang";
/// What the cases of suites are called here; those of checks have the name of their family.
const SUITES: &str = "suites";
/// The case of what breaks at its start or at a new game.
const AT_START: &str = "start";
/// The most transcripts that are written; each is of bounded length.
const MOST_TRANSCRIPTS: usize = 100;

/// How it broke in this run, in an order that does not depend on that of the threads. What was not put to it, it had nothing to
/// break over: nothing is told of that.
pub(in super::super) fn tell(session: &Session, run: &Run) -> anyhow::Result<Vec<Findings>> {
    let of_suites = session.asked.iter().flat_map(|subjects| {
        subjects.incidents().into_iter().map(|incident| over_question(subjects, incident))
    });
    let suites = (session.suites > 0).then(|| (SUITES, of_suites.collect()));
    let families = session.broken.iter().cloned();
    let (mut told, mut written) = (Vec::new(), 0);
    if session.suites == 0 && session.args.program.check.iter().any(|id| id == START) {
        told.push(started(&session.program.name));
    }
    for (cases, broken) in suites.into_iter().chain(families) {
        let not_asked = not_asked(run, &session.program.name, cases);
        told.extend(tell_of(session, cases, broken, not_asked, &mut written)?);
    }
    Ok(told)
}

/// It was started, and got ready: had it not, the run would have ended there.
fn started(name: &str) -> Findings {
    let mut findings = Findings::new(Tally::new(name, START, Evidence::Specification, "start"));
    findings.record(Verdict::Agree);
    findings
}

/// How it broke over cases of one kind.
fn tell_of(
    session: &Session,
    cases: &str,
    broken: Vec<Break>,
    not_asked: Option<(SkipReason, bool)>,
    written: &mut usize,
) -> anyhow::Result<Vec<Findings>> {
    let name = &session.program.name;
    let tally = |way| Findings::new(Tally::new(name, way, Evidence::Specification, cases));
    let ways = catalogue::pages().map(|page| page.id).filter(|id| family(id) == FAMILY && *id != FLAKY);
    let mut findings: Vec<Findings> = ways.map(tally).collect();
    for Told { broken, others } in told(broken) {
        let way = broken.failure.id();
        let mut why = Vec::new();
        if others > 0 {
            why.push(format!(
                "asked the same again it answered, but it broke so over {others} other questions too"
            ));
        } else if !broken.came_again {
            why.push("it came once: asked the same again, it answered".to_owned());
        }
        if *written < MOST_TRANSCRIPTS {
            *written += 1;
            let file = session.transcripts.write(&format!("{way}-{written:03}"), &broken.transcript)?;
            why.push(format!("what went over the pipes is in {file}"));
        }
        let difference = Difference {
            subject: name.clone(),
            check: if broken.came_again { way } else { FLAKY }.to_owned(),
            case: format!("{cases}/{}", broken.case),
            fen: broken.fen,
            stored: broken.failure.to_string(),
            expected: "an answer".to_owned(),
            source: "UCI".to_owned(),
            explanation: why.join("; "),
            replay: broken.replay,
        };
        if let Some(findings) = findings.iter_mut().find(|findings| findings.tally.check == way) {
            findings.record(Verdict::Differ(Box::new(difference)));
        }
    }
    for findings in &mut findings {
        if let Some((reason, _)) = not_asked {
            findings.record(Verdict::Skip(reason));
        }
        if findings.differences.is_empty() && not_asked.is_none_or(|(_, in_part)| in_part) {
            findings.record(Verdict::Agree);
        }
    }
    Ok(findings)
}

/// How it broke over a case, and over how many others in the same way that are not told apart from it.
struct Told {
    broken: Break,
    others: usize,
}

/// One for each case, by way and case. Where it broke over a case more than once, that came again. So it did where it broke over
/// several cases in the same way and over each of them once: the first of them tells of all. A hang does not, for that a machine
/// may make that is busy.
fn told(broken: Vec<Break>) -> Vec<Told> {
    let mut by_case = BTreeMap::<String, Break>::new();
    for broken in broken {
        match by_case.entry(broken.case.clone()) {
            Entry::Vacant(first) => {
                first.insert(broken);
            }
            // Breaks at several starts are not over the same; of a hang that says nothing.
            Entry::Occupied(mut first) if broken.case == AT_START && broken.failure.id() == HANG => {
                if broken.came_again {
                    first.insert(broken);
                }
            }
            Entry::Occupied(mut first) => first.get_mut().again(&broken.transcript),
        }
    }
    let mut by_way = BTreeMap::<&str, Vec<Break>>::new();
    for broken in by_case.into_values() {
        by_way.entry(broken.failure.id()).or_default().push(broken);
    }
    let told = by_way.into_iter().flat_map(|(way, broken)| {
        let (again, mut once): (Vec<_>, Vec<_>) = broken.into_iter().partition(|broken| broken.came_again);
        let mut others = 0;
        if way != HANG && once.len() > 1 {
            others = once.len() - 1;
            let second = once.swap_remove(1).transcript;
            once.truncate(1);
            once[0].again(&second);
        }
        let once = once.into_iter().map(move |broken| Told { broken, others });
        again.into_iter().map(|broken| Told { broken, others: 0 }).chain(once).collect::<Vec<_>>()
    });
    told.collect()
}

/// Why it was not asked all cases of this kind, and whether it was asked some: over the others it may break too.
fn not_asked(run: &Run, name: &str, cases: &str) -> Option<(SkipReason, bool)> {
    let is_of = |check: &str| match family(check) {
        FAMILY | "protocol" => false,
        of @ ("movegen" | "time") => of == cases,
        _ => cases == SUITES,
    };
    let tallies: Vec<&Tally> =
        run.tallies().filter(|tally| tally.subject == name && is_of(&tally.check)).collect();
    let in_part = tallies.iter().any(|tally| tally.answered() > 0);
    let reasons = [SkipReason::OutOfTime, SkipReason::GivenUp];
    let reason =
        reasons.into_iter().find(|reason| tallies.iter().any(|tally| tally.skipped.contains_key(reason)));
    reason.map(|reason| (reason, in_part))
}

/// How it broke over a question of a suite, or at its start.
fn over_question(subjects: &ProgramFactory, incident: Incident) -> Break {
    let Incident { failure, question, transcript, came_again } = incident;
    let start = || Question::of("8/8/8/8/8/8/8/K1k5 w - - 0 1", Limit::Depth(1));
    Break {
        failure,
        case: question.as_ref().map_or_else(|| AT_START.to_owned(), case),
        fen: question.as_ref().map(|question| question.fen.clone()).unwrap_or_default(),
        replay: subjects.replay(Setup::ALL, &question.unwrap_or_else(start)),
        transcript,
        came_again,
    }
}

/// The question, with only the number of the moves before it.
fn case(question: &Question) -> String {
    let Question { fen, moves, limit } = question;
    let moves = match moves.len() {
        0 => String::new(),
        count => format!(" {count} moves {}", moves.last().map(String::as_str).unwrap_or_default()),
    };
    format!("{fen}{moves} {limit}")
}

#[cfg(test)]
mod tests {
    use uci::{Exit, Failure};

    use super::*;

    /// What came once is a note; what came again, to the same question or to others, is told once with both transcripts.
    #[test]
    fn what_comes_again_is_told_and_what_came_once_is_a_note() {
        let crash = || Failure::Ended { exit: Exit::Status(3), after: "go depth 1".to_owned() };
        let hang = || Failure::Mute { after: "go depth 1".to_owned() };
        let silent = || Failure::Silent {
            awaited: "bestmove".to_owned(),
            waited: std::time::Duration::from_secs(1),
            after: "go depth 1".to_owned(),
        };
        let check = |broken: &[(&str, Failure)], expected: &[(&str, bool, usize, &str)]| {
            let broken = (1..).zip(broken).map(|(number, (case, failure))| Break {
                failure: failure.clone(),
                case: (*case).to_owned(),
                fen: String::new(),
                replay: String::new(),
                transcript: format!("{number}"),
                came_again: false,
            });
            let told = told(broken.collect());
            let told: Vec<_> = told
                .iter()
                .map(|Told { broken, others }| {
                    let transcript = broken.transcript.replace("\n# the same, asked again\n", "+");
                    (broken.case.clone(), broken.came_again, *others, transcript)
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
        check(&[("start", crash()), ("start", crash())], &[("start", true, 0, "1+2")]);
        check(
            &[("b", crash()), ("a", crash()), ("b", crash())],
            &[("b", true, 0, "1+3"), ("a", false, 0, "2")],
        );
    }

    /// Where it was not asked all, it may break over the rest; where it was asked nothing, nothing is known.
    #[test]
    fn nobody_is_right_about_what_he_was_not_asked() {
        let tally = |subject: &str, check: &str, agreed, skipped: Option<SkipReason>| {
            let mut tally = Tally::new(subject, check, Evidence::Agreement, "cases");
            tally.agreed = agreed;
            if let Some(reason) = skipped {
                tally.skip(reason, 1);
            }
            reports::Check { tally, duration: None, optional: false }
        };
        let (over, broken) = (SkipReason::OutOfTime, SkipReason::GivenUp);
        let check = |checks, expected: [Option<(SkipReason, bool)>; 2]| {
            let run = Run { checks, ..Run::default() };
            assert_eq!([SUITES, "movegen"].map(|cases| not_asked(&run, "mine", cases)), expected);
        };
        check(vec![tally("mine", "draw", 3, None), tally("mine", "movegen/perft", 1, None)], [None, None]);
        check(vec![tally("mine", "draw", 3, Some(over))], [Some((over, true)), None]);
        check(vec![tally("mine", "draw", 0, Some(broken))], [Some((broken, false)), None]);
        check(vec![tally("mine", "movegen/pins", 0, Some(over))], [None, Some((over, false))]);
        // Neither what it does not offer, nor the protocol, nor another subject.
        check(vec![tally("mine", "draw", 0, Some(SkipReason::Unsupported))], [None, None]);
        check(vec![tally("mine", "protocol/stop", 0, Some(over))], [None, None]);
        check(vec![tally("other", "draw", 0, Some(over))], [None, None]);
    }
}
