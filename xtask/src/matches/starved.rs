//! The games of a match in which an engine was starved: it got less than half of the processor while it was ready
//! to run.

use std::fmt::Write as _;

use arbiter::game::GameRecord;

/// How many there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Starved {
    /// Games in which an engine was starved.
    games: u64,
    /// Games in which a starved engine was late.
    late: u64,
    /// Games that were played again for that.
    replayed: u64,
}

impl Starved {
    /// Counts a game.
    pub(super) fn add(&mut self, record: &GameRecord) {
        self.games += u64::from(record.starved().next().is_some());
        self.late += u64::from(record.is_starved_flag_fall());
        self.replayed += u64::from(record.replays);
    }

    /// A line for the standings, if there are any.
    pub(super) fn line(self) -> Option<String> {
        let Self { games, late, replayed } = self;
        if games + replayed == 0 {
            return None;
        }
        let mut line = format!(
            "starved: in {games} games an engine got less than half of the processor; it was late in {late} of them"
        );
        match replayed {
            0 if late > 0 => line.push_str(", which --replay-starved plays again"),
            0 => {}
            _ => {
                let _ = write!(line, "; {replayed} more did not count, and were played again");
            }
        }
        Some(line)
    }
}

/// What the line of a game says of it.
pub(super) fn mark(record: &GameRecord) -> String {
    let names: Vec<&str> = record.starved().map(|player| player.name.as_str()).collect();
    let mut mark = String::new();
    if !names.is_empty() {
        let _ = write!(mark, "; starved: {}", names.join(", "));
    }
    if record.replays > 0 {
        let _ = write!(mark, "; played {} times", record.replays + 1);
    }
    mark
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_the_standings() {
        let check = |games, late, replayed, expected: Option<&str>| {
            assert_eq!(Starved { games, late, replayed }.line().as_deref(), expected);
        };
        let games = "starved: in 3 games an engine got less than half of the processor; it was late in";
        check(0, 0, 0, None);
        check(3, 0, 0, Some(&format!("{games} 0 of them")));
        check(3, 2, 0, Some(&format!("{games} 2 of them, which --replay-starved plays again")));
        let replayed = format!("{games} 1 of them; 5 more did not count, and were played again");
        check(3, 1, 5, Some(&replayed));
    }
}
