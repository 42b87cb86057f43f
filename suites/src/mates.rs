//! The suite `mates`: positions with a mate, and positions without one that looks like it.
//!
//! ```text
//! # cases: 4
//! 8/8/8/8/8/1K6/2R5/1k6 w - - 0 1 dm 2; id "table/01";
//! 8/8/8/8/8/1K6/3R4/k7 b - - 0 1 dm -1; id "mated/01";
//! 8/8/8/8/8/1K6/2R5/1k6 w - - 98 130 nodm 40; id "too-late/01";
//! kbK5/pp6/RP6/8/8/8/8/8 b - - 0 1 moves "b8c7 a6a1 c7b8"; dm 2; id "history/01";
//! ```
//!
//! A FEN of six fields, then an id, which is the class, a slash and a number; the moves of the game after the FEN, if there
//! are any, as UCI writes them; and one of two operations, on the position after them:
//!
//! | operation | says |
//! |---|---|
//! | `dm N` | the side to move mates by force in N moves, not in fewer |
//! | `dm -N` | it is mated by force in N moves at the latest, not sooner |
//! | `nodm N` | it cannot force mate in N moves or fewer |
//! | `nodm -N` | it can avoid being mated in N moves or fewer |
//!
//! Each counts the halfmove clock of the FEN: a game is drawn once a hundred plies went by without a capture or a move
//! of a pawn, unless the hundredth gives mate. The moves count too: the third occurrence of a position is a draw. `dm` is a standard operation, `nodm` one of ours.
//!
//! The proofs stand in a file beside it: a line for each `dm`, its id, a tab, and the certificate. This module does not
//! know whether a FEN is a position, nor what a certificate says.

use std::collections::BTreeMap;

use crate::epd::Epd;
use crate::format::{FormatError, Reader, is_comment};
use crate::outside::{Malformed, shown};

/// The longest mate that a file may speak of, in moves. Longer ones are known to nobody.
pub const LONGEST: i32 = 1_000;

/// One position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MateCase {
    /// Unique in the suite: the class, a slash, a number.
    pub id: String,
    /// Where the game begins, a FEN of six fields.
    pub fen: String,
    /// The moves since, as UCI writes them in standard chess.
    pub moves: Vec<String>,
    /// What is said of the position after them.
    pub claim: Claim,
}

impl MateCase {
    /// What the position is there for.
    pub fn class(&self) -> &str {
        self.id.split_once('/').map_or(&*self.id, |(class, _)| class)
    }
}

/// What is said of a position, with the halfmove clock and what stood before counted. Moves are those of the side that mates, and negative for
/// the side to move that is mated; never 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Claim {
    /// Mate in so many moves is forced, and in no fewer.
    Mate(i32),
    /// Mate in so many moves or fewer is not forced.
    NoMate(i32),
}

/// The cases, and the certificates by id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MateSuite {
    /// In the order of the file.
    pub cases: Vec<MateCase>,
    /// What proves each [`Claim::Mate`], by the id of its case.
    pub proofs: BTreeMap<String, String>,
}

impl MateSuite {
    /// The suite that the program carries in itself.
    ///
    /// # Errors
    /// As [`MateSuite::parse`].
    pub fn embedded() -> Result<Self, FormatError> {
        let cases = include_str!("../data/mates.epd");
        Self::parse("mates.epd", cases, "mates.proofs", include_str!("../data/mates.proofs"))
    }

    /// Reads a suite and its proofs; the names of the files stand in errors.
    ///
    /// # Errors
    /// A line that is no case, a repeated id, another number of cases than declared, a mate without a proof, a proof
    /// without a mate.
    pub fn parse(file: &str, text: &str, proofs_file: &str, proofs: &str) -> Result<Self, FormatError> {
        let cases = cases(file, text)?;
        let proofs = read_proofs(proofs_file, proofs, &cases)?;
        Ok(Self { cases, proofs })
    }
}

/// Reads the cases alone.
///
/// # Errors
/// As [`MateSuite::parse`].
pub fn cases(file: &str, text: &str) -> Result<Vec<MateCase>, FormatError> {
    let mut reader = Reader::new(file, text)?;
    let mut cases = Vec::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !is_comment(line)) {
        let case = case(&reader, number, line)?;
        reader.count(number, &case.id)?;
        cases.push(case);
    }
    reader.finish()?;
    Ok(cases)
}

fn case(reader: &Reader<'_>, number: u64, line: &str) -> Result<MateCase, FormatError> {
    let unexpected = |expected| reader.unexpected(number, expected, line);
    let epd = Epd::parse(line).map_err(|_| unexpected("a FEN and operations"))?;
    if !line.starts_with(&epd.fen) {
        return Err(unexpected("a FEN of six fields"));
    }
    let id = epd.operand("id").filter(|id| is_id(id)).ok_or_else(|| unexpected("one id \"class/number\""))?;
    let length = |opcode| epd.operands(opcode).map(|_| epd.operand(opcode).and_then(moves));
    let claim = match (length("dm"), length("nodm")) {
        (Some(Some(moves)), None) => Claim::Mate(moves),
        (None, Some(Some(moves))) => Claim::NoMate(moves),
        _ => return Err(unexpected("one dm N or nodm N with a number of moves")),
    };
    let moves = match epd.operands("moves") {
        None => Vec::new(),
        Some([moves]) => moves.split_whitespace().map(str::to_owned).collect(),
        Some(_) => return Err(unexpected("moves in quotes")),
    };
    Ok(MateCase { id: id.to_owned(), fen: epd.fen, moves, claim })
}

fn is_id(text: &str) -> bool {
    let named = |part: &str| {
        !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
    };
    text.split_once('/').is_some_and(|(class, number)| named(class) && named(number))
}

/// A number of moves as `dm` has it: neither 0 nor beyond [`LONGEST`].
pub fn moves(text: &str) -> Option<i32> {
    let moves = text.parse().ok()?;
    (moves != 0 && (-LONGEST..=LONGEST).contains(&moves)).then_some(moves)
}

fn read_proofs(file: &str, text: &str, cases: &[MateCase]) -> Result<BTreeMap<String, String>, FormatError> {
    let mut reader = Reader::new(file, text)?;
    let mut proofs = BTreeMap::new();
    let mut mates = cases.iter().filter(|case| matches!(case.claim, Claim::Mate(_)));
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !is_comment(line)) {
        let (id, proof) =
            line.split_once('\t').ok_or_else(|| reader.unexpected(number, "an id, a tab, a proof", line))?;
        if mates.next().is_none_or(|case| case.id != id) {
            return Err(reader.unexpected(number, "the next mate of the suite", id));
        }
        reader.count(number, id)?;
        proofs.insert(id.to_owned(), proof.to_owned());
    }
    reader.finish()?;
    match mates.next() {
        Some(case) => {
            Err(reader.unexpected(text.lines().count() as u64, "a proof of each mate, none for", &case.id))
        }
        None => Ok(proofs),
    }
}

/// A file of others: positions as EPD or FEN, with what it says of mates in them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OutsideSuite {
    /// Name of the file.
    pub name: String,
    /// What could be read.
    pub cases: Vec<OutsideCase>,
    /// Lines that could not, and why.
    pub malformed: Malformed,
}

/// A line of such a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutsideCase {
    /// Where it stands, from 1.
    pub line: u64,
    /// The position, a FEN of six fields.
    pub fen: String,
    /// The mate that the file speaks of, in moves, negative for the side to move that is mated.
    pub mate: Option<i32>,
}

/// Whether a line speaks of a mate, be it so that it cannot be read.
pub(crate) fn speaks(epd: &Epd) -> bool {
    let best = epd.operands("bm").unwrap_or_default();
    epd.operands("dm").is_some() || best.iter().any(|text| text.starts_with('#'))
}

/// What a line of such a file says of a mate.
pub(crate) fn outside(line: u64, epd: &Epd) -> Result<OutsideCase, String> {
    let read = |opcode: &'static str, text: &str| {
        let got = shown(text);
        moves(text).ok_or_else(|| format!("expected {opcode} and a number of moves, got \"{got}\""))
    };
    let direct = epd.operands("dm").map(|operands| read("dm", &operands.join(" "))).transpose()?;
    let best = epd.operands("bm").and_then(|moves| moves.iter().find_map(|text| text.strip_prefix('#')));
    let best = best.map(|text| read("bm #", text)).transpose()?;
    match (direct, best) {
        (Some(direct), Some(best)) if direct != best => {
            Err(format!("it says two things: dm {direct} and bm #{best}"))
        }
        (direct, best) => Ok(OutsideCase { line, fen: epd.fen.clone(), mate: direct.or(best) }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "8/8/8/8/8/1K6/2R5/1k6 w - - 0 1";

    fn parse(text: &str, proofs: &str) -> Result<MateSuite, FormatError> {
        MateSuite::parse("mates.epd", text, "mates.proofs", proofs)
    }

    #[track_caller]
    fn refused(body: &str, expected: &str) {
        let text = format!("# cases: 1\n{}", body.replace("FEN", FEN));
        assert_eq!(cases("mates.epd", &text).unwrap_err().to_string(), expected);
    }

    #[test]
    fn cases_are_read() {
        let text = format!(
            "# cases: 2\n{FEN} dm 2; id \"table/01\";\n\n\
             {FEN} moves \"c2c1 b1c1\"; id \"too-late/02\"; nodm -4; c0 \"why\";\n"
        );
        let suite = parse(&text, "# cases: 1\ntable/01\tc1 (b1)\n").unwrap();
        let [mate, none] = &suite.cases[..] else { panic!("two cases") };
        assert_eq!((mate.id.as_str(), mate.class(), mate.claim), ("table/01", "table", Claim::Mate(2)));
        assert_eq!((none.fen.as_str(), none.class(), none.claim), (FEN, "too-late", Claim::NoMate(-4)));
        assert_eq!((mate.moves.len(), &none.moves[..]), (0, &["c2c1".to_owned(), "b1c1".to_owned()][..]));
        assert_eq!(suite.proofs["table/01"], "c1 (b1)");
    }

    #[test]
    fn faults_are_named_with_file_and_line() {
        let short = "8/8/8/8/8/1K6/2R5/1k6 w - - dm 2; id \"a/1\";";
        refused(
            short,
            "mates.epd:2: expected a FEN of six fields, got \"8/8/8/8/8/1K6/2R5/1k6 w - - dm 2; id \"a/1\";\"",
        );
        for (body, expected) in [
            ("FEN dm 2;", "one id \"class/number\""),
            ("FEN dm 2; id \"a\";", "one id \"class/number\""),
            ("FEN dm 2; id \"A/1\";", "one id \"class/number\""),
            ("FEN dm 0; id \"a/1\";", "one dm N or nodm N with a number of moves"),
            ("FEN dm 1001; id \"a/1\";", "one dm N or nodm N with a number of moves"),
            ("FEN dm two; id \"a/1\";", "one dm N or nodm N with a number of moves"),
            ("FEN dm 2; nodm 1; id \"a/1\";", "one dm N or nodm N with a number of moves"),
            ("FEN id \"a/1\";", "one dm N or nodm N with a number of moves"),
            ("FEN moves a1a2 a2a1; dm 2; id \"a/1\";", "moves in quotes"),
            ("8/8 w", "a FEN and operations"),
        ] {
            let text = format!("# cases: 1\n{}", body.replace("FEN", FEN));
            let error = cases("mates.epd", &text).unwrap_err().to_string();
            assert!(error.starts_with(&format!("mates.epd:2: expected {expected}, got")), "{error}");
        }
        refused(
            "FEN dm 1; id \"a/1\";\nFEN dm 1; id \"a/1\";",
            "mates.epd:3: \"a/1\" stands in line 2 already",
        );
    }

    #[test]
    fn mates_and_proofs_belong_together() {
        let text = format!("# cases: 2\n{FEN} dm 2; id \"a/1\";\n{FEN} nodm 1; id \"a/2\";");
        let refused = |proofs: &str| parse(&text, proofs).unwrap_err().to_string();
        assert!(parse(&text, "# cases: 1\na/1\tx").is_ok());
        assert_eq!(
            refused("# cases: 0"),
            "mates.proofs:1: expected a proof of each mate, none for, got \"a/1\""
        );
        assert_eq!(
            refused("# cases: 1\na/2\tx"),
            "mates.proofs:2: expected the next mate of the suite, got \"a/2\""
        );
        assert_eq!(refused("# cases: 1\na/1"), "mates.proofs:2: expected an id, a tab, a proof, got \"a/1\"");
    }
}
