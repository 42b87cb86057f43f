//! PlayerFactory as trials ask them: what breaks in one is an answer that is missing, and no move is told in one way.
//!
//! A subject that breaks over a question is asked the same again before its answer counts as missing: in a fresh process, and
//! in that one once more, for it may break at its second question only. What is wrong with an answer that came is asked again by
//! whoever judges it, with [`PlayerLease::again`].

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};

use suites::{Difference, SkipReason};

use crate::ProgressObserver;
use crate::player::{NoAnswer, Player, PlayerFactory, Setup};
use crate::runner::queue::{BROKE, HUNG, in_turn};
use uci::{Question, Reply};

/// Why a case is passed over.
const PASSED_OVER: &str = "over cases before this one";

/// PlayerFactory that run, and wait to be asked: no more of them than ask at once.
pub(crate) struct PlayerPool<'a> {
    subjects: &'a dyn PlayerFactory,
    idle: Mutex<Vec<(Setup, Box<dyn Player>)>>,
}

/// Over what a subject broke: over a question, or at its start or a new game.
type Over = Option<Question>;

impl<'a> PlayerPool<'a> {
    pub(crate) fn new(subjects: &'a dyn PlayerFactory) -> Self {
        Self { subjects, idle: Mutex::default() }
    }

    /// Judges each case. Where the subjects break time and again, those that follow are passed over.
    pub(crate) fn in_turn<C: Sync, T: Send>(
        &self,
        cases: &[C],
        progress: &dyn ProgressObserver,
        judge: impl Fn(&CaseContext<'_>, &C) -> T + Sync,
    ) -> Vec<T> {
        let put = |case: &C| {
            let turn = CaseContext { pool: self, noted: Mutex::default() };
            let judged = judge(&turn, case);
            let noted = turn.noted.into_inner().unwrap_or_else(PoisonError::into_inner);
            let cost = noted.cost();
            ((judged, noted.broke), cost)
        };
        let pass_over = |case: &C, in_vain: Option<(T, Vec<Over>)>| {
            for over in in_vain.into_iter().flat_map(|(_, broke)| broke) {
                self.subjects.overlook(over.as_ref());
            }
            let noted = Noted { given_up: Some(PASSED_OVER.to_owned()), ..Noted::default() };
            (judge(&CaseContext { pool: self, noted: Mutex::new(noted) }, case), Vec::new())
        };
        in_turn(cases, progress, put, pass_over).into_iter().map(|(judged, _)| judged).collect()
    }

    /// One that knows nothing of earlier questions. It is started if none is idle.
    fn take(&self, setup: Setup) -> Result<Box<dyn Player>, NoAnswer> {
        let mut subject = match self.idle(setup) {
            Some(subject) => subject,
            None => self.start(setup)?,
        };
        subject.forget()?;
        Ok(subject)
    }

    fn start(&self, setup: Setup) -> Result<Box<dyn Player>, NoAnswer> {
        Ok(Box::new(Guarded(guarded(|| self.subjects.start(setup))?)))
    }

    fn idle(&self, setup: Setup) -> Option<Box<dyn Player>> {
        let mut idle = locked(&self.idle);
        let place = idle.iter().rposition(|(has, _)| *has == setup)?;
        Some(idle.swap_remove(place).1)
    }
}

/// One case's turn to ask. Once it was kept waiting twice over the same it asks no more.
pub(crate) struct CaseContext<'a> {
    pool: &'a PlayerPool<'a>,
    noted: Mutex<Noted>,
}

/// What is noted of the questions of a case.
#[derive(Default)]
struct Noted {
    broke: Vec<Over>,
    hung: bool,
    /// Why nothing is asked any more.
    given_up: Option<String>,
}

impl Noted {
    fn cost(&self) -> u32 {
        match self {
            Self { hung: true, .. } => HUNG,
            Self { broke, .. } if broke.is_empty() => 0,
            Self { .. } => BROKE,
        }
    }
}

impl CaseContext<'_> {
    /// A subject that knows nothing of earlier questions.
    pub(crate) fn lease(&self, setup: Setup) -> Result<PlayerLease<'_>, NoAnswer> {
        Ok(PlayerLease { turn: self, setup, subject: Some(self.take(setup)?), apart: false })
    }

    /// Asks one that knows nothing of earlier questions.
    pub(crate) fn ask(&self, setup: Setup, question: &Question) -> Result<Reply, NoAnswer> {
        self.lease(setup)?.ask(question)
    }

    /// Asks one that was started for it and is asked nothing else, so that whoever puts the question by hand sees the same.
    pub(crate) fn ask_fresh(&self, setup: Setup, question: &Question) -> Result<Reply, NoAnswer> {
        self.fresh_lease(setup)?.ask(question)
    }

    /// A subject that was started for this and goes when it has answered.
    pub(crate) fn fresh_lease(&self, setup: Setup) -> Result<PlayerLease<'_>, NoAnswer> {
        Ok(PlayerLease { turn: self, setup, subject: Some(self.start(setup)?), apart: true })
    }

    fn take(&self, setup: Setup) -> Result<Box<dyn Player>, NoAnswer> {
        twice(|| self.noted(None, || self.pool.take(setup))).map_err(|why| self.start_broke_again(why))
    }

    fn start(&self, setup: Setup) -> Result<Box<dyn Player>, NoAnswer> {
        // No more of them run than ask at once.
        drop(self.pool.idle(setup));
        twice(|| self.noted(None, || self.pool.start(setup))).map_err(|why| self.start_broke_again(why))
    }

    /// After it broke twice over the same, nothing is asked any more if it kept us waiting.
    fn broke_again(&self, why: NoAnswer) -> NoAnswer {
        if let NoAnswer::Hung(why) = &why {
            locked(&self.noted).given_up = Some(why.clone());
        }
        self.told(why)
    }

    /// The same where it broke at its start, or at a new game.
    fn start_broke_again(&self, why: NoAnswer) -> NoAnswer {
        if is_broken::<()>(&Err(why.clone())) {
            self.pool.subjects.start_broke_again();
        }
        self.told(why)
    }

    /// Why there is no answer, once it broke twice: where the incidents of the subjects tell it, nobody else does.
    fn told(&self, why: NoAnswer) -> NoAnswer {
        match why {
            NoAnswer::Broken(why) | NoAnswer::Hung(why) if self.pool.subjects.has_incidents() => {
                NoAnswer::Told(why)
            }
            why => why,
        }
    }

    /// Does something, and notes whether that breaks.
    fn noted<T>(
        &self,
        over: Option<&Question>,
        does: impl FnOnce() -> Result<T, NoAnswer>,
    ) -> Result<T, NoAnswer> {
        if let Some(why) = &locked(&self.noted).given_up {
            return Err(NoAnswer::GivenUp(why.clone()));
        }
        let done = does();
        if let Err(why @ (NoAnswer::Broken(_) | NoAnswer::Hung(_))) = &done {
            let mut noted = locked(&self.noted);
            noted.broke.push(over.cloned());
            noted.hung |= matches!(why, NoAnswer::Hung(_));
        }
        done
    }
}

/// A subject that is being asked. It goes back to the others afterwards, unless it broke.
pub(crate) struct PlayerLease<'a> {
    turn: &'a CaseContext<'a>,
    setup: Setup,
    subject: Option<Box<dyn Player>>,
    /// Whether it was started for this.
    apart: bool,
}

/// Whether what was said came again when the same was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reproduction {
    /// Another process says it too, one that was started for it.
    FreshProcess,
    /// Another process does not; the one that said it says it again.
    SameProcess,
    /// Neither does.
    Never,
    /// It could not be asked again.
    NotAsked(SkipReason),
}

impl Reproduction {
    /// Tells in a difference whether it came again; the reason to leave it out if nobody knows. What did not come again is a
    /// note, by this id.
    pub(crate) fn told(&self, found: &mut Difference, flaky: &str) -> Option<SkipReason> {
        if let Self::NotAsked(reason) = self {
            return Some(*reason);
        }
        if let Some(words) = self.words() {
            found.explanation = format!("{}; {words}", found.explanation);
        }
        if *self == Self::Never {
            flaky.clone_into(&mut found.check);
        }
        None
    }

    /// The same in words; nothing where another process says it too.
    pub(crate) fn words(&self) -> Option<&'static str> {
        match self {
            Self::FreshProcess | Self::NotAsked(_) => None,
            Self::SameProcess => Some("another process does not say so, the one that did says it again"),
            Self::Never => {
                Some("it came once: neither another process nor the one that said it says it again")
            }
        }
    }
}

impl PlayerLease<'_> {
    /// Puts the same again where an answer is wrong: to a process that is started for it, and if that says otherwise, to the one
    /// that said it. `put` asks a subject that knows nothing of earlier questions; `is_so` is whether what was said comes again.
    pub(crate) fn again<A>(
        &mut self,
        put: impl Fn(&mut Self) -> Result<A, NoAnswer>,
        is_so: impl Fn(&Result<A, NoAnswer>) -> bool,
    ) -> Reproduction {
        self.heard_again(&put, |lease| lease.forget().and_then(|()| put(lease)), is_so)
    }

    /// The same in the middle of a game: this process forgets nothing.
    pub(crate) fn again_here<A>(
        &mut self,
        put: impl Fn(&mut Self) -> Result<A, NoAnswer>,
        is_so: impl Fn(&Result<A, NoAnswer>) -> bool,
    ) -> Reproduction {
        self.heard_again(&put, &put, is_so)
    }

    fn heard_again<A>(
        &mut self,
        put_afresh: impl Fn(&mut Self) -> Result<A, NoAnswer>,
        put_here: impl Fn(&mut Self) -> Result<A, NoAnswer>,
        is_so: impl Fn(&Result<A, NoAnswer>) -> bool,
    ) -> Reproduction {
        let afresh = self.turn.fresh_lease(self.setup).and_then(|mut lease| put_afresh(&mut lease));
        if is_so(&afresh) {
            return Reproduction::FreshProcess;
        }
        let in_same = put_here(self);
        if is_so(&in_same) {
            return Reproduction::SameProcess;
        }
        let not_asked = [afresh.err(), in_same.err()].into_iter().flatten().find_map(|why| why.not_asked());
        not_asked.map_or(Reproduction::Never, Reproduction::NotAsked)
    }

    fn ask_once(&mut self, question: &Question) -> Result<Reply, NoAnswer> {
        self.with(Some(question), |subject| subject.ask(question))
    }

    fn with<T>(
        &mut self,
        over: Option<&Question>,
        does: impl FnOnce(&mut dyn Player) -> Result<T, NoAnswer>,
    ) -> Result<T, NoAnswer> {
        // Another takes the place of one that broke.
        let mut subject = self.subject.take().map_or_else(|| self.turn.take(self.setup), Ok)?;
        let done = self.turn.noted(over, || does(&mut *subject))?;
        self.subject = Some(subject);
        Ok(done)
    }
}

impl Player for PlayerLease<'_> {
    fn forget(&mut self) -> Result<(), NoAnswer> {
        let forgot = twice(|| self.with(None, |subject| subject.forget()));
        forgot.map_err(|why| self.turn.start_broke_again(why))
    }

    fn ask(&mut self, question: &Question) -> Result<Reply, NoAnswer> {
        let first = self.ask_once(question);
        if !is_broken(&first) {
            return first;
        }
        self.subject = Some(self.turn.start(self.setup)?);
        let second = self.ask_once(question).map_err(|why| self.turn.broke_again(why))?;
        // It may break whenever it was asked something before.
        match self.ask_once(question) {
            Err(why) if is_broken::<()>(&Err(why.clone())) => Err(self.turn.broke_again(why)),
            _ => Ok(second),
        }
    }
}

impl Drop for PlayerLease<'_> {
    fn drop(&mut self) {
        if let Some(subject) = self.subject.take().filter(|_| !self.apart) {
            locked(&self.turn.pool.idle).push((self.setup, subject));
        }
    }
}

/// Does what may break, and does it again if it does.
fn twice<T>(mut does: impl FnMut() -> Result<T, NoAnswer>) -> Result<T, NoAnswer> {
    let first = does();
    if is_broken(&first) { does() } else { first }
}

fn is_broken<T>(done: &Result<T, NoAnswer>) -> bool {
    matches!(done, Err(NoAnswer::Broken(_) | NoAnswer::Hung(_)))
}

fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Guarded(Box<dyn Player>);

impl Player for Guarded {
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

/// Whether a text says that there is no move. Engines say so in many ways, one of them a move from a square to itself.
pub(crate) fn is_nothing(text: &str) -> bool {
    matches!(text.to_lowercase().as_str(), "(none)" | "none" | "0000" | "null" | "")
        || text.is_ascii() && text.len() >= 4 && text.get(..2) == text.get(2..4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::Aid;
    use uci::Limit;

    /// Says a text as its move; panics where that is empty.
    struct Says(&'static str);

    impl PlayerFactory for Says {
        fn name(&self) -> &'static str {
            "says"
        }

        fn start(&self, _: Setup) -> Result<Box<dyn Player>, NoAnswer> {
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

    impl Player for Says {
        fn forget(&mut self) -> Result<(), NoAnswer> {
            assert!(self.0 != "forget");
            Ok(())
        }

        fn ask(&mut self, _: &Question) -> Result<Reply, NoAnswer> {
            assert!(self.0 != "ask");
            Ok(Reply { best: Some(self.0.to_owned()), ..Reply::default() })
        }
    }

    fn turn<'a>(pool: &'a PlayerPool<'_>) -> CaseContext<'a> {
        CaseContext { pool, noted: Mutex::default() }
    }

    fn best(says: &'static str) -> Result<Option<String>, NoAnswer> {
        let question = Question::of("8/8/8/8/8/1K6/2R5/1k6 w - - 0 1", Limit::Depth(1));
        let subjects = Says(says);
        let pool = PlayerPool::new(&subjects);
        let reply = turn(&pool).ask(Setup::ALL, &question);
        assert_eq!(pool.idle.lock().unwrap().len(), usize::from(reply.is_ok()));
        reply.map(|reply| reply.best)
    }

    #[test]
    fn who_breaks_is_replaced() {
        let pool = PlayerPool::new(&Says("ask"));
        let question = Question::of("8/8/8/8/8/1K6/2R5/1k6 w - - 0 1", Limit::Depth(1));
        let turn = turn(&pool);
        let mut lease = turn.lease(Setup::ALL).unwrap();
        assert!(lease.ask(&question).is_err() && lease.subject.is_none());
        assert!(lease.forget().is_ok() && lease.subject.is_some());
        drop(lease);
        assert!(pool.idle(Setup::NONE).is_none());
        assert!(pool.idle(Setup::ALL).is_some());
    }

    #[test]
    fn no_move_is_said_in_one_way() {
        for nothing in ["(none)", "0000", "a1a1", "NULL", ""] {
            assert_eq!(best(nothing), Ok(None), "{nothing}");
        }
        for something in ["a1a2", "a1", "garbage", "e7e8q"] {
            assert_eq!(best(something), Ok(Some(something.to_owned())));
        }
    }

    /// Breaks over the questions of this number: of all, or of each process.
    struct Breaks {
        at: u32,
        of_all: bool,
        hangs: bool,
        asked: std::sync::Arc<std::sync::atomic::AtomicU32>,
    }

    impl PlayerFactory for Breaks {
        fn name(&self) -> &'static str {
            "breaks"
        }

        fn start(&self, _: Setup) -> Result<Box<dyn Player>, NoAnswer> {
            let asked = if self.of_all { self.asked.clone() } else { std::sync::Arc::default() };
            Ok(Box::new(Self { asked, ..*self }))
        }

        fn has(&self, _: Aid) -> bool {
            false
        }

        fn replay(&self, _: Setup, _: &Question) -> String {
            String::new()
        }
    }

    impl Player for Breaks {
        fn forget(&mut self) -> Result<(), NoAnswer> {
            Ok(())
        }

        fn ask(&mut self, _: &Question) -> Result<Reply, NoAnswer> {
            let number = self.asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
            match number == self.at {
                true if self.hangs => Err(NoAnswer::Hung("it sleeps".to_owned())),
                true => Err(NoAnswer::Broken("it is dead".to_owned())),
                false => Ok(Reply::default()),
            }
        }
    }

    /// What breaks once has not broken yet; what breaks whenever it was asked something before has.
    #[test]
    fn no_answer_is_asked_for_again() {
        let check = |at, of_all, hangs, expected: [bool; 3]| {
            let subjects = Breaks { at, of_all, hangs, asked: std::sync::Arc::default() };
            let pool = PlayerPool::new(&subjects);
            let question = Question::of("8/8/8/8/8/1K6/2R5/1k6 w - - 0 1", Limit::Depth(1));
            let turn = turn(&pool);
            let answered = [(); 3].map(|()| turn.ask(Setup::ALL, &question).is_ok());
            assert_eq!(answered, expected, "{at} of all: {of_all}");
            locked(&turn.noted).cost()
        };
        assert_eq!(check(1, true, false, [true; 3]), BROKE);
        assert_eq!(check(2, true, true, [true; 3]), HUNG);
        assert_eq!(check(9, false, false, [true; 3]), 0);
        // The second question of each process; the third is put to a process of its own again.
        assert_eq!(check(2, false, false, [true, false, true]), BROKE);
        // Who kept us waiting twice is asked no more.
        assert_eq!(check(2, false, true, [true, false, false]), HUNG);
    }

    #[test]
    fn who_panics_has_not_answered() {
        for panics in ["start", "forget", "ask"] {
            assert_eq!(best(panics), Err(NoAnswer::Broken("it panics".to_owned())), "{panics}");
        }
    }
}
