//! Puts questions to a subject, one after the other, and starts another where one fails.

use crate::prover::Limits;
use crate::subject::{Limit, Question, Setup, Subject};
use crate::trials::mates::judge::{Case, Judged, judge};
use crate::trials::{Trial, guarded};

/// Asks on one thread.
pub(super) struct Asker<'a> {
    trial: &'a Trial<'a>,
    limit: Limit,
    running: Option<Box<dyn Subject>>,
}

impl<'a> Asker<'a> {
    pub(super) fn new(trial: &'a Trial<'a>, nodes: u64) -> Self {
        Self { trial, limit: Limit::Nodes(nodes), running: None }
    }

    /// Asks for a case and judges what is said.
    pub(super) fn judge(&mut self, case: &Case<'_>, limits: &Limits) -> Judged {
        let question = Question::of(case.fen, self.limit);
        let ask = || guarded::ask_afresh(&mut self.running, self.trial.subjects, Setup::ALL, &question);
        let reply = case.position.is_some().then(ask);
        let replay = || self.trial.subjects.replay(Setup::ALL, &question);
        let judged = judge(self.trial.subjects.name(), case, reply, limits, &replay);
        self.trial.watch.advance(1);
        judged
    }
}
