//! The suite of stalemates: positions where a subject has to know stalemate from mate, or from a move.
//!
//! ```text
//! # cases: 2
//! k7/2Q5/1K6/8/8/8/8/8 b - - result draw; due 1; id "bare king/01";
//! k7/8/1K6/8/8/8/8/2Q5 w - - result win; am Qc7; due 2; id "bare king/02";
//! ```
//!
//! Lines of EPD with these operations, the views all being that of the side to move:
//!
//! * `result`: what is proved: `win`, `draw`, `loss`, `"draw or better"`, `"draw or worse"`;
//! * `bm`: the moves that keep this result, if each other move is proved to give away half a point or more;
//! * `am`: moves that are proved to give it away, if of the others nothing is said. A case has `bm`, `am` or neither;
//! * `due`: the depth in plies from which on a search is held to the answer. A stalemate that is p plies away is due at
//!   depth p + 1, at which it is looked for a move and none is found;
//! * `id`: the class, a slash and a number; unique.
//!
//! A position whose side to move has no move is a draw due at depth 1. Moves are in SAN. This module does not know
//! whether they are moves, nor whether a FEN is a position.

use std::fmt;

use crate::epd::Epd;
use crate::format::{FormatError, Reader, is_comment};

/// What the positions of a class have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// The stalemated side has its king alone.
    BareKing,
    /// King and pawn against king.
    KingAndPawn,
    /// A man could still move, were it not pinned.
    LastMovePinned,
    /// Each square beside the king is taken by a man of his own.
    Smothered,
    /// The queen that a pawn becomes stalemates, and something else wins.
    Promotion,
    /// A capture stalemates, and something else wins.
    Capture,
    /// The worse side forces that it is stalemated, or could if it were let.
    Resource,
    /// A pawn of the stalemated side cannot pass the man before it.
    BlockedPawns,
    /// It looks like stalemate, and a move is there: en passant or a promotion.
    NearStalemate,
}

impl Class {
    /// All, in the order of the file.
    pub const ALL: [Self; 9] = [
        Self::BareKing,
        Self::KingAndPawn,
        Self::LastMovePinned,
        Self::Smothered,
        Self::Promotion,
        Self::Capture,
        Self::Resource,
        Self::BlockedPawns,
        Self::NearStalemate,
    ];

    /// The name in ids and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::BareKing => "bare king",
            Self::KingAndPawn => "king and pawn",
            Self::LastMovePinned => "last move pinned",
            Self::Smothered => "smothered",
            Self::Promotion => "promotion",
            Self::Capture => "capture",
            Self::Resource => "resource",
            Self::BlockedPawns => "blocked pawns",
            Self::NearStalemate => "near stalemate",
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What is proved of a position, from the view of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Worth {
    /// It is mated by force.
    Loss,
    /// It does not win.
    DrawOrWorse,
    /// Neither side can do better.
    Draw,
    /// It does not lose.
    DrawOrBetter,
    /// It mates by force.
    Win,
}

impl Worth {
    /// All.
    pub const ALL: [Self; 5] = [Self::Loss, Self::DrawOrWorse, Self::Draw, Self::DrawOrBetter, Self::Win];

    /// The name in files and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Loss => "loss",
            Self::DrawOrWorse => "draw or worse",
            Self::Draw => "draw",
            Self::DrawOrBetter => "draw or better",
            Self::Win => "win",
        }
    }
}

impl fmt::Display for Worth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What is said of the moves of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Moves {
    /// Nothing.
    Any,
    /// These keep the result, no other does.
    Best(Vec<String>),
    /// These do not keep it.
    Avoid(Vec<String>),
}

/// A position with its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StalemateCase {
    /// The class, a slash and a number; unique.
    pub id: String,
    /// What it is there for.
    pub class: Class,
    /// The position, as a FEN of six fields.
    pub fen: String,
    /// What it is worth.
    pub worth: Worth,
    /// What is said of its moves, in SAN.
    pub moves: Moves,
    /// The depth in plies from which on the answer is due.
    pub due: u16,
}

/// The cases that the program carries in itself.
///
/// # Errors
/// As [`parse`].
pub fn embedded() -> Result<Vec<StalemateCase>, FormatError> {
    parse("stalemates.epd", include_str!("../data/stalemates.epd"))
}

/// Reads cases; `file` names them in errors.
///
/// # Errors
/// A line that is no case, a repeated id, or another number of cases than declared.
pub fn parse(file: &str, text: &str) -> Result<Vec<StalemateCase>, FormatError> {
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

const OPCODES: [&str; 5] = ["result", "bm", "am", "due", "id"];

fn parse_case(reader: &Reader<'_>, number: u64, line: &str) -> Result<StalemateCase, FormatError> {
    let epd = Epd::parse(line).map_err(|_| reader.unexpected(number, "a line of EPD", line))?;
    for (place, operation) in epd.operations.iter().enumerate() {
        let before = &epd.operations[..place];
        let repeated = before.iter().any(|earlier| earlier.opcode == operation.opcode);
        if repeated || !OPCODES.contains(&operation.opcode.as_str()) {
            return Err(reader.unexpected(
                number,
                "result, bm, am, due and id, each once",
                &operation.opcode,
            ));
        }
    }
    let operand =
        |opcode, expected| epd.operand(opcode).ok_or_else(|| reader.unexpected(number, expected, line));
    let id = operand("id", "an id \"class/number\"")?;
    let class = Class::ALL.into_iter().find(|class| {
        let rest = id.strip_prefix(class.name()).and_then(|rest| rest.strip_prefix('/'));
        rest.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
    });
    let worth = operand("result", "a result")?;
    let known = Worth::ALL.into_iter().find(|known| known.name() == worth);
    let due = reader.number(number, "a depth in plies", operand("due", "a depth after due")?)?;
    let moves = match (epd.operands("bm"), epd.operands("am")) {
        (None, None) => Moves::Any,
        (Some(best), None) if !best.is_empty() => Moves::Best(best.to_vec()),
        (None, Some(avoid)) if !avoid.is_empty() => Moves::Avoid(avoid.to_vec()),
        _ => return Err(reader.unexpected(number, "moves after bm or after am", line)),
    };
    Ok(StalemateCase {
        id: id.to_owned(),
        class: class
            .ok_or_else(|| reader.unexpected(number, "the id \"class/number\" of a known class", id))?,
        fen: epd.fen.clone(),
        worth: known.ok_or_else(|| reader.unexpected(number, "win, draw, loss or a bound", worth))?,
        moves,
        due,
    })
}

impl StalemateCase {
    /// The line that holds it.
    pub fn line(&self) -> String {
        let fields: Vec<&str> = self.fen.split_whitespace().take(4).collect();
        let moves = match &self.moves {
            Moves::Any => String::new(),
            Moves::Best(moves) => format!(" bm {};", moves.join(" ")),
            Moves::Avoid(moves) => format!(" am {};", moves.join(" ")),
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
    fn faults_are_named_with_file_and_line() {
        let id = "id \"bare king/1\"";
        check(&format!("result lost; due 1; {id};"), "win, draw, loss or a bound, got \"lost\"");
        check(
            "result win; due 1; id \"king/1\";",
            "the id \"class/number\" of a known class, got \"king/1\"",
        );
        check(
            "result win; due 1; id \"bare king/\";",
            "the id \"class/number\" of a known class, got \"bare king/\"",
        );
        check(&format!("result win; due soon; {id};"), "a depth in plies, got \"soon\"");
        check(
            &format!("result win; due 1; {id}; acd 3;"),
            "result, bm, am, due and id, each once, got \"acd\"",
        );
        check(
            &format!("result win; due 1; due 2; {id};"),
            "result, bm, am, due and id, each once, got \"due\"",
        );
        let line = format!("{FEN} am;{id}");
        for operations in [format!("am;{id};due 1;result win"), format!("bm a;am b;{id};due 1;result win")] {
            let error = parse("test.epd", &format!("# cases: 1\n{FEN} {operations}")).unwrap_err();
            assert!(error.to_string().contains("expected moves after bm or after am"), "{line}: {error}");
        }
        let error = parse("test.epd", "# cases: 1\n8/8 w").unwrap_err();
        assert_eq!(error.to_string(), "test.epd:2: expected a line of EPD, got \"8/8 w\"");
    }

    #[test]
    fn the_suite_has_every_class_and_two_hundred_positions() {
        let cases = embedded().unwrap();
        assert!(cases.len() >= 200, "{}", cases.len());
        for class in Class::ALL {
            assert!(cases.iter().filter(|case| case.class == class).count() >= 10, "{class}");
        }
        for case in &cases {
            assert!((1..=6).contains(&case.due), "{}", case.id);
        }
    }
}
