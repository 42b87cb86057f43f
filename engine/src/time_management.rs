//! Time management: computes the time limits of a move from the clock. Pure functions.
//!
//! Reads no clock and knows no position. The shares are those that engines commonly use (about a twenty-fifth
//! of the time left, most of the increment). They were tried in simulated games, not tuned.

use std::time::Duration;

use crate::search_api::TimeBudget;

/// The clock of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockFace {
    /// Time left.
    pub left: Duration,
    /// Increment for each move.
    pub increment: Duration,
    /// Moves to the next time control; `None` for sudden death.
    pub moves_to_go: Option<u32>,
}

/// The shortest time for a move, unless less is left.
const LEAST: Duration = Duration::from_millis(1);
/// The largest share of the time left that one move may take, in hundredths.
const LARGEST_SHARE: u32 = 45;
/// Overheads are reserved for at most this many moves.
const MOST_COMING: u32 = 100;
/// Hard limit over soft limit, in tenths.
const STRETCH: u32 = 45;
/// The share of the increment that is spent at once, in hundredths. The rest is a reserve.
const INCREMENT_SHARE: u32 = 75;

impl TimeBudget {
    /// The limits for a move in a game with clocks. `overhead` is the time between the end of the search and
    /// the stop of the clock; `move_number` is that of the position.
    ///
    /// The hard limit never exceeds the time left after the overhead. If nothing is left, both limits are
    /// zero: the move is due at once.
    ///
    /// ```
    /// use std::time::Duration;
    /// use engine::search_api::TimeBudget;
    /// use engine::time_management::ClockFace;
    ///
    /// let minute = Duration::from_secs(60);
    /// let face = ClockFace { left: minute, increment: minute / 100, moves_to_go: None };
    /// let budget = TimeBudget::of_clock(face, Duration::from_millis(10), 1);
    /// assert_eq!(budget.soft.map(|soft| soft.as_millis()), Some(2449));
    /// assert_eq!(budget.hard.as_millis(), 11022);
    /// ```
    pub fn of_clock(face: ClockFace, overhead: Duration, move_number: u16) -> Self {
        let left = face.left.saturating_sub(overhead);
        if left.is_zero() {
            return Self { soft: Some(Duration::ZERO), hard: Duration::ZERO };
        }
        let moves = expected_moves(face.moves_to_go, move_number);
        // Each coming move costs its overhead, unless the increment pays for it. The real overhead may be
        // half as long again as the one given, plus a little.
        let coming = face.moves_to_go.map_or(moves, |to_go| to_go.clamp(1, MOST_COMING)) - 1;
        let unpaid = (overhead + overhead / 2 + LEAST).saturating_sub(face.increment).saturating_mul(coming);
        let free = left.saturating_sub(unpaid.saturating_add(overhead / 2));
        let planned = (free / moves).saturating_add(hundredths(face.increment, INCREMENT_SHARE));
        let hard = hundredths(planned, STRETCH * 10).min(hundredths(free, LARGEST_SHARE));
        let hard = hard.max(LEAST).min(left);
        Self { soft: Some(planned.min(hard)), hard }
    }

    /// The limits for `movetime`. A move time of zero stays zero; otherwise at least a millisecond is left
    /// after the overhead.
    pub fn of_move_time(time: Duration, overhead: Duration) -> Self {
        Self { soft: None, hard: time.saturating_sub(overhead).max(LEAST.min(time)) }
    }

    /// The limits that satisfy both. A soft limit of either may exceed the hard limit.
    pub fn and(self, other: Self) -> Self {
        let soft = self.soft.into_iter().chain(other.soft).min();
        Self { soft, hard: self.hard.min(other.hard) }
    }
}

/// The number of moves that the time has to last: 30 at the start of a game, 22 from move 40 on, and never
/// more than `moves_to_go`.
fn expected_moves(moves_to_go: Option<u32>, move_number: u16) -> u32 {
    let expected = 30 - u32::from(move_number / 5).min(8);
    moves_to_go.map_or(expected, |to_go| to_go.clamp(1, expected))
}

fn hundredths(of: Duration, share: u32) -> Duration {
    of.checked_mul(share).map_or_else(|| of / 100 * share.min(100), |product| product / 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn budget(left: u64, increment: u64, to_go: Option<u32>, overhead: u64, number: u16) -> TimeBudget {
        let face = ClockFace { left: ms(left), increment: ms(increment), moves_to_go: to_go };
        TimeBudget::of_clock(face, ms(overhead), number)
    }

    #[test]
    fn no_budget_exceeds_what_is_left() {
        let lefts = [0, 1, 2, 9, 10, 11, 12, 50, 1_000, 8_000, 60_000, 3_600_000, u64::MAX / 2_000_000];
        for left in lefts {
            for increment in [0, 1, 10, 80, 600, 30_000, u64::MAX / 2_000_000] {
                for to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    for overhead in [0, 1, 10, 100, 10_000] {
                        for number in [1, 20, 9_999] {
                            let TimeBudget { soft, hard } = budget(left, increment, to_go, overhead, number);
                            let what = format!("{left}+{increment}/{to_go:?} -{overhead} at {number}");
                            let usable = left.saturating_sub(overhead);
                            assert!(hard <= ms(usable), "{what}");
                            assert!(soft.is_some_and(|soft| soft <= hard), "{what}");
                            assert_eq!(hard.is_zero(), usable == 0, "{what}");
                            let share = hundredths(ms(left), LARGEST_SHARE).max(LEAST);
                            assert!(hard <= share, "{what}");
                        }
                    }
                }
            }
        }
    }

    /// Plays a game of 400 moves that uses the hard limit and the whole overhead on every move. Returns the
    /// least time left.
    fn least_left(start: u64, increment: u64, period: Option<u32>, overhead: u64) -> Duration {
        let hard = |budget: TimeBudget| budget.hard;
        let (moves, least) = survived((start, increment, period), (overhead, overhead), hard);
        assert_eq!(moves, 400, "{start}+{increment}: lost on time");
        least
    }

    /// Plays up to 400 moves. Returns the number of moves made in time, and the least time left. The engine
    /// knows `overhead`; `real` is the one that passes.
    fn survived(
        (start, increment, period): (u64, u64, Option<u32>),
        (overhead, real): (u64, u64),
        spend: impl Fn(TimeBudget) -> Duration,
    ) -> (u32, Duration) {
        let (mut left, mut least) = (ms(start), ms(start));
        for number in 0..400_u32 {
            let to_go = period.map(|period| period - number % period);
            let face = ClockFace { left, increment: ms(increment), moves_to_go: to_go };
            let used = spend(TimeBudget::of_clock(face, ms(overhead), (number + 1) as u16)) + ms(real);
            let Some(still) = left.checked_sub(used) else { return (number, least) };
            left = still;
            least = least.min(left);
            left += ms(increment);
            if to_go == Some(1) {
                left += ms(start);
            }
        }
        (400, least)
    }

    /// The real overhead is half as long again as the one given. No time lasts for ever without enough
    /// increment: 1+0.01 ends after 166 moves, even of a millisecond each.
    #[test]
    fn overheads_longer_than_configured_lose_no_game_of_usual_length() {
        for spend in [|budget: TimeBudget| budget.soft.unwrap(), |budget: TimeBudget| budget.hard] {
            assert_eq!(survived((60_000, 0, Some(40)), (10, 15), spend).0, 400);
            assert_eq!(survived((8_000, 80, None), (10, 15), spend).0, 400);
        }
        assert!(survived((1_000, 10, None), (10, 15), |budget| budget.soft.unwrap()).0 > 50);
    }

    #[test]
    fn four_hundred_moves_at_the_limit_lose_no_game_on_time() {
        for (start, increment, period) in [
            (1_000, 10, None),
            (8_000, 80, None),
            (60_000, 600, None),
            (60_000, 0, Some(40)),
            (2_000, 20, None),
        ] {
            least_left(start, increment, period, 10);
        }
        assert!(least_left(8_000, 80, None, 10) > ms(50));
    }

    /// Typical limits: see the documentation of the module.
    #[test]
    fn the_soft_limit_is_a_share_of_the_time_left() {
        for (left, increment, to_go, number, soft, hard) in [
            (60_000, 0, None, 1, 1_999, 8_995),
            (60_000, 600, None, 1, 2_450, 11_025),
            (60_000, 0, None, 40, 2_726, 12_268),
            (60_000, 0, Some(10), 40, 5_999, 26_995),
            (60_000, 0, Some(1), 40, 27_000, 27_000),
            (1_000, 10, None, 1, 40, 183),
            (20, 10, None, 1, 8, 9),
        ] {
            let TimeBudget { soft: planned, hard: most } = budget(left, increment, to_go, 0, number);
            let planned = planned.map(|planned| planned.as_millis() as u64);
            assert_eq!(
                (planned, most.as_millis() as u64),
                (Some(soft), hard),
                "{left}+{increment}/{to_go:?}"
            );
        }
    }

    #[test]
    fn overheads_of_coming_moves_are_reserved_unless_the_increment_pays() {
        let soft = |increment, overhead| budget(5_000, increment, None, overhead, 1).soft.unwrap();
        assert!(soft(0, 100) < soft(0, 0) / 2);
        let paid = soft(200, 100);
        assert_eq!(paid, ms(4_850) / 30 + ms(150));
    }

    #[test]
    fn move_times_are_used_except_for_the_overhead() {
        for (time, overhead, expected) in [(0, 10, 0), (1, 10, 1), (10, 10, 1), (500, 10, 490), (500, 0, 500)]
        {
            let all = TimeBudget { soft: None, hard: ms(expected) };
            assert_eq!(TimeBudget::of_move_time(ms(time), ms(overhead)), all, "{time}-{overhead}");
        }
    }

    #[test]
    fn both_limits_hold_and_a_move_time_has_no_soft_one() {
        let (clock, moved) = (budget(60_000, 0, None, 0, 1), TimeBudget::of_move_time(ms(100), ms(0)));
        assert_eq!(clock.and(moved), TimeBudget { soft: clock.soft, hard: ms(100) });
        assert_eq!(moved.and(clock), clock.and(moved));
        assert_eq!(moved.and(moved), moved);
        assert_eq!(clock.and(budget(1_000, 0, None, 0, 1)), budget(1_000, 0, None, 0, 1));
    }
}
