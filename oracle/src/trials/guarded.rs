//! Subjects as trials ask them: what breaks in one is an answer that is missing, and no move is told in one way.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

use crate::subject::{NoAnswer, Question, Reply, Setup, Subject, Subjects};

/// Subjects that run, and wait to be asked: no more of them than ask at once.
pub(super) struct Pool<'a> {
    subjects: &'a dyn Subjects,
    idle: Mutex<Vec<(Setup, Box<dyn Subject>)>>,
}

impl<'a> Pool<'a> {
    pub(super) fn new(subjects: &'a dyn Subjects) -> Self {
        Self { subjects, idle: Mutex::default() }
    }

    /// One that knows nothing of earlier questions. It is started if none is idle.
    pub(super) fn seat(&self, setup: Setup) -> Result<Seat<'_>, NoAnswer> {
        let mut subject = match self.idle(setup) {
            Some(subject) => subject,
            None => Box::new(Guarded(guarded(|| self.subjects.start(setup))?)),
        };
        subject.forget()?;
        Ok(Seat { pool: self, setup, subject: Some(subject) })
    }

    /// Asks one that knows nothing of earlier questions.
    pub(super) fn ask(&self, setup: Setup, question: &Question) -> Result<Reply, NoAnswer> {
        self.seat(setup)?.ask(question)
    }

    fn idle(&self, setup: Setup) -> Option<Box<dyn Subject>> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let place = idle.iter().rposition(|(has, _)| *has == setup)?;
        Some(idle.swap_remove(place).1)
    }
}

/// A subject that is being asked. It goes back to the others afterwards, unless it broke.
pub(super) struct Seat<'a> {
    pool: &'a Pool<'a>,
    setup: Setup,
    subject: Option<Box<dyn Subject>>,
}

impl Seat<'_> {
    fn with<T>(&mut self, does: impl Fn(&mut dyn Subject) -> Result<T, NoAnswer>) -> Result<T, NoAnswer> {
        let Some(mut subject) = self.subject.take() else {
            // Another takes the place of one that broke.
            return self.pool.seat(self.setup).and_then(|mut seat| {
                std::mem::swap(&mut self.subject, &mut seat.subject);
                self.with(does)
            });
        };
        let done = does(&mut *subject)?;
        self.subject = Some(subject);
        Ok(done)
    }
}

impl Subject for Seat<'_> {
    fn forget(&mut self) -> Result<(), NoAnswer> {
        self.with(|subject| subject.forget())
    }

    fn ask(&mut self, question: &Question) -> Result<Reply, NoAnswer> {
        self.with(|subject| subject.ask(question))
    }
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        if let Some(subject) = self.subject.take() {
            let mut idle = self.pool.idle.lock().unwrap_or_else(PoisonError::into_inner);
            idle.push((self.setup, subject));
        }
    }
}

struct Guarded(Box<dyn Subject>);

impl Subject for Guarded {
    fn forget(&mut self) -> Result<(), NoAnswer> {
        guarded(|| self.0.forget())
    }

    fn ask(&mut self, question: &Question) -> Result<Reply, NoAnswer> {
        let reply = guarded(|| self.0.ask(question))?;
        Ok(Reply { best: reply.best.filter(|text| !is_nothing(text)), ..reply })
    }
}

/// What breaks over one question is that question's fault, and no other's.
fn guarded<T>(does: impl FnOnce() -> Result<T, NoAnswer>) -> Result<T, NoAnswer> {
    catch_unwind(AssertUnwindSafe(does)).unwrap_or_else(|_| Err(NoAnswer::Broken("it panics".to_owned())))
}

/// Where there is no move, engines say so in many ways, one of them a move from a square to itself.
fn is_nothing(text: &str) -> bool {
    matches!(text, "(none)" | "0000") || text.len() >= 4 && text.get(..2) == text.get(2..4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::{Aid, Limit};

    /// Says a text as its move; panics where that is empty.
    struct Says(&'static str);

    impl Subjects for Says {
        fn name(&self) -> &'static str {
            "says"
        }

        fn start(&self, _: Setup) -> Result<Box<dyn Subject>, NoAnswer> {
            assert!(self.0 != "start");
            Ok(Box::new(Says(self.0)))
        }

        fn has(&self, _: Aid) -> bool {
            false
        }

        fn replay(&self, _: Setup, _: &Question) -> String {
            String::new()
        }
    }

    impl Subject for Says {
        fn forget(&mut self) -> Result<(), NoAnswer> {
            assert!(self.0 != "forget");
            Ok(())
        }

        fn ask(&mut self, _: &Question) -> Result<Reply, NoAnswer> {
            assert!(self.0 != "ask");
            Ok(Reply { best: Some(self.0.to_owned()), ..Reply::default() })
        }
    }

    fn best(says: &'static str) -> Result<Option<String>, NoAnswer> {
        let question = Question::of("8/8/8/8/8/1K6/2R5/1k6 w - - 0 1", Limit::Depth(1));
        let subjects = Says(says);
        let pool = Pool::new(&subjects);
        let reply = pool.ask(Setup::ALL, &question);
        assert_eq!(pool.idle.lock().unwrap().len(), usize::from(reply.is_ok()));
        reply.map(|reply| reply.best)
    }

    #[test]
    fn who_breaks_is_replaced() {
        let pool = Pool::new(&Says("ask"));
        let question = Question::of("8/8/8/8/8/1K6/2R5/1k6 w - - 0 1", Limit::Depth(1));
        let mut seat = pool.seat(Setup::ALL).unwrap();
        assert!(seat.ask(&question).is_err() && seat.subject.is_none());
        assert!(seat.forget().is_ok() && seat.subject.is_some());
        drop(seat);
        assert!(pool.idle(Setup::NONE).is_none());
        assert!(pool.idle(Setup::ALL).is_some());
    }

    #[test]
    fn no_move_is_said_in_one_way() {
        for nothing in ["(none)", "0000", "a1a1"] {
            assert_eq!(best(nothing), Ok(None), "{nothing}");
        }
        for something in ["a1a2", "a1", "", "garbage", "e7e8q"] {
            assert_eq!(best(something), Ok(Some(something.to_owned())));
        }
    }

    #[test]
    fn who_panics_has_not_answered() {
        for panics in ["start", "forget", "ask"] {
            assert_eq!(best(panics), Err(NoAnswer::Broken("it panics".to_owned())), "{panics}");
        }
    }
}
