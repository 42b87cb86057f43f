//! Which lines of an answer are the subject's word, and which of them announce a mate.
//!
//! The word of an iteration is the last line of its depth that is exact, or that announces a mate by its bound: at
//! least mate in so many moves, at most mated in so many. What an iteration said before that was not finished, and is
//! not held against anybody. The last iteration counts too: the move is chosen by it. Of a program it counts only where more
//! nodes do not make it say otherwise.

use uci::{Bound, Line, Score};

/// Which lines of an answer may announce a mate, and which mate they may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Announcements {
    /// Those of this depth, in plies, and deeper ones.
    pub from_depth: u32,
    /// Bounds that say mate all the same, as well as exact scores.
    pub bounds: bool,
    /// What is demanded of a mate beside that it is there.
    pub demand: Demand,
}

/// What is demanded of a mate beside that it is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Demand {
    /// Nothing: a longer mate than there is is a figure.
    Nothing,
    /// That it is announced, and that it is the shortest, unless the clock runs out before the mate that tables know.
    ByTables,
    /// That it is announced, and that it is the shortest, whatever the clock.
    Promised,
    /// That it is the shortest.
    Shortest,
}

impl Default for Announcements {
    /// All, of any mate that is there.
    fn default() -> Self {
        Self { from_depth: 0, bounds: true, demand: Demand::Nothing }
    }
}

/// The mate that a line announces, in moves, negative for the side to move that is mated.
pub(super) fn announced(line: &Line) -> Option<i32> {
    match (line.score, line.bound) {
        (Score::Mate(moves), Bound::Exact) => Some(moves),
        (Score::Mate(moves), Bound::Lower) => (moves > 0).then_some(moves),
        (Score::Mate(moves), Bound::Upper) => (moves < 0).then_some(moves),
        (Score::Centipawns(_), _) => None,
    }
}

/// The word of each iteration, in their order.
pub(super) fn words(lines: &[Line], which: Announcements) -> Vec<&Line> {
    let mut words: Vec<&Line> = Vec::new();
    let says = |line: &&Line| line.bound == Bound::Exact || which.bounds && announced(line).is_some();
    for line in lines.iter().filter(says).filter(|line| line.depth >= which.from_depth) {
        if words.last().is_some_and(|last| last.depth == line.depth) {
            words.pop();
        }
        words.push(line);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(depth: u32, moves: i32, bound: Bound) -> Line {
        Line { depth, score: Score::Mate(moves), bound, nodes: None, pv: Vec::new() }
    }

    #[test]
    fn a_bound_announces_what_it_is_a_bound_of() {
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
    fn the_last_line_of_a_depth_is_its_word() {
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
            let words = words(&lines, which);
            let found: Vec<_> = words.into_iter().map(|line| (line.depth, announced(line))).collect();
            assert_eq!(found, expected, "{which:?}");
        };
        check(Announcements::default(), &[(1, Some(5)), (2, Some(3)), (4, Some(2))]);
        let exact = Announcements { bounds: false, ..Announcements::default() };
        check(exact, &[(1, Some(5)), (2, Some(4)), (4, Some(2))]);
        check(Announcements { from_depth: 2, ..exact }, &[(2, Some(4)), (4, Some(2))]);
    }
}
