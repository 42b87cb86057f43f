//! The suite `stalemates`: positions in which an engine has to tell stalemate from checkmate, or see a
//! stalemate coming.
//!
//! ```text
//! # cases: 2
//! k7/2Q5/1K6/8/8/8/8/8 b - - result draw; due 1; id "bare king/01";
//! k7/8/1K6/8/8/8/8/2Q5 w - - result win; am Qc7; due 2; id "bare king/02";
//! ```
//!
//! EPD, one case a line. All values are from the view of the side to move:
//!
//! | operation | meaning |
//! |---|---|
//! | `result` | the proved value: `win`, `draw`, `loss`, `"draw or better"`, `"draw or worse"` |
//! | `bm` | the moves that keep this value; every other move is proved to give away half a point or more |
//! | `am` | moves that are proved to give it away; nothing is claimed of the others |
//! | `due` | the search depth in plies from which the answer is judged |
//! | `id` | the class, a slash and a number; unique |
//!
//! A case has `bm`, `am` or neither. A stalemate p plies away is due at depth p + 1, where the search first
//! generates moves in the stalemate and finds none; a stalemate on the board is a draw due at depth 1. Moves
//! are in SAN. Knows no board.

use crate::FormatError;
use crate::reader::{EpdCase, EpdLine, epd};

crate::words! {
    /// What the positions of a class have in common. In the order of the file.
    pub enum StalemateClass: "class" {
        /// The stalemated side has only its king.
        BareKing = "bare king",
        /// King and pawn against king.
        KingAndPawn = "king and pawn",
        /// A piece of the stalemated side could move if it were not pinned.
        LastMovePinned = "last move pinned",
        /// The stalemated king is surrounded by its own pieces.
        Smothered = "smothered",
        /// Promotion to a queen stalemates, and another move wins.
        Promotion = "promotion",
        /// A capture stalemates, and another move wins.
        Capture = "capture",
        /// The weaker side forces its own stalemate, or could if the other side allowed it.
        Resource = "resource",
        /// A pawn of the stalemated side is blocked.
        BlockedPawns = "blocked pawns",
        /// It looks like stalemate, and a legal move is left: en passant or a promotion.
        NearStalemate = "near stalemate",
    }
}

crate::words! {
    /// The proved value of a position, from the view of the side to move.
    pub enum ProvedValue: "result" {
        /// The side to move is mated by force.
        Loss = "loss",
        /// The side to move does not win.
        DrawOrWorse = "draw or worse",
        /// Neither side can do better than a draw.
        Draw = "draw",
        /// The side to move does not lose.
        DrawOrBetter = "draw or better",
        /// The side to move mates by force.
        Win = "win",
    }
}

/// What is proved of the moves of a position. Moves are in SAN.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProvedMoves {
    /// Nothing.
    Any,
    /// These keep the value, and no other does.
    Best(Vec<String>),
    /// These do not keep it.
    Avoid(Vec<String>),
}

/// A position with its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StalemateCase {
    /// The class, a slash and a number; unique.
    pub id: String,
    /// What it has in common with others.
    pub class: StalemateClass,
    /// The position, as a FEN of six fields.
    pub fen: String,
    /// Its proved value.
    pub worth: ProvedValue,
    /// What is proved of its moves.
    pub moves: ProvedMoves,
    /// The search depth in plies from which the answer is judged.
    pub due: u16,
}

/// The cases that are compiled in.
///
/// # Errors
/// As [`parse`].
pub fn embedded() -> Result<Vec<StalemateCase>, FormatError> {
    parse("stalemates.epd", include_str!("../data/stalemates.epd"))
}

/// Reads cases; `file` names it in errors.
///
/// # Errors
/// A malformed line, a repeated id, or another number of cases than declared.
pub fn parse(file: &str, text: &str) -> Result<Vec<StalemateCase>, FormatError> {
    epd(file, text)
}

impl EpdCase for StalemateCase {
    const OPERATIONS: &'static [&'static str] = &["result", "bm", "am", "due", "id"];

    fn from_epd(line: &EpdLine<'_>) -> Result<Self, FormatError> {
        let id = line.id()?;
        let class = id.split_once('/').and_then(|(class, _)| class.parse().ok());
        let worth = line.operand("result", "a result")?;
        let moves = match (line.epd().operands("bm"), line.epd().operands("am")) {
            (None, None) => ProvedMoves::Any,
            (Some(best), None) if !best.is_empty() => ProvedMoves::Best(best.to_vec()),
            (None, Some(avoid)) if !avoid.is_empty() => ProvedMoves::Avoid(avoid.to_vec()),
            _ => return Err(line.unexpected("moves after bm or after am")),
        };
        Ok(Self {
            id: id.to_owned(),
            class: class
                .ok_or_else(|| line.place().unexpected("the id \"class/number\" of a known class", id))?,
            fen: line.position(),
            worth: worth.parse().map_err(|_| {
                line.place().unexpected("win, draw, loss, draw or better, draw or worse", worth)
            })?,
            moves,
            due: line
                .number("due", "a depth in plies")?
                .ok_or_else(|| line.unexpected("a depth in plies after due"))?,
        })
    }
}

impl StalemateCase {
    /// The line of the file.
    pub fn line(&self) -> String {
        let fields: Vec<&str> = self.fen.split_whitespace().take(4).collect();
        let moves = match &self.moves {
            ProvedMoves::Any => String::new(),
            ProvedMoves::Best(moves) => format!(" bm {};", moves.join(" ")),
            ProvedMoves::Avoid(moves) => format!(" am {};", moves.join(" ")),
        };
        let worth = self.worth.name();
        let result = if worth.contains(' ') { format!("\"{worth}\"") } else { worth.to_owned() };
        format!("{} result {result};{moves} due {}; id \"{}\";", fields.join(" "), self.due, self.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "k7/8/1K6/8/8/8/8/2Q5 w - -";

    #[test]
    fn a_case_is_read_and_written_as_it_stands() {
        for line in [
            "result win; am Qc7 Qc6+; due 2; id \"bare king/02\";",
            "result draw; bm Qc7; due 3; id \"near stalemate/11\";",
            "result \"draw or better\"; due 1; id \"resource/7\";",
        ] {
            let line = format!("{FEN} {line}");
            let cases = parse("test.epd", &format!("# cases: 1\n{line}\n")).unwrap();
            assert_eq!(cases[0].line(), line);
            assert_eq!(cases[0].fen, format!("{FEN} 0 1"));
        }
    }

    #[track_caller]
    fn check(operations: &str, expected: &str) {
        let error = parse("test.epd", &format!("# cases: 1\n{FEN} {operations}")).unwrap_err();
        assert_eq!(error.to_string(), format!("test.epd:2: expected {expected}"));
    }

    #[test]
    fn errors_name_file_and_line() {
        let id = "id \"bare king/1\"";
        check(
            &format!("result lost; due 1; {id};"),
            "win, draw, loss, draw or better, draw or worse, got \"lost\"",
        );
        check(
            "result win; due 1; id \"king/1\";",
            "the id \"class/number\" of a known class, got \"king/1\"",
        );
        check("result win; due 1; id \"bare king/\";", "an id \"class/number\", got \"bare king/\"");
        check(&format!("result win; due soon; {id};"), "a depth in plies, got \"soon\"");
        check(
            &format!("result win; due 1; {id}; acd 3;"),
            "the operations result, bm, am, due, id, each once, got \"acd\"",
        );
        check(
            &format!("result win; due 1; due 2; {id};"),
            "the operations result, bm, am, due, id, each once, got \"due\"",
        );
        let line = format!("{FEN} am;{id}");
        for operations in [format!("am;{id};due 1;result win"), format!("bm a;am b;{id};due 1;result win")] {
            let error = parse("test.epd", &format!("# cases: 1\n{FEN} {operations}")).unwrap_err();
            assert!(error.to_string().contains("expected moves after bm or after am"), "{line}: {error}");
        }
    }

    #[test]
    fn the_suite_has_every_class_and_two_hundred_positions() {
        let cases = embedded().unwrap();
        assert!(cases.len() >= 200, "{}", cases.len());
        for class in StalemateClass::ALL {
            assert!(cases.iter().filter(|case| case.class == class).count() >= 10, "{class}");
        }
        for case in &cases {
            assert!((1..=6).contains(&case.due), "{}", case.id);
        }
    }
}
