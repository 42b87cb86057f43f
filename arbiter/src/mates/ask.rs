//! Puts questions to a subject.

use shakmaty::Position;
use suites::SkipReason;

use crate::SuiteContext;
use crate::adjudicator::Adjudicator;
use crate::mates::announcement::{Announcements, Demand};
use crate::mates::faults::LastDepth;
use crate::mates::judge::{Case, Judged, judge};
use crate::player::{NoAnswer, Player, Setup};
use crate::runner::{CaseContext, PlayerPool};
use oracle::board::Game;
use oracle::prover::ProverLimits;
use uci::{Limit, Question, Reply};

/// Times as many nodes, one after the other, by which it is found out what a program says of a depth that it may not have
/// finished.
const MORE: [u32; 2] = [4, 16];
/// The most men of the tables that our engine builds at its start.
const MOST_MEN: usize = 3;

/// Classes of the suite whose mates our engine is to announce with the nodes that a run gives it.
const PROMISED: [&str; 2] = ["memory-clock", "table-clock"];

/// Asks, and judges what is said.
pub(super) struct Asker<'a> {
    context: &'a SuiteContext<'a>,
    limit: Limit,
    which: Announcements,
    tables: Adjudicator<'a>,
    /// Who is asked.
    pub(super) pool: PlayerPool<'a>,
}

/// A case, and how hard its prover may try.
#[derive(Clone, Copy)]
struct Put<'c> {
    case: &'c Case<'c>,
    limits: &'c ProverLimits,
}

/// What became of a depth that was in doubt, when more nodes were given.
enum Finished {
    /// What was wrong is not wrong there.
    Right,
    /// It is wrong there too: the question that shows it.
    Wrong(Question, Box<Judged>),
    /// The program could not be asked, or had to be stopped before it was through.
    NotAsked(SkipReason),
}

impl<'a> Asker<'a> {
    pub(super) fn new(context: &'a SuiteContext<'a>, nodes: u64, which: Announcements) -> Self {
        let tables = Adjudicator::of(context.authorities);
        let limit = context.limit.unwrap_or(Limit::Nodes(nodes));
        Self { context, limit, which, tables, pool: PlayerPool::new(context.players) }
    }

    /// Asks for a case and judges what is said.
    ///
    /// A search that comes to the end of its nodes is in the middle of an iteration, and what a program says of that is not its
    /// word yet: where only that is wrong, it is asked with more nodes. What is wrong counts if it comes again.
    pub(super) fn judge(&self, turn: &CaseContext<'_>, case: &Case<'_>, limits: &ProverLimits) -> Judged {
        let (put, mut question) = (Put { case, limits }, self.question(case, 1));
        if case.game.is_none() {
            return self.judged(put, &question, None);
        }
        let last = self.last_depth();
        let mut lease = match turn.lease(Setup::ALL) {
            Ok(lease) => lease,
            Err(why) => return self.judged(put, &question, Some((Err(why), last))),
        };
        let reply = lease.ask(&question);
        let mut judged = self.judged(put, &question, Some((reply.clone(), last)));
        if judged.in_doubt {
            match self.finished(turn, put) {
                Finished::Wrong(shown, wrong) => (question, judged) = (shown, *wrong),
                Finished::Right => return self.judged(put, &question, Some((reply, LastDepth::Unfinished))),
                Finished::NotAsked(reason) => return judged.undecided(reason),
            }
        }
        let Some(fault) = judged.fault().filter(|_| reply.is_ok()) else { return judged };
        let is_so = |reply: &Result<Reply, NoAnswer>| {
            let again = self.judged(put, &question, Some((reply.clone(), last)));
            again.fault().is_some_and(|again| again.check == fault.check)
        };
        let again = lease.reproduce(|lease| lease.ask(&question), is_so);
        judged.again(again)
    }

    /// What is asked of a case, with so many times its nodes or time.
    fn question(&self, case: &Case<'_>, times: u32) -> Question {
        let limit = match self.limit {
            Limit::Nodes(nodes) => Limit::Nodes(nodes.saturating_mul(times.into())),
            Limit::MoveTime(time) => Limit::MoveTime(time.saturating_mul(times)),
            Limit::Depth(depth) => Limit::Depth(depth),
        };
        Question { moves: case.moves.to_vec(), ..Question::of(case.fen, limit) }
    }

    /// What the last depth of a search to the end of its nodes is worth: our own engine proves what it announces.
    fn last_depth(&self) -> LastDepth {
        if self.context.players.searches_selectively() { LastDepth::InDoubt } else { LastDepth::Counts }
    }

    /// What is wrong once a depth is finished that was in doubt: the question that shows it. A program whose last word is wrong
    /// however many nodes it is given is wrong, unless it had to be told to stop.
    fn finished(&self, turn: &CaseContext<'_>, put: Put<'_>) -> Finished {
        for times in MORE {
            let question = self.question(put.case, times);
            let reply = match turn.ask_fresh(Setup::ALL, &question) {
                Ok(reply) => reply,
                Err(why) => return Finished::NotAsked(why.skip().unwrap_or(SkipReason::Undecided)),
            };
            let is_last = times == MORE[MORE.len() - 1];
            let cut = reply.cut;
            let judged = self.judged(put, &question, Some((Ok(reply), self.last_depth())));
            if judged.fault().is_none() {
                return Finished::Right;
            }
            if !judged.in_doubt || is_last && !cut {
                return Finished::Wrong(question, Box::new(judged));
            }
        }
        Finished::NotAsked(SkipReason::Undecided)
    }

    fn judged(
        &self,
        Put { case, limits }: Put<'_>,
        question: &Question,
        reply: Option<(Result<Reply, NoAnswer>, LastDepth)>,
    ) -> Judged {
        let replay = || self.context.players.replay(Setup::ALL, question);
        let (reply, last) = reply.map_or((None, LastDepth::Counts), |(reply, last)| (Some(reply), last));
        let mut which = self.which;
        let subjects = self.context.players;
        if subjects.proves_mates() {
            let is_of_class = self.context.limit.is_none() && PROMISED.contains(&&*case.class);
            which.demand = match which.demand {
                _ if is_of_class => Demand::Promised,
                Demand::Nothing if case.game.is_some_and(is_in_tables) => Demand::ByTables,
                demand => demand,
            };
        }
        judge(self.context.players.name(), case, reply, (which, last), (limits, &self.tables), &replay)
    }
}

/// Whether the tables of our engine know a position, and nothing that stood before matters.
fn is_in_tables(game: &Game) -> bool {
    let position = game.position();
    let has_few = position.board().occupied().count() <= MOST_MEN;
    has_few && position.castles().is_empty() && game.twice().is_empty()
}
