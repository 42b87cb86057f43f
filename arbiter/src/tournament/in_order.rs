//! Games that finish in any order, handed on in the order of a schedule. Memory holds the games that finished
//! before an earlier one alone.

use std::collections::BTreeMap;

use super::schedule::ScheduledGame;

/// Finished games, each with what is known of it.
pub struct InOrder<T> {
    /// The game that is handed on next.
    next: Option<ScheduledGame>,
    after: Box<dyn Iterator<Item = ScheduledGame>>,
    early: BTreeMap<u64, T>,
}

impl<T> InOrder<T> {
    /// Nothing is finished of these games.
    pub fn new(games: impl Iterator<Item = ScheduledGame> + 'static) -> Self {
        let mut after: Box<dyn Iterator<Item = ScheduledGame>> = Box::new(games);
        Self { next: after.next(), after, early: BTreeMap::new() }
    }

    /// The game that is handed on next; `None` after the last one.
    pub fn next(&self) -> Option<&ScheduledGame> {
        self.next.as_ref()
    }

    /// Keeps a game until its turn.
    pub fn insert(&mut self, number: u64, of_game: T) {
        self.early.insert(number, of_game);
    }

    /// The next game, if it is finished.
    pub fn pop(&mut self) -> Option<(ScheduledGame, T)> {
        let game = self.next?;
        let of_game = self.early.remove(&game.number)?;
        self.next = self.after.next();
        Some((game, of_game))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::GameResult;
    use crate::statistics::{Model, Sprt};
    use crate::tournament::schedule::{PairShard, Schedule};
    use crate::tournament::standings::Standings;

    /// The order in which games end of which so many are played at a time: of each group the last one ends first.
    fn ends(games: &[u64], concurrency: usize) -> impl Iterator<Item = u64> {
        games.chunks(concurrency).flat_map(|group| group.iter().rev().copied())
    }

    #[test]
    fn the_games_of_a_shard_come_in_their_order() {
        let schedule = Schedule::round_robin(3, 4).unwrap();
        let shard = PairShard::new(2, 3).unwrap();
        let numbers: Vec<u64> = schedule.games_of(shard).map(|game| game.number).collect();
        let mut order = InOrder::new(schedule.games_of(shard));
        let mut found = Vec::new();
        for number in ends(&numbers, 3) {
            order.insert(number, 10 * number);
            found.extend(std::iter::from_fn(|| order.pop()).map(|(game, value)| (game.number, value)));
        }
        assert_eq!(found, numbers.iter().map(|&number| (number, 10 * number)).collect::<Vec<_>>());
        assert!(order.next().is_none() && order.early.is_empty());
    }

    /// A long match: what is kept does not grow.
    #[test]
    fn a_hundred_thousand_games_take_the_memory_of_those_that_are_played() {
        const CONCURRENCY: usize = 16;
        let schedule = Schedule::round_robin(2, 50_000).unwrap();
        let sprt = Sprt::new([0.0, 2.0], [0.05, 0.05], Model::Normalized).unwrap();
        let mut order = InOrder::new(schedule.games_of(PairShard::WHOLE));
        let mut standings = Standings::new(schedule);
        let mut most = 0;
        let numbers: Vec<u64> = (1..=schedule.games()).collect();
        for number in ends(&numbers, CONCURRENCY) {
            order.insert(number, GameResult::ALL[(number % 3) as usize]);
            while let Some((game, result)) = order.pop() {
                standings.add(game.number, result, result.name()).unwrap();
                if let Some(results) = standings.between(0, 1).and_then(|tally| tally.pair_results()) {
                    sprt.test(&results).unwrap();
                }
            }
            most = most.max(order.early.len());
            assert!(order.early.len() < CONCURRENCY);
        }
        assert_eq!((standings.games(), standings.complete_pairs(), most), (100_000, 50_000, CONCURRENCY - 1));
    }
}
