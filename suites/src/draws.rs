//! The suite `draws`: positions that the draw rules decide, and similar positions that they do not decide.
//!
//! EPD, one case a line:
//!
//! ```text
//! # cases: 1
//! 7k/8/5K2/8/8/8/8/R7 w - - 0 1 moves "a1a2 h8g8 a2a1 g8h8"; result "win"; id "repetition/01";
//! ```
//!
//! | operation | meaning |
//! |---|---|
//! | `id` | the class, a slash, a number; unique |
//! | `moves` | the moves of the game after the FEN, as UCI writes them; none if it is missing |
//! | `result` | `win`, `draw` or `loss` for the side that is then to move |
//! | `due` | depth in plies at which a search without tables sees the draw; only with `result "draw"` |
//! | `may_fail` | engines are not expected to see this draw: a wrong score is reported and is not a difference |
//!
//! The third occurrence of a position, the hundredth ply without a capture or a pawn move, and dead material
//! end the game as a draw. Checkmate comes before all of them. Knows no board: `oracle` proves the results.

use crate::FormatError;
use crate::reader::{EpdCase, EpdLine, epd};

crate::words! {
    /// The result of a game with best play, from the view of the side to move.
    pub enum GameResult: "result" {
        /// The other side wins.
        Loss = "loss",
        /// Nobody wins.
        Draw = "draw",
        /// The side to move wins.
        Win = "win",
    }
}

crate::words! {
    /// The rule that a position is about.
    pub enum DrawClass: "class" {
        /// The halfmove clock of the FEN decides.
        FiftyClock = "fifty-clock",
        /// The moves of the game count for the halfmove clock.
        FiftyMoves = "fifty-moves",
        /// A mate comes on the hundredth ply.
        MateAt100 = "mate-at-100",
        /// A mate would come after it.
        MateTooLate = "mate-too-late",
        /// A capture or pawn move comes in time.
        ZeroingSaves = "zeroing-saves",
        /// A position stands for the third time.
        Repetition = "repetition",
        /// One move repeats, another one wins.
        RepetitionAvoided = "repetition-avoided",
        /// Castling rights tell positions apart.
        RepetitionCastling = "repetition-castling",
        /// En passant captures tell positions apart.
        RepetitionEnPassant = "repetition-en-passant",
        /// No material is left that mates.
        DeadMaterial = "dead-material",
        /// Little material is left, and it mates.
        NotDead = "not-dead",
        /// The pawn cannot be promoted without stalemate or loss.
        PromotionStalemate = "promotion-stalemate",
        /// One side checks without end.
        Perpetual = "perpetual",
        /// Neither side makes progress.
        Fortress = "fortress",
    }
}

impl GameResult {
    /// The result from the other side's view.
    #[must_use]
    pub fn turned(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

/// One position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawCase {
    /// Unique: the class, a slash, a number.
    pub id: String,
    /// The rule that it is about.
    pub class: DrawClass,
    /// The position at the start of the game: a FEN of six fields.
    pub fen: String,
    /// The moves of the game from there, as UCI writes them in standard chess.
    pub moves: Vec<String>,
    /// The result for the side to move after them.
    pub result: GameResult,
    /// Depth in plies at which a search without tables sees the draw; `None` if the result is no draw, or a
    /// search cannot see it.
    pub due: Option<u32>,
    /// Whether a wrong score is reported and is not a difference.
    pub may_fail: bool,
}

impl DrawCase {
    /// The line of the file.
    pub fn line(&self) -> String {
        let moves = self.moves.join(" ");
        let moves = if moves.is_empty() { moves } else { format!("moves \"{moves}\"; ") };
        let due = self.due.map_or(String::new(), |due| format!("due {due}; "));
        let may_fail = if self.may_fail { "may_fail; " } else { "" };
        format!("{} {moves}result \"{}\"; {due}{may_fail}id \"{}\";", self.fen, self.result, self.id)
    }
}

/// The suite that is compiled in.
///
/// # Errors
/// As [`parse`].
pub fn embedded() -> Result<Vec<DrawCase>, FormatError> {
    parse("draws.epd", include_str!("../data/draws.epd"))
}

/// Reads a suite; `file` names it in errors.
///
/// # Errors
/// A malformed line, a repeated id, or another number of cases than declared.
pub fn parse(file: &str, text: &str) -> Result<Vec<DrawCase>, FormatError> {
    epd(file, text)
}

impl EpdCase for DrawCase {
    const OPERATIONS: &'static [&'static str] = &["id", "moves", "result", "due", "may_fail"];

    fn from_epd(line: &EpdLine<'_>) -> Result<Self, FormatError> {
        const RESULT: &str = "result \"win\", \"draw\" or \"loss\"";
        let result = line.operand("result", RESULT)?;
        let result = result.parse().map_err(|_| line.place().unexpected(RESULT, result))?;
        let due = line.number("due", "a number of plies")?;
        if due.is_some() && result != GameResult::Draw {
            return Err(line.unexpected("due only with result \"draw\""));
        }
        let id = line.id()?;
        let class = id.split('/').next().unwrap_or_default().parse();
        Ok(Self {
            id: id.to_owned(),
            class: class.map_err(|_| line.place().unexpected("an id that begins with a class", id))?,
            fen: line.whole_fen()?,
            moves: line.moves()?,
            result,
            due,
            may_fail: line.epd().operands("may_fail").is_some(),
        })
    }
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
    fn errors_name_file_and_line() {
        let got = |body: &str| body.replace("FEN", FEN).chars().take(60).collect::<String>();
        let no_result = "FEN id \"a/1\";";
        check(
            no_result,
            &format!("2: expected result \"win\", \"draw\" or \"loss\", got \"{}\"", got(no_result)),
        );
        check(
            "FEN result \"won\"; id \"a/1\";",
            "2: expected result \"win\", \"draw\" or \"loss\", got \"won\"",
        );
        check("FEN result \"draw\"; due x; id \"a/1\";", "2: expected a number of plies, got \"x\"");
        check("FEN result \"draw\"; id \"a/1\";", "2: expected an id that begins with a class, got \"a/1\"");
        let due_win = "FEN result \"win\"; due 1; id \"a/1\";";
        check(due_win, &format!("2: expected due only with result \"draw\", got \"{}\"", got(due_win)));
        check(
            "FEN result \"draw\"; bm Ra1; id \"a/1\";",
            "2: expected the operations id, moves, result, due, may_fail, each once, got \"bm\"",
        );
    }

    #[test]
    fn a_line_is_read_as_it_was_written() {
        let case = DrawCase {
            id: "repetition/01".to_owned(),
            class: DrawClass::Repetition,
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
        let plain =
            DrawCase { moves: Vec::new(), result: GameResult::Win, due: None, may_fail: false, ..case };
        assert_eq!(plain.line(), format!("{FEN} result \"win\"; id \"repetition/01\";"));
        assert_eq!(parse("test.epd", &format!("# cases: 1\n{}", plain.line())).unwrap(), [plain]);
    }

    #[test]
    fn the_suite_is_whole() {
        let cases = embedded().unwrap();
        assert!(cases.len() >= 100, "{}", cases.len());
        let mut classes: Vec<&str> = cases.iter().map(|case| case.class.name()).collect();
        classes.dedup();
        let mut sorted = classes.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), classes.len(), "the cases of a class follow one another");
        assert!(cases.iter().all(|case| case.may_fail == (case.class == DrawClass::Fortress)));
    }
}
