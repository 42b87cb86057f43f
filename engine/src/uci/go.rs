//! What follows `go`: the limits of a search, or why there is none.
//!
//! Starts nothing.

use std::time::Duration;

use super::words::{NumberError, number, split};
use crate::thinking::{Limits, TimeBudget};
use crate::time::ClockFace;
use crate::{CastlingMode, Color, Position, UciError};

/// Why a `go` is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum GoError {
    /// A number is missing or not taken.
    #[error(transparent)]
    Number(#[from] NumberError),
    /// A first move is malformed or not legal.
    #[error("searchmoves: {0}")]
    Move(#[from] UciError),
    /// No move after `searchmoves`.
    #[error("searchmoves: expected a move")]
    NoMoves,
    /// Clocks, but not that of the side to move.
    #[error("it is {0}'s turn, but {own} is missing", own = clock_name(*.0))]
    NoClock(Color),
}

fn clock_name(side: Color) -> &'static str {
    match side {
        Color::White => "wtime",
        Color::Black => "btime",
    }
}

/// What was asked.
#[derive(Debug, Clone, Default)]
pub(super) struct Go {
    /// All limits but time.
    limits: Limits,
    move_time: Option<Duration>,
    /// By colour. Clocks that are overrun show nothing.
    clocks: [Option<Duration>; 2],
    increments: [Duration; 2],
    moves_to_go: Option<u32>,
    /// The answer waits for `stop`.
    pub(super) infinite: bool,
    /// The answer waits for `ponderhit` or `stop`.
    pub(super) ponder: bool,
    /// Count instead of searching.
    pub(super) perft: Option<u32>,
    /// Words that say nothing here: they are passed over, as the protocol has it.
    pub(super) unknown: Vec<String>,
}

/// A day in milliseconds, a thousand times: no clock shows more.
const MOST_TIME: i64 = 86_400_000 * 1_000;

/// Reads what follows `go` in a position.
pub(super) fn parse(text: &str, position: &Position, mode: CastlingMode) -> Result<Go, GoError> {
    let (mut go, mut rest) = (Go::default(), text);
    while let Some((word, after)) = split(rest) {
        rest = go.take(word, after, position, mode)?;
    }
    Ok(go)
}

impl Go {
    /// Takes a word and what belongs to it, and says what is left.
    fn take<'a>(
        &mut self,
        word: &str,
        rest: &'a str,
        position: &Position,
        mode: CastlingMode,
    ) -> Result<&'a str, GoError> {
        let (next, after) = split(rest).map_or((None, rest), |(next, after)| (Some(next), after));
        let upto = |name, most: i64| number(name, next, (0, most));
        let time = |name, least| {
            number(name, next, (least, MOST_TIME)).map(|ms| Duration::from_millis(ms.max(0).unsigned_abs()))
        };
        match word {
            "depth" => self.limits.depth = Some(upto("depth", i64::from(u16::MAX))? as u16),
            "nodes" => self.limits.nodes = Some(upto("nodes", i64::MAX)?.unsigned_abs()),
            "mate" => self.limits.mate = Some(upto("mate", i64::from(u16::MAX))? as u16),
            "movetime" => self.move_time = Some(time("movetime", 0)?),
            "wtime" => self.clocks[0] = Some(time("wtime", -MOST_TIME)?),
            "btime" => self.clocks[1] = Some(time("btime", -MOST_TIME)?),
            "winc" => self.increments[0] = time("winc", 0)?,
            "binc" => self.increments[1] = time("binc", 0)?,
            "movestogo" => {
                let moves = upto("movestogo", i64::from(u16::MAX))?;
                // Some programs send 0 where no more time comes.
                self.moves_to_go = (moves > 0).then_some(moves as u32);
            }
            "perft" => self.perft = Some(upto("perft", 100)? as u32),
            "searchmoves" => return self.take_moves(rest, position, mode),
            flag => {
                match flag {
                    "infinite" => self.infinite = true,
                    "ponder" => self.ponder = true,
                    other => self.unknown.push(other.chars().take(32).collect()),
                }
                return Ok(rest);
            }
        }
        Ok(after)
    }

    /// Takes moves up to the next word of `go`.
    fn take_moves<'a>(
        &mut self,
        mut rest: &'a str,
        position: &Position,
        mode: CastlingMode,
    ) -> Result<&'a str, GoError> {
        const WORDS: [&str; 13] = [
            "depth",
            "nodes",
            "mate",
            "movetime",
            "wtime",
            "btime",
            "winc",
            "binc",
            "movestogo",
            "perft",
            "searchmoves",
            "infinite",
            "ponder",
        ];
        while let Some((word, after)) = split(rest).filter(|(word, _)| !WORDS.contains(word)) {
            let mv = position.parse_uci(word, mode)?;
            if !self.limits.moves.contains(&mv) {
                self.limits.moves.push(mv);
            }
            rest = after;
        }
        if self.limits.moves.is_empty() { Err(GoError::NoMoves) } else { Ok(rest) }
    }

    /// The limits for a move of this position.
    pub(super) fn limits(&self, position: &Position, overhead: Duration) -> Result<Limits, GoError> {
        let time = if self.infinite { None } else { self.time(position, overhead)? };
        Ok(Limits { time, ..self.limits.clone() })
    }

    fn time(&self, position: &Position, overhead: Duration) -> Result<Option<TimeBudget>, GoError> {
        let side = position.side_to_move();
        let by_move = self.move_time.map(|time| TimeBudget::of_move_time(time, overhead));
        let by_clock = match self.clocks[side.index()] {
            Some(left) => {
                let increment = self.increments[side.index()];
                let face = ClockFace { left, increment, moves_to_go: self.moves_to_go };
                Some(TimeBudget::of_clock(face, overhead, position.fullmove_number()))
            }
            None if self.clocks.iter().any(Option::is_some) => return Err(GoError::NoClock(side)),
            None => None,
        };
        Ok(match (by_move, by_clock) {
            (Some(one), Some(other)) => Some(one.and(other)),
            (one, other) => one.or(other),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(text: &str) -> Result<(Go, Limits), GoError> {
        let position = Position::starting();
        let go = parse(text, &position, CastlingMode::Standard)?;
        let limits = go.limits(&position, Duration::from_millis(10))?;
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
        assert_eq!(asked("perft 5").unwrap().0.perft, Some(5));
        assert!(asked("infinite").unwrap().0.infinite);
        assert!(asked("depth 3 ponder").unwrap().0.ponder);
        let both = limits("\tnodes  5 depth 6\r");
        assert_eq!((both.nodes, both.depth), (Some(5), Some(6)));
    }

    #[test]
    fn first_moves_end_at_the_next_word() {
        let limits = limits("searchmoves e2e4 d2d4 e2e4 depth 3");
        assert_eq!(limits.depth, Some(3));
        let texts: Vec<String> = limits.moves.iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["e2e4", "d2d4"]);
    }

    fn millis(text: &str) -> Option<(u128, u128)> {
        limits(text).time.map(|budget| (budget.soft.as_millis(), budget.hard.as_millis()))
    }

    #[test]
    fn time_is_that_of_the_side_to_move() {
        assert_eq!(millis("movetime 500"), Some((490, 490)));
        assert_eq!(millis("movetime 0"), Some((0, 0)));
        assert_eq!(millis("wtime 0 btime 9000"), Some((0, 0)));
        assert_eq!(millis("wtime -30 btime 9000 winc 100"), Some((0, 0)));
        assert_eq!(millis("wtime 60010 btime 1 binc 9 winc 600"), Some((2450, 11025)));
        assert_eq!(millis("wtime 60010 winc 600 movetime 100"), Some((90, 90)));
        assert_eq!(millis("infinite wtime 60000 btime 60000"), None);
        assert_eq!(millis("depth 5"), None);
        assert_eq!(millis("wtime 60010 movestogo 0"), millis("wtime 60010"));
        assert!(millis("wtime 60010 movestogo 5") > millis("wtime 60010"));
    }

    #[test]
    fn what_is_wrong_is_named() {
        refused("depth", "expected a number after \"depth\", got the end of the line");
        refused("depth x", "expected a number from 0 to 65535 after \"depth\", got \"x\"");
        refused("depth -1", "expected a number from 0 to 65535 after \"depth\", got \"-1\"");
        refused("depth 65536", "expected a number from 0 to 65535 after \"depth\", got \"65536\"");
        refused("nodes 1e9", "expected a number from 0 to 9223372036854775807 after \"nodes\", got \"1e9\"");
        refused("movetime -1", "expected a number from 0 to 86400000000 after \"movetime\", got \"-1\"");
        refused("winc -1", "expected a number from 0 to 86400000000 after \"winc\", got \"-1\"");
        refused("perft 101", "expected a number from 0 to 100 after \"perft\", got \"101\"");
        refused("searchmoves depth 3", "searchmoves: expected a move");
        refused("searchmoves e2", "searchmoves: expected a move such as e2e4 or e7e8q, got \"e2\"");
        refused("btime 1000", "it is white's turn, but wtime is missing");
    }

    #[test]
    fn unknown_words_are_kept_and_passed_over() {
        let (go, limits) = asked("fast depth 3 now").unwrap();
        assert_eq!(limits.depth, Some(3));
        assert_eq!(go.unknown, ["fast", "now"]);
    }
}
