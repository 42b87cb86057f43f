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

impl Truth {
    /// What is known of the last position of a game. A third occurrence and the fifty moves end the game if
    /// `draws_end_it`; otherwise they say nothing there, since the draw may not have been claimed.
    pub(super) fn of_last(game: &Game, draws_end_it: bool, probe: Probe<'_>) -> Self {
        Self::new(game, game.length() - 1, End::by_rules(game), draws_end_it, probe)
    }

    /// What is known of an earlier position.
    fn of_earlier(game: &Game, ply: usize, probe: Probe<'_>) -> Self {
        Self::new(game, ply, End::with_moves_left(game, ply), false, probe)
    }

    fn new(game: &Game, ply: usize, end: Option<End>, draws_end_it: bool, probe: Probe<'_>) -> Self {
        if let Some(end) = end {
            let is_claimed = matches!(end, End::Repetition | End::FiftyMoves);
            let standing = Standing { result: end.result(), reason: Reason::Rule(end.kind()) };
            return Self { value: None, standing: (draws_end_it || !is_claimed).then_some(standing) };
        }
        let Some(value) = probe(&game.positions()[ply]) else { return Self::default() };
        Self { value: Some(value), standing: standing(game, ply, &value, probe) }
    }
}

fn standing(game: &Game, ply: usize, value: &TableValue, probe: Probe<'_>) -> Option<Standing> {
    let position = &game.positions()[ply];
    let clock = position.halfmoves();
    let table = Reason::from(value);
    let Some(winner) = value.winner(position.turn()) else {
        return Some(Standing { result: GameResult::Draw, reason: table });
    };
    if value.is_in_time(clock)? {
        let won = Standing { result: GameResult::won_by(winner), reason: table };
        let others = game.twice_at(ply).filter(|other| *other != position);
        return repeats_nothing(others, value, winner, probe).then_some(won);
    }
    let plies_to_zero = plies_to_zero(value).map(|(earliest, _)| earliest);
    Some(Standing { result: GameResult::Draw, reason: Reason::FiftyMoves { clock, plies_to_zero } })
}

/// Whether the winner has a way on which no position comes a third time. The shortest way to a capture, a pawn
/// move or mate has only positions that are nearer to it than this one.
fn repeats_nothing<'a>(
    mut repeated: impl Iterator<Item = &'a Chess>,
    value: &TableValue,
    winner: Color,
    probe: Probe<'_>,
) -> bool {
    let latest = plies_to_zero(value).map(|(_, latest)| latest);
    repeated.all(|position| {
        probe(position).is_some_and(|other| {
            let earliest = plies_to_zero(&other).map(|(earliest, _)| earliest);
            let is_farther = || earliest.zip(latest).is_some_and(|(earliest, latest)| earliest >= latest);
            other.winner(position.turn()) != Some(winner) || is_farther()
        })
    })
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
    let of_ply = |ply| match ply {
        _ if ply < opening => Truth::default(),
        _ if ply == last => Truth::of_last(game, result == GameResult::Draw, probe),
        _ => Truth::of_earlier(game, ply, probe),
    };
    (0..=last).map(of_ply).collect()
}

#[cfg(test)]
mod tests {
    use shakmaty::CastlingMode;
    use shakmaty::fen::Fen;

    use super::*;
    use crate::game::TableResult;

    /// A table may round its distance up by one ply: only what is surely farther is not on the way.
    #[test]
    fn a_position_that_is_surely_farther_is_not_on_the_way() {
        let other: Fen = "8/8/8/4k3/8/8/3R4/4K3 w - - 0 1".parse().unwrap();
        let other: Chess = other.into_position(CastlingMode::Standard).unwrap();
        let value = |result, plies, is_rounded| TableValue {
            result,
            plies_to_zero: plies,
            is_rounded,
            plies_to_mate: None,
        };
        let check = |at: (u32, bool), there: TableValue, expected: bool| {
            let here = value(TableResult::Win, Some(at.0), at.1);
            let probe = |_: &Chess| Some(there);
            let known = repeats_nothing([&other].into_iter(), &here, Color::White, &probe);
            assert_eq!(known, expected, "{at:?}, {there:?}");
        };
        let won = |plies, is_rounded| value(TableResult::Win, Some(plies), is_rounded);
        check((9, false), won(9, false), true);
        check((9, false), won(8, false), false);
        check((9, false), won(9, true), false);
        check((9, false), won(10, true), true);
        // The distance here is at most what the table says.
        check((9, true), won(9, false), true);
        check((9, true), won(9, true), false);
        // Of a draw or a loss the winner has no way.
        check((9, true), value(TableResult::Draw, Some(1), true), true);
        check((9, true), value(TableResult::Loss, Some(1), true), true);
        // Nothing is known.
        check((9, false), value(TableResult::Win, None, false), false);
        let here = won(9, false);
        assert!(!repeats_nothing([&other].into_iter(), &here, Color::White, &|_| None));
        assert!(repeats_nothing(std::iter::empty(), &here, Color::White, &|_| None));
    }
}
