//! Which lines of an answer count, and which of them announce a mate.
//!
//! In each iteration the last line counts that has an exact score or announces a mate by a bound: a lower
//! bound of a mate, or an upper bound of being mated. Earlier lines of an iteration are not judged. The last
//! iteration counts too, since it chooses the move. If a program may not have finished it, the suite asks the
//! program with more nodes before a fault counts.

use uci::{Bound, Line, Score};

/// Which lines of an answer count as announcements of a mate, and what is demanded of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Announcements {
    /// The least depth, in plies.
    pub from_depth: u32,
    /// Whether bounds count besides exact scores.
    pub bounds: bool,
    /// What is demanded of a forced mate.
    pub demand: Demand,
}

/// What is demanded of a forced mate. A mate that is announced always has to be forced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Demand {
    /// Nothing: a mate that is longer than necessary is observed.
    Nothing,
    /// That the shortest mate is announced, unless the fifty-move rule draws before the mate of the tables.
    ByTables,
    /// That the shortest mate is announced.
    Promised,
    /// That an announced mate is the shortest.
    Shortest,
}

impl Default for Announcements {
    /// All lines count, and nothing is demanded.
    fn default() -> Self {
        Self { from_depth: 0, bounds: true, demand: Demand::Nothing }
    }
}

/// The mate that a line announces, in moves; negative if the side to move is mated.
pub(super) fn announced(line: &Line) -> Option<i32> {
    match (line.score, line.bound) {
        (Score::Mate(moves), Bound::Exact) => Some(moves),
        (Score::Mate(moves), Bound::Lower) => (moves > 0).then_some(moves),
        (Score::Mate(moves), Bound::Upper) => (moves < 0).then_some(moves),
        (Score::Centipawns(_), _) => None,
    }
}

/// The line of each iteration that counts, in order.
pub(super) fn counted_lines(lines: &[Line], which: Announcements) -> Vec<&Line> {
    let mut counted: Vec<&Line> = Vec::new();
    let counts = |line: &&Line| line.bound == Bound::Exact || which.bounds && announced(line).is_some();
    for line in lines.iter().filter(counts).filter(|line| line.depth >= which.from_depth) {
        if counted.last().is_some_and(|last| last.depth == line.depth) {
            counted.pop();
        }
        counted.push(line);
    }
    counted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(depth: u32, moves: i32, bound: Bound) -> Line {
        Line { depth, score: Score::Mate(moves), bound, nodes: None, pv: Vec::new() }
    }

    #[test]
    fn bounds_announce_mates() {
        let check = |moves, bound, expected| assert_eq!(announced(&line(1, moves, bound)), expected);
        check(3, Bound::Exact, Some(3));
        check(-3, Bound::Exact, Some(-3));
        check(3, Bound::Lower, Some(3));
        check(-3, Bound::Upper, Some(-3));
        check(3, Bound::Upper, None);
        check(-3, Bound::Lower, None);
        check(0, Bound::Upper, None);
        let hundredths = Line { score: Score::Centipawns(30_000), ..line(1, 0, Bound::Exact) };
        assert_eq!(announced(&hundredths), None);
    }

    #[test]
    fn the_last_line_of_a_depth_counts() {
        let lines = [
            line(1, -2, Bound::Exact),
            line(1, 5, Bound::Exact),
            line(2, 4, Bound::Exact),
            line(2, 3, Bound::Lower),
            line(2, 9, Bound::Upper),
            line(3, -9, Bound::Lower),
            line(4, 2, Bound::Exact),
        ];
        let check = |which, expected: &[(u32, Option<i32>)]| {
            let counted = counted_lines(&lines, which);
            let found: Vec<_> = counted.into_iter().map(|line| (line.depth, announced(line))).collect();
            assert_eq!(found, expected, "{which:?}");
        };
        check(Announcements::default(), &[(1, Some(5)), (2, Some(3)), (4, Some(2))]);
        let exact = Announcements { bounds: false, ..Announcements::default() };
        check(exact, &[(1, Some(5)), (2, Some(4)), (4, Some(2))]);
        check(Announcements { from_depth: 2, ..exact }, &[(2, Some(4)), (4, Some(2))]);
    }
}
