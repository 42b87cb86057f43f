//! The clock of one side, in whole milliseconds, and the text of `go` for both. It does not run: the caller
//! says how long a move took.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use shakmaty::{ByColor, Color};

use super::time_control::{TimeControl, TimeLimit};

/// The clock of one side.
///
/// A move takes away the whole milliseconds that it took, so that each clock of a game follows from the times
/// in its record. A part of a millisecond is never charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    control: TimeControl,
    /// What stands on the clock, in milliseconds. 0 without a clock.
    left: u64,
    /// The moves to the next control. 0 if there is none.
    to_control: u64,
}

/// The time of a move was over before its answer came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FlagFall {
    /// How long the move took, in milliseconds.
    pub took: u64,
    /// The time that it had, margin not included, in milliseconds.
    pub had: u64,
}

impl Clock {
    /// The clock at the start of a game.
    pub fn new(control: TimeControl) -> Self {
        let (left, to_control) = match control.time {
            TimeLimit::Clock { moves, time, .. } => (time, moves.map_or(0, u64::from)),
            TimeLimit::Move(_) | TimeLimit::Unlimited => (0, 0),
        };
        Self { control, left, to_control }
    }

    /// What stands on the clock, in milliseconds. `None` if no clock runs, as with a fixed time for each
    /// move.
    pub fn left(&self) -> Option<u64> {
        matches!(self.control.time, TimeLimit::Clock { .. }).then_some(self.left)
    }

    /// The time that the next move may take, margin included. `None` without a limit of time.
    pub fn allowance(&self) -> Option<Duration> {
        self.time_for_move().map(|time| Duration::from_millis(time + self.control.margin))
    }

    fn time_for_move(&self) -> Option<u64> {
        match self.control.time {
            TimeLimit::Unlimited => None,
            TimeLimit::Clock { .. } => Some(self.left),
            TimeLimit::Move(time) => Some(time),
        }
    }

    /// Takes away the time of a move, then adds the increment and, if a control was reached, its time. A
    /// clock that the margin saved stands at zero before that.
    ///
    /// # Errors
    /// If the move took longer than the time that was left and the margin. The clock stays as it was.
    pub fn charge(&mut self, took: Duration) -> Result<(), FlagFall> {
        let took = whole_milliseconds(took);
        if let Some(had) = self.time_for_move()
            && took > had + self.control.margin
        {
            return Err(FlagFall { took, had });
        }
        let TimeLimit::Clock { moves, time, increment } = self.control.time else { return Ok(()) };
        self.left = self.left.saturating_sub(took).saturating_add(increment);
        if let Some(moves) = moves {
            self.to_control = self.to_control.saturating_sub(1);
            if self.to_control == 0 {
                self.left = self.left.saturating_add(time);
                self.to_control = moves.get();
            }
        }
        Ok(())
    }

    fn increment(&self) -> u64 {
        if let TimeLimit::Clock { increment, .. } = self.control.time { increment } else { 0 }
    }
}

/// A time in whole milliseconds, rounded down.
pub(super) fn whole_milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// The command `go` for the side to move.
///
/// With a clock it gives `wtime`, `btime`, `winc` and `binc` of each side that has one, and `movestogo` of
/// the side to move; with a fixed time `movetime`. Limits of nodes and depth follow. A clock that stands at 0
/// is given as 1, since engines take 0 for no clock.
pub fn go(side: Color, clocks: &ByColor<Clock>) -> String {
    let own = clocks.get(side);
    let mut words = vec!["go".to_owned()];
    match own.control.time {
        TimeLimit::Unlimited => {}
        TimeLimit::Move(time) => words.push(format!("movetime {time}")),
        TimeLimit::Clock { moves, .. } => {
            let timed =
                || clocks.iter().zip(["w", "b"]).filter_map(|(clock, c)| Some((c, clock, clock.left()?)));
            words.extend(timed().map(|(color, _, left)| format!("{color}time {}", left.max(1))));
            words.extend(timed().map(|(color, clock, _)| format!("{color}inc {}", clock.increment())));
            words.extend(moves.map(|_| format!("movestogo {}", own.to_control)));
        }
    }
    words.extend(own.control.nodes.map(|nodes| format!("nodes {nodes}")));
    words.extend(own.control.depth.map(|depth| format!("depth {depth}")));
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(control: &str) -> Clock {
        Clock::new(control.parse().unwrap())
    }

    /// What stands on the clock after moves of these times in milliseconds; `None` if the last one was late.
    #[track_caller]
    fn check(control: &str, times: &[u64], expected: Option<u64>) {
        let mut clock = clock(control);
        let mut last = Ok(());
        for &time in times {
            assert_eq!(last, Ok(()), "only the last move is late");
            last = clock.charge(Duration::from_millis(time));
        }
        assert_eq!(last.ok().and_then(|()| clock.left()), expected, "{control} {times:?}");
    }

    #[test]
    fn moves_take_time_and_get_their_increment_afterwards() {
        check("tc=8+0.08", &[100], Some(7980));
        check("tc=8+0.08", &[100, 7980], Some(80));
        check("tc=8+0.08", &[100, 7981], None);
        check("tc=1", &[1000], Some(0));
        check("tc=1", &[1001], None);
        check("tc=1", &[1000, 0], Some(0));
        check("tc=1", &[1000, 1], None);
    }

    #[test]
    fn a_part_of_a_millisecond_is_not_charged() {
        let mut clock = clock("tc=0.01");
        assert_eq!(clock.charge(Duration::from_micros(10_999)), Ok(()));
        assert_eq!(clock.left(), Some(0));
        assert_eq!(clock.charge(Duration::from_millis(1)), Err(FlagFall { took: 1, had: 0 }));
        assert_eq!(clock.charge(Duration::MAX), Err(FlagFall { took: u64::MAX, had: 0 }));
    }

    #[test]
    fn the_margin_saves_a_flag_and_gives_no_time() {
        check("tc=1+0.1 timemargin=50", &[1050], Some(100));
        check("tc=1+0.1 timemargin=50", &[1051], None);
        assert_eq!(clock("tc=1 timemargin=50").allowance(), Some(Duration::from_millis(1050)));
    }

    #[test]
    fn a_control_that_is_reached_adds_its_time() {
        check("tc=2/10+1", &[4000], Some(7000));
        check("tc=2/10+1", &[4000, 5000], Some(13_000));
        check("tc=2/10+1", &[4000, 5000, 0, 0], Some(25_000));
        check("tc=1/10", &[10_000, 10_000], Some(10_000));
        check("tc=2/10", &[4000, 6001], None);
    }

    #[test]
    fn a_fixed_time_is_the_same_for_each_move() {
        let mut fixed = clock("st=0.5 timemargin=10");
        for _ in 0..3 {
            assert_eq!(fixed.charge(Duration::from_millis(510)), Ok(()));
        }
        assert_eq!(fixed.charge(Duration::from_millis(511)), Err(FlagFall { took: 511, had: 500 }));
        assert_eq!((fixed.left(), fixed.allowance()), (None, Some(Duration::from_millis(510))));
        let mut nodes = clock("nodes=5");
        assert_eq!(nodes.charge(Duration::from_hours(5)), Ok(()));
        assert_eq!((nodes.left(), nodes.allowance()), (None, None));
    }

    #[test]
    fn the_command_go_gives_both_clocks() {
        let check = |white: &str, black: &str, side, expected: &str| {
            let clocks = ByColor { white: clock(white), black: clock(black) };
            assert_eq!(go(side, &clocks), expected);
        };
        let (white, black) = (Color::White, Color::Black);
        check("tc=8+0.08", "tc=8+0.08", white, "go wtime 8000 btime 8000 winc 80 binc 80");
        check("tc=8", "tc=1:00+1", black, "go wtime 8000 btime 60000 winc 0 binc 1000");
        check("tc=40/60+0.6", "tc=5", white, "go wtime 60000 btime 5000 winc 600 binc 0 movestogo 40");
        check("tc=40/60+0.6", "tc=5", black, "go wtime 60000 btime 5000 winc 600 binc 0");
        check("tc=40/60", "nodes=5", white, "go wtime 60000 winc 0 movestogo 40");
        check("tc=40/60", "nodes=5", black, "go nodes 5");
        check("st=0.25", "tc=5", white, "go movetime 250");
        check("tc=5 nodes=9 depth=3", "st=1", white, "go wtime 5000 winc 0 nodes 9 depth 3");
        check("nodes=9 depth=3", "st=1", white, "go nodes 9 depth 3");
    }

    #[test]
    fn the_command_go_follows_the_clocks() {
        let mut clocks = ByColor { white: clock("tc=3/1"), black: clock("tc=1") };
        clocks.white.charge(Duration::from_secs(1)).unwrap();
        let white = "go wtime 1 btime 1000 winc 0 binc 0 movestogo 2";
        assert_eq!(go(Color::White, &clocks), white);
        clocks.white.charge(Duration::ZERO).unwrap();
        clocks.white.charge(Duration::ZERO).unwrap();
        assert_eq!(go(Color::White, &clocks), "go wtime 1000 btime 1000 winc 0 binc 0 movestogo 3");
    }
}
