//! What a subject says, or what is right: values that later code reads, and their words.
//!
//! [`Display`](fmt::Display) makes the words. Nothing else reads or makes them.

use std::fmt;

use serde::{Deserialize, Serialize};

/// An answer, or the right one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// Words that no code reads.
    Words(String),
    /// A distance to mate in plies: odd for a win, even for a loss, 0 for a side that is checkmated. `None`
    /// for a draw.
    Distance(Option<u16>),
    /// A score of an engine.
    Score(ToldScore),
    /// An engine told no score.
    NoScore(Then),
    /// What stands after `bestmove`, and more words.
    BestMove {
        /// The move as it is printed.
        text: String,
        /// What is wrong with it; may be empty.
        more: String,
    },
    /// How many nodes there are.
    Nodes {
        /// The count.
        nodes: u64,
        /// The depth in plies.
        depth: u32,
    },
    /// A line did not come.
    Silent {
        /// The first word of the line.
        awaited: String,
        /// How long it was awaited, in milliseconds, and the command that it answers. `None` where the page
        /// of the check says that.
        within: Option<(u64, String)>,
    },
    /// `bestmove` came only after a second `stop`.
    SecondStop,
    /// An answer came too late, by our clock.
    Late(Late),
    /// The process runs on.
    LivesOn,
    /// The process ended.
    Ended {
        /// How it ended.
        end: End,
        /// The last command that was sent. `None` where it was told to end.
        after: Option<String>,
    },
}

/// What is too late. A busy machine may have caused it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Late {
    /// A `bestmove`.
    BestMove,
    /// Several answers.
    Answers,
    /// A time in `info` is beyond our clock.
    Time,
}

/// A score, with what is told beside it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct ToldScore {
    /// The score.
    pub score: EngineScore,
    /// Whether the value may be more or less.
    pub bound: ScoreBound,
    /// The depth of the line in plies, if it is part of the answer.
    pub depth: Option<u32>,
    /// The move or line with it.
    pub then: Then,
    /// The centipawns that an engine prints in place of `mate 1`, if it prints mates so.
    pub mate_in_one: Option<i32>,
}

/// A score from the view of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EngineScore {
    /// Centipawns.
    Centipawns(i32),
    /// Mate in so many moves, not plies; negative if the side to move is mated.
    Mate(i32),
}

/// Whether a score is exact.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScoreBound {
    /// It is.
    #[default]
    Exact,
    /// The value is that or more.
    Lower,
    /// The value is that or less.
    Upper,
}

/// What an answer has beside the score.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Then {
    /// Nothing that matters.
    #[default]
    Nothing,
    /// A move, as it is printed.
    Move(String),
    /// No move.
    NoMove,
    /// A principal variation.
    Line(String),
}

/// How a process ended.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// By itself, with this exit status.
    Status(i32),
    /// By a signal: its number, and the words for it, such as `signal 6 (SIGABRT)`.
    Signal(i32, String),
    /// Not by itself: it was killed.
    Killed,
}

impl Answer {
    /// The score of a search, without what is told beside it.
    pub fn score(score: EngineScore) -> Self {
        let (bound, depth, then) = (ScoreBound::Exact, None, Then::Nothing);
        Self::Score(ToldScore { score, bound, depth, then, mate_in_one: None })
    }
}

impl Default for Answer {
    fn default() -> Self {
        Self::Words(String::new())
    }
}

impl From<String> for Answer {
    fn from(words: String) -> Self {
        Self::Words(words)
    }
}

impl From<&str> for Answer {
    fn from(words: &str) -> Self {
        Self::Words(words.to_owned())
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Words(words) => f.write_str(words),
            Self::Distance(None) => f.write_str("draw"),
            Self::Distance(Some(0)) => f.write_str("checkmated"),
            Self::Distance(Some(plies)) if plies % 2 == 1 => write!(f, "mate in {}", plies.div_ceil(2)),
            Self::Distance(Some(plies)) => write!(f, "mated in {}", plies / 2),
            Self::Score(told) => told.fmt(f),
            Self::NoScore(then) => write!(f, "no score{then}"),
            Self::BestMove { text, more } => write!(f, "bestmove {text}{more}"),
            Self::Nodes { nodes, depth } => write!(f, "{nodes} nodes at depth {depth}"),
            Self::Silent { awaited, within: None } => write!(f, "no {awaited}"),
            Self::Silent { awaited, within: Some((time, after)) } => {
                write!(f, "no {awaited} within {time} ms after \"{after}\"")
            }
            Self::SecondStop => f.write_str("bestmove only after a second stop"),
            Self::Late(Late::BestMove) => f.write_str("a later bestmove"),
            Self::Late(Late::Answers) => f.write_str("later answers"),
            Self::Late(Late::Time) => f.write_str("a time that has not passed yet"),
            Self::LivesOn => f.write_str("it lives on"),
            Self::Ended { end, after: None } => end.fmt(f),
            Self::Ended { end, after: Some(after) } => write!(f, "it ended with {end} after \"{after}\""),
        }
    }
}

impl fmt::Display for ToldScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { score, bound, depth, then, .. } = self;
        match score {
            EngineScore::Centipawns(hundredths) => write!(f, "cp {hundredths}")?,
            EngineScore::Mate(moves) => write!(f, "mate {moves}")?,
        }
        f.write_str(match bound {
            ScoreBound::Exact => "",
            ScoreBound::Lower => " or more",
            ScoreBound::Upper => " or less",
        })?;
        if let Some(depth) = depth {
            write!(f, " at depth {depth}")?;
        }
        then.fmt(f)
    }
}

impl fmt::Display for Then {
    /// As it follows a score.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => Ok(()),
            Self::Move(text) => write!(f, ", the move {text}"),
            Self::NoMove => f.write_str(", no move"),
            Self::Line(line) => write!(f, " with the line {line}"),
        }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status(code) => write!(f, "status {code}"),
            Self::Signal(_, words) => f.write_str(words),
            Self::Killed => f.write_str("not at all"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_have_words() {
        let check = |answer: Answer, words: &str| assert_eq!(answer.to_string(), words);
        let told = |score, depth, then| {
            Answer::Score(ToldScore { score, bound: ScoreBound::Exact, depth, then, mate_in_one: None })
        };
        for (plies, words) in
            [(None, "draw"), (Some(0), "checkmated"), (Some(9), "mate in 5"), (Some(10), "mated in 5")]
        {
            check(Answer::Distance(plies), words);
        }
        check(Answer::score(EngineScore::Centipawns(-12)), "cp -12");
        check(told(EngineScore::Mate(3), Some(5), Then::Nothing), "mate 3 at depth 5");
        check(
            told(EngineScore::Mate(3), Some(5), Then::Line("e2e4 e7e5".to_owned())),
            "mate 3 at depth 5 with the line e2e4 e7e5",
        );
        check(told(EngineScore::Centipawns(9), None, Then::Move("e2e4".to_owned())), "cp 9, the move e2e4");
        check(Answer::NoScore(Then::NoMove), "no score, no move");
        check(Answer::Nodes { nodes: 20, depth: 1 }, "20 nodes at depth 1");
        let silent = |within| Answer::Silent { awaited: "readyok".to_owned(), within };
        check(silent(None), "no readyok");
        check(silent(Some((90, "isready".to_owned()))), "no readyok within 90 ms after \"isready\"");
        check(
            Answer::Ended { end: End::Status(1), after: Some("go".to_owned()) },
            "it ended with status 1 after \"go\"",
        );
        check(
            Answer::Ended { end: End::Signal(6, "signal 6 (SIGABRT)".to_owned()), after: None },
            "signal 6 (SIGABRT)",
        );
        check(Answer::BestMove { text: "a7a8Q".to_owned(), more: String::new() }, "bestmove a7a8Q");
    }
}
