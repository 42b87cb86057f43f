//! The suite `bestmove`: EPD files with best moves (`bm`) and moves to avoid (`am`).
//!
//! The suite counts solved positions. An unsolved position is no finding, since the files are opinions. Where
//! the rules, tables or the mate prover give results (`known`), the suite compares the moves of the file and
//! of the player with them (`claim`, `answer`). `reading` reads a file, `notation` a move.

mod answer;
mod claim;
mod known;
mod notation;
mod reading;

#[cfg(test)]
mod tests;

use std::cell::RefCell;

use suites::{Evidence, Findings, SkipReason, Tally, Verdict};

use super::{Effort, Incident, SuiteContext, SuiteOutcome, by_effort};
use crate::adjudicator::Adjudicator;
use crate::findings::FaultCase;
use crate::player::{Asked, NoAnswer, Player, Setup};
use crate::runner::{CaseContext, PlayerPool, Reproduction};
use answer::{BestMoveAnswer, BestMoveFault};
use claim::FileClaim;
use known::KnownMoves;
use oracle::prover::ProverLimits;
use uci::{Limit, Question, Reply};

pub use reading::{BestMoveFile, BestMovePosition};
pub use suites::rows::{BestMoveRow, BestMoveVerdict};

/// The id of the check that counts solved positions.
const SOLVED: &str = "bestmove/solved";
/// The id of the check of moves that give a win or draw away.
const THROWN: &str = "bestmove/thrown";
/// The id of the check of files.
const CLAIM: &str = "bestmove/claim";
/// Nodes of a search, unless the user gives a limit.
pub const NODES: u64 = 100_000;

/// The id of the check that reports a verdict.
fn check_of(verdict: BestMoveVerdict) -> &'static str {
    match verdict {
        BestMoveVerdict::Thrown => THROWN,
        BestMoveVerdict::BadMove => "bestmove/move",
        BestMoveVerdict::Flaky => "bestmove/flaky",
        BestMoveVerdict::Unanswered => "bestmove/unanswered",
        BestMoveVerdict::Solved
        | BestMoveVerdict::Missed
        | BestMoveVerdict::Overruled
        | BestMoveVerdict::NotAsked
        | BestMoveVerdict::Malformed => SOLVED,
    }
}

/// The limits of each proof.
fn limits(effort: Effort) -> ProverLimits {
    ProverLimits { nodes: by_effort(effort, [5_000, 20_000, 1_000_000]), memory: 16 }
}

/// Asks a player for the positions of a file.
pub fn run(context: &SuiteContext, file: &BestMoveFile) -> SuiteOutcome<BestMoveRow> {
    let adjudicator = Adjudicator::new(context.authorities);
    let limit = context.limit.unwrap_or(Limit::Nodes(NODES));
    let run = BestMoveRun { context, file, adjudicator, limit };
    let pool = PlayerPool::new(context.players);
    let (judged, incidents) = pool.judge_all(
        &file.cases,
        |_| "",
        context.progress,
        |case_context, case| run.judge(case_context, case),
    );
    gather(context, file, judged, incidents)
}

/// A judged position.
struct JudgedBestMove {
    row: BestMoveRow,
    /// The verdict on the answer.
    solved: Verdict,
    /// The verdict on the move, if a win or draw is known.
    thrown: Option<Verdict>,
    /// The verdict on the file.
    claim: Option<Verdict>,
}

/// A run of the suite.
struct BestMoveRun<'a> {
    context: &'a SuiteContext<'a>,
    file: &'a BestMoveFile,
    adjudicator: Adjudicator<'a>,
    limit: Limit,
}

impl BestMoveRun<'_> {
    fn judge(&self, case_context: &CaseContext<'_>, case: &BestMovePosition) -> JudgedBestMove {
        let question = Question::new(&case.fen, self.limit);
        let mut lease = case_context.lease(Setup::ALL);
        let reply = match &mut lease {
            Ok(lease) => lease.ask(&question),
            Err(why) => Err(why.clone()),
        };
        if let Some(reason) = reply.as_ref().err().and_then(NoAnswer::not_asked) {
            return self.skipped(case, reason, None);
        }
        let mut known = KnownMoves::new(&case.position, &self.adjudicator, limits(self.context.effort));
        // This depends on the position and not on the move, so that all runs have the same cases.
        let is_decided = known.best().is_some();
        let claim = FileClaim::new(case, &mut known);
        if let Some(reason) = reply.as_ref().err().and_then(NoAnswer::skip) {
            let judged = self.skipped(case, reason, claim.verdict(self.file, case, &known));
            return JudgedBestMove {
                row: BestMoveRow { verdict: BestMoveVerdict::Unanswered, ..judged.row },
                ..judged
            };
        }
        let mut answer = BestMoveAnswer::judge(case, &reply, &mut known);
        let mut series = vec![Asked::on(question.clone())];
        // The lease has already asked again for a missing answer.
        if let (Some(kind), Ok(_), Ok(lease)) = (answer.kind(), &reply, &mut lease) {
            let moves = RefCell::new(&mut known);
            let is_same = |reply: &Result<Reply, NoAnswer>| {
                BestMoveAnswer::judge(case, reply, &mut moves.borrow_mut()).kind() == Some(kind)
            };
            let again = lease.reproduce_question(&question, is_same);
            series = again.series;
            match again.how {
                Reproduction::NotAsked(reason) => {
                    let claim = claim.verdict(self.file, case, moves.into_inner());
                    return self.skipped(case, reason, claim);
                }
                again => answer.reproduced(again),
            }
        }
        let row = BestMoveRow {
            played: answer.played.clone(),
            verdict: answer.verdict(case, &claim),
            limit: self.limit.to_string(),
            points: case.points_of(answer.legal).filter(|_| !claim.overrules(case)),
            most_points: case.most_points().filter(|_| !claim.overrules(case)),
            ..self.row(case)
        };
        // A random legal move may keep the result too, so a kept result is no agreement.
        let (mut solved, mut thrown) = (Verdict::Observed, is_decided.then_some(Verdict::Observed));
        match answer.fault {
            Some(fault) if fault.kind == BestMoveVerdict::Thrown => {
                thrown = Some(self.differ(case, &series, fault));
            }
            Some(fault) => solved = self.differ(case, &series, fault),
            None => {}
        }
        let claim = claim.verdict(self.file, case, &known);
        JudgedBestMove { row, solved, thrown, claim }
    }

    /// A position without an answer. The file is still judged.
    fn skipped(&self, case: &BestMovePosition, reason: SkipReason, claim: Option<Verdict>) -> JudgedBestMove {
        JudgedBestMove { row: self.row(case), solved: Verdict::Skip(reason), thrown: None, claim }
    }

    /// The row of a position that is not asked.
    fn row(&self, case: &BestMovePosition) -> BestMoveRow {
        let sans = |moves: &[shakmaty::Move]| {
            moves.iter().map(|&mv| known::san(&case.position, mv)).collect::<Vec<_>>().join(" ")
        };
        BestMoveRow {
            id: case.id.clone(),
            best: sans(&case.best),
            avoid: sans(&case.avoid),
            verdict: BestMoveVerdict::NotAsked,
            ..malformed(self.context.players.name(), self.file, case.line)
        }
    }

    fn differ(&self, case: &BestMovePosition, series: &[Asked], fault: BestMoveFault) -> Verdict {
        let (players, check) = (self.context.players, check_of(fault.kind));
        let (player, replay) = (players.name(), players.replay_series(Setup::ALL, series));
        let case_id = id(self.file, case);
        fault.verdict(FaultCase {
            player,
            check: check.to_owned(),
            case: case_id,
            fen: &case.fen,
            played: None,
            limit: series.last().map(|asked| asked.question.limit.to_string()),
            replay,
        })
    }
}

/// The id of a position in differences.
fn id(file: &BestMoveFile, case: &BestMovePosition) -> String {
    format!("{}/{}", file.name, case.line)
}

fn gather(
    context: &SuiteContext,
    file: &BestMoveFile,
    judged: Vec<JudgedBestMove>,
    incidents: Vec<Incident>,
) -> SuiteOutcome<BestMoveRow> {
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
        rows.extend(file.malformed.iter().map(|(line, _)| malformed(context.players.name(), file, *line)));
    }
    let findings = [solved, thrown, claims].into_iter().filter(|findings| findings.tally.total() > 0);
    SuiteOutcome::new(context.players.name(), findings.collect(), rows, incidents)
}

/// The row of a line that is malformed.
fn malformed(player: &str, file: &BestMoveFile, line: u64) -> BestMoveRow {
    BestMoveRow {
        subject: player.to_owned(),
        suite: file.name.clone(),
        line,
        id: String::new(),
        best: String::new(),
        avoid: String::new(),
        played: String::new(),
        points: None,
        most_points: None,
        verdict: BestMoveVerdict::Malformed,
        limit: String::new(),
    }
}
