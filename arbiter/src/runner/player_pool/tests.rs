//! A player that fails is asked again, replaced and given up.

use suites::Replay;

use super::*;
use crate::player::{Aid, ProgramFailure};
use crate::scripted::ScriptedPlayer;
use uci::Limit;

/// A player whose move is this text. It panics in the step that the text names.
struct Scripted(&'static str);

impl PlayerFactory for Scripted {
    fn name(&self) -> &'static str {
        "says"
    }

    fn start(&self, _: Setup) -> Result<Box<dyn Player>, NoAnswer> {
        assert!(self.0 != "start");
        Ok(Box::new(Scripted(self.0)))
    }

    fn has(&self, _: Aid) -> bool {
        false
    }

    fn replay(&self, _: Setup, _: &Question) -> Replay {
        Replay::default()
    }
}

impl Player for Scripted {
    fn forget(&mut self) -> Result<(), NoAnswer> {
        assert!(self.0 != "forget");
        Ok(())
    }

    fn ask(&mut self, _: &Question) -> Result<Reply, NoAnswer> {
        assert!(self.0 != "ask");
        Ok(Reply { best: Some(self.0.to_owned()), ..Reply::default() })
    }
}

fn case<'a>(pool: &'a PlayerPool<'_>) -> CaseContext<'a> {
    CaseContext { pool, log: Mutex::default() }
}

fn best(text: &'static str) -> Result<Option<String>, NoAnswer> {
    let question = Question::new("8/8/8/8/8/1K6/2R5/1k6 w - - 0 1", Limit::Depth(1));
    let players = Scripted(text);
    let pool = PlayerPool::new(&players);
    let reply = case(&pool).ask(Setup::ALL, &question);
    assert_eq!(pool.idle.len(), usize::from(reply.is_ok()));
    reply.map(|reply| reply.best)
}

#[test]
fn a_player_that_fails_is_replaced() {
    let pool = PlayerPool::new(&Scripted("ask"));
    let question = Question::new("8/8/8/8/8/1K6/2R5/1k6 w - - 0 1", Limit::Depth(1));
    let case = case(&pool);
    let mut lease = case.lease(Setup::ALL).unwrap();
    assert!(lease.ask(&question).is_err() && lease.player.is_none());
    assert!(lease.forget().is_ok() && lease.player.is_some());
    drop(lease);
    assert!(pool.idle.take(&Setup::NONE).is_none());
    assert!(pool.idle.take(&Setup::ALL).is_some());
}

#[test]
fn all_texts_without_a_move_are_none() {
    for nothing in ["(none)", "0000", "a1a1", "NULL", ""] {
        assert_eq!(best(nothing), Ok(None), "{nothing}");
    }
    for something in ["a1a2", "a1", "garbage", "e7e8q"] {
        assert_eq!(best(something), Ok(Some(something.to_owned())));
    }
}

/// A player that fails over the question with this number, counted over all processes or in each one.
fn fails_at(at: u32, of_all: bool, hangs: bool) -> ScriptedPlayer {
    ScriptedPlayer::new(move |_, before| {
        let asked = if of_all { before.in_all } else { before.in_process };
        match asked + 1 == at {
            true if hangs => Err(NoAnswer::Hung("it sleeps".to_owned())),
            true => Err(NoAnswer::Broken("it is dead".to_owned())),
            false => Ok(Reply::default()),
        }
    })
}

/// One failure is forgiven. A failure at each second question of a process is not.
#[test]
fn a_player_that_fails_is_asked_again() {
    let check = |at, of_all, hangs, expected: [bool; 3]| {
        let players = fails_at(at, of_all, hangs);
        let pool = PlayerPool::new(&players);
        let question = Question::new("8/8/8/8/8/1K6/2R5/1k6 w - - 0 1", Limit::Depth(1));
        let case = case(&pool);
        let answered = [(); 3].map(|()| case.ask(Setup::ALL, &question).is_ok());
        assert_eq!(answered, expected, "{at} of all: {of_all}");
        locked(&case.log).cost()
    };
    assert_eq!(check(1, true, false, [true; 3]), CRASH);
    assert_eq!(check(2, true, true, [true; 3]), HANG);
    assert_eq!(check(9, false, false, [true; 3]), 0);
    // It fails at the second question of each process. The third question has a process of its own.
    assert_eq!(check(2, false, false, [true, false, true]), CRASH);
    // After it hung twice it is not asked any more.
    assert_eq!(check(2, false, true, [true, false, false]), HANG);
}

#[test]
fn a_panic_is_a_missing_answer() {
    for panics in ["start", "forget", "ask"] {
        assert_eq!(best(panics), Err(NoAnswer::Broken("it panics".to_owned())), "{panics}");
    }
}

#[test]
fn so_many_transcripts_are_kept_and_no_more() {
    let pool = PlayerPool::new(&Scripted("start"));
    let failure = uci::Failure::NotStarted(String::new());
    let why = NoAnswer::Failed(Box::new(ProgramFailure { failure, transcript: "> uci".to_owned() }));
    let kept = || pool.incident(None, &why).unwrap().transcript;
    assert!((0..MOST_TRANSCRIPTS).all(|_| kept() == "> uci"));
    assert_eq!([kept(), kept()], ["", ""]);
    assert_eq!(pool.incident(None, &NoAnswer::OutOfTime), None);
}
