//! Puts questions to a subject, one after the other, and starts another where one fails.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::prover::Limits;
use crate::subject::{Limit, NoAnswer, Question, Reply, Setup, Subject};
use crate::trials::Trial;
use crate::trials::mates::judge::{Case, Judged, judge};

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
        let reply = case.position.is_some().then(|| self.ask(&question));
        let replay = || self.trial.subjects.replay(Setup::ALL, &question);
        let judged = judge(self.trial.subjects.name(), case, reply, limits, &replay);
        self.trial.watch.advance(1);
        judged
    }

    /// Each question finds it as if it were the first.
    fn ask(&mut self, question: &Question) -> Result<Reply, NoAnswer> {
        let mut subject = match self.running.take() {
            Some(subject) => subject,
            None => self.trial.subjects.start(Setup::ALL)?,
        };
        // What breaks over one position is that position's fault, and no other's.
        let answer = catch_unwind(AssertUnwindSafe(|| {
            subject.forget()?;
            let reply = subject.ask(question)?;
            Ok((subject, reply))
        }));
        let (subject, reply) = answer.unwrap_or_else(|_| Err(NoAnswer("it panics".to_owned())))?;
        // One that failed is not asked again.
        self.running = Some(subject);
        Ok(reply)
    }
}
