//! What the proxy alters.
//!
//! | rule | alteration |
//! |---|---|
//! | `win-1`, `win+1` | `mate N` for the side to move is one move shorter (of two and more), or longer |
//! | `loss-1`, `loss+1` | `mate -N` is one move sooner (of two and more), or later |
//! | `sign` | `mate N` is `mate -N` |
//! | `score=WORDS` | each score is replaced, for instance by `mate 2` or `cp 0` |
//! | `mate=WORDS`, `even=WORDS`, `cp=WORDS` | each mate, each score of at most 20 centipawns, each other score is replaced |
//! | `scoreless` | no line has a score |
//! | `move=none`, `move=illegal` | the best move is `(none)`, or `a1a1`, which is no move |
//! | `move=other`, `move=stalemate` | it is the first other legal move by name, or one that stalemates if there is one |

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position, PositionError};

/// A score of at most so many centipawns is even.
const EVEN: i64 = 20;

/// An alteration of a line.
#[derive(Debug)]
pub(crate) enum Rule {
    Win(i64),
    Loss(i64),
    Sign,
    Scoreless,
    /// A score of this kind, and the one in its place.
    Score(Kind, String),
    Best(Best),
}

/// The scores that are replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Any,
    Mate,
    Even,
    Other,
}

/// The move that is played.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Best {
    None,
    Illegal,
    Other,
    Stalemate,
}

/// The position of the words after `position`.
pub(crate) fn position<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<Chess> {
    let mut position = if words.next()? == "startpos" {
        Chess::default()
    } else {
        let fen: Vec<&str> = words.by_ref().take_while(|word| *word != "moves").collect();
        let read: Fen = fen.join(" ").parse().ok()?;
        let mode = CastlingMode::detect(read.as_setup());
        read.into_position(mode).or_else(PositionError::ignore_impossible_check).ok()?
    };
    for text in words.filter(|word| *word != "moves") {
        let mv = text.parse::<UciMove>().ok()?.to_move(&position).ok()?;
        position.play_unchecked(mv);
    }
    Some(position)
}

impl Rule {
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        Ok(match (name, value) {
            ("win-1", "") => Self::Win(-1),
            ("win+1", "") => Self::Win(1),
            ("loss-1", "") => Self::Loss(-1),
            ("loss+1", "") => Self::Loss(1),
            ("sign", "") => Self::Sign,
            ("scoreless", "") => Self::Scoreless,
            ("score", score) => Self::Score(Kind::Any, score.to_owned()),
            ("mate", score) => Self::Score(Kind::Mate, score.to_owned()),
            ("even", score) => Self::Score(Kind::Even, score.to_owned()),
            ("cp", score) => Self::Score(Kind::Other, score.to_owned()),
            ("move", "none") => Self::Best(Best::None),
            ("move", "illegal") => Self::Best(Best::Illegal),
            ("move", "other") => Self::Best(Best::Other),
            ("move", "stalemate") => Self::Best(Best::Stalemate),
            _ => return Err(format!("{text} is no rule")),
        })
    }

    /// The altered line. `None` if the rule does not apply.
    pub(crate) fn alter(&self, line: &str, position: &Chess) -> Option<String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let Self::Best(best) = self {
            return (words[0] == "bestmove").then(|| best.instead_of(&words, position)).flatten();
        }
        let place = words.iter().position(|word| *word == "score")?;
        let [kind, number] = words.get(place + 1..place + 3)? else { return None };
        if matches!(self, Self::Scoreless) {
            return Some([&words[..place], &words[place + 3..]].concat().join(" "));
        }
        let score = self.score(kind, number.parse().ok()?)?;
        let [before, after] = [&words[..=place], &words[place + 3..]].map(|words| words.join(" "));
        Some(format!("{before} {score} {after}"))
    }

    /// The score in place of another one.
    fn score(&self, kind: &str, number: i64) -> Option<String> {
        let of = match kind {
            "mate" => Kind::Mate,
            _ if number.abs() <= EVEN => Kind::Even,
            _ => Kind::Other,
        };
        let altered = match self {
            Self::Score(replaced, score) => {
                return (*replaced == Kind::Any || *replaced == of).then(|| score.clone());
            }
            Self::Sign => -number,
            Self::Win(more) if number > 0 && number + more > 0 => number + more,
            Self::Loss(more) if number < 0 && number - more < 0 => number - more,
            _ => return None,
        };
        (of == Kind::Mate).then(|| format!("mate {altered}"))
    }
}

impl Best {
    /// The `bestmove` line in place of this one.
    fn instead_of(self, words: &[&str], position: &Chess) -> Option<String> {
        let best = words.get(1)?;
        let stalemates = |text: &String| {
            let mv = text.parse::<UciMove>().ok().and_then(|text| text.to_move(position).ok());
            mv.is_some_and(|mv| {
                let mut after = position.clone();
                after.play_unchecked(mv);
                after.is_stalemate()
            })
        };
        let mut legal: Vec<String> = position
            .legal_moves()
            .iter()
            .map(|mv| mv.to_uci(position.castles().mode()).to_string())
            .collect();
        legal.sort();
        let instead = match self {
            Self::None => Some("(none)".to_owned()),
            Self::Illegal => Some("a1a1".to_owned()),
            Self::Other => legal.into_iter().find(|text| text != best),
            Self::Stalemate => legal.into_iter().find(stalemates),
        };
        instead.map(|mv| format!("bestmove {mv}"))
    }
}
