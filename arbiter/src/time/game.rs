//! One game of a program against itself, with clocks that we keep.

use std::collections::BTreeMap;
use std::time::Duration;

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Position};

use super::Conditions;
use super::lateness::Lateness;
use crate::runner::EnginePool;
use uci::{Engine, Failure};

/// What is allowed for our own part in the time of a move.
pub(super) const MARGIN: Duration = Duration::from_millis(20);
/// How long it is waited for after its time is over; then it is told to stop.
const GRACE: Duration = Duration::from_secs(1);

/// Why a game came to an end before it was over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) kind: Kind,
    /// The position before the move.
    pub(super) fen: String,
    /// What it said.
    pub(super) stored: String,
    /// The lines that put the question.
    pub(super) lines: Vec<String>,
    /// The number of the ply, from 1.
    pub(super) ply: usize,
}

/// What went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Forfeit,
    IllegalMove,
}

/// A game that is being played.
struct Game<'a> {
    stable: &'a EnginePool,
    conditions: &'a Conditions,
    opening: &'a str,
    position: Chess,
    moves: Vec<String>,
    clocks: [Duration; 2],
    seen: BTreeMap<String, u32>,
    lateness: Lateness,
}

/// Plays a game; without a fault it ends by the rules, or after so many plies as the conditions allow.
///
/// # Errors
/// If the program breaks, which is noted with the copies.
pub(super) fn play(
    stable: &EnginePool,
    conditions: &Conditions,
    opening: &str,
) -> Result<Option<Fault>, Failure> {
    let fen: Fen = opening.parse().expect("an opening is a FEN");
    let position: Chess = fen.into_position(CastlingMode::Standard).expect("an opening is legal");
    let mut game = Game {
        stable,
        conditions,
        opening,
        position,
        moves: Vec::new(),
        clocks: [conditions.time; 2],
        seen: BTreeMap::new(),
        lateness: Lateness::progress(),
    };
    stable.attempt(|white| stable.attempt(|black| game.play([white, black])))
}

impl Game<'_> {
    fn play(&mut self, mut sides: [&mut Engine; 2]) -> Result<Option<Fault>, Failure> {
        while self.moves.len() < self.conditions.most_plies && !self.is_over() {
            let side = place(self.position.turn());
            let ended =
                self.ply(sides[side]).inspect_err(|failure| self.stable.note(sides[side], failure))?;
            if ended.is_some() {
                return Ok(ended);
            }
        }
        for engine in &mut sides {
            engine.send("quit");
        }
        Ok(None)
    }

    /// One move, and what is wrong with it.
    fn ply(&mut self, engine: &mut Engine) -> Result<Option<Fault>, Failure> {
        let side = place(self.position.turn());
        let left = self.clocks[side];
        self.lateness.worst();
        let search = engine.go(&self.question(), &self.limit(), left + GRACE)?;
        // Twice: it may have had to wait for its turn as long as we had, and we as long again.
        if search.stopped || search.took > left + MARGIN + 2 * self.lateness.worst() {
            let (took, left) = (search.took.as_millis(), left.as_millis());
            let stored = format!("took {took} ms, had {left} ms");
            return Ok(Some(self.fault(Kind::Forfeit, &stored)));
        }
        let legal = search.best.text.parse::<UciMove>().ok().and_then(|mv| mv.to_move(&self.position).ok());
        let Some(mv) = legal.filter(|&mv| self.position.is_legal(mv)) else {
            return Ok(Some(self.fault(Kind::IllegalMove, &format!("bestmove {}", search.best.text))));
        };
        self.clocks[side] = left.saturating_sub(search.took) + self.conditions.increment;
        self.position.play_unchecked(mv);
        self.moves.push(search.best.text);
        Ok(None)
    }

    /// By mate, or a draw that nobody can refuse or anybody would claim.
    fn is_over(&mut self) -> bool {
        let seen = self.seen.entry(position_alone(&self.position)).or_default();
        *seen += 1;
        *seen >= 3 || self.position.halfmoves() >= 100 || self.position.is_game_over()
    }

    fn question(&self) -> String {
        let moves =
            if self.moves.is_empty() { String::new() } else { format!(" moves {}", self.moves.join(" ")) };
        format!("fen {}{moves}", self.opening)
    }

    fn limit(&self) -> String {
        let [white, black] = self.clocks.map(|time| time.as_millis().max(1));
        let increment = self.conditions.increment.as_millis();
        format!("wtime {white} btime {black} winc {increment} binc {increment}")
    }

    fn fault(&self, kind: Kind, stored: &str) -> Fault {
        Fault {
            kind,
            fen: Fen::from_position(&self.position, EnPassantMode::Legal).to_string(),
            stored: stored.to_owned(),
            lines: vec![format!("position {}", self.question()), format!("go {}", self.limit())],
            ply: self.moves.len() + 1,
        }
    }
}

fn place(side: Color) -> usize {
    side.fold_wb(0, 1)
}

/// A position without its counters.
fn position_alone(position: &Chess) -> String {
    let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}
