//! The suite `draws`: positions that the rules of draws decide, and similar positions that they do not.
//!
//! A player is asked for each case at fixed nodes, with its tables and, if it can play without them, without.
//! The last exact score has to give the result, and the move has to be legal and must not give the result
//! away at once. In classes that may fail only the move can be a finding.

mod control;
mod judge;
mod misread;
mod prove;

#[cfg(test)]
mod tests;

pub use oracle::board::{Game, GameError};
use shakmaty::{Bitboard, Position};
use suites::draws::{DrawCase, DrawClass, GameResult};
use suites::{Answer, Difference, EngineScore, Evidence, SkipReason, Verdict};
use uci::{Limit, Question, Reply};

use control::TWOFOLD_EXPLANATION;
pub use judge::DECISIVE;
use judge::{JudgedDraw, judge};
pub use misread::Misreading;
pub use prove::{DrawProver, MOST_PLIES, ProvedResult, check};
pub use suites::rows::{DrawRow, DrawVerdict};

use super::{Effort, SuiteContext, SuiteOutcome};
use crate::findings::{FaultCase, FindingsByClass, observe_blanks};
use crate::player::{Aid, NoAnswer, Player, PlayerFactory, Setup};
use crate::runner::{CaseContext, PlayerPool, Repeated, Reproduction, Right};
use suites::SharedCause;

/// The id of the check.
pub const CHECK: &str = "draw";
/// Nodes of a search.
pub const NODES: u64 = 10_000;
/// Nodes of a search for a draw that takes [`DEEP`] plies or more to prove.
pub const NODES_DEEP: u64 = 120_000;
/// From this number of plies on, a proof is deep. Only cases that may fail take more than [`MOST_PLIES`] to
/// prove.
pub const DEEP: u32 = 4;
/// The id of findings that did not come again.
const FLAKY: &str = "draw/flaky";
/// How many times as many nodes a deeper search gets.
const DEEPER: u64 = 20;

/// Asks a player for all cases.
pub fn run(context: &SuiteContext, cases: &[DrawCase]) -> SuiteOutcome<DrawRow> {
    let with_tables = context.players.has(Aid::Tables);
    let mut setups = vec![Setup::ALL];
    if with_tables && context.effort > Effort::Quick {
        setups.push(Setup::ALL.without(Aid::Tables));
    }
    let jobs: Vec<(Setup, &DrawCase)> =
        setups.iter().flat_map(|&setup| cases.iter().map(move |case| (setup, case))).collect();
    let pool = PlayerPool::new(context.players);
    let (mut judged, incidents) = pool.judge_all(
        &jobs,
        |(_, case)| case.class.name(),
        context.progress,
        |case_context, &(setup, case)| {
            DrawRun { players: context.players, case_context, limit: context.limit, setup, case }.judge()
        },
    );
    // `protocol/info-score` reports a program that prints no scores at all.
    if judged.iter().all(|case| case.row.score.is_empty()) {
        let no_score = |case: &&mut JudgedCase| matches!(&case.verdict, Verdict::Differ(found) if matches!(found.stored, Answer::NoScore(_)));
        judged.iter_mut().filter(no_score).for_each(|case| {
            (case.verdict, case.row.verdict) =
                (Verdict::Skip(SkipReason::Unsupported), DrawVerdict::Unanswered);
        });
    }
    for setup in setups {
        let tables = setup.has(Aid::Tables);
        let of_setup = |case: &JudgedCase| case.row.tables == tables;
        observe_blanks(
            &mut judged,
            |case| Some((case.right.filter(|_| of_setup(case))?, &case.verdict)),
            |case| (case.verdict, case.row.verdict) = (Verdict::Observed, DrawVerdict::NotToldApart),
        );
    }
    // A player that forgets the game does not compare rights either.
    let is_forgetful =
        differences(&mut judged).filter(|found| found.cause == Some(SharedCause::Repetition.into())).count()
            > 1;
    let of_rights = [SharedCause::CastlingRights, SharedCause::SameRights, SharedCause::EnPassant];
    let rights = |found: &Difference| of_rights.iter().any(|cause| found.cause == Some((*cause).into()));
    differences(&mut judged)
        .filter(|found| is_forgetful && rights(found))
        .for_each(|found| found.cause = Some(SharedCause::Repetition.into()));
    // A player may search the control of a twofold repetition otherwise than the case, so one such finding is
    // enough.
    let is_twofold = differences(&mut judged).any(|found| found.cause == Some(SharedCause::Twofold.into()));
    let takes_for_draw =
        |found: &Difference| rights(found) && found.stored == Answer::score(EngineScore::Centipawns(0));
    differences(&mut judged).filter(|found| is_twofold && takes_for_draw(found)).for_each(|found| {
        found.cause = Some(SharedCause::Twofold.into());
        found.check = format!("{CHECK}/{}", DrawVerdict::Twofold);
    });
    let mut findings = FindingsByClass::new(context.players.name(), CHECK);
    let mut rows = Vec::with_capacity(judged.len());
    for JudgedCase { mut row, verdict, .. } in judged {
        row.tables &= with_tables;
        findings.record(&row.class, Evidence::Agreement, verdict);
        rows.push(row);
    }
    SuiteOutcome::new(context.players.name(), findings.into_findings(), rows, incidents)
}

fn differences(judged: &mut [JudgedCase]) -> impl Iterator<Item = &mut Difference> {
    judged.iter_mut().filter_map(|case| match &mut case.verdict {
        Verdict::Differ(found) => Some(&mut **found),
        _ => None,
    })
}

/// A judged case with one set-up.
struct JudgedCase {
    row: DrawRow,
    verdict: Verdict,
    /// What the right answer looks like; `None` of a class that may fail.
    right: Option<Right>,
}

/// Whether a wrong answer depends on chance: the engine gives a wrong score only after other questions. Asked
/// alone, it is right. Which questions come before depends on how the runner shares out the cases.
fn is_chance(fault: DrawVerdict, how: Reproduction) -> bool {
    matches!(fault, DrawVerdict::Score | DrawVerdict::Perpetual)
        && matches!(how, Reproduction::AfterOthers(_))
}

/// The last answer to a case, and whether its fault came again.
struct DrawAnswer {
    question: Question,
    reply: Result<Reply, NoAnswer>,
    judged: JudgedDraw,
    again: Repeated,
}

/// One case put to a player with one set-up.
struct DrawRun<'a> {
    players: &'a dyn PlayerFactory,
    case_context: &'a CaseContext<'a>,
    /// The limit of the user.
    limit: Option<Limit>,
    setup: Setup,
    case: &'a DrawCase,
}

impl DrawRun<'_> {
    /// The nodes of a search, unless the user gives a limit.
    fn usual_nodes(&self) -> u64 {
        if self.case.due.is_some_and(|due| due >= DEEP) { NODES_DEEP } else { NODES }
    }

    fn limit(&self) -> Limit {
        self.limit.unwrap_or(Limit::Nodes(self.usual_nodes()))
    }

    /// Whether a wrong score is observed instead of being a finding. This is so with fewer nodes than the
    /// case takes, or with another kind of limit.
    fn is_observed(&self) -> bool {
        match self.limit() {
            Limit::Nodes(nodes) => nodes < self.usual_nodes(),
            Limit::Depth(_) | Limit::MoveTime(_) | Limit::Clock(_) => true,
        }
    }

    fn judge(&self) -> JudgedCase {
        let case = self.case;
        let DrawAnswer { question, reply, mut judged, again } = self.ask();
        if let Err(fault) = &mut judged.result
            && fault.kind == DrawVerdict::Score
            && self.counts_twofold(&question, reply.as_ref())
        {
            // Our engine promises to draw by the third occurrence only.
            if !self.players.is_ours() {
                fault.kind = DrawVerdict::Twofold;
            }
            TWOFOLD_EXPLANATION.clone_into(&mut fault.explanation);
            fault.cause = Some(SharedCause::Twofold);
        }
        if let Err(fault) = &mut judged.result
            && fault.kind == DrawVerdict::Score
            && [SharedCause::Clock, SharedCause::FenClock].map(Some).contains(&fault.cause)
            && self.ends_late()
        {
            fault.cause = Some(SharedCause::LateLimit);
        }
        if let Err(fault) = &mut judged.result
            && fault.kind == DrawVerdict::Score
            && !self.players.is_ours()
            && has_bishops_of_one_colour(case)
        {
            fault.kind = DrawVerdict::DeadBishops;
            fault.cause = None;
        }
        if let Err(fault) = &mut judged.result
            && fault.kind == DrawVerdict::Score
            && !self.players.is_ours()
            && case.class == DrawClass::Perpetual
        {
            fault.kind = DrawVerdict::Perpetual;
        }
        let mut row_verdict = judged.verdict();
        let verdict = match judged.result {
            _ if let Some(reason) = reply.as_ref().err().and_then(NoAnswer::skip) => Verdict::Skip(reason),
            // A slow machine may have kept the search from finding the right answer.
            Err(_)
                if judged.retry_deeper
                    && again.how.is_flaky()
                    && self.players.gets_time_for(question.limit) =>
            {
                row_verdict = DrawVerdict::Missed;
                Verdict::Observed
            }
            Err(fault) => {
                let is_chance = !self.players.is_ours() && is_chance(fault.kind, again.how);
                let without = if self.setup.has(Aid::Tables) { "" } else { " without tables" };
                let (check, id) = (format!("{CHECK}/{row_verdict}"), format!("{}{without}", case.id));
                let mut found =
                    fault.difference(FaultCase::asked(self.players, self.setup, &question, check, id));
                found.replay = self.players.replay_series(self.setup, &again.of_last(&question).series);
                if let Some(reason) = again.how.record_in(&mut found, FLAKY) {
                    row_verdict = DrawVerdict::NotAsked;
                    Verdict::Skip(reason)
                } else {
                    if again.how.is_flaky() || is_chance {
                        row_verdict = DrawVerdict::Flaky;
                        FLAKY.clone_into(&mut found.check);
                        // An answer that depends on chance does not show what the engine overlooks.
                        found.cause = None;
                    }
                    Verdict::Differ(Box::new(found))
                }
            }
            Ok(DrawVerdict::Unanswered) => Verdict::Skip(SkipReason::Unsupported),
            Ok(_) if case.may_fail || self.is_observed() => Verdict::Observed,
            Ok(_) => Verdict::Agree,
        };
        let row = DrawRow {
            subject: self.players.name().to_owned(),
            case: case.id.clone(),
            class: case.class.name().to_owned(),
            tables: self.setup.has(Aid::Tables),
            expected: case.result,
            score: judged.score,
            verdict: row_verdict,
        };
        let right = match case.result {
            _ if case.may_fail => None,
            GameResult::Draw => Some(Right::Blank),
            GameResult::Win | GameResult::Loss => Some(Right::Telling),
        };
        JudgedCase { row, verdict, right }
    }

    /// Asks for the case. After a wrong answer it asks again: a fresh process first, then the same one. If
    /// the wrong answer comes again and the player searches selectively, a deeper search decides.
    fn ask(&self) -> DrawAnswer {
        let moves = self.case.moves.clone();
        let question = Question { moves, ..Question::new(&self.case.fen, self.limit()) };
        let mut lease = match self.case_context.lease(self.setup) {
            Ok(lease) => lease,
            Err(why) => return self.answer(question, Err(why), None),
        };
        let reply = lease.ask(&question);
        let first = self.answer(question.clone(), reply, None);
        // The lease has already asked again for a missing answer.
        let (Err(fault), Ok(_)) = (&first.judged.result, &first.reply) else { return first };
        let is_same_fault =
            |judged: &JudgedDraw| judged.result.as_ref().is_err_and(|other| other.kind == fault.kind);
        let is_same = |reply: &Result<Reply, NoAnswer>| is_same_fault(&self.judge_reply(reply.as_ref()));
        let again = lease.reproduce_question(&question, is_same);
        let may_be_found =
            again.how.came_again() && self.players.searches_selectively() && first.judged.retry_deeper;
        let deeper_limit = match question.limit {
            Limit::Nodes(nodes) if may_be_found => Limit::Nodes(nodes.saturating_mul(DEEPER)),
            _ => return DrawAnswer { again, ..first },
        };
        let question = Question { limit: deeper_limit, ..question };
        let reply = lease.ask_deeper(&again, &question);
        let mut deeper = self.answer(question, reply, Some(again.clone()));
        match (&deeper.reply, &deeper.judged.result) {
            (Ok(_), Ok(_)) => deeper.judged.result = Ok(DrawVerdict::FoundDeeper),
            // The deeper search has another fault, which came only once.
            (Ok(_), Err(_)) if !is_same_fault(&deeper.judged) => return DrawAnswer { again, ..first },
            _ => {}
        }
        deeper
    }

    fn answer(
        &self,
        question: Question,
        reply: Result<Reply, NoAnswer>,
        again: Option<Repeated>,
    ) -> DrawAnswer {
        let judged = self.judge_reply(reply.as_ref());
        let again = again.unwrap_or_else(|| Repeated::alone(Reproduction::FreshProcess, &question));
        DrawAnswer { question, reply, judged, again }
    }

    fn judge_reply(&self, reply: Result<&Reply, &NoAnswer>) -> JudgedDraw {
        let judged = judge(self.case, reply);
        if self.is_observed() && reply.is_ok() { judged.observed() } else { judged }
    }
}

/// Whether the men beside the kings are two or more bishops, all on squares of one colour.
fn has_bishops_of_one_colour(case: &DrawCase) -> bool {
    Game::new(&case.fen, &case.moves).is_ok_and(|game| {
        let board = game.position().board();
        let bishops = board.bishops();
        let are_alone = (board.occupied() ^ bishops ^ board.kings()).is_empty();
        are_alone
            && bishops.count() > 1
            && [Bitboard::DARK_SQUARES, Bitboard::LIGHT_SQUARES]
                .iter()
                .any(|squares| bishops.is_subset(*squares))
    })
}
