//! Who plays whom, in which game, and with which opening. A round has a pair of games for each pairing: one
//! opening, with colours reversed.
//!
//! Games have numbers from 1. Games 1 and 2 are the pair of the first pairing in round 1, games 3 and 4 that
//! of the second pairing, and so on; pair number p takes opening number p of the order. fastchess numbers
//! games the same way. All is computed from the number alone, so that the length of a match costs nothing.

/// The most engines of a tournament.
pub const MOST_ENGINES: usize = 256;
/// The most games of a tournament.
pub const MOST_GAMES: u64 = 1 << 40;
/// The most shards of a tournament.
pub const MOST_SHARDS: u64 = 1000;

/// A tournament that cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScheduleError {
    /// There are too few or too many engines.
    #[error("a tournament has 2 to {MOST_ENGINES} engines, and {0} are given")]
    Engines(usize),
    /// No engine plays the others, or each one does.
    #[error("seeds={seeds}: with {engines} engines a gauntlet has 1 to {} seeds", .engines - 1)]
    Seeds {
        /// How many engines play each of the others.
        seeds: usize,
        /// How many engines there are.
        engines: usize,
    },
    /// There are no rounds.
    #[error("a tournament has a round or more")]
    NoRound,
    /// There are too many games.
    #[error("{rounds} rounds of {pairings} pairings are more than {MOST_GAMES} games")]
    Games {
        /// The rounds.
        rounds: u64,
        /// The pairings of a round.
        pairings: u64,
    },
    /// The shard is none of the run.
    #[error("shard {number}/{of}: a tournament has up to {MOST_SHARDS} shards, numbered from 1")]
    Shard {
        /// The number of the shard.
        number: u64,
        /// How many shards there are.
        of: u64,
    },
}

/// Two engines that play each other, by their indices from 0; the first one has the lower index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pairing {
    /// The engine that is White in the first game of each pair.
    pub first: usize,
    /// Its opponent.
    pub second: usize,
}

/// A game of a schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScheduledGame {
    /// Its number, from 1.
    pub number: u64,
    /// Its round, from 1.
    pub round: u64,
    /// The number of its pair in the tournament, from 0. It is also that of its opening.
    pub pair: u64,
    /// Who plays.
    pub pairing: Pairing,
    /// Whether it is the second game of its pair, with colours reversed.
    pub is_reversed: bool,
}

impl ScheduledGame {
    /// The index of the engine that is White.
    pub fn white(&self) -> usize {
        if self.is_reversed { self.pairing.second } else { self.pairing.first }
    }

    /// The index of the engine that is Black.
    pub fn black(&self) -> usize {
        if self.is_reversed { self.pairing.first } else { self.pairing.second }
    }
}

/// A share of the pairs of a tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PairShard {
    /// Its number, from 0.
    index: u64,
    of: u64,
}

impl PairShard {
    /// All pairs.
    pub const WHOLE: Self = Self { index: 0, of: 1 };

    /// A shard by its number, from 1, and the number of shards.
    ///
    /// # Errors
    /// If there is no such shard.
    pub fn new(number: u64, of: u64) -> Result<Self, ScheduleError> {
        if (1..=of).contains(&number) && of <= MOST_SHARDS {
            Ok(Self { index: number - 1, of })
        } else {
            Err(ScheduleError::Shard { number, of })
        }
    }

    /// Whether the shard plays this pair.
    pub fn contains(self, pair: u64) -> bool {
        pair % self.of == self.index
    }
}

/// All games of a tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Schedule {
    engines: usize,
    /// How many engines play each engine that comes after them.
    seeds: usize,
    rounds: u64,
}

impl Schedule {
    /// Each engine plays each other one.
    ///
    /// # Errors
    /// If the number of engines or rounds is out of bounds.
    pub fn round_robin(engines: usize, rounds: u64) -> Result<Self, ScheduleError> {
        Self::new(engines, engines.saturating_sub(1), rounds)
    }

    /// Each of the first `seeds` engines plays each other one.
    ///
    /// # Errors
    /// If the number of engines, seeds or rounds is out of bounds.
    pub fn gauntlet(engines: usize, seeds: usize, rounds: u64) -> Result<Self, ScheduleError> {
        Self::new(engines, seeds, rounds)
    }

    fn new(engines: usize, seeds: usize, rounds: u64) -> Result<Self, ScheduleError> {
        if !(2..=MOST_ENGINES).contains(&engines) {
            return Err(ScheduleError::Engines(engines));
        }
        if !(1..engines).contains(&seeds) {
            return Err(ScheduleError::Seeds { seeds, engines });
        }
        if rounds == 0 {
            return Err(ScheduleError::NoRound);
        }
        let schedule = Self { engines, seeds, rounds };
        let pairings = schedule.pairings() as u64;
        let games = rounds.checked_mul(pairings).and_then(|pairs| pairs.checked_mul(2));
        match games {
            Some(games) if games <= MOST_GAMES => Ok(schedule),
            _ => Err(ScheduleError::Games { rounds, pairings }),
        }
    }

    /// How many engines play.
    pub fn engines(&self) -> usize {
        self.engines
    }

    /// How many pairings a round has.
    pub fn pairings(&self) -> usize {
        self.pairings_before(self.seeds)
    }

    /// How many pairs of games there are.
    pub fn pairs(&self) -> u64 {
        self.rounds * self.pairings() as u64
    }

    /// How many games there are.
    pub fn games(&self) -> u64 {
        2 * self.pairs()
    }

    /// The number of pairings in which the first engine has a lower index than this.
    fn pairings_before(&self, first: usize) -> usize {
        first * (2 * self.engines - first - 1) / 2
    }

    /// The pairing with this index, from 0.
    pub fn pairing(&self, index: usize) -> Option<Pairing> {
        if index >= self.pairings() {
            return None;
        }
        // The solution of index = first (2 engines - first - 1) / 2; the root is rounded down, so that it may
        // be one too high.
        let twice = 2 * self.engines - 1;
        let root = (twice * twice - 8 * index).isqrt();
        let first = (twice - root) / 2;
        let first = if self.pairings_before(first) > index { first - 1 } else { first };
        Some(Pairing { first, second: first + 1 + index - self.pairings_before(first) })
    }

    /// The index of the pairing of two engines, in either order, if they play each other.
    pub fn pairing_index(&self, one: usize, other: usize) -> Option<usize> {
        let (first, second) = (one.min(other), one.max(other));
        let is_played = first < second && second < self.engines && first < self.seeds;
        is_played.then(|| self.pairings_before(first) + second - first - 1)
    }

    /// The game with this number, from 1.
    pub fn game(&self, number: u64) -> Option<ScheduledGame> {
        if !(1..=self.games()).contains(&number) {
            return None;
        }
        let (pair, pairings) = ((number - 1) / 2, self.pairings() as u64);
        Some(ScheduledGame {
            number,
            round: pair / pairings + 1,
            pair,
            pairing: self.pairing((pair % pairings) as usize)?,
            is_reversed: number.is_multiple_of(2),
        })
    }

    /// The number of the game of a round, from 1, in which one engine is White against another.
    pub fn number(&self, round: u64, white: usize, black: usize) -> Option<u64> {
        if !(1..=self.rounds).contains(&round) {
            return None;
        }
        let pair = (round - 1) * self.pairings() as u64 + self.pairing_index(white, black)? as u64;
        Some(2 * pair + 1 + u64::from(white > black))
    }

    /// The games of a shard, in the order of their numbers.
    pub fn games_of(self, shard: PairShard) -> impl Iterator<Item = ScheduledGame> {
        let pairs = (shard.index..self.pairs()).step_by(shard.of as usize);
        pairs.flat_map(|pair| [2 * pair + 1, 2 * pair + 2]).filter_map(move |number| self.game(number))
    }

    /// How many games a shard has.
    pub fn games_in(&self, shard: PairShard) -> u64 {
        2 * self.pairs().saturating_sub(shard.index).div_ceil(shard.of)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// The first games, each as round, pair, White and Black.
    #[track_caller]
    fn check(schedule: Schedule, expected: &[(u64, u64, usize, usize)]) {
        let games = schedule.games_of(PairShard::WHOLE).take(expected.len());
        let found: Vec<_> = games.map(|game| (game.round, game.pair, game.white(), game.black())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_round_has_a_pair_for_each_pairing() {
        let games = [(1, 0, 0, 1), (1, 0, 1, 0), (1, 1, 0, 2), (1, 1, 2, 0), (1, 2, 1, 2), (1, 2, 2, 1)];
        check(Schedule::round_robin(3, 2).unwrap(), &[&games[..], &[(2, 3, 0, 1), (2, 3, 1, 0)]].concat());
        check(
            Schedule::round_robin(2, 2).unwrap(),
            &[(1, 0, 0, 1), (1, 0, 1, 0), (2, 1, 0, 1), (2, 1, 1, 0)],
        );
        let gauntlet = Schedule::gauntlet(4, 1, 2).unwrap();
        check(
            gauntlet,
            &[(1, 0, 0, 1), (1, 0, 1, 0), (1, 1, 0, 2), (1, 1, 2, 0), (1, 2, 0, 3), (1, 2, 3, 0)],
        );
        assert_eq!((gauntlet.games(), gauntlet.game(7).map(|game| game.round)), (12, Some(2)));
    }

    /// All pairings of tournaments of all sizes, against two loops.
    #[test]
    fn pairings_are_those_of_two_loops() {
        for engines in (2..=40).chain([MOST_ENGINES]) {
            for seeds in (1..engines).filter(|seeds| engines <= 12 || [1, 7, engines - 1].contains(seeds)) {
                let schedule = Schedule::gauntlet(engines, seeds, 1).unwrap();
                let mut index = 0;
                for first in 0..seeds {
                    for second in first + 1..engines {
                        assert_eq!(schedule.pairing(index), Some(Pairing { first, second }));
                        assert_eq!(schedule.pairing_index(first, second), Some(index));
                        assert_eq!(schedule.pairing_index(second, first), Some(index));
                        index += 1;
                    }
                }
                assert_eq!((schedule.pairings(), schedule.pairing(index)), (index, None));
                assert_eq!(schedule.pairing_index(0, engines), None);
                assert_eq!(schedule.pairing_index(0, 0), None);
                if seeds + 1 < engines {
                    assert_eq!(schedule.pairing_index(seeds, seeds + 1), None);
                }
            }
        }
    }

    #[test]
    fn a_number_gives_the_game_and_the_game_its_number() {
        for schedule in [Schedule::round_robin(5, 7).unwrap(), Schedule::gauntlet(6, 2, 5).unwrap()] {
            for number in 1..=schedule.games() {
                let game = schedule.game(number).unwrap();
                assert_eq!(schedule.number(game.round, game.white(), game.black()), Some(number));
            }
            assert_eq!((schedule.game(0), schedule.game(schedule.games() + 1)), (None, None));
            assert_eq!((schedule.number(0, 0, 1), schedule.number(8, 0, 1)), (None, None));
        }
        let huge = Schedule::round_robin(2, MOST_GAMES / 2).unwrap();
        let last = huge.game(MOST_GAMES).unwrap();
        assert_eq!((last.round, last.is_reversed, last.pair), (MOST_GAMES / 2, true, MOST_GAMES / 2 - 1));
    }

    #[test]
    fn shards_have_whole_pairs_and_together_all_games() {
        let schedule = Schedule::round_robin(4, 5).unwrap();
        for of in [1, 2, 3, 7, 30, 31, MOST_SHARDS] {
            let mut owners: BTreeMap<u64, u64> = BTreeMap::new();
            for number in 1..=of {
                let shard = PairShard::new(number, of).unwrap();
                let games: Vec<_> = schedule.games_of(shard).collect();
                assert_eq!(schedule.games_in(shard), games.len() as u64, "{number}/{of}");
                assert!(games.iter().all(|game| shard.contains(game.pair)));
                for game in games {
                    assert_eq!(owners.insert(game.number, number), None);
                }
            }
            assert!(owners.keys().copied().eq(1..=schedule.games()));
            assert!((0..schedule.pairs()).all(|pair| owners[&(2 * pair + 1)] == owners[&(2 * pair + 2)]));
        }
    }

    #[test]
    fn tournaments_that_cannot_be_played() {
        let check = |schedule: Result<Schedule, ScheduleError>, expected: &str| {
            assert_eq!(schedule.unwrap_err().to_string(), expected);
        };
        check(Schedule::round_robin(0, 1), "a tournament has 2 to 256 engines, and 0 are given");
        check(Schedule::round_robin(257, 1), "a tournament has 2 to 256 engines, and 257 are given");
        check(Schedule::gauntlet(3, 0, 1), "seeds=0: with 3 engines a gauntlet has 1 to 2 seeds");
        check(Schedule::gauntlet(3, 3, 1), "seeds=3: with 3 engines a gauntlet has 1 to 2 seeds");
        check(Schedule::round_robin(2, 0), "a tournament has a round or more");
        for rounds in [MOST_GAMES / 2 + 1, u64::MAX, u64::MAX / 2 + 1] {
            let expected = format!("{rounds} rounds of 1 pairings are more than {MOST_GAMES} games");
            check(Schedule::round_robin(2, rounds), &expected);
        }
        for (number, of) in [(0, 1), (2, 1), (0, 0), (1, MOST_SHARDS + 1)] {
            assert_eq!(PairShard::new(number, of), Err(ScheduleError::Shard { number, of }));
        }
    }
}
