//! One game: the player for the win against the perfect defender.
//!
//! A game ends by itself: each hundred plies bring a capture, a pawn move or a draw, and an ending has few
//! captures and pawn moves.

use std::cell::RefCell;

use oracle::board::{DrawRule, Game, Spelling, fen as fen_of, legal_move, uci_text};
use shakmaty::{CastlingMode, Move, Position};
use suites::{Replay, SkipReason};

use super::defender;
use super::rng::GameRng;
use super::starts::Start;
use super::{NotWon, NotWonReason};
use crate::adjudicator::Adjudicator;
use crate::answer::is_unsearched;
use crate::player::{NoAnswer, Player};
use crate::runner::{PlayerLease, Reproduction};
use oracle::table_probe::Wdl;
use uci::{Bound, Limit, Question, Reply, Score};

/// The most characters of an answer that are reported.
const MOST_SHOWN: usize = 40;

/// A game that has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PlayedGame {
    pub(super) end: GameEnd,
    /// Plies played.
    pub(super) plies: u64,
    /// Plies to mate from the start, where they are known.
    pub(super) mate: Option<u32>,
    /// The first wrong answer that did not come again, so that another move was played.
    pub(super) flaky: Option<NotWon>,
}

/// How a game ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum GameEnd {
    Won,
    NotWon(NotWon),
    /// No table has a position that was reached.
    NotAdjudicated,
    /// The player was no longer asked.
    NotAsked(SkipReason),
}

/// The conditions of a game.
#[derive(Clone, Copy)]
pub(super) struct Conditions<'a> {
    pub(super) adjudicator: &'a Adjudicator<'a>,
    pub(super) limit: Limit,
    /// The command that asks a question again.
    pub(super) replay: &'a dyn Fn(&Question) -> Replay,
}

impl PlayedGame {
    /// By how many plies a won game was longer than necessary.
    pub(super) fn plies_lost(&self) -> Option<u64> {
        Some(self.plies.saturating_sub(u64::from(self.mate?)))
    }
}

/// The game of a player that did not start.
pub(super) fn never_started(start: &Start, conditions: Conditions<'_>, why: &NoAnswer) -> PlayedGame {
    let end = why.skip().map_or_else(
        || {
            let question = Question::new(&start.fen, conditions.limit);
            GameEnd::NotWon(NotWon {
                start: start.fen.clone(),
                reason: NotWonReason::Unanswered,
                fen: start.fen.clone(),
                played: String::new(),
                replay: (conditions.replay)(&question),
                source: start.source,
                explanation: format!("it does not start: {}", shown(&why.to_string())),
                announced: None,
            })
        },
        GameEnd::NotAsked,
    );
    PlayedGame { end, plies: 0, mate: start.mate, flaky: None }
}

/// Plays a game to its end. The start is won for the side to move, which the player has.
pub(super) fn play(
    player: &mut PlayerLease<'_>,
    start: &Start,
    conditions: Conditions<'_>,
    rng: GameRng,
) -> PlayedGame {
    let game = Game::at(start.position.clone());
    let mut playing = Playing { start, conditions, rng, game, flaky: None };
    let end = loop {
        if let Some(end) = playing.round(player) {
            break end;
        }
    };
    let plies = playing.game.moves().len() as u64;
    PlayedGame { end, plies, mate: start.mate, flaky: playing.flaky }
}

/// A game that is being played.
struct Playing<'a> {
    start: &'a Start,
    conditions: Conditions<'a>,
    rng: GameRng,
    game: Game,
    flaky: Option<NotWon>,
}

/// A legal move, and the mate that the player announced with it.
struct LegalMove {
    mv: Move,
    mate: Option<i32>,
}

/// A wrong answer to a question for a move.
struct WrongMove {
    /// The answer.
    played: String,
    explanation: String,
}

/// Why the player made no move.
enum NoMove {
    NotAsked(SkipReason),
    Wrong(WrongMove),
}

impl Playing<'_> {
    /// Plays a move of the player and the reply. Returns how the game ended, if it did.
    fn round(&mut self, player: &mut PlayerLease<'_>) -> Option<GameEnd> {
        let question = Question {
            moves: self.game.uci_moves(),
            ..Question::new(&self.start.fen, self.conditions.limit)
        };
        let (before, start, conditions) = (fen_of(self.game.position()), self.start, self.conditions);
        let fault = |reason, fen: &str, played: &str, explanation: String| NotWon {
            start: start.fen.clone(),
            reason,
            fen: fen.to_owned(),
            played: played.to_owned(),
            replay: (conditions.replay)(&question),
            source: start.source,
            explanation,
            announced: None,
        };
        let LegalMove { mv, mate } = match self.ask(player, &question) {
            Ok((answer, flaky)) => {
                if let Some(WrongMove { played, explanation }) = flaky {
                    let wrong = || fault(NotWonReason::Unanswered, &before, &played, explanation);
                    self.flaky.get_or_insert_with(wrong);
                }
                answer
            }
            Err(NoMove::NotAsked(reason)) => return Some(GameEnd::NotAsked(reason)),
            Err(NoMove::Wrong(WrongMove { played, explanation })) => {
                let not_won = fault(NotWonReason::Unanswered, &before, &played, explanation);
                return Some(GameEnd::NotWon(not_won));
            }
        };
        let played = uci_text(mv, CastlingMode::Standard);
        let not_won = |reason, fen: &str, played: &str, explanation| {
            // The fifty-move rule may come before the mate.
            let announced = mate.filter(|_| reason != NotWonReason::FiftyMoves);
            Some(GameEnd::NotWon(NotWon { announced, ..fault(reason, fen, played, explanation) }))
        };
        self.game.play(mv);
        let position = self.game.position();
        if position.is_checkmate() {
            return Some(GameEnd::Won);
        }
        let Some(adjudication) = conditions.adjudicator.adjudicate(position) else {
            return Some(GameEnd::NotAdjudicated);
        };
        if adjudication.wdl != Wdl::Loss {
            let what = if position.is_stalemate() { "stalemates" } else { "gives the win away" };
            return not_won(NotWonReason::Thrown, &before, &played, format!("{played} {what}"));
        }
        match self.game.drawn() {
            Some(DrawRule::Repetition) => {
                let why = format!("{played} repeats the position for the third time");
                return not_won(NotWonReason::Repetition, &before, &played, why);
            }
            Some(rule) => return not_won(reason_of(rule), &fen_of(position), "", in_words(rule)),
            None => {}
        }
        let Some(reply) = defender::reply(&self.game, conditions.adjudicator, &mut self.rng) else {
            return Some(GameEnd::NotAdjudicated);
        };
        self.game.play(reply);
        let rule = self.game.drawn()?;
        not_won(reason_of(rule), &fen_of(self.game.position()), "", in_words(rule))
    }

    /// The legal move of the player, and a wrong answer before it that did not come again. A wrong answer is
    /// asked again: of a fresh process, then of the same one.
    fn ask(
        &self,
        player: &mut PlayerLease<'_>,
        question: &Question,
    ) -> Result<(LegalMove, Option<WrongMove>), NoMove> {
        let first = player.ask(question);
        let is_answer = first.is_ok();
        let wrong = match self.legal(first) {
            Ok(answer) => return Ok((answer, None)),
            // A missing answer was asked for again already.
            Err(NoMove::Wrong(wrong)) if is_answer => wrong,
            Err(no_move) => return Err(no_move),
        };
        let other = RefCell::new(None);
        let is_same = |reply: &Result<Reply, NoAnswer>| {
            let legal = self.legal(reply.clone());
            let is_same = reply.is_ok() && matches!(legal, Err(NoMove::Wrong(_)));
            let mut other = other.borrow_mut();
            *other = other.take().or(legal.ok());
            is_same
        };
        let again = player.reproduce_in_game(|lease| lease.ask(question), is_same);
        match (again, other.into_inner()) {
            (Reproduction::NotAsked(reason), _) => Err(NoMove::NotAsked(reason)),
            (Reproduction::Never, Some(answer)) => Ok((answer, Some(wrong))),
            // The player failed when it was asked again.
            (Reproduction::Never, None) => Err(NoMove::NotAsked(SkipReason::GivenUp)),
            _ => Err(NoMove::Wrong(wrong)),
        }
    }

    /// The legal move of an answer, and the mate that it announces.
    fn legal(&self, reply: Result<Reply, NoAnswer>) -> Result<LegalMove, NoMove> {
        let wrong = |played: String, explanation: String| NoMove::Wrong(WrongMove { played, explanation });
        let reply = reply.map_err(|error| match error.skip() {
            Some(reason) => NoMove::NotAsked(reason),
            None => wrong(String::new(), format!("no answer: {}", shown(&error.to_string()))),
        })?;
        // A bound after it takes a score back.
        let last = reply.lines.last().filter(|_| !is_unsearched(self.game.position(), &reply));
        let mate = last.filter(|line| line.bound == Bound::Exact).and_then(|line| match line.score {
            Score::Mate(moves) if moves > 0 => Some(moves),
            _ => None,
        });
        let best = reply
            .best
            .ok_or_else(|| wrong(String::new(), "it gives no move, but there are legal moves".to_owned()))?;
        legal_move(self.game.position(), &best, Spelling::Tolerant)
            .map(|mv| LegalMove { mv, mate })
            .ok_or_else(|| wrong(shown(&best), format!("the move \"{}\" is not legal", shown(&best))))
    }
}

fn reason_of(rule: DrawRule) -> NotWonReason {
    match rule {
        DrawRule::FiftyMoves => NotWonReason::FiftyMoves,
        DrawRule::Repetition => NotWonReason::Repetition,
    }
}

fn in_words(rule: DrawRule) -> String {
    match rule {
        DrawRule::FiftyMoves => "fifty moves without a capture or pawn move".to_owned(),
        DrawRule::Repetition => "the position occurs for the third time".to_owned(),
    }
}

/// The start of a text, without control characters.
fn shown(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(MOST_SHOWN).collect()
}
