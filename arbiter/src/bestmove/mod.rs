//! The suite `bestmove`: files of others with best moves, put to a subject.
//!
//! What is solved is a figure: a file holds opinions, and nothing is demanded. Where the rules on the board, tables or the
//! prover decide (`known`), they are asked: of the file, whether its best moves are worse than another, and of the subject,
//! whether its move is. `reading` reads the file with shakmaty's moves, `notation` a move, `answer` hears one answer.

mod answer;
mod claim;
mod known;
mod notation;
mod reading;

#[cfg(test)]
mod tests;

use std::cell::RefCell;

use suites::{Difference, Evidence, Findings, SkipReason, Tally, Verdict};

use super::{Effort, Incident, Outcome, SuiteContext};
use crate::adjudicator::Adjudicator;
use crate::player::{NoAnswer, Player, Setup};
use crate::runner::{CaseContext, PlayerPool, Reproduction};
use answer::{Answer, Fault};
use claim::Claim;
use known::Known;
use oracle::prover::ProverLimits;
use uci::{Limit, Question, Reply};

pub use reading::{BestMoveFile, Reading};

/// Id of the check whose figures are what is solved.
const SOLVED: &str = "bestmove/solved";
/// Id of the check of moves in positions that are decided.
const THROWN: &str = "bestmove/thrown";
/// Id of what did not come again.
const FLAKY: &str = "bestmove/flaky";
/// Id of the check of files.
const CLAIM: &str = "bestmove/claim";
/// Positions that a subject may visit, if nobody wants it otherwise.
pub const NODES: u64 = 100_000;

/// What came of one position, for the report. Moves are in standard notation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The name of the file.
    pub suite: String,
    /// Where the position stands in it, from 1.
    pub line: u64,
    /// What it is called; empty if nothing.
    pub id: String,
    /// The best moves by the file, with a blank between them.
    pub best: String,
    /// The moves to avoid, in the same way.
    pub avoid: String,
    /// What was played, as it was said if it is not legal; empty if nothing.
    pub played: String,
    /// The points for it, where the file gives points.
    pub points: Option<u32>,
    /// The most points that there are.
    pub most_points: Option<u32>,
    /// What is to be said of it.
    pub verdict: BestMoveVerdict,
}

/// What is to be said of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BestMoveVerdict {
    /// A best move was played, and none to avoid.
    Solved,
    /// Another one.
    Missed,
    /// What the file says is refuted.
    Overruled,
    /// A move that is known to be worse than another.
    Thrown,
    /// Something was wrong, and was not when the same was asked again.
    Flaky,
    /// The move is not legal.
    BadMove,
    /// There was no answer.
    Unanswered,
    /// Nobody was asked, for time was over, or the subject was given up.
    NotAsked,
    /// The line cannot be read: nobody was asked.
    Malformed,
}

impl BestMoveVerdict {
    /// As it stands in the report.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::Missed => "missed",
            Self::Overruled => "overruled",
            Self::Thrown => "thrown",
            Self::Flaky => "flaky",
            Self::BadMove => "bad move",
            Self::Unanswered => "unanswered",
            Self::NotAsked => "not asked",
            Self::Malformed => "malformed",
        }
    }
}

/// How much the prover may look at for each question.
fn limits(effort: Effort) -> ProverLimits {
    let nodes = match effort {
        Effort::Quick => 5_000,
        Effort::Plain => 20_000,
        Effort::Thorough => 1_000_000,
    };
    ProverLimits { nodes, memory: 16 }
}

/// Asks for the positions of a file.
pub fn run(context: &SuiteContext, file: &BestMoveFile) -> Outcome<Row> {
    context.progress.begin(file.cases.len() as u64);
    let judge = Adjudicator::of(context.authorities);
    let limit = context.limit.unwrap_or(Limit::Nodes(NODES));
    let suite = Context { context, file, judge, limit };
    let pool = PlayerPool::new(context.players);
    let (judged, incidents) =
        pool.judge_all(&file.cases, context.progress, |asks, case| suite.judge(asks, case));
    gather(context, file, judged, incidents)
}

/// What came of one position.
struct Judged {
    row: Row,
    /// Of the answer, where nothing is demanded of the move.
    solved: Verdict,
    /// Of the move, where it is known that one wins or draws.
    thrown: Option<Verdict>,
    /// Of what the file says.
    claim: Option<Verdict>,
}

/// Who asks and judges.
struct Context<'a> {
    context: &'a SuiteContext<'a>,
    file: &'a BestMoveFile,
    judge: Adjudicator<'a>,
    limit: Limit,
}

impl Context<'_> {
    fn judge(&self, turn: &CaseContext<'_>, case: &Reading) -> Judged {
        let question = Question::of(&case.fen, self.limit);
        let mut lease = turn.lease(Setup::ALL);
        let asked = match &mut lease {
            Ok(lease) => lease.ask(&question),
            Err(why) => Err(why.clone()),
        };
        if let Some(reason) = asked.as_ref().err().and_then(NoAnswer::not_asked) {
            return self.not_asked(case, reason, None);
        }
        let mut known = Known::of(&case.position, &self.judge, limits(self.context.effort));
        // A matter of the position, not of the move: runs that play differently have the same cases.
        let is_decided = known.best().is_some();
        let claim = Claim::of(case, &mut known);
        if let Some(reason) = asked.as_ref().err().and_then(NoAnswer::skip) {
            let judged = self.not_asked(case, reason, claim.verdict(self.file, case, &known));
            return Judged { row: Row { verdict: BestMoveVerdict::Unanswered, ..judged.row }, ..judged };
        }
        let mut answer = Answer::hear(case, &asked, &mut known);
        // No answer came twice already.
        if let (Some(kind), Ok(_), Ok(lease)) = (answer.kind(), &asked, &mut lease) {
            let judge = RefCell::new(&mut known);
            let is_so = |reply: &Result<Reply, NoAnswer>| {
                Answer::hear(case, reply, &mut judge.borrow_mut()).kind() == Some(kind)
            };
            match lease.reproduce(|lease| lease.ask(&question), is_so) {
                Reproduction::NotAsked(reason) => {
                    let claim = claim.verdict(self.file, case, judge.into_inner());
                    return self.not_asked(case, reason, claim);
                }
                again => answer.told(&again),
            }
        }
        let row = Row {
            played: answer.played.clone(),
            verdict: answer.verdict(case, &claim),
            points: case.points_of(answer.legal).filter(|_| !claim.overrules(case)),
            most_points: case.most_points().filter(|_| !claim.overrules(case)),
            ..self.row(case)
        };
        let difference = |fault: &Fault| Verdict::Differ(Box::new(self.difference(case, &question, fault)));
        // A legal move may keep what is decided by chance: that it does is no agreement.
        let (mut solved, mut thrown) = (Verdict::Observed, is_decided.then_some(Verdict::Observed));
        match &answer.fault {
            Some(fault) if fault.kind == BestMoveVerdict::Thrown => thrown = Some(difference(fault)),
            Some(fault) => solved = difference(fault),
            None => {}
        }
        let claim = claim.verdict(self.file, case, &known);
        Judged { row, solved, thrown, claim }
    }

    /// A position of which no answer counts for this reason; what the file says of it is judged all the same.
    fn not_asked(&self, case: &Reading, reason: SkipReason, claim: Option<Verdict>) -> Judged {
        Judged { row: self.row(case), solved: Verdict::Skip(reason), thrown: None, claim }
    }

    /// What the report says of a position before anybody is asked.
    fn row(&self, case: &Reading) -> Row {
        let sans = |moves: &[shakmaty::Move]| {
            moves.iter().map(|&mv| known::san(&case.position, mv)).collect::<Vec<_>>().join(" ")
        };
        Row {
            suite: self.file.name.clone(),
            line: case.line,
            id: case.id.clone(),
            best: sans(&case.best),
            avoid: sans(&case.avoid),
            played: String::new(),
            points: None,
            most_points: None,
            verdict: BestMoveVerdict::NotAsked,
        }
    }

    fn difference(&self, case: &Reading, question: &Question, fault: &Fault) -> Difference {
        let check = match fault.kind {
            BestMoveVerdict::Thrown => THROWN,
            BestMoveVerdict::BadMove => "bestmove/move",
            BestMoveVerdict::Flaky => FLAKY,
            _ => "bestmove/unanswered",
        };
        Difference {
            subject: self.context.players.name().to_owned(),
            check: check.to_owned(),
            case: id(self.file, case),
            fen: case.fen.clone(),
            stored: fault.stored.clone(),
            expected: fault.expected.clone(),
            source: fault.source.clone(),
            explanation: fault.explanation.clone(),
            replay: self.context.players.replay(Setup::ALL, question),
        }
    }
}

/// The id of a position among differences.
fn id(file: &BestMoveFile, case: &Reading) -> String {
    format!("{}/{}", file.name, case.line)
}

fn gather(
    context: &SuiteContext,
    file: &BestMoveFile,
    judged: Vec<Judged>,
    incidents: Vec<Incident>,
) -> Outcome<Row> {
    let of = |subject: &str, check, evidence| Findings::new(Tally::new(subject, check, evidence, &file.name));
    let mut solved = of(context.players.name(), SOLVED, Evidence::Opinion);
    let mut thrown = of(context.players.name(), THROWN, Evidence::Certificate);
    let mut claims = of(&file.name, CLAIM, Evidence::Certificate);
    let mut rows = Vec::with_capacity(judged.len());
    for judged in judged {
        solved.record(judged.solved);
        judged.thrown.into_iter().for_each(|verdict| thrown.record(verdict));
        judged.claim.into_iter().for_each(|verdict| claims.record(verdict));
        rows.push(judged.row);
    }
    if !file.malformed.is_empty() {
        claims.tally.skip(SkipReason::Malformed, file.malformed.len() as u64);
        rows.extend(file.malformed.iter().map(|(line, _)| malformed(file, *line)));
    }
    let findings = [solved, thrown, claims].into_iter().filter(|findings| findings.tally.total() > 0);
    Outcome::new(context.players.name(), findings.collect(), rows, incidents)
}

fn malformed(file: &BestMoveFile, line: u64) -> Row {
    Row {
        suite: file.name.clone(),
        line,
        id: String::new(),
        best: String::new(),
        avoid: String::new(),
        played: String::new(),
        points: None,
        most_points: None,
        verdict: BestMoveVerdict::Malformed,
    }
}
