//! What one engine scored: games by colour, and pairs by points.

use crate::statistics::Results;

/// Wins, draws and losses of one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Score {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Score {
    /// Games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Half points: two for a win and one for a draw.
    pub fn half_points(&self) -> u64 {
        2 * self.wins + self.draws
    }

    /// Points.
    pub fn points(&self) -> f64 {
        self.half_points() as f64 / 2.0
    }

    /// Points by games, from 0 to 1; `None` without games.
    pub fn ratio(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.points() / self.games() as f64)
    }

    /// The score of the opponents.
    pub fn reversed(&self) -> Self {
        Self { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// Counts a game with this many half points.
    pub(super) fn add(&mut self, half_points: usize) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// The sum of two scores.
    pub fn plus(self, other: Self) -> Self {
        Self {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }
}

/// What one engine scored, against one opponent or all of them. Its view is that of the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Games with White.
    pub white: Score,
    /// Games with Black.
    pub black: Score,
    /// Complete pairs with 0, 0.5, 1, 1.5 and 2 points.
    pub pairs: [u64; 5],
    /// How many of the pairs with one point are a win and a loss; the others are two draws.
    pub win_and_loss: u64,
}

impl Tally {
    /// All games.
    pub fn score(&self) -> Score {
        self.white.plus(self.black)
    }

    /// The games of complete pairs.
    pub fn score_of_pairs(&self) -> Score {
        let [losses_twice, losses_once, level, wins_once, wins_twice] = self.pairs;
        Score {
            wins: 2 * wins_twice + wins_once + self.win_and_loss,
            draws: wins_once + losses_once + 2 * level.saturating_sub(self.win_and_loss),
            losses: 2 * losses_twice + losses_once + self.win_and_loss,
        }
    }

    /// The view of the opponents.
    pub fn reversed(&self) -> Self {
        let mut pairs = self.pairs;
        pairs.reverse();
        Self {
            white: self.black.reversed(),
            black: self.white.reversed(),
            pairs,
            win_and_loss: self.win_and_loss,
        }
    }

    /// The results of complete pairs, if there are any. [`Results::measures`] has Elo with its error,
    /// normalised Elo and likelihood of superiority.
    pub fn pair_results(&self) -> Option<Results> {
        (self.pairs != [0; 5]).then_some(Results::Pairs(self.pairs))
    }

    /// The results of games, those of half pairs included, if there are any.
    pub fn game_results(&self) -> Option<Results> {
        let Score { wins, draws, losses } = self.score();
        (wins + draws + losses > 0).then_some(Results::Games([losses, draws, wins]))
    }

    /// The sum of two tallies.
    pub fn plus(self, other: Self) -> Self {
        let mut pairs = self.pairs;
        pairs.iter_mut().zip(other.pairs).for_each(|(count, other)| *count += other);
        Self {
            white: self.white.plus(other.white),
            black: self.black.plus(other.black),
            pairs,
            win_and_loss: self.win_and_loss + other.win_and_loss,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally() -> Tally {
        Tally {
            white: Score { wins: 10, draws: 4, losses: 2 },
            black: Score { wins: 3, draws: 6, losses: 7 },
            pairs: [1, 2, 6, 3, 4],
            win_and_loss: 4,
        }
    }

    #[test]
    fn the_games_of_pairs_follow_from_their_points() {
        let score = tally().score_of_pairs();
        assert_eq!(score, Score { wins: 15, draws: 9, losses: 8 });
        let pairs: u64 = tally().pairs.iter().sum();
        let half_points: u64 = (0..).zip(tally().pairs).map(|(points, count)| points * count).sum();
        assert_eq!((score.games(), score.half_points()), (2 * pairs, half_points));
    }

    #[test]
    fn the_view_of_the_opponents() {
        let reversed = tally().reversed();
        assert_eq!(reversed.reversed(), tally());
        assert_eq!(reversed.white, Score { wins: 7, draws: 6, losses: 3 });
        assert_eq!((reversed.pairs, reversed.win_and_loss), ([4, 3, 6, 2, 1], 4));
        assert_eq!(reversed.score_of_pairs(), tally().score_of_pairs().reversed());
        let both = tally().plus(reversed);
        assert_eq!((both.score().wins, both.score().losses), (22, 22));
        assert_eq!(both.pair_results(), Some(Results::Pairs([5, 5, 12, 5, 5])));
    }

    #[test]
    fn no_games_have_no_results() {
        let none = Tally::default();
        assert_eq!((none.pair_results(), none.game_results(), none.score().ratio()), (None, None, None));
        assert_eq!(tally().game_results(), Some(Results::Games([9, 10, 13])));
        assert_eq!(tally().score().ratio(), Some(18.0 / 32.0));
    }
}
