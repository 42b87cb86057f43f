//! The parser of `go`: the limits of a search.
//!
//! Starts nothing.

use std::time::Duration;

use super::tokens::{NumberError, number, split};
use crate::search_api::{Limits, TimeBudget};
use crate::time_management::ClockFace;
use crate::{CastlingMode, Color, Position, UciError};

/// Why a `go` is rejected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum GoError {
    /// A number is missing or invalid.
    #[error(transparent)]
    Number(#[from] NumberError),
    /// A move after `searchmoves` is malformed or not legal.
    #[error("searchmoves: {0}")]
    Move(#[from] UciError),
    /// No move after `searchmoves`.
    #[error("searchmoves: expected a move")]
    NoMoves,
}

/// A keyword of `go`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word {
    Depth,
    Nodes,
    Mate,
    MoveTime,
    Time(Color),
    Increment(Color),
    MovesToGo,
    Perft,
    SearchMoves,
    Infinite,
    Ponder,
}

const WORDS: [(&str, Word); 13] = [
    ("depth", Word::Depth),
    ("nodes", Word::Nodes),
    ("mate", Word::Mate),
    ("movetime", Word::MoveTime),
    ("wtime", Word::Time(Color::White)),
    ("btime", Word::Time(Color::Black)),
    ("winc", Word::Increment(Color::White)),
    ("binc", Word::Increment(Color::Black)),
    ("movestogo", Word::MovesToGo),
    ("perft", Word::Perft),
    ("searchmoves", Word::SearchMoves),
    ("infinite", Word::Infinite),
    ("ponder", Word::Ponder),
];

fn known(text: &str) -> Option<(&'static str, Word)> {
    WORDS.into_iter().find(|(name, _)| *name == text)
}

/// A parsed `go`.
#[derive(Debug, Clone, Default)]
pub(super) struct Go {
    /// All limits except time.
    limits: Limits,
    move_time: Option<Duration>,
    /// By colour. An overrun clock counts as zero.
    clocks: [Option<Duration>; 2],
    increments: [Duration; 2],
    /// Moves to the next time control.
    period: Option<u32>,
    /// The answer is held back until `stop`.
    pub(super) infinite: bool,
    /// The answer is held back until `ponderhit` or `stop`.
    pub(super) ponder: bool,
    /// Perft instead of a search.
    pub(super) perft: Option<u32>,
    /// Unknown words. They are ignored, as the protocol demands.
    pub(super) unknown: Vec<String>,
}

/// A thousand days in milliseconds: no clock shows more.
const MOST_TIME: i64 = 86_400_000 * 1_000;

/// Time for a move if only the opponent's clock was given: a program that sends clocks waits for an answer.
const UNTOLD: Duration = Duration::from_millis(100);

/// The least time to wait for a search that is still being set up, even if the move has less time.
const LATEST: Duration = Duration::from_millis(500);

/// Parses the arguments of `go` for a position.
pub(super) fn parse(text: &str, position: &Position, mode: CastlingMode) -> Result<Go, GoError> {
    let (mut go, mut rest) = (Go::default(), text);
    while let Some((word, after)) = split(rest) {
        rest = go.take(word, after, position, mode)?;
    }
    Ok(go)
}

impl Go {
    /// Parses the arguments of one word and returns the rest.
    fn take<'a>(
        &mut self,
        word: &str,
        rest: &'a str,
        position: &Position,
        mode: CastlingMode,
    ) -> Result<&'a str, GoError> {
        let Some((name, word)) = known(word) else {
            self.unknown.push(word.chars().take(32).collect());
            return Ok(rest);
        };
        let (next, after) = split(rest).map_or((None, rest), |(next, after)| (Some(next), after));
        let time = |least| {
            number(name, next, least..=MOST_TIME).map(|ms| Duration::from_millis(ms.max(0).unsigned_abs()))
        };
        match word {
            Word::Depth => self.limits.depth = Some(number(name, next, 0..=u16::MAX)?),
            Word::Nodes => self.limits.nodes = Some(number(name, next, 0..=u64::MAX)?),
            // A mate takes at least one move.
            Word::Mate => self.limits.mate = Some(number(name, next, 0..=u16::MAX)?.max(1)),
            Word::MoveTime => self.move_time = Some(time(0)?),
            Word::Time(side) => self.clocks[side.index()] = Some(time(-MOST_TIME)?),
            Word::Increment(side) => self.increments[side.index()] = time(0)?,
            // Some programs send 0 in sudden death.
            Word::MovesToGo => {
                self.period = Some(number(name, next, 0..=u32::MAX)?).filter(|&moves| moves > 0);
            }
            Word::Perft => self.perft = Some(number(name, next, 0..=100)?),
            Word::SearchMoves => return self.take_moves(rest, position, mode),
            Word::Infinite => {
                self.infinite = true;
                return Ok(rest);
            }
            Word::Ponder => {
                self.ponder = true;
                return Ok(rest);
            }
        }
        Ok(after)
    }

    /// Parses moves up to the next keyword.
    fn take_moves<'a>(
        &mut self,
        mut rest: &'a str,
        position: &Position,
        mode: CastlingMode,
    ) -> Result<&'a str, GoError> {
        while let Some((word, after)) = split(rest).filter(|(word, _)| known(word).is_none()) {
            let mv = position.parse_uci(word, mode)?;
            if !self.limits.moves.contains(&mv) {
                self.limits.moves.push(mv);
            }
            rest = after;
        }
        if self.limits.moves.is_empty() { Err(GoError::NoMoves) } else { Ok(rest) }
    }

    /// The limits for a move of this position.
    pub(super) fn limits(&self, position: &Position, overhead: Duration) -> Limits {
        let time = if self.infinite { None } else { self.time(position, overhead) };
        Limits { time, ..self.limits.clone() }
    }

    /// The latest useful time for an answer, even one without a search: with clocks, when the time is used
    /// up; otherwise a little after the limit, because a searched move is worth more than a punctual one.
    pub(super) fn due(&self, position: &Position, overhead: Duration) -> Option<Duration> {
        let limit = self.limits(position, overhead).time?.hard;
        let left = self.clocks[position.side_to_move().index()];
        Some(left.map_or(limit.max(LATEST), |left| left.saturating_sub(overhead).min(limit.max(LATEST))))
    }

    /// The missing clock, if the opponent's clock was given but not that of the side to move.
    pub(super) fn missing_clock(&self, position: &Position) -> Option<&'static str> {
        let side = position.side_to_move();
        let told = self.clocks[(!side).index()].is_some() && self.clocks[side.index()].is_none();
        let is_own = |word: &Word| *word == Word::Time(side);
        WORDS.into_iter().find(|(_, word)| told && is_own(word)).map(|(name, _)| name)
    }

    fn time(&self, position: &Position, overhead: Duration) -> Option<TimeBudget> {
        let side = position.side_to_move();
        let by_move = self.move_time.map(|time| TimeBudget::of_move_time(time, overhead));
        let by_clock = self.clocks[side.index()].map(|left| {
            let increment = self.increments[side.index()];
            let face = ClockFace { left, increment, moves_to_go: self.period };
            TimeBudget::of_clock(face, overhead, position.fullmove_number())
        });
        match (by_move, by_clock) {
            (Some(one), Some(other)) => Some(one.and(other)),
            (None, None) => self.missing_clock(position).map(|_| TimeBudget::of_move_time(UNTOLD, overhead)),
            (one, other) => one.or(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(text: &str) -> Result<(Go, Limits), GoError> {
        let position = Position::starting();
        let go = parse(text, &position, CastlingMode::Standard)?;
        let limits = go.limits(&position, Duration::from_millis(10));
        Ok((go, limits))
    }

    fn limits(text: &str) -> Limits {
        asked(text).unwrap().1
    }

    fn refused(text: &str, expected: &str) {
        assert_eq!(asked(text).unwrap_err().to_string(), expected, "{text}");
    }

    #[test]
    fn each_limit_is_taken() {
        assert_eq!(limits("depth 7").depth, Some(7));
        assert_eq!(limits("depth 0").depth, Some(0));
        assert_eq!(limits("nodes 0").nodes, Some(0));
        assert_eq!(limits("nodes 9000000000").nodes, Some(9_000_000_000));
        assert_eq!(limits("mate 3").mate, Some(3));
        assert_eq!(limits("mate 0").mate, Some(1));
        assert_eq!(asked("perft 5").unwrap().0.perft, Some(5));
        assert!(asked("infinite").unwrap().0.infinite);
        assert!(asked("depth 3 ponder").unwrap().0.ponder);
        let both = limits("\tnodes  5 depth 6\r");
        assert_eq!((both.nodes, both.depth), (Some(5), Some(6)));
    }

    #[test]
    fn searchmoves_end_at_the_next_keyword() {
        let limits = limits("searchmoves e2e4 d2d4 e2e4 depth 3");
        assert_eq!(limits.depth, Some(3));
        let texts: Vec<String> = limits.moves.iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["e2e4", "d2d4"]);
    }

    /// The soft limit, if any, and the hard limit.
    fn millis(text: &str) -> Option<(Option<u128>, u128)> {
        let millis = |budget: TimeBudget| (budget.soft.map(|soft| soft.as_millis()), budget.hard.as_millis());
        limits(text).time.map(millis)
    }

    #[test]
    fn time_limits_use_the_clock_of_the_side_to_move() {
        assert_eq!(millis("movetime 500"), Some((None, 490)));
        assert_eq!(millis("movetime 0"), Some((None, 0)));
        assert_eq!(millis("wtime 0 btime 9000"), Some((Some(0), 0)));
        assert_eq!(millis("wtime -30 btime 9000 winc 100"), Some((Some(0), 0)));
        assert_eq!(millis("wtime 60010 btime 1 binc 9 winc 600"), Some((Some(2449), 11024)));
        assert_eq!(millis("wtime 60010 winc 600 movetime 100"), Some((Some(2449), 90)));
        assert_eq!(millis("infinite wtime 60000 btime 60000"), None);
        assert_eq!(millis("depth 5"), None);
        assert_eq!(millis("wtime 60010 movestogo 0"), millis("wtime 60010"));
        assert!(millis("wtime 60010 movestogo 5") > millis("wtime 60010"));
    }

    #[test]
    fn a_missing_clock_is_named_and_leaves_little_time() {
        for (text, missing, expected) in [
            ("btime 1000", Some("wtime"), Some((None, 90))),
            ("btime 1000 movetime 50", Some("wtime"), Some((None, 40))),
            ("wtime 60010 winc 600", None, Some((Some(2449), 11024))),
            ("winc 600 binc 600", None, None),
            ("infinite btime 1000", Some("wtime"), None),
        ] {
            assert_eq!(millis(text), expected, "{text}");
            assert_eq!(asked(text).unwrap().0.missing_clock(&Position::starting()), missing, "{text}");
        }
    }

    #[test]
    fn an_answer_is_due_when_the_clock_runs_out() {
        for (text, expected) in [
            ("movetime 50", Some(500)),
            ("movetime 5000", Some(4_990)),
            ("wtime 60 btime 9", Some(50)),
            ("wtime 1010 btime 9", Some(500)),
            ("btime 9", Some(500)),
            ("depth 5", None),
            ("infinite wtime 60", None),
        ] {
            let (position, overhead) = (Position::starting(), Duration::from_millis(10));
            let due = asked(text).unwrap().0.due(&position, overhead);
            assert_eq!(due, expected.map(Duration::from_millis), "{text}");
        }
    }

    #[test]
    fn help_names_every_keyword() {
        let help = super::super::command::help();
        let line = help.lines().find(|line| line.starts_with("go ")).unwrap();
        let words: Vec<&str> = line.split([' ', '[', ']', ',']).collect();
        assert!(WORDS.iter().all(|(name, _)| words.contains(name)), "{line}");
    }

    #[test]
    fn errors_name_what_is_wrong() {
        refused("depth", "expected a number after \"depth\", got the end of the line");
        refused("depth x", "expected a number from 0 to 65535 after \"depth\", got \"x\"");
        refused("depth -1", "expected a number from 0 to 65535 after \"depth\", got \"-1\"");
        refused("depth 65536", "expected a number from 0 to 65535 after \"depth\", got \"65536\"");
        refused("nodes 1e9", "expected a number from 0 to 18446744073709551615 after \"nodes\", got \"1e9\"");
        refused("movetime -1", "expected a number from 0 to 86400000000 after \"movetime\", got \"-1\"");
        refused("winc -1", "expected a number from 0 to 86400000000 after \"winc\", got \"-1\"");
        refused("perft 101", "expected a number from 0 to 100 after \"perft\", got \"101\"");
        refused("searchmoves depth 3", "searchmoves: expected a move");
        refused("searchmoves e2", "searchmoves: expected a move such as e2e4 or e7e8q, got \"e2\"");
    }

    #[test]
    fn unknown_words_are_kept_and_ignored() {
        let (go, limits) = asked("fast depth 3 now").unwrap();
        assert_eq!(limits.depth, Some(3));
        assert_eq!(go.unknown, ["fast", "now"]);
    }
}
