//! How a program broke, as findings: one for each way and question, with what went over the pipes before in a file.

use std::collections::BTreeMap;

use oracle::subject::{Question, Setup, Subjects};
use oracle::uci::{Incident, UciSubjects};
use suites::catalogue;
use suites::{Difference, Evidence, Findings, Tally, Verdict};

use super::Session;
use super::selection::family;

/// The family of the ways to break, each of which is told, whether or not it broke so.
const FAMILY: &str = "process";
/// What the cases are.
const CASES: &str = "suites";
/// The most transcripts that are written; each is of bounded length.
const MOST_TRANSCRIPTS: usize = 100;

/// How it broke in this run, in an order that does not depend on that of the threads.
pub(in super::super) fn tell(session: &Session) -> anyhow::Result<Vec<Findings>> {
    // Where no suite was put to it, it had nothing to break over.
    if session.suites == 0 {
        return Ok(Vec::new());
    }
    let mut broken = BTreeMap::new();
    for subjects in &session.asked {
        for incident in subjects.incidents() {
            let key = (incident.failure.id(), case(incident.question.as_ref()));
            broken.entry(key).or_insert((subjects, incident));
        }
    }
    let tally = |way| Findings::new(Tally::new(&session.program.name, way, Evidence::Specification, CASES));
    let ways = catalogue::pages().map(|page| page.id).filter(|id| family(id) == FAMILY);
    let mut findings: Vec<Findings> = ways.map(tally).collect();
    for (place, ((way, case), (subjects, incident))) in broken.iter().enumerate() {
        let mut difference = difference(subjects, incident, case);
        if place < MOST_TRANSCRIPTS {
            let name = session.transcripts.write(&format!("{way}-{:03}", place + 1), &incident.transcript)?;
            difference.explanation = format!("what went over the pipes is in {name}");
        }
        if let Some(findings) = findings.iter_mut().find(|findings| findings.tally.check == *way) {
            findings.record(Verdict::Differ(Box::new(difference)));
        }
    }
    for findings in findings.iter_mut().filter(|findings| findings.differences.is_empty()) {
        findings.record(Verdict::Agree);
    }
    Ok(findings)
}

/// The case: the question, with only the number of the moves before it.
fn case(question: Option<&Question>) -> String {
    let Some(Question { fen, moves, limit }) = question else { return format!("{CASES}/start") };
    let moves = match moves.len() {
        0 => String::new(),
        count => format!(" {count} moves {}", moves.last().map(String::as_str).unwrap_or_default()),
    };
    format!("{CASES}/{fen}{moves} {limit}")
}

fn difference(subjects: &UciSubjects, incident: &Incident, case: &str) -> Difference {
    let start = Question {
        fen: "8/8/8/8/8/8/8/K1k5 w - - 0 1".to_owned(),
        moves: Vec::new(),
        limit: oracle::subject::Limit::Depth(1),
    };
    let question = incident.question.as_ref();
    Difference {
        subject: subjects.name().to_owned(),
        check: incident.failure.id().to_owned(),
        case: case.to_owned(),
        fen: question.map(|question| question.fen.clone()).unwrap_or_default(),
        stored: incident.failure.to_string(),
        expected: "an answer".to_owned(),
        source: "UCI".to_owned(),
        explanation: String::new(),
        replay: subjects.replay(Setup::ALL, question.unwrap_or(&start)),
    }
}
