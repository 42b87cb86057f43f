//! What the rules and the tables know of the positions of a game.

use shakmaty::{Chess, Position};

use oracle::board::Game;

use super::finding::{Reason, Standing};
use super::{FinishedGame, Probe};
use crate::game::{End, GameResult, TableValue};

/// What is known of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Truth {
    /// The value of the tables, which know no earlier position and no clock.
    pub(super) value: Option<TableValue>,
    /// The result in this game with best play, if it is certain.
    pub(super) standing: Option<Standing>,
}

/// A game up to one of its positions.
#[derive(Clone)]
pub(super) struct Prefix {
    game: Game,
    /// Whether a position since the last capture or pawn move has stood on the board twice.
    is_repeated: bool,
}

impl Prefix {
    pub(super) fn at(start: &Chess) -> Self {
        Self { game: Game::at(start.clone()), is_repeated: false }
    }

    /// Plays a legal move.
    pub(super) fn play(&mut self, mv: shakmaty::Move) {
        self.game.play(mv);
        self.is_repeated = self.game.clock() > 0 && (self.is_repeated || self.game.occurrences() > 1);
    }

    /// What is known of its last position. A third occurrence and the fifty moves end the game if
    /// `draws_end_it`; otherwise they say nothing there, since the draw may not have been claimed.
    pub(super) fn truth(&self, draws_end_it: bool, probe: Probe<'_>) -> Truth {
        let position = self.game.position();
        if let Some(end) = End::by_rules(&self.game) {
            let is_claimed = matches!(end, End::Repetition | End::FiftyMoves);
            let standing = Standing { result: end.result(), reason: Reason::Rule(end.kind()) };
            return Truth { value: None, standing: (draws_end_it || !is_claimed).then_some(standing) };
        }
        let Some(value) = probe(position) else { return Truth::default() };
        Truth { value: Some(value), standing: self.standing(&value) }
    }

    fn standing(&self, value: &TableValue) -> Option<Standing> {
        let (position, clock) = (self.game.position(), self.game.clock());
        let table = Reason::from(value);
        let Some(winner) = value.winner(position.turn()) else {
            return Some(Standing { result: GameResult::Draw, reason: table });
        };
        if value.is_in_time(clock)? {
            let won = Standing { result: GameResult::won_by(winner), reason: table };
            return (!self.is_repeated).then_some(won);
        }
        let plies_to_zero = value.plies_to_zero.map(|plies| plies - u32::from(value.is_rounded).min(plies));
        Some(Standing { result: GameResult::Draw, reason: Reason::FiftyMoves { clock, plies_to_zero } })
    }
}

/// What is known of each position of a game after its opening. With the result of a draw, a third occurrence or the
/// fifty moves have ended it.
pub(super) fn of_game(finished: &FinishedGame<'_>, probe: Probe<'_>) -> Vec<Truth> {
    let FinishedGame { game, opening, result, .. } = *finished;
    let last = game.moves().len();
    let mut prefix = Prefix::at(&game.positions()[0]);
    let mut truths = Vec::with_capacity(game.length());
    for ply in 0..=last {
        truths.push(if ply < opening {
            Truth::default()
        } else {
            prefix.truth(ply == last && result == GameResult::Draw, probe)
        });
        if let Some(&mv) = game.moves().get(ply) {
            prefix.play(mv);
        }
    }
    truths
}
