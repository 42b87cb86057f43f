//! The suite of draws: positions that rules of draws decide, and their neighbours that they do not.
//!
//! A file of extended position description, one case a line, each for itself:
//!
//! ```text
//! # cases: 1
//! 7k/8/5K2/8/8/8/8/R7 w - - 0 1 moves "a1a2 h8g8 a2a1 g8h8"; result "win"; id "repetition/01";
//! ```
//!
//! | operation | says |
//! |---|---|
//! | `id` | the class, a slash, a number; unique |
//! | `moves` | the moves of the game after the FEN, as UCI writes them; none if it is missing |
//! | `result` | `win`, `draw` or `loss` for the side that is then to move |
//! | `due` | plies in which the rules alone show the draw, without tables; of a draw |
//! | `may_fail` | the draw is beyond what is asked of an engine: a wrong score is told, and is no difference |
//!
//! What a result means: a third occurrence, the hundredth ply and dead material end the game as a draw, checkmate goes
//! before all of them. Knows no board: what a case says is proved elsewhere.

use std::fmt;
use std::str::FromStr;

use crate::epd::Epd;
use crate::format::{FormatError, Reader, is_comment};

/// How a game ends if both sides play well, from the view of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GameResult {
    /// The other side wins.
    Loss,
    /// Nobody wins.
    Draw,
    /// The side to move wins.
    Win,
}

impl GameResult {
    /// The same from the other side's view.
    #[must_use]
    pub fn turned(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Loss => "loss",
            Self::Draw => "draw",
            Self::Win => "win",
        })
    }
}

impl FromStr for GameResult {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        [Self::Loss, Self::Draw, Self::Win].into_iter().find(|result| result.to_string() == text).ok_or(())
    }
}

/// One position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawCase {
    /// Unique: the class, a slash, a number.
    pub id: String,
    /// Where the game begins: a FEN of six fields.
    pub fen: String,
    /// The moves since, as UCI writes them in standard chess.
    pub moves: Vec<String>,
    /// The result for the side that is to move after them.
    pub result: GameResult,
    /// Plies in which the rules alone show the draw; `None` where the result is none, or more is needed to see it.
    pub due: Option<u32>,
    /// Whether a wrong score is told and no more.
    pub may_fail: bool,
}

impl DrawCase {
    /// What it has in common with others: its id up to the slash.
    pub fn class(&self) -> &str {
        self.id.split('/').next().unwrap_or_default()
    }

    /// The line that says it.
    pub fn line(&self) -> String {
        let moves = self.moves.join(" ");
        let moves = if moves.is_empty() { moves } else { format!("moves \"{moves}\"; ") };
        let due = self.due.map_or(String::new(), |due| format!("due {due}; "));
        let may_fail = if self.may_fail { "may_fail; " } else { "" };
        format!("{} {moves}result \"{}\"; {due}{may_fail}id \"{}\";", self.fen, self.result, self.id)
    }
}

/// The suite that the program carries in itself.
///
/// # Errors
/// As [`parse`].
pub fn embedded() -> Result<Vec<DrawCase>, FormatError> {
    parse("draws.epd", include_str!("../data/draws.epd"))
}

/// Reads a suite; `file` names it in errors.
///
/// # Errors
/// A line that is no case, a repeated id, or another number of cases than declared.
pub fn parse(file: &str, text: &str) -> Result<Vec<DrawCase>, FormatError> {
    let mut reader = Reader::new(file, text)?;
    let mut cases = Vec::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !is_comment(line)) {
        let case = parse_case(&reader, number, line)?;
        reader.count(number, &case.id)?;
        cases.push(case);
    }
    reader.finish()?;
    Ok(cases)
}

fn parse_case(reader: &Reader<'_>, number: u64, line: &str) -> Result<DrawCase, FormatError> {
    const KNOWN: [&str; 5] = ["id", "moves", "result", "due", "may_fail"];
    let epd = Epd::parse(line).map_err(|_| reader.unexpected(number, "a FEN and operations", line))?;
    if let Some(stranger) = epd.operations.iter().find(|operation| !KNOWN.contains(&&*operation.opcode)) {
        return Err(reader.unexpected(number, "id, moves, result, due or may_fail", &stranger.opcode));
    }
    let id = epd.operand("id").unwrap_or_default();
    if !id.split_once('/').is_some_and(|(class, rest)| !class.is_empty() && !rest.is_empty()) {
        return Err(reader.unexpected(number, "id \"class/number\"", id));
    }
    let result = epd.operand("result").unwrap_or_default();
    let result = result
        .parse()
        .map_err(|()| reader.unexpected(number, "result \"win\", \"draw\" or \"loss\"", result))?;
    let due = match epd.operands("due") {
        None => None,
        Some(_) if result != GameResult::Draw => {
            return Err(reader.unexpected(number, "due of a draw alone", line));
        }
        Some(operands) => Some(reader.number(number, "a number of plies", &operands.join(" "))?),
    };
    let moves = match epd.operands("moves") {
        None => Vec::new(),
        Some([moves]) => moves.split_whitespace().map(str::to_owned).collect(),
        Some(_) => return Err(reader.unexpected(number, "moves in quotes", line)),
    };
    let may_fail = epd.operands("may_fail").is_some();
    Ok(DrawCase { id: id.to_owned(), fen: epd.fen, moves, result, due, may_fail })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "7k/8/5K2/8/8/8/8/R7 w - - 3 9";

    #[track_caller]
    fn check(body: &str, expected: &str) {
        let text = format!("# cases: 1\n{}", body.replace("FEN", FEN));
        assert_eq!(parse("test.epd", &text).unwrap_err().to_string(), format!("test.epd:{expected}"));
    }

    #[test]
    fn faults_are_named_with_file_and_line() {
        check("8/8 w", "2: expected a FEN and operations, got \"8/8 w\"");
        check("FEN result \"draw\";", "2: expected id \"class/number\", got \"\"");
        check("FEN result \"draw\"; id \"class\";", "2: expected id \"class/number\", got \"class\"");
        check("FEN id \"a/1\";", "2: expected result \"win\", \"draw\" or \"loss\", got \"\"");
        check(
            "FEN result \"won\"; id \"a/1\";",
            "2: expected result \"win\", \"draw\" or \"loss\", got \"won\"",
        );
        check("FEN result \"draw\"; due x; id \"a/1\";", "2: expected a number of plies, got \"x\"");
        check(
            "FEN result \"draw\"; bm Ra1; id \"a/1\";",
            "2: expected id, moves, result, due or may_fail, got \"bm\"",
        );
        check(
            "FEN result \"draw\"; id \"a/1\";\nFEN result \"draw\"; id \"a/1\";",
            "3: \"a/1\" stands in line 2 already",
        );
        check("", "1: 1 cases declared, 0 found");
    }

    #[test]
    fn a_line_is_read_as_it_was_written() {
        let case = DrawCase {
            id: "repetition/01".to_owned(),
            fen: FEN.to_owned(),
            moves: vec!["a1a2".to_owned(), "h8g8".to_owned()],
            result: GameResult::Draw,
            due: Some(3),
            may_fail: true,
        };
        assert_eq!(
            parse("test.epd", &format!("# cases: 1\n{}", case.line())).unwrap(),
            std::slice::from_ref(&case)
        );
        assert_eq!(case.class(), "repetition");
        let plain =
            DrawCase { moves: Vec::new(), result: GameResult::Win, due: None, may_fail: false, ..case };
        assert_eq!(plain.line(), format!("{FEN} result \"win\"; id \"repetition/01\";"));
        assert_eq!(parse("test.epd", &format!("# cases: 1\n{}", plain.line())).unwrap(), [plain]);
    }

    #[test]
    fn the_suite_is_whole() {
        let cases = embedded().unwrap();
        assert!(cases.len() >= 100, "{}", cases.len());
        let mut classes: Vec<&str> = cases.iter().map(DrawCase::class).collect();
        classes.dedup();
        let mut sorted = classes.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), classes.len(), "each class stands together");
        assert!(cases.iter().all(|case| case.may_fail == (case.class() == "fortress")));
    }
}
