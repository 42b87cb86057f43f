//! Draws: positions that rules of draws decide, and their neighbours that they do not.
//!
//! A subject is asked for each at fixed nodes, with tables and without if it can go without. Its last exact score has to
//! say the result, its move has to be legal and must not give the result away at once. Of a class that may fail only
//! that is demanded; its scores are told.

mod game;
mod judge;
mod misread;
mod prove;

#[cfg(test)]
mod tests;

use rayon::prelude::*;
use suites::draws::{DrawCase, GameResult};
use suites::{Difference, Evidence, Findings, Tally, Verdict};

pub use game::{Game, NoGame};
pub use judge::{DECISIVE, DRAW_TOLERANCE};
pub use misread::{Misreading, with_clock};
pub use prove::{MOST_PLIES, Proof, Prover, check};

use super::{Effort, Outcome, Trial, guarded};
use crate::subject::{Aid, Limit, Question, Setup, Subject, Subjects};

/// The id of the check.
pub const CHECK: &str = "draws";
/// Positions that a subject may visit for a case.
pub const NODES: u64 = 10_000;
/// The same for a draw that takes [`DEEP`] plies or more to show.
pub const NODES_DEEP: u64 = 120_000;
/// Plies. No draw of the suite takes more than [`MOST_PLIES`], but for those that may be missed.
pub const DEEP: u32 = 4;
/// Cases that one subject is asked for.
const CHUNK: usize = 8;

/// How a subject answered for one position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Who was asked.
    pub subject: String,
    /// Id of the position in the suite.
    pub case: String,
    /// The rule.
    pub class: String,
    /// Whether it had its tables.
    pub tables: bool,
    /// What is true.
    pub expected: GameResult,
    /// The score that it gave, as UCI writes it; empty if none.
    pub score: String,
    /// What is to be said of it.
    pub verdict: &'static str,
}

/// Puts the suite to a subject.
pub fn run(trial: &Trial, cases: &[DrawCase]) -> Outcome<Row> {
    let with_tables = trial.subjects.has(Aid::Tables);
    let mut setups = vec![Setup::ALL];
    if with_tables && trial.effort > Effort::Quick {
        setups.push(Setup::ALL.without(Aid::Tables));
    }
    trial.watch.begin((setups.len() * cases.len()) as u64);
    let parts: Vec<(Setup, &[DrawCase])> =
        setups.iter().flat_map(|&setup| cases.chunks(CHUNK).map(move |part| (setup, part))).collect();
    let answered: Vec<Answered> = parts
        .into_par_iter()
        .flat_map_iter(|(setup, part)| {
            let answered = Asker { subjects: trial.subjects, setup, running: None }.ask_all(part);
            trial.watch.advance(part.len() as u64);
            answered
        })
        .collect();
    let mut outcome = Outcome { findings: Vec::new(), rows: Vec::new() };
    for mut answer in answered {
        answer.row.tables &= with_tables;
        let findings = findings_of(&mut outcome.findings, &answer.row);
        findings.record(answer.verdict);
        outcome.rows.push(answer.row);
    }
    outcome
}

/// The findings of the class of a row.
fn findings_of<'f>(all: &'f mut Vec<Findings>, row: &Row) -> &'f mut Findings {
    let place = all.iter().position(|findings| findings.tally.case_set == row.class);
    let place = place.unwrap_or_else(|| {
        all.push(Findings::new(Tally::new(&row.subject, CHECK, Evidence::Agreement, &row.class)));
        all.len() - 1
    });
    &mut all[place]
}

struct Answered {
    row: Row,
    verdict: Verdict,
}

/// Asks one subject, and another one if that broke.
struct Asker<'a> {
    subjects: &'a dyn Subjects,
    setup: Setup,
    running: Option<Box<dyn Subject>>,
}

impl Asker<'_> {
    fn ask_all(mut self, cases: &[DrawCase]) -> Vec<Answered> {
        cases.iter().map(|case| self.ask(case)).collect()
    }

    fn ask(&mut self, case: &DrawCase) -> Answered {
        let nodes = if case.due.is_some_and(|due| due >= DEEP) { NODES_DEEP } else { NODES };
        let question =
            Question { fen: case.fen.clone(), moves: case.moves.clone(), limit: Limit::Nodes(nodes) };
        let reply = guarded::ask_afresh(&mut self.running, self.subjects, self.setup, &question);
        let judged = judge::judge(case, reply.as_ref());
        let row = Row {
            subject: self.subjects.name().to_owned(),
            case: case.id.clone(),
            class: case.class().to_owned(),
            tables: self.setup.has(Aid::Tables),
            expected: case.result,
            score: judged.score,
            verdict: judged.word,
        };
        let verdict = judged.fault.map_or(Verdict::Agree, |fault| self.differ(case, &question, fault));
        Answered { row, verdict }
    }

    fn differ(&self, case: &DrawCase, question: &Question, fault: judge::Fault) -> Verdict {
        let off = if self.setup.has(Aid::Tables) { "" } else { " without tables" };
        Verdict::Differ(Box::new(Difference {
            subject: self.subjects.name().to_owned(),
            check: CHECK.to_owned(),
            case: format!("{}{off}", case.id),
            fen: case.fen.clone(),
            stored: fault.stored,
            expected: fault.expected,
            source: "proof".to_owned(),
            explanation: fault.explanation,
            replay: self.subjects.replay(self.setup, question),
        }))
    }
}
