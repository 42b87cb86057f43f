//! Puts questions to a subject.

use shakmaty::Position;

use crate::game::Game;
use crate::prover::Limits;
use crate::subject::{Aid, Limit, NoAnswer, Question, Reply, Setup};
use crate::trials::Trial;
use crate::trials::guarded::{Pool, Turn};
use crate::trials::mates::judge::{Case, Judged, judge};
use crate::trials::mates::word::{Announcements, Demand};
use crate::trials::worth::Judge;

/// The most men of the tables that our engine builds at its start.
const MOST_MEN: usize = 3;

/// Asks, and judges what is said.
pub(super) struct Asker<'a> {
    trial: &'a Trial<'a>,
    limit: Limit,
    which: Announcements,
    tables: Judge<'a>,
    /// Who is asked.
    pub(super) pool: Pool<'a>,
}

impl<'a> Asker<'a> {
    pub(super) fn new(trial: &'a Trial<'a>, nodes: u64, which: Announcements) -> Self {
        let tables = Judge::of(trial.authorities);
        let limit = trial.limit.unwrap_or(Limit::Nodes(nodes));
        Self { trial, limit, which, tables, pool: Pool::new(trial.subjects) }
    }

    /// Asks for a case and judges what is said.
    ///
    /// A search that comes to the end of its nodes is in the middle of an iteration, and what it says of that is not its
    /// word yet. So where a program seems to be wrong, another process is asked to search to the depth of what it
    /// announced, and that is judged.
    pub(super) fn judge(&self, turn: &Turn<'_>, case: &Case<'_>, limits: &Limits) -> Judged {
        let question = asked(case, self.limit);
        let reply = case.game.is_some().then(|| turn.ask(Setup::ALL, &question));
        let judged = self.judged(&question, case, reply, limits);
        match judged.depth {
            Some(depth) if self.trial.subjects.may_be_late() => {
                // No depth at all is to some no limit.
                let depth = depth.max(1).try_into().unwrap_or(u16::MAX);
                let question = asked(case, Limit::Depth(depth));
                let reply = turn.ask_apart(Setup::ALL, &question).map(finished);
                self.judged(&question, case, Some(reply), limits)
            }
            _ => judged,
        }
    }

    /// Whether the subject has promised the shortest mate of a position: our engine has, of what stands in its tables.
    fn is_promised(&self, game: &Game) -> bool {
        let position = game.position();
        let subjects = self.trial.subjects;
        let has_tables = subjects.is_ours() && subjects.has(Aid::Tables);
        has_tables
            && game.twice().is_empty()
            && position.board().occupied().count() <= MOST_MEN
            && position.castles().is_empty()
    }

    fn judged(
        &self,
        question: &Question,
        case: &Case<'_>,
        reply: Option<Result<Reply, NoAnswer>>,
        limits: &Limits,
    ) -> Judged {
        let replay = || self.trial.subjects.replay(Setup::ALL, question);
        let mut which = self.which;
        if which.demand == Demand::Nothing && case.game.is_some_and(|game| self.is_promised(game)) {
            which.demand = Demand::ByTables;
        }
        judge(self.trial.subjects.name(), case, reply, (which, limits, &self.tables), &replay)
    }
}

/// What is asked of a case.
fn asked(case: &Case<'_>, limit: Limit) -> Question {
    Question { moves: case.moves.to_vec(), ..Question::of(case.fen, limit) }
}

/// The same without what it said of the last depth, if it may not have come to the end of it.
fn finished(mut reply: Reply) -> Reply {
    let last = reply.lines.iter().map(|line| line.depth).max();
    reply.lines.retain(|line| !reply.cut || Some(line.depth) < last);
    reply
}
