//! What the rules and the tables know of the positions of a game.

use shakmaty::{Chess, Color, Position};

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
    /// The positions since the last capture or pawn move that have stood on the board twice.
    repeated: Vec<Chess>,
}

impl Prefix {
    pub(super) fn at(start: &Chess) -> Self {
        Self { game: Game::at(start.clone()), repeated: Vec::new() }
    }

    /// Plays a legal move.
    pub(super) fn play(&mut self, mv: shakmaty::Move) {
        self.game.play(mv);
        if self.game.clock() == 0 {
            self.repeated.clear();
        } else if self.game.occurrences() == 2 {
            self.repeated.push(self.game.position().clone());
        }
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
        Truth { value: Some(value), standing: self.standing(&value, probe) }
    }

    fn standing(&self, value: &TableValue, probe: Probe<'_>) -> Option<Standing> {
        let (position, clock) = (self.game.position(), self.game.clock());
        let table = Reason::from(value);
        let Some(winner) = value.winner(position.turn()) else {
            return Some(Standing { result: GameResult::Draw, reason: table });
        };
        if value.is_in_time(clock)? {
            let won = Standing { result: GameResult::won_by(winner), reason: table };
            return self.repeats_nothing(value, winner, probe).then_some(won);
        }
        let plies_to_zero = plies_to_zero(value).map(|(earliest, _)| earliest);
        Some(Standing { result: GameResult::Draw, reason: Reason::FiftyMoves { clock, plies_to_zero } })
    }

    /// Whether the winner has a way on which no position comes a third time. The shortest way to a capture, a pawn
    /// move or mate has only positions that are nearer to it than this one.
    fn repeats_nothing(&self, value: &TableValue, winner: Color, probe: Probe<'_>) -> bool {
        self.repeated.is_empty()
            || plies_to_zero(value).is_some_and(|(_, latest)| {
                self.repeated.iter().all(|position| {
                    probe(position).is_some_and(|repeated| {
                        repeated.winner(position.turn()) != Some(winner)
                            || plies_to_zero(&repeated).is_some_and(|(earliest, _)| earliest >= latest)
                    })
                })
            })
    }
}

/// Plies to a capture, a pawn move or mate: at least, and at most.
fn plies_to_zero(value: &TableValue) -> Option<(u32, u32)> {
    let latest = value.plies_to_zero?;
    Some((latest.saturating_sub(value.is_rounded.into()), latest))
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
