//! The standings of a tournament: games and pairs counted as they finish, in any order, and what follows from
//! them. Adding a game takes the same time however many were played, and memory holds the open pairs alone.

use std::collections::BTreeMap;

use super::number_set::NumberSet;
use super::schedule::{Pairing, Schedule, ScheduledGame};
use super::tally::Tally;
use crate::game::GameResult;

/// A game that cannot be counted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StandingsError {
    /// The tournament has no such game.
    #[error("the tournament has the games 1 to {games}, and no game {number}")]
    Unknown {
        /// The number of the game.
        number: u64,
        /// How many games there are.
        games: u64,
    },
    /// The game was counted before.
    #[error("game {0} is counted already")]
    Twice(u64),
}

/// The standings. `K` is the kind of an end, by which ends are counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standings<K> {
    schedule: Schedule,
    /// For each pairing what its first engine scored.
    tallies: Vec<Tally>,
    /// The half points of the first engine in the finished game of each half pair, and whether that was the
    /// reversed game.
    open: BTreeMap<u64, (bool, usize)>,
    complete: NumberSet,
    ends: BTreeMap<K, u64>,
}

impl<K: Ord> Standings<K> {
    /// The standings before the first game.
    pub fn new(schedule: Schedule) -> Self {
        Self {
            schedule,
            tallies: vec![Tally::default(); schedule.pairings()],
            open: BTreeMap::new(),
            complete: NumberSet::default(),
            ends: BTreeMap::new(),
        }
    }

    /// Counts a game by its number, with its result and the kind of its end. Unfinished games do not count:
    /// they may be played again.
    ///
    /// # Errors
    /// If the tournament has no such game, or it is counted already.
    pub fn add(&mut self, number: u64, result: GameResult, end: K) -> Result<(), StandingsError> {
        let unknown = StandingsError::Unknown { number, games: self.schedule.games() };
        let game = self.schedule.game(number).ok_or(unknown)?;
        if self.is_counted(&game) {
            return Err(StandingsError::Twice(number));
        }
        let of_white = match result {
            GameResult::WhiteWins => 2,
            GameResult::Draw => 1,
            GameResult::BlackWins => 0,
            GameResult::Unfinished => return Ok(()),
        };
        let of_first = if game.is_reversed { 2 - of_white } else { of_white };
        if let Some(tally) = self.index(game.pairing).and_then(|index| self.tallies.get_mut(index)) {
            let colour = if game.is_reversed { &mut tally.black } else { &mut tally.white };
            colour.add(of_first);
            match self.open.remove(&game.pair) {
                None => {
                    self.open.insert(game.pair, (game.is_reversed, of_first));
                }
                Some((_, of_other)) => {
                    tally.pairs[of_first + of_other] += 1;
                    tally.win_and_loss += u64::from(of_first + of_other == 2 && of_first != 1);
                    self.complete.insert(game.pair);
                }
            }
        }
        *self.ends.entry(end).or_default() += 1;
        Ok(())
    }

    fn is_counted(&self, game: &ScheduledGame) -> bool {
        let is_half = self.open.get(&game.pair).is_some_and(|half| half.0 == game.is_reversed);
        is_half || self.complete.contains(game.pair)
    }

    fn index(&self, pairing: Pairing) -> Option<usize> {
        self.schedule.pairing_index(pairing.first, pairing.second)
    }

    /// The schedule.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// How many games are counted.
    pub fn games(&self) -> u64 {
        2 * self.complete.len() + self.open.len() as u64
    }

    /// How many pairs are complete.
    pub fn complete_pairs(&self) -> u64 {
        self.complete.len()
    }

    /// How often games ended in each way.
    pub fn ends(&self) -> &BTreeMap<K, u64> {
        &self.ends
    }

    /// What an engine scored against another one, if they play each other: a cell of the cross table.
    pub fn between(&self, engine: usize, opponent: usize) -> Option<Tally> {
        let tally = self.tallies.get(self.schedule.pairing_index(engine, opponent)?)?;
        Some(if engine < opponent { *tally } else { tally.reversed() })
    }

    /// What an engine scored in all its games.
    pub fn of_engine(&self, engine: usize) -> Tally {
        let opponents = 0..self.schedule.engines();
        opponents.filter_map(|opponent| self.between(engine, opponent)).fold(Tally::default(), Tally::plus)
    }

    /// The engines by points per game, the best first, with what they scored. Engines without a game come
    /// last, and engines with equal scores in the order in which they were given.
    pub fn ranking(&self) -> Vec<(usize, Tally)> {
        let mut engines: Vec<(usize, Tally)> =
            (0..self.schedule.engines()).map(|engine| (engine, self.of_engine(engine))).collect();
        let ratio = |tally: &Tally| tally.score().ratio().unwrap_or(-1.0);
        engines.sort_by(|(_, one), (_, other)| ratio(other).total_cmp(&ratio(one)));
        engines
    }
}

#[cfg(test)]
mod tests {
    use chacha20::ChaCha8Rng;
    use chacha20::rand_core::{Rng, SeedableRng};

    use super::*;
    use crate::statistics::Results;

    const RESULTS: [GameResult; 3] = [GameResult::BlackWins, GameResult::Draw, GameResult::WhiteWins];

    /// Some games of a tournament, drawn by a seed and in any order, and how often each was drawn.
    fn games(schedule: Schedule, seed: u64, of_four: u64) -> Vec<(u64, GameResult)> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut numbers: Vec<u64> = (1..=schedule.games()).filter(|_| rng.next_u64() % 4 < of_four).collect();
        for last in (1..numbers.len()).rev() {
            numbers.swap(last, (rng.next_u64() % (last as u64 + 1)) as usize);
        }
        numbers.iter().map(|&number| (number, RESULTS[(rng.next_u64() % 3) as usize])).collect()
    }

    fn standings(schedule: Schedule, games: &[(u64, GameResult)]) -> Standings<&'static str> {
        let mut standings = Standings::new(schedule);
        for &(number, result) in games {
            standings.add(number, result, result.name()).unwrap();
        }
        standings
    }

    /// What the first engine scored against the second one, counted from the list of games.
    fn plain(schedule: Schedule, games: &[(u64, GameResult)], engine: usize, opponent: usize) -> Tally {
        let of_engine = |number: u64| {
            let game = schedule.game(number).unwrap();
            let result = games.iter().find(|(played, _)| *played == number)?.1;
            let of_white = RESULTS.iter().position(|known| *known == result).unwrap();
            match (game.white(), game.black()) {
                players if players == (engine, opponent) => Some((true, of_white)),
                players if players == (opponent, engine) => Some((false, 2 - of_white)),
                _ => None,
            }
        };
        let mut tally = Tally::default();
        for pair in 0..schedule.pairs() {
            let both = [2 * pair + 1, 2 * pair + 2].map(of_engine);
            for (is_white, points) in both.into_iter().flatten() {
                if is_white { tally.white.add(points) } else { tally.black.add(points) }
            }
            if let [Some((_, one)), Some((_, other))] = both {
                tally.pairs[one + other] += 1;
                tally.win_and_loss += u64::from(one + other == 2 && one != other);
            }
        }
        tally
    }

    #[test]
    fn tallies_are_those_of_a_plain_count_in_any_order() {
        for seed in 0..20 {
            let schedule = Schedule::gauntlet(4, 2, 6).unwrap();
            let mut games = games(schedule, seed, 1 + seed % 4);
            let found = standings(schedule, &games);
            for engine in 0..4 {
                let mut all = Tally::default();
                for opponent in (0..4).filter(|&opponent| opponent != engine) {
                    let between = found.between(engine, opponent);
                    let expected = plain(schedule, &games, engine, opponent);
                    let is_played = engine < 2 || opponent < 2;
                    assert_eq!(between, is_played.then_some(expected), "{seed}: {engine} {opponent}");
                    all = all.plus(between.unwrap_or_default());
                }
                assert_eq!(found.of_engine(engine), all);
            }
            assert_eq!(found.games(), games.len() as u64);
            assert_eq!(found.ends().values().sum::<u64>(), games.len() as u64);
            games.sort_unstable_by_key(|game| game.0);
            assert_eq!(standings(schedule, &games), found);
        }
    }

    #[test]
    fn half_pairs_count_as_games_and_not_as_pairs() {
        let schedule = Schedule::round_robin(2, 3).unwrap();
        let mut standings = Standings::new(schedule);
        standings.add(2, GameResult::BlackWins, "mate").unwrap();
        let half = standings.between(0, 1).unwrap();
        assert_eq!((half.score().wins, half.black.wins, half.pair_results()), (1, 1, None));
        assert_eq!(half.game_results(), Some(Results::Games([0, 0, 1])));
        assert_eq!((standings.open.len(), standings.complete_pairs()), (1, 0));
        standings.add(1, GameResult::BlackWins, "mate").unwrap();
        let whole = standings.between(0, 1).unwrap();
        assert_eq!(whole.pair_results(), Some(Results::Pairs([0, 0, 1, 0, 0])));
        assert_eq!((whole.win_and_loss, standings.open.len(), standings.games()), (1, 0, 2));
        standings.add(5, GameResult::WhiteWins, "time").unwrap();
        standings.add(6, GameResult::Draw, "mate").unwrap();
        let [one, other] = [standings.between(0, 1), standings.between(1, 0)].map(Option::unwrap);
        assert_eq!((one.pairs, other.pairs), ([0, 0, 1, 1, 0], [0, 1, 1, 0, 0]));
        assert_eq!(other.reversed(), one);
        assert_eq!(standings.ends(), &BTreeMap::from([("mate", 3), ("time", 1)]));
    }

    #[test]
    fn games_count_once_and_unfinished_ones_never() {
        let schedule = Schedule::round_robin(2, 1).unwrap();
        let mut standings = Standings::new(schedule);
        standings.add(1, GameResult::Unfinished, "x").unwrap();
        assert_eq!((standings.games(), standings.ends().len()), (0, 0));
        standings.add(1, GameResult::Draw, "x").unwrap();
        let half = standings.clone();
        for result in GameResult::ALL {
            assert_eq!(standings.add(1, result, "x"), Err(StandingsError::Twice(1)));
        }
        assert_eq!(standings, half);
        standings.add(2, GameResult::Draw, "x").unwrap();
        let whole = standings.clone();
        for number in [1, 2] {
            assert_eq!(standings.add(number, GameResult::Draw, "x"), Err(StandingsError::Twice(number)));
        }
        for number in [0, 3, u64::MAX] {
            let unknown = StandingsError::Unknown { number, games: 2 };
            assert_eq!(standings.add(number, GameResult::Draw, "x"), Err(unknown));
        }
        assert_eq!(standings, whole);
    }

    #[test]
    fn the_ranking_is_by_points_per_game() {
        let schedule = Schedule::round_robin(4, 1).unwrap();
        let mut standings = Standings::new(schedule);
        let number = |white, black| schedule.number(1, white, black).unwrap();
        standings.add(number(2, 0), GameResult::WhiteWins, "").unwrap();
        standings.add(number(0, 1), GameResult::Draw, "").unwrap();
        let order: Vec<usize> = standings.ranking().iter().map(|(engine, _)| *engine).collect();
        assert_eq!(order, [2, 1, 0, 3]);
        assert_eq!(standings.of_engine(3).score().ratio(), None);
        assert!((standings.of_engine(0).score().points() - 0.5).abs() < 1e-9);
    }

    #[test]
    fn a_long_match_takes_the_memory_of_its_open_pairs() {
        let schedule = Schedule::round_robin(2, 50_000).unwrap();
        let mut standings = Standings::new(schedule);
        for block in 0..25_000 {
            for number in [2, 3, 1, 4] {
                standings.add(4 * block + number, GameResult::Draw, "").unwrap();
                assert!(standings.open.len() <= 2);
            }
        }
        let measures = standings.between(0, 1).and_then(|tally| tally.pair_results()).unwrap().measures();
        assert_eq!((measures.games, standings.games()), (100_000, 100_000));
        assert!(measures.elo.value.abs() < 1e-9 && (measures.superiority - 0.5).abs() < 1e-6);
    }
}
