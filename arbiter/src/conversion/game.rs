//! One game: the subject for the win, the perfect defender against it.
//!
//! It ends by itself: each hundred plies bring a capture or a pawn's move, or a draw, and an ending has few of these.

use std::cell::RefCell;

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{EnPassantMode, Move, Position};
use suites::SkipReason;

use super::How;
use super::defender;
use super::position_history::{PositionHistory, text};
use super::rng::GameRng;
use super::starts::Start;
use crate::adjudicator::Judge;
use crate::player::{NoAnswer, Player};
use crate::runner::{PlayerLease, Reproduction};
use oracle::table_probe::Wdl;
use uci::{Limit, Question, Reply};

/// The most of what a subject said that is told.
const SHOWN: usize = 40;

/// A game that has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Played {
    pub(super) start: String,
    pub(super) end: End,
    /// Plies played.
    pub(super) plies: u64,
    /// Plies to mate from the start, where they are known.
    pub(super) mate: Option<u32>,
    /// What went wrong, if it was not won.
    pub(super) fault: Option<Fault>,
    /// The first answer that was wrong and did not come again: another one was played.
    pub(super) flaky: Option<Fault>,
}

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Won,
    NotWon(How),
    /// No judge knew a position that it came to.
    Unjudged,
    /// The subject was no longer asked before its end.
    NotAsked(SkipReason),
}

/// Where it went wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    /// The position before the move that is to blame; without such a move the last one.
    pub(super) fen: String,
    /// That move; empty if there is none.
    pub(super) played: String,
    /// Who says that the start was won.
    pub(super) source: &'static str,
    /// What the subject was last asked.
    pub(super) question: Question,
    /// In words.
    pub(super) why: String,
}

impl Played {
    /// By how many plies a game that was won took longer than it had to.
    pub(super) fn plies_lost(&self) -> Option<u64> {
        Some(self.plies.saturating_sub(u64::from(self.mate?)))
    }
}

/// A game in which the subject did not even sit down.
pub(super) fn never_begun(start: &Start, limit: Limit, why: &NoAnswer) -> Played {
    let end = why.skip().map_or(End::NotWon(How::Unanswered), End::NotAsked);
    let question = Question::of(&start.fen, limit);
    let fault = Fault {
        fen: start.fen.clone(),
        played: String::new(),
        source: start.source,
        question,
        why: format!("it does not start: {}", shown(&why.to_string())),
    };
    Played { start: start.fen.clone(), end, plies: 0, mate: start.mate, fault: Some(fault), flaky: None }
}

/// Plays a game to its end. The start is won for the side to move.
pub(super) fn play(
    subject: &mut PlayerLease<'_>,
    start: &Start,
    judge: &Judge,
    limit: Limit,
    chance: GameRng,
) -> Played {
    let course = PositionHistory::new(start.position.clone());
    let mut game = Game { start, judge, limit, chance, course, flaky: None };
    let (end, fault) = loop {
        if let Some(end) = game.round(subject) {
            break end;
        }
    };
    let plies = game.course.moves.len() as u64;
    Played { start: start.fen.clone(), end, plies, mate: start.mate, fault, flaky: game.flaky }
}

struct Game<'a> {
    start: &'a Start,
    judge: &'a Judge<'a>,
    limit: Limit,
    chance: GameRng,
    course: PositionHistory,
    flaky: Option<Fault>,
}

type Ended = (End, Option<Fault>);

/// What stood in place of a move, and what is wrong with that.
type Wrong = (String, String);

/// Why there is no move of the subject.
enum Unanswered {
    /// It was not asked.
    NotAsked(SkipReason),
    /// What stands in its place, and what is wrong with that.
    Wrong { played: String, why: String },
}

impl Game<'_> {
    /// A move of the subject and the reply. What is said if the game ends with them.
    fn round(&mut self, subject: &mut PlayerLease<'_>) -> Option<Ended> {
        let question =
            Question { moves: self.course.moves.clone(), ..Question::of(&self.start.fen, self.limit) };
        let (before, source) = (self.fen(), self.start.source);
        let fault = |fen: &str, played: &str, why: String| Fault {
            fen: fen.to_owned(),
            played: played.to_owned(),
            source,
            question: question.clone(),
            why,
        };
        let mv = match self.heard(subject, &question) {
            Ok((mv, None)) => mv,
            Ok((mv, Some((played, why)))) => {
                self.flaky.get_or_insert_with(|| fault(&before, &played, why));
                mv
            }
            Err(Unanswered::NotAsked(reason)) => return Some((End::NotAsked(reason), None)),
            Err(Unanswered::Wrong { played, why }) => {
                return Some((End::NotWon(How::Unanswered), Some(fault(&before, &played, why))));
            }
        };
        let (mv, played) = (mv, text(mv));
        self.course.play(mv);
        if self.course.position.is_checkmate() {
            return Some((End::Won, None));
        }
        let Some(worth) = self.judge.worth(&self.course.position) else { return Some((End::Unjudged, None)) };
        if worth.wdl != Wdl::Loss {
            let what = if self.course.position.is_stalemate() { "stalemates" } else { "gives the win away" };
            let why = format!("{played} {what}");
            return Some((End::NotWon(How::Thrown), Some(fault(&before, &played, why))));
        }
        match self.course.drawn() {
            Some(How::Repetition) => {
                let why = format!("{played} repeats the position for the third time");
                return Some((End::NotWon(How::Repetition), Some(fault(&before, &played, why))));
            }
            Some(how) => return Some((End::NotWon(how), Some(fault(&self.fen(), "", words(how))))),
            None => {}
        }
        let Some(reply) = defender::reply(&self.course, self.judge, &mut self.chance) else {
            return Some((End::Unjudged, None));
        };
        self.course.play(reply);
        let how = self.course.drawn()?;
        Some((End::NotWon(how), Some(fault(&self.fen(), "", words(how)))))
    }

    /// The legal move that it answers with, and what was wrong before if that did not come again: another process is asked the
    /// same, then this one.
    fn heard(
        &self,
        subject: &mut PlayerLease<'_>,
        question: &Question,
    ) -> Result<(Move, Option<Wrong>), Unanswered> {
        let first = subject.ask(question);
        let is_answer = first.is_ok();
        let (played, why) = match self.answer(first) {
            Ok(mv) => return Ok((mv, None)),
            // No answer came twice already.
            Err(Unanswered::Wrong { played, why }) if is_answer => (played, why),
            Err(unanswered) => return Err(unanswered),
        };
        let other = RefCell::new(None);
        let is_so = |reply: &Result<Reply, NoAnswer>| {
            let answer = self.answer(reply.clone());
            let is_so = reply.is_ok() && matches!(answer, Err(Unanswered::Wrong { .. }));
            let mut other = other.borrow_mut();
            *other = other.take().or(answer.ok());
            is_so
        };
        let again = subject.reproduce_in_game(|lease| lease.ask(question), is_so);
        match (again, other.into_inner()) {
            (Reproduction::NotAsked(reason), _) => Err(Unanswered::NotAsked(reason)),
            (Reproduction::Never, Some(mv)) => Ok((mv, Some((played, why)))),
            // Asked again, it broke.
            (Reproduction::Never, None) => Err(Unanswered::NotAsked(SkipReason::GivenUp)),
            _ => Err(Unanswered::Wrong { played, why }),
        }
    }

    /// The legal move of an answer; or what it said instead, and what is wrong with that.
    fn answer(&self, reply: Result<Reply, NoAnswer>) -> Result<Move, Unanswered> {
        let wrong = |played: String, why: String| Unanswered::Wrong { played, why };
        let reply = reply.map_err(|error| match error.skip() {
            Some(reason) => Unanswered::NotAsked(reason),
            None => wrong(String::new(), format!("no answer: {}", shown(&error.to_string()))),
        })?;
        let said =
            reply.best.ok_or_else(|| wrong(String::new(), "it says that there is no move".to_owned()))?;
        let legal = said.parse::<UciMove>().ok().and_then(|mv| mv.to_move(&self.course.position).ok());
        legal.ok_or_else(|| wrong(shown(&said), format!("the move \"{}\" is not legal", shown(&said))))
    }

    fn fen(&self) -> String {
        Fen::from_position(&self.course.position, EnPassantMode::Legal).to_string()
    }
}

fn words(how: How) -> String {
    match how {
        How::FiftyMoves => "fifty moves without capture or pawn's move".to_owned(),
        How::Repetition => "the position stands for the third time".to_owned(),
        How::Thrown | How::Unanswered => how.name().to_owned(),
    }
}

/// The start of what a subject said, without controls.
fn shown(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(SHOWN).collect()
}
