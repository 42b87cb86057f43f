//! Time management: limits within the clock, and games that the engine must not lose on time.

use std::time::Duration;

use engine::search_api::TimeBudget;
use engine::time_management::ClockFace;
use suites::{Evidence, Findings, Verdict};

use super::{Wrong, ask, gather};

const CHECK: &str = "library/time";
/// The moves of a game that the engine must make in time.
const MOVES: u32 = 300;
/// Milliseconds left, increments, moves to go and overheads, in all combinations.
const LEFT: [u64; 9] = [0, 1, 9, 50, 1_000, 8_000, 60_000, 3_600_000, 259_200_000];
const INCREMENTS: [u64; 4] = [0, 10, 600, 30_000];
const TO_GO: [Option<u32>; 4] = [None, Some(1), Some(2), Some(40)];
const OVERHEADS: [u64; 3] = [0, 10, 300];
/// Games: milliseconds at the start, the increment, and the moves of a period.
const GAMES: [(u64, u64, Option<u32>); 4] =
    [(1_000, 10, None), (8_000, 80, None), (60_000, 600, None), (60_000, 0, Some(40))];

/// A clock, or a game.
#[derive(Debug, Clone, Copy)]
enum Asked {
    Clock { left: u64, increment: u64, to_go: Option<u32>, overhead: u64 },
    MoveTime { time: u64, overhead: u64 },
    Game { start: u64, increment: u64, period: Option<u32> },
}

pub(super) fn run() -> Findings {
    let mut asked = Vec::new();
    for left in LEFT {
        for overhead in OVERHEADS {
            asked.push(Asked::MoveTime { time: left, overhead });
            for increment in INCREMENTS {
                asked.extend(TO_GO.map(|to_go| Asked::Clock { left, increment, to_go, overhead }));
            }
        }
    }
    asked.extend(GAMES.map(|(start, increment, period)| Asked::Game { start, increment, period }));
    gather(CHECK, Evidence::Specification, "clocks", &asked, |asked| {
        let fault = ask(|| fault(*asked)).unwrap_or_else(|panic| Some((panic, "limits".to_owned())));
        let Some((got, expected)) = fault else { return Verdict::Agree };
        let (case, because) =
            (format!("{asked:?}"), "a move is made within the clock, and uses it".to_owned());
        Wrong { check: CHECK, case: &case, fen: "", got, expected, source: "definition", because }.verdict()
    })
}

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// The fault of the limits, and the right limits.
fn fault(asked: Asked) -> Option<(String, String)> {
    match asked {
        Asked::Clock { left, increment, to_go, overhead } => {
            let face = ClockFace { left: ms(left), increment: ms(increment), moves_to_go: to_go };
            let budget = TimeBudget::of_clock(face, ms(overhead), 20);
            let usable = ms(left.saturating_sub(overhead));
            let soft = budget.soft.unwrap_or_default();
            let both = budget.and(TimeBudget { soft: None, hard: ms(5) });
            let faults = [
                (budget.hard > usable, format!("at most {usable:?}")),
                (soft > budget.hard, format!("a soft limit of at most {:?}", budget.hard)),
                (!usable.is_zero() && budget.hard.is_zero(), "some time".to_owned()),
                // A game has no more than about two hundred moves.
                (
                    usable > ms(10_000) && overhead < 100 && soft < usable / 200,
                    format!("at least {:?}", usable / 200),
                ),
                (
                    to_go.is_none()
                        && overhead < 100
                        && usable > ms(1_000 + 2 * increment)
                        && soft < ms(increment / 2),
                    format!("at least half of the increment, {:?}", ms(increment / 2)),
                ),
                (both.hard > ms(5) || both.hard > budget.hard, "the smaller of two limits".to_owned()),
            ];
            let got = format!("soft {soft:?}, hard {:?}, with 5 ms {:?}", budget.hard, both.hard);
            faults.into_iter().find(|(is_wrong, _)| *is_wrong).map(|(_, expected)| (got, expected))
        }
        Asked::MoveTime { time, overhead } => {
            let TimeBudget { soft, hard } = TimeBudget::of_move_time(ms(time), ms(overhead));
            let least = ms(time.saturating_sub(overhead));
            let is_right =
                soft.is_none() && hard >= least && hard <= ms(time.min(time.saturating_sub(overhead).max(1)));
            (!is_right).then(|| (format!("soft {soft:?}, hard {hard:?}"), format!("hard {least:?}")))
        }
        Asked::Game { start, increment, period } => {
            let lost = lost_at(start, increment, period)?;
            Some((format!("lost on time at move {lost}"), format!("{MOVES} moves in time")))
        }
    }
}

/// The move at which a game is lost on time if each move uses its hard limit and 10 ms more; `None` if none
/// is.
fn lost_at(start: u64, increment: u64, period: Option<u32>) -> Option<u32> {
    let mut left = ms(start);
    for number in 0..MOVES {
        let to_go = period.map(|period| period - number % period);
        let face = ClockFace { left, increment: ms(increment), moves_to_go: to_go };
        let used = TimeBudget::of_clock(face, ms(10), (number + 1) as u16).hard + ms(10);
        let Some(still) = left.checked_sub(used) else { return Some(number + 1) };
        left = still + ms(increment);
        if to_go == Some(1) {
            left += ms(start);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_below_the_delay_is_lost_at_once() {
        assert_eq!(lost_at(5, 0, None), Some(1));
        assert_eq!(lost_at(60_000, 1_000, None), None);
        assert_eq!(lost_at(60_000, 0, Some(40)), None);
    }
}
