//! One game of a program against itself. The clocks are ours.

use std::time::Duration;

use oracle::board::{self, Accept, Game, Spelling};
use shakmaty::Position;
use suites::Answer;
use uci::{Engine, Failure};

use super::Conditions;
use super::lateness::Lateness;
use crate::runner::EnginePool;

/// Time that a move may take beyond the clock, for the work of this process.
pub(super) const MARGIN: Duration = Duration::from_millis(20);
/// Time after the end of the clock at which `stop` is sent.
const GRACE: Duration = Duration::from_secs(1);

/// A time forfeit or an illegal move, which ends a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct GameFault {
    pub(super) kind: GameFaultKind,
    /// The position before the move.
    pub(super) fen: String,
    /// The time that the move took, or the move.
    pub(super) stored: Answer,
    /// The commands that ask for the move.
    pub(super) commands: Vec<String>,
    /// The number of the ply, from 1.
    pub(super) ply: usize,
}

/// How a game is lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum GameFaultKind {
    Forfeit,
    IllegalMove,
}

/// A game that is being played.
struct TimedGame<'a> {
    pool: &'a EnginePool,
    conditions: &'a Conditions,
    opening: &'a str,
    game: Game,
    /// The moves as the program writes them.
    moves: Vec<String>,
    clocks: [Duration; 2],
    lateness: Lateness,
}

/// Plays a game. Without a fault it ends by the rules, or after `most_plies`.
///
/// # Errors
/// If the program fails. The pool keeps the incident.
pub(super) fn play(
    pool: &EnginePool,
    conditions: &Conditions,
    opening: &str,
) -> Result<Option<GameFault>, Failure> {
    let start = board::position(opening, Accept::Legal).expect("an opening is legal");
    let mut game = TimedGame {
        pool,
        conditions,
        opening,
        game: Game::at(start),
        moves: Vec::new(),
        clocks: [conditions.time; 2],
        lateness: Lateness::start(),
    };
    pool.attempt(|white| pool.attempt(|black| game.play([white, black])))
}

impl TimedGame<'_> {
    fn play(&mut self, mut sides: [&mut Engine; 2]) -> Result<Option<GameFault>, Failure> {
        while self.moves.len() < self.conditions.most_plies && !self.game.is_over() {
            let side = self.side_to_move();
            let ended = self.ply(sides[side]).inspect_err(|failure| self.pool.note(sides[side], failure))?;
            if ended.is_some() {
                return Ok(ended);
            }
        }
        for engine in &mut sides {
            engine.send("quit");
        }
        Ok(None)
    }

    /// Asks for one move and plays it, unless it is late or illegal.
    fn ply(&mut self, engine: &mut Engine) -> Result<Option<GameFault>, Failure> {
        let side = self.side_to_move();
        let left = self.clocks[side];
        self.lateness.take_worst();
        let search = engine.go(&self.position_command(), &self.limit(), left + GRACE)?;
        // The lateness counts twice: both the program and this process may have had to wait for a processor.
        if search.stopped || search.took > left + MARGIN + 2 * self.lateness.take_worst() {
            let (took, left) = (search.took.as_millis(), left.as_millis());
            let stored = format!("took {took} ms, had {left} ms").into();
            return Ok(Some(self.fault(GameFaultKind::Forfeit, stored)));
        }
        if self.game.play_text(&search.best.text, Spelling::Tolerant).is_err() {
            let stored = Answer::BestMove { text: search.best.text, more: String::new() };
            return Ok(Some(self.fault(GameFaultKind::IllegalMove, stored)));
        }
        self.clocks[side] = left.saturating_sub(search.took) + self.conditions.increment;
        self.moves.push(search.best.text);
        Ok(None)
    }

    fn side_to_move(&self) -> usize {
        usize::from(self.game.position().turn().is_black())
    }

    fn position_command(&self) -> String {
        let moves =
            if self.moves.is_empty() { String::new() } else { format!(" moves {}", self.moves.join(" ")) };
        format!("fen {}{moves}", self.opening)
    }

    fn limit(&self) -> String {
        let [white, black] = self.clocks.map(|time| time.as_millis().max(1));
        let increment = self.conditions.increment.as_millis();
        format!("wtime {white} btime {black} winc {increment} binc {increment}")
    }

    fn fault(&self, kind: GameFaultKind, stored: Answer) -> GameFault {
        GameFault {
            kind,
            fen: board::fen(self.game.position()),
            stored,
            commands: vec![format!("position {}", self.position_command()), format!("go {}", self.limit())],
            ply: self.moves.len() + 1,
        }
    }
}
