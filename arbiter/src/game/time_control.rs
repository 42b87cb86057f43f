//! Time controls in the words of cutechess, and what `go` says of them. Knows no clock that runs.

use std::fmt;
use std::num::NonZeroU64;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The longest time of a control, of an increment and of a move: 10^6 seconds, in milliseconds.
const MOST_TIME: u64 = 1_000_000_000;
/// The most moves to a time control.
const MOST_MOVES: u64 = 1000;
/// The most nodes of a search.
const MOST_NODES: u64 = 1_000_000_000_000_000;
/// The greatest depth of a search, in plies.
const MOST_DEPTH: u64 = 1000;
/// The nodes that a slow engine searches in a second.
const NODES_A_SECOND: u64 = 100_000;
/// The longest search that a limit of depth is taken for, in seconds.
const LONGEST_BY_DEPTH: u64 = 60;
/// The largest margin, in milliseconds: an hour.
const MOST_MARGIN: u64 = 3_600_000;

/// The limits of the searches of one side. At least one limit is set.
///
/// The words are `tc=[MOVES/][MINUTES:]SECONDS[+INCREMENT]` or `tc=inf`, `st=SECONDS`, `nodes=N`, `depth=N`
/// and `timemargin=MS`, with blanks between them. Seconds may have up to three decimals.
///
/// # Examples
/// ```
/// let control: arbiter::game::TimeControl = "tc=40/1:30+0.6 timemargin=50".parse()?;
/// assert_eq!(control.to_string(), "tc=40/90+0.6 timemargin=50");
/// assert_eq!(control.pgn(), "40/90+0.6");
/// # Ok::<(), arbiter::game::TimeControlError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct TimeControl {
    pub(super) time: TimeLimit,
    pub(super) nodes: Option<NonZeroU64>,
    pub(super) depth: Option<NonZeroU64>,
    /// In milliseconds.
    pub(super) margin: u64,
}

/// The limit of time. All times are in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TimeLimit {
    /// No limit.
    Unlimited,
    /// A clock.
    Clock {
        /// The moves to the next control, if the time is not for the whole game.
        moves: Option<NonZeroU64>,
        /// The time at the start, which each further control adds.
        time: u64,
        /// The time that is added after each move.
        increment: u64,
    },
    /// The same time for each move.
    Move(u64),
}

/// Why a text is no time control.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TimeControlError {
    /// A word has another form than KEY=VALUE, or another key.
    #[error("\"{0}\" is none of tc=, st=, nodes=, depth= and timemargin=")]
    Word(String),
    /// A word stands there twice.
    #[error("{0}= stands there twice")]
    Twice(&'static str),
    /// Both `tc=` and `st=` limit the time.
    #[error("tc= and st= exclude each other")]
    TwoTimes,
    /// The text of `tc=` has another form.
    #[error("tc=\"{0}\": expected [MOVES/][MINUTES:]SECONDS[+INCREMENT] or inf, such as 40/60+0.6")]
    Form(String),
    /// A time is no decimal number of seconds, or out of bounds.
    #[error("{key}: \"{found}\" is no number of seconds from {least} to 1000000 with at most three decimals")]
    Seconds {
        /// The word.
        key: &'static str,
        /// The text.
        found: String,
        /// The least time.
        least: &'static str,
    },
    /// A count is no number, or out of bounds.
    #[error("{key}: \"{found}\" is no whole number from {least} to {most}")]
    Count {
        /// The word.
        key: &'static str,
        /// The text.
        found: String,
        /// The least number.
        least: u64,
        /// The greatest number.
        most: u64,
    },
    /// Nothing limits the searches.
    #[error(
        "no limit is given: expected tc=, st=, nodes= or depth=; tc=inf needs nodes= or depth= beside it"
    )]
    NoLimit,
}

impl TimeControl {
    /// How much longer than its time a move may take.
    pub fn margin(&self) -> Duration {
        Duration::from_millis(self.margin)
    }

    /// Whether time limits the searches.
    pub fn is_timed(&self) -> bool {
        self.time != TimeLimit::Unlimited
    }

    /// How many seconds a search of a slow engine takes: 100,000 nodes or a ply in each. `None` if time limits it.
    pub fn seconds_of_search(&self) -> Option<u64> {
        let nodes = self.nodes.map(|nodes| nodes.get() / NODES_A_SECOND);
        let depth = self.depth.map(|depth| depth.get().min(LONGEST_BY_DEPTH));
        (!self.is_timed()).then(|| nodes.into_iter().chain(depth).min().unwrap_or_default())
    }

    /// The value of the tag `TimeControl` as the PGN standard writes it: `40/60+0.6`, `8+0.08`, `1/5` for
    /// five seconds a move, and `-` without a limit of time.
    pub fn pgn(&self) -> String {
        match self.time {
            TimeLimit::Unlimited => "-".to_owned(),
            TimeLimit::Move(time) => format!("1/{}", seconds(time)),
            TimeLimit::Clock { .. } => self.clock_text(),
        }
    }

    /// The limit as the results of fastchess name it: `40/60+0.6`, `0.5/move`, `9 plies` or `1000 nodes`. If
    /// there are several, the first of these.
    pub fn summary(&self) -> String {
        match (self.time, self.depth, self.nodes) {
            (TimeLimit::Clock { .. }, ..) => self.clock_text(),
            (TimeLimit::Move(time), ..) => format!("{}/move", seconds(time)),
            (TimeLimit::Unlimited, Some(depth), _) => format!("{depth} plies"),
            (TimeLimit::Unlimited, None, Some(nodes)) => format!("{nodes} nodes"),
            (TimeLimit::Unlimited, None, None) => String::new(),
        }
    }

    /// Limits of the same kinds that take an engine a moment, at most these; `None` if time limits the
    /// searches.
    pub(crate) fn small(&self, nodes: NonZeroU64, depth: NonZeroU64) -> Option<Self> {
        let least = |limit: Option<NonZeroU64>, small| limit.map(|limit| limit.min(small));
        let limits = Self { nodes: least(self.nodes, nodes), depth: least(self.depth, depth), ..*self };
        (!self.is_timed()).then_some(limits)
    }

    fn clock_text(&self) -> String {
        let TimeLimit::Clock { moves, time, increment } = self.time else { return String::new() };
        let moves = moves.map(|moves| format!("{moves}/")).unwrap_or_default();
        let increment = if increment == 0 { String::new() } else { format!("+{}", seconds(increment)) };
        format!("{moves}{}{increment}", seconds(time))
    }
}

/// Milliseconds as seconds, with no more decimals than needed.
fn seconds(milliseconds: u64) -> String {
    let (whole, part) = (milliseconds / 1000, milliseconds % 1000);
    if part == 0 {
        return whole.to_string();
    }
    format!("{whole}.{part:03}").trim_end_matches('0').to_owned()
}

impl fmt::Display for TimeControl {
    /// The words that [`FromStr`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = match self.time {
            TimeLimit::Unlimited => None,
            TimeLimit::Move(time) => Some(format!("st={}", seconds(time))),
            TimeLimit::Clock { .. } => Some(format!("tc={}", self.clock_text())),
        };
        let words = [
            time,
            self.nodes.map(|nodes| format!("nodes={nodes}")),
            self.depth.map(|depth| format!("depth={depth}")),
            (self.margin > 0).then(|| format!("timemargin={}", self.margin)),
        ];
        f.write_str(&words.into_iter().flatten().collect::<Vec<_>>().join(" "))
    }
}

impl From<TimeControl> for String {
    fn from(control: TimeControl) -> Self {
        control.to_string()
    }
}

impl TryFrom<String> for TimeControl {
    type Error = TimeControlError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (mut clock, mut per_move, mut nodes, mut depth, mut margin) = (None, None, None, None, None);
        for word in text.split_whitespace() {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            match key {
                "tc" if word.contains('=') => once("tc", &mut clock, read_clock(value)?)?,
                "st" => once("st", &mut per_move, read_seconds("st", value, 1)?)?,
                "nodes" => once("nodes", &mut nodes, read_positive("nodes", value, MOST_NODES)?)?,
                "depth" => once("depth", &mut depth, read_positive("depth", value, MOST_DEPTH)?)?,
                "timemargin" => {
                    once("timemargin", &mut margin, read_count("timemargin", value, 0, MOST_MARGIN)?)?;
                }
                _ => return Err(TimeControlError::Word(word.to_owned())),
            }
        }
        let time = match (clock, per_move) {
            (Some(_), Some(_)) => return Err(TimeControlError::TwoTimes),
            (Some(clock), None) => clock,
            (None, Some(time)) => TimeLimit::Move(time),
            (None, None) => TimeLimit::Unlimited,
        };
        if time == TimeLimit::Unlimited && nodes.is_none() && depth.is_none() {
            return Err(TimeControlError::NoLimit);
        }
        Ok(Self { time, nodes, depth, margin: margin.unwrap_or(0) })
    }
}

fn once<T>(key: &'static str, place: &mut Option<T>, value: T) -> Result<(), TimeControlError> {
    if place.replace(value).is_some() { Err(TimeControlError::Twice(key)) } else { Ok(()) }
}

fn read_clock(text: &str) -> Result<TimeLimit, TimeControlError> {
    if text == "inf" {
        return Ok(TimeLimit::Unlimited);
    }
    let (moves, rest) = match text.split_once('/') {
        Some((moves, rest)) => (Some(read_positive("tc", moves, MOST_MOVES)?), rest),
        None => (None, text),
    };
    let (time, increment) = match rest.split_once('+') {
        Some((time, increment)) => (time, read_seconds("tc", increment, 0)?),
        None => (rest, 0),
    };
    let time = match time.split_once(':') {
        Some((minutes, part)) => {
            let minutes = read_count("tc", minutes, 0, MOST_TIME / 60_000)?;
            let part = read_seconds("tc", part, 0)?;
            let time = minutes * 60_000 + part;
            // Ninety seconds are 1:30 and not 0:90.
            if part >= 60_000 || time == 0 || time > MOST_TIME {
                return Err(TimeControlError::Form(text.to_owned()));
            }
            time
        }
        None if time.is_empty() => return Err(TimeControlError::Form(text.to_owned())),
        None => read_seconds("tc", time, 1)?,
    };
    Ok(TimeLimit::Clock { moves, time, increment })
}

/// Seconds with up to three decimals as milliseconds, at least `least` of them.
fn read_seconds(key: &'static str, text: &str, least: u64) -> Result<u64, TimeControlError> {
    let read = || {
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        if whole.is_empty() || part.len() > 3 || whole.len() > 10 || text.ends_with('.') {
            return None;
        }
        let digits = format!("{whole}{part:0<3}");
        let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
        let time = digits.parse().ok().filter(|_| is_number)?;
        (least..=MOST_TIME).contains(&time).then_some(time)
    };
    let least_text = if least == 0 { "0" } else { "0.001" };
    read().ok_or_else(|| TimeControlError::Seconds { key, found: text.to_owned(), least: least_text })
}

fn read_count(key: &'static str, text: &str, least: u64, most: u64) -> Result<u64, TimeControlError> {
    // `parse` accepts a plus sign.
    let read = text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten();
    let is_within = |number: &u64| (least..=most).contains(number);
    read.filter(is_within).ok_or_else(|| TimeControlError::Count { key, found: text.to_owned(), least, most })
}

fn read_positive(key: &'static str, text: &str, most: u64) -> Result<NonZeroU64, TimeControlError> {
    let zero = || TimeControlError::Count { key, found: text.to_owned(), least: 1, most };
    read_count(key, text, 1, most).and_then(|number| NonZeroU64::new(number).ok_or_else(zero))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The canonical words, and the value of the tag.
    #[track_caller]
    fn check(text: &str, words: &str, pgn: &str) {
        let control: TimeControl = text.parse().unwrap();
        assert_eq!((control.to_string().as_str(), control.pgn().as_str()), (words, pgn));
        assert_eq!(words.parse(), Ok(control), "the words can be read again");
    }

    #[test]
    fn words_of_cutechess_are_read() {
        check("tc=40/60+0.6", "tc=40/60+0.6", "40/60+0.6");
        check("tc=8+0.08", "tc=8+0.08", "8+0.08");
        check("tc=1:30+1", "tc=90+1", "90+1");
        check("tc=0:05.5", "tc=5.5", "5.5");
        check("tc=0.001+0", "tc=0.001", "0.001");
        check("st=0.25 timemargin=100", "st=0.25 timemargin=100", "1/0.25");
        check(" nodes=5000 ", "nodes=5000", "-");
        check("depth=7  nodes=9", "nodes=9 depth=7", "-");
        check("tc=inf depth=1", "depth=1", "-");
        check("tc=10 nodes=100000 timemargin=0", "tc=10 nodes=100000", "10");
        check(
            "tc=1000000+1000000 timemargin=3600000",
            "tc=1000000+1000000 timemargin=3600000",
            "1000000+1000000",
        );
    }

    #[test]
    fn the_summary_is_that_of_fastchess() {
        let check = |text: &str, expected: &str| {
            assert_eq!(text.parse::<TimeControl>().unwrap().summary(), expected, "{text}");
        };
        check("tc=40/60+0.6 nodes=9", "40/60+0.6");
        check("st=0.5", "0.5/move");
        check("nodes=1000 depth=9", "9 plies");
        check("nodes=1000", "1000 nodes");
    }

    #[test]
    fn small_limits_are_of_the_same_kinds() {
        let [nodes, depth] = [100, 2].map(|limit| NonZeroU64::new(limit).unwrap());
        let check = |text: &str, expected: Option<&str>| {
            let small = text.parse::<TimeControl>().unwrap().small(nodes, depth);
            assert_eq!(small.map(|small| small.to_string()).as_deref(), expected, "{text}");
        };
        check("nodes=5000", Some("nodes=100"));
        check("depth=1", Some("depth=1"));
        check("nodes=20 depth=9", Some("nodes=20 depth=2"));
        check("tc=8 nodes=5000", None);
        check("st=1", None);
    }

    #[track_caller]
    fn check_error(text: &str, expected: &str) {
        let error = text.parse::<TimeControl>().unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }

    #[test]
    fn nonsense_is_refused_with_the_word_that_was_found() {
        let seconds = "is no number of seconds from 0.001 to 1000000 with at most three decimals";
        for text in
            ["0", "-1", "NaN", "nan", "abc", "1e3", "1000000.001", "0.0005", "99999999999999999999", "5."]
        {
            check_error(&format!("tc={text}"), &format!("tc: \"{text}\" {seconds}"));
            check_error(&format!("st={text}"), &format!("st: \"{text}\" {seconds}"));
        }
        check_error("tc=1+-1", "\"-1\" is no number of seconds from 0 to");
        check_error("tc=1++1", "\"+1\" is no number of seconds from 0 to");
        check_error("tc=1+", "\"\" is no number of seconds from 0 to");
        check_error("tc=", "expected [MOVES/][MINUTES:]SECONDS");
        check_error("tc=0:00", "expected [MOVES/]");
        check_error("tc=0:90", "expected [MOVES/]");
        check_error("tc=16666:59.9", "expected [MOVES/]");
        check_error("tc=-1:30", "tc: \"-1\" is no whole number from 0 to 16666");
        check_error("tc=0/60", "tc: \"0\" is no whole number from 1 to 1000");
        check_error("tc=1001/60", "tc: \"1001\" is no whole number");
        check_error("tc=é/60", "tc: \"é\" is no whole number");
        for key in ["nodes", "depth"] {
            for text in ["0", "-5", "+5", "", "1.5", "99999999999999999999"] {
                check_error(
                    &format!("{key}={text}"),
                    &format!("{key}: \"{text}\" is no whole number from 1 to"),
                );
            }
        }
        check_error("tc=1 timemargin=-1", "timemargin: \"-1\" is no whole number from 0 to 3600000");
    }

    #[test]
    fn words_must_be_known_and_agree() {
        for text in ["", "tc=inf", "timemargin=5"] {
            check_error(text, "no limit is given");
        }
        check_error("tc=5 st=1", "tc= and st= exclude each other");
        check_error("tc=5 tc=5", "tc= stands there twice");
        check_error("nodes=5 nodes=6", "nodes= stands there twice");
        check_error("tc", "\"tc\" is none of tc=, st=");
        check_error("5+0.05", "\"5+0.05\" is none of");
        check_error("time=5", "\"time=5\" is none of");
    }

    #[test]
    fn a_time_control_is_stored_as_its_words() {
        let control: TimeControl = "tc=40/60 timemargin=5".parse().unwrap();
        let json = serde_json::to_string(&control).unwrap();
        assert_eq!(json, "\"tc=40/60 timemargin=5\"");
        assert_eq!(serde_json::from_str::<TimeControl>(&json).unwrap(), control);
        assert!(serde_json::from_str::<TimeControl>("\"tc=0\"").is_err());
    }
}
