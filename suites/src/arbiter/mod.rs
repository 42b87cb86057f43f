//! The suite `arbiter`: scripted games that hold match runners against the rules of chess.
//!
//! EPD, one game a line:
//!
//! ```text
//! # cases: 1
//! 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1 play "a1a8"; end "1-0 checkmate 1"; rule "Laws of Chess 5.1.1"; id "mate/01";
//! ```
//!
//! | operation | meaning |
//! |---|---|
//! | `id` | the class, a slash, a number; unique |
//! | `book` | the moves of the opening, as UCI writes them; none if it is missing |
//! | `play` | what the players answer in turn, see below. It goes on where a runner would miss the end |
//! | `match` | the settings of the match, see [`MatchSettings`]; none if it is missing |
//! | `chess960` | castling is that of Chess960 |
//! | `end` | the result, the end and the plies of the game, those of the book included |
//! | `fide`, `uscf`, `lichess`, `chesscom`, `fastchess`, `cutechess` | the same, where the rules of this policy demand another end |
//! | `refused` | the game is over before its first move, so that a runner may refuse the opening |
//! | `rule` | the rule or the source that demands the end |
//!
//! Both `book` and `play` may repeat a group: `(a1a2 h8g8 a2a1 g8h8)*3` three times, and `[a1a2 a2a1|h8g8 g8h7 h7h8]*9` for nine
//! plies, in which the first side repeats the first words, and the other side the words after `|`. An answer is the word after `bestmove`, or
//! `-` for none, and what else the player does, after commas:
//!
//! | word | meaning |
//! |---|---|
//! | `cp=N`, `mate=N` | it prints this score, from its view; without such a word it prints `cp 50` |
//! | `lower=N`, `upper=N` | it prints a bound of its score in centipawns |
//! | `mute` | it prints no score |
//! | `wait=N` | it answers after so many milliseconds |
//! | `then=MOVE` | it prints `bestmove` a second time |
//! | `exit` | its process ends after the answer |
//!
//! Knows no board: the tests of `arbiter` replay each game by shakmaty's rules.

mod answer;
mod settings;
#[cfg(test)]
mod tests;

use crate::FormatError;
use crate::reader::{EpdCase, EpdLine, epd};

pub use answer::{ScriptedAnswer, ScriptedScore};
pub use settings::{MatchSettings, Resign, ScoreDraw};

/// The most plies of a script.
const MOST_PLIES: usize = 1000;

crate::words! {
    /// Whose rules end the games of a match.
    pub enum Policy: "policy" {
        /// FIDE's Laws of Chess.
        Fide = "fide",
        /// The rules of US Chess.
        Uscf = "uscf",
        /// The site lichess.org.
        Lichess = "lichess",
        /// The site chess.com.
        ChessCom = "chesscom",
        /// The program fastchess.
        Fastchess = "fastchess",
        /// The program cutechess.
        Cutechess = "cutechess",
    }
}

crate::words! {
    /// Why a game ended.
    pub enum GameEnd: "end of a game" {
        /// The side to move is checkmated.
        Checkmate = "checkmate",
        /// The side to move is stalemated.
        Stalemate = "stalemate",
        /// The position stands on the board for the third time.
        Repetition = "repetition",
        /// 100 plies have passed without a capture or pawn move.
        FiftyMoves = "fifty-moves",
        /// No side can mate with the men that it has.
        DeadMaterial = "dead-material",
        /// An answer came too late, and loses.
        Time = "time",
        /// An answer came too late, and the other side cannot mate.
        TimeDraw = "time-draw",
        /// An answer is no legal move.
        Illegal = "illegal",
        /// The process of a player ended.
        Crash = "crash",
        /// Adjudicated as lost by scores.
        Resign = "resign",
        /// Adjudicated as drawn by scores.
        ScoreDraw = "score-draw",
        /// Adjudicated as won by tables.
        TableWin = "table-win",
        /// Adjudicated as drawn by tables.
        TableDraw = "table-draw",
        /// Adjudicated as drawn, since the game is as long as it may be.
        MaxMoves = "max-moves",
    }
}

impl GameEnd {
    /// Whether the rules of chess alone give this end.
    pub fn is_on_board(self) -> bool {
        matches!(
            self,
            Self::Checkmate | Self::Stalemate | Self::Repetition | Self::FiftyMoves | Self::DeadMaterial
        )
    }
}

crate::words! {
    /// The result of a game.
    pub enum GameResult: "result" {
        /// White won.
        WhiteWins = "1-0",
        /// Black won.
        BlackWins = "0-1",
        /// Nobody won.
        Draw = "1/2-1/2",
    }
}

/// How a game has to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExpectedEnd {
    /// The result.
    pub result: GameResult,
    /// Why.
    pub end: GameEnd,
    /// How many plies were played, those of the book included.
    pub plies: usize,
}

/// A scripted game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArbiterCase {
    /// Unique: the class, a slash, a number.
    pub id: String,
    /// The first position: a FEN of six fields.
    pub fen: String,
    /// Whether castling is that of Chess960.
    pub chess960: bool,
    /// The moves of the opening, as UCI writes them.
    pub book: Vec<String>,
    /// What the players answer in turn.
    pub play: Vec<ScriptedAnswer>,
    /// The settings of the match.
    pub settings: MatchSettings,
    /// How the game ends.
    pub end: ExpectedEnd,
    /// How it ends under policies that demand another end.
    pub by_policy: Vec<(Policy, ExpectedEnd)>,
    /// Whether a runner may refuse the opening.
    pub may_be_refused: bool,
    /// The rule or the source that demands the end.
    pub rule: String,
}

impl ArbiterCase {
    /// What the game is about: the id up to the slash.
    pub fn class(&self) -> &str {
        self.id.split('/').next().unwrap_or_default()
    }

    /// How the game ends under a policy.
    pub fn end_under(&self, policy: Policy) -> ExpectedEnd {
        self.by_policy.iter().find(|(known, _)| *known == policy).map_or(self.end, |(_, end)| *end)
    }
}

/// The suite that is compiled in.
const FILE: &str = "arbiter.epd";
const TEXT: &str = include_str!("../../data/arbiter.epd");

/// The suite that is compiled in.
///
/// # Errors
/// As [`parse`].
pub fn embedded() -> Result<Vec<ArbiterCase>, FormatError> {
    parse(FILE, TEXT)
}

/// The case of that suite with this id; no other one is read.
///
/// # Errors
/// As [`parse`].
pub fn embedded_case(id: &str) -> Result<Option<ArbiterCase>, FormatError> {
    let id = format!(" id \"{id}\";");
    let line = TEXT.lines().find(|line| line.contains(&id));
    line.map_or(Ok(None), |line| Ok(parse(FILE, &format!("# cases: 1\n{line}"))?.pop()))
}

/// Reads a suite; `file` names it in errors.
///
/// # Errors
/// A malformed line, a repeated id, or another number of cases than declared.
pub fn parse(file: &str, text: &str) -> Result<Vec<ArbiterCase>, FormatError> {
    epd(file, text)
}

impl EpdCase for ArbiterCase {
    const OPERATIONS: &'static [&'static str] = &[
        "id",
        "book",
        "play",
        "match",
        "chess960",
        "end",
        "fide",
        "uscf",
        "lichess",
        "chesscom",
        "fastchess",
        "cutechess",
        "refused",
        "rule",
    ];

    fn from_epd(line: &EpdLine<'_>) -> Result<Self, FormatError> {
        let text = |opcode: &str| line.epd().operand(opcode).unwrap_or_default();
        let words = |opcode: &str| {
            repeated(text(opcode)).ok_or_else(|| {
                line.place().unexpected(
                    format!("words and groups such as (a1a2 a2a1)*3 and [a1a2 a2a1|h8g8 g8h8]*9, at most {MOST_PLIES} in all"),
                    text(opcode),
                )
            })
        };
        let has = |opcode: &str| line.epd().operands(opcode).is_some();
        let play = words("play")?;
        let play = play.iter().map(|word| {
            ScriptedAnswer::read(word).ok_or_else(|| line.place().unexpected(ScriptedAnswer::EXPECTED, word))
        });
        let settings = text("match");
        let mut by_policy = Vec::new();
        for policy in Policy::ALL {
            if has(policy.name()) {
                by_policy.push((policy, end(line, policy.name())?));
            }
        }
        Ok(Self {
            id: line.id()?.to_owned(),
            fen: line.whole_fen()?,
            chess960: has("chess960"),
            book: words("book")?,
            play: play.collect::<Result<_, _>>()?,
            settings: MatchSettings::read(settings)
                .ok_or_else(|| line.place().unexpected(MatchSettings::EXPECTED, settings))?,
            end: end(line, "end")?,
            by_policy,
            may_be_refused: has("refused"),
            rule: line.operand("rule", "rule \"the rule or source\"")?.to_owned(),
        })
    }
}

/// The end that an operation demands.
fn end(line: &EpdLine<'_>, opcode: &str) -> Result<ExpectedEnd, FormatError> {
    const END: &str = "a result, an end and a number of plies, such as \"1-0 checkmate 7\"";
    let text = line.operand(opcode, END)?;
    let read = || {
        let [result, end, plies] = text.split_whitespace().collect::<Vec<_>>()[..] else { return None };
        Some(ExpectedEnd {
            result: result.parse().ok()?,
            end: end.parse().ok()?,
            plies: plies.parse().ok().filter(|plies| *plies <= MOST_PLIES)?,
        })
    };
    read().ok_or_else(|| line.place().unexpected(END, text))
}

/// The words of a text, with its groups repeated; `None` if a group is not whole or there are too many words.
fn repeated(text: &str) -> Option<Vec<String>> {
    let mut words: Vec<String> = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let is_group = rest.starts_with(['(', '[']) && !rest.starts_with("(none)");
        let end = if is_group { rest.find(")*").or(rest.find("]*"))? } else { 0 };
        let end = rest[end..].find(char::is_whitespace).map_or(rest.len(), |at| end + at);
        let (word, after) = rest.split_at(end);
        rest = after.trim_start();
        if is_group {
            words.extend(group(word, MOST_PLIES - words.len().min(MOST_PLIES))?);
        } else {
            words.push(word.to_owned());
        }
    }
    (words.len() <= MOST_PLIES).then_some(words)
}

/// The words of `(a b)*3`, or of `[a b|c d e]*9`, in which both sides have words of their own; at most so many.
fn group(text: &str, most: usize) -> Option<Vec<String>> {
    let (body, times) = text.rsplit_once('*')?;
    let times = times.parse::<usize>().ok().filter(|times| (1..=most).contains(times))?;
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    if let Some(body) = body.strip_prefix('[') {
        let (one, other) = body.strip_suffix(']')?.split_once('|')?;
        let sides = [words(one), words(other)];
        let plies = (0..times).map(|ply| sides[ply % 2].iter().cycle().nth(ply / 2).cloned());
        return plies.collect();
    }
    let words = words(body.strip_prefix('(')?.strip_suffix(')')?);
    (times * words.len() <= most).then(|| std::iter::repeat_n(words, times).flatten().collect())
}
