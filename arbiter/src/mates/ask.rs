//! Puts cases to a player and judges the answers.

use oracle::board::Game;
use oracle::prover::ProverLimits;
use shakmaty::Position;
use suites::SkipReason;
use uci::{Limit, Question, Reply};

use super::announcement::{Announcements, Demand};
use super::faults::LastDepth;
use super::judge::{JudgedMate, MatePosition, judge};
use crate::SuiteContext;
use crate::adjudicator::Adjudicator;
use crate::player::{NoAnswer, Player, Setup};
use crate::runner::{CaseContext, PlayerPool};

/// The factors by which a program gets more nodes, in turn, to finish a depth that is in doubt.
const MORE: [u32; 2] = [4, 16];
/// The most men of the tables that our engine builds at its start.
const MOST_MEN: usize = 3;
/// Classes in which our engine promises to announce all mates with the usual nodes.
const PROMISED: [&str; 2] = ["memory-clock", "table-clock"];

/// A run of the suite.
pub(super) struct MateRun<'a> {
    context: &'a SuiteContext<'a>,
    limit: Limit,
    /// The limits of each proof.
    pub(super) limits: ProverLimits,
    which: Announcements,
    adjudicator: Adjudicator<'a>,
    pub(super) pool: PlayerPool<'a>,
}

/// The answer of a program to a depth that was in doubt, with more nodes.
enum Finished {
    /// Without the fault.
    Right,
    /// With a fault, in answer to this question.
    Wrong(Question, Box<JudgedMate>),
    /// The program was not asked, or was stopped before it finished the depth.
    NotAsked(SkipReason),
}

impl<'a> MateRun<'a> {
    /// A run with these nodes for each search, unless the user gives a limit.
    pub(super) fn new(
        context: &'a SuiteContext<'a>,
        (nodes, limits): (u64, ProverLimits),
        which: Announcements,
    ) -> Self {
        let adjudicator = Adjudicator::new(context.authorities);
        let limit = context.limit.unwrap_or(Limit::Nodes(nodes));
        Self { context, limit, limits, which, adjudicator, pool: PlayerPool::new(context.players) }
    }

    /// Asks for a case and judges the answer.
    ///
    /// A search that runs out of nodes stops in the middle of an iteration. If only the announcement of this
    /// iteration is wrong, a program is asked with more nodes. A fault is a finding if it comes again.
    pub(super) fn judge(&self, case_context: &CaseContext<'_>, case: &MatePosition<'_>) -> JudgedMate {
        let mut question = self.question(case, 1);
        if case.game.is_none() {
            return self.judge_reply(case, &question, None);
        }
        let last = self.last_depth();
        let mut lease = match case_context.lease(Setup::ALL) {
            Ok(lease) => lease,
            Err(why) => return self.judge_reply(case, &question, Some((Err(why), last))),
        };
        let reply = lease.ask(&question);
        let mut judged = self.judge_reply(case, &question, Some((reply.clone(), last)));
        if judged.in_doubt {
            match self.finish(case_context, case) {
                Finished::Wrong(asked, wrong) => (question, judged) = (asked, *wrong),
                Finished::Right => {
                    return self.judge_reply(case, &question, Some((reply, LastDepth::Unfinished)));
                }
                Finished::NotAsked(reason) => return judged.skipped(reason),
            }
        }
        // The lease has already asked again for a missing answer.
        let Some(found) = judged.difference().filter(|_| reply.is_ok()) else { return judged };
        let is_same = |reply: &Result<Reply, NoAnswer>| {
            let again = self.judge_reply(case, &question, Some((reply.clone(), last)));
            again.difference().is_some_and(|again| again.check == found.check)
        };
        let again = lease.reproduce_question(&question, is_same);
        judged.reproduced(self.context.players, &again)
    }

    /// The question for a case, with so many times the usual nodes or time.
    fn question(&self, case: &MatePosition<'_>, times: u32) -> Question {
        let limit = match self.limit {
            Limit::Nodes(nodes) => Limit::Nodes(nodes.saturating_mul(times.into())),
            Limit::MoveTime(time) => Limit::MoveTime(time.saturating_mul(times)),
            Limit::Clock(time) => Limit::Clock(time.saturating_mul(times)),
            Limit::Depth(depth) => Limit::Depth(depth),
        };
        Question { moves: case.moves.to_vec(), ..Question::new(case.fen, limit) }
    }

    /// Whether the last depth of a search counts. Our own engine announces proved mates only.
    fn last_depth(&self) -> LastDepth {
        if self.context.players.searches_selectively() { LastDepth::InDoubt } else { LastDepth::Counts }
    }

    /// Asks a program with more nodes, until it has finished the depth that was in doubt. If its last
    /// announcement is still wrong with the most nodes, the fault counts, unless the search had to be
    /// stopped.
    fn finish(&self, case_context: &CaseContext<'_>, case: &MatePosition<'_>) -> Finished {
        for times in MORE {
            let question = self.question(case, times);
            let reply = match case_context.ask_fresh(Setup::ALL, &question) {
                Ok(reply) => reply,
                Err(why) => return Finished::NotAsked(why.skip().unwrap_or(SkipReason::Undecided)),
            };
            let is_last = times == MORE[MORE.len() - 1];
            let was_stopped = reply.cut;
            let judged = self.judge_reply(case, &question, Some((Ok(reply), self.last_depth())));
            if judged.difference().is_none() {
                return Finished::Right;
            }
            if !judged.in_doubt || is_last && !was_stopped {
                return Finished::Wrong(question, Box::new(judged));
            }
        }
        Finished::NotAsked(SkipReason::Undecided)
    }

    fn judge_reply(
        &self,
        case: &MatePosition<'_>,
        question: &Question,
        reply: Option<(Result<Reply, NoAnswer>, LastDepth)>,
    ) -> JudgedMate {
        let players = self.context.players;
        let (reply, last) = reply.map_or((None, LastDepth::Counts), |(reply, last)| (Some(reply), last));
        let mut which = self.which;
        if players.proves_mates() {
            let is_promised = self.context.limit.is_none() && PROMISED.contains(&&*case.class);
            which.demand = match which.demand {
                _ if is_promised => Demand::Promised,
                Demand::Nothing if case.game.is_some_and(is_in_tables) => Demand::ByTables,
                demand => demand,
            };
        }
        judge(players, case, question, reply, (which, last), (&self.limits, &self.adjudicator))
    }
}

/// Whether our engine has tables of a position and no earlier position matters.
fn is_in_tables(game: &Game) -> bool {
    let position = game.position();
    let has_few = position.board().occupied().count() <= MOST_MEN;
    has_few && position.castles().is_empty() && game.twice().is_empty()
}
