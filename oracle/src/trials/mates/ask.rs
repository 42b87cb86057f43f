//! Puts questions to a subject.

use crate::prover::Limits;
use crate::subject::{Limit, Question, Setup};
use crate::trials::Trial;
use crate::trials::guarded::{Pool, Turn};
use crate::trials::mates::judge::{Case, Judged, judge};
use crate::trials::mates::word::Announcements;

/// Asks, and judges what is said.
pub(super) struct Asker<'a> {
    trial: &'a Trial<'a>,
    limit: Limit,
    which: Announcements,
    /// Who is asked.
    pub(super) pool: Pool<'a>,
}

impl<'a> Asker<'a> {
    pub(super) fn new(trial: &'a Trial<'a>, nodes: u64, which: Announcements) -> Self {
        Self { trial, limit: Limit::Nodes(nodes), which, pool: Pool::new(trial.subjects) }
    }

    /// Asks for a case and judges what is said.
    pub(super) fn judge(&self, turn: &Turn<'_>, case: &Case<'_>, limits: &Limits) -> Judged {
        let question = Question::of(case.fen, self.limit);
        let ask = || turn.ask(Setup::ALL, &question);
        let reply = case.position.is_some().then(ask);
        let replay = || self.trial.subjects.replay(Setup::ALL, &question);
        judge(self.trial.subjects.name(), case, reply, (self.which, limits), &replay)
    }
}
