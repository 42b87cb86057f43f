//! A subject as trials ask it: what breaks in it is an answer that is missing, and no move is told in one way.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::subject::{NoAnswer, Question, Reply, Setup, Subject, Subjects};

/// Starts a subject.
pub(super) fn start(subjects: &dyn Subjects, setup: Setup) -> Result<Box<dyn Subject>, NoAnswer> {
    let started = guarded(|| subjects.start(setup))?;
    Ok(Box::new(Guarded(started)))
}

/// Asks a subject that knows nothing of earlier questions. It is started if there is none, and let go if it fails.
pub(super) fn ask_afresh(
    running: &mut Option<Box<dyn Subject>>,
    subjects: &dyn Subjects,
    setup: Setup,
    question: &Question,
) -> Result<Reply, NoAnswer> {
    let mut subject = match running.take() {
        Some(subject) => subject,
        None => start(subjects, setup)?,
    };
    subject.forget()?;
    let reply = subject.ask(question)?;
    *running = Some(subject);
    Ok(reply)
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
    catch_unwind(AssertUnwindSafe(does)).unwrap_or_else(|_| Err(NoAnswer("it panics".to_owned())))
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
        let mut running = None;
        let reply = ask_afresh(&mut running, &Says(says), Setup::ALL, &question);
        assert_eq!(running.is_some(), reply.is_ok());
        reply.map(|reply| reply.best)
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
            assert_eq!(best(panics), Err(NoAnswer("it panics".to_owned())), "{panics}");
        }
    }
}
