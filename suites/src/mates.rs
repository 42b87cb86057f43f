//! The suite `mates`: positions with a forced mate, and similar positions without one.
//!
//! ```text
//! # cases: 4
//! 8/8/8/8/8/1K6/2R5/1k6 w - - 0 1 dm 2; id "table/01";
//! 8/8/8/8/8/1K6/3R4/k7 b - - 0 1 dm -1; id "mated/01";
//! 8/8/8/8/8/1K6/2R5/1k6 w - - 98 130 nodm 40; id "too-late/01";
//! kbK5/pp6/RP6/8/8/8/8/8 b - - 0 1 moves "b8c7 a6a1 c7b8"; dm 2; id "history/01";
//! ```
//!
//! A FEN of six fields, then operations: `id`, which is the class, a slash and a number; `moves`, the moves
//! of the game after the FEN, if there are any, as UCI writes them; and one of two about the position after
//! these moves:
//!
//! | operation | meaning |
//! |---|---|
//! | `dm N` | the side to move mates by force in N moves, not in fewer |
//! | `dm -N` | it is mated by force in N moves at the latest, not sooner |
//! | `nodm N` | it cannot force mate in N moves or fewer |
//! | `nodm -N` | it can avoid being mated in N moves or fewer |
//!
//! The halfmove clock of the FEN counts: a game is drawn after a hundred plies without a capture or a pawn
//! move, unless the hundredth ply gives checkmate. The moves count too: the third occurrence of a position is
//! a draw. `dm` is a standard operation, `nodm` is our own.
//!
//! The proofs are in a file of their own: a line for each `dm`, with its id, a tab, and the certificate. This
//! module does not check positions or certificates.

use std::collections::BTreeMap;

use crate::reader::{EpdCase, EpdLine, epd, lines};
use crate::{FormatError, FormatFault};

/// The longest mate that a file may claim, in moves. No longer mate is known.
pub const LONGEST: i32 = 1_000;

/// One position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MateCase {
    /// Unique in the suite: the class, a slash, a number.
    pub id: String,
    /// The position at the start of the game: a FEN of six fields.
    pub fen: String,
    /// The moves of the game from there, as UCI writes them in standard chess.
    pub moves: Vec<String>,
    /// What is claimed of the position after them.
    pub claim: MateClaim,
}

impl MateCase {
    /// What the position tests: the id up to the slash.
    pub fn class(&self) -> &str {
        self.id.split_once('/').map_or(&*self.id, |(class, _)| class)
    }
}

/// What the suite claims of a position, with the halfmove clock and the moves of the game taken into account.
/// The number counts moves of the side that mates. It is negative if the side to move is mated, and never 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MateClaim {
    /// Mate in this many moves is forced, and not in fewer.
    Mate(i32),
    /// Mate in this many moves or fewer is not forced.
    NoMate(i32),
}

/// The cases, and the certificates by id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MateSuite {
    /// In the order of the file.
    pub cases: Vec<MateCase>,
    /// What proves each [`MateClaim::Mate`], by the id of its case.
    pub proofs: BTreeMap<String, String>,
}

impl MateSuite {
    /// The suite that is compiled in.
    ///
    /// # Errors
    /// As [`MateSuite::parse`].
    pub fn embedded() -> Result<Self, FormatError> {
        let cases = include_str!("../data/mates.epd");
        Self::parse("mates.epd", cases, "mates.proofs", include_str!("../data/mates.proofs"))
    }

    /// Reads a suite and its proofs; the names of the files are for errors.
    ///
    /// # Errors
    /// A malformed line, a repeated id, another number of cases than declared, a mate without a proof, a
    /// proof without a mate.
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
    epd(file, text)
}

impl EpdCase for MateCase {
    const OPERATIONS: &'static [&'static str] = &["id", "moves", "dm", "nodm", "c0"];

    fn from_epd(line: &EpdLine<'_>) -> Result<Self, FormatError> {
        let length =
            |opcode| line.epd().operands(opcode).map(|_| line.epd().operand(opcode).and_then(mate_length));
        let claim = match (length("dm"), length("nodm")) {
            (Some(Some(moves)), None) => MateClaim::Mate(moves),
            (None, Some(Some(moves))) => MateClaim::NoMate(moves),
            _ => return Err(line.unexpected("one dm N or nodm N with a number of moves")),
        };
        Ok(Self { id: line.id()?.to_owned(), fen: line.whole_fen()?, moves: line.moves()?, claim })
    }
}

/// The number of moves after `dm`: not 0, and not above [`LONGEST`].
pub(crate) fn mate_length(text: &str) -> Option<i32> {
    let moves = text.parse().ok()?;
    (moves != 0 && (-LONGEST..=LONGEST).contains(&moves)).then_some(moves)
}

fn read_proofs(file: &str, text: &str, cases: &[MateCase]) -> Result<BTreeMap<String, String>, FormatError> {
    let mut mates = cases.iter().filter(|case| matches!(case.claim, MateClaim::Mate(_)));
    let proofs = lines(file, text, |place, line| {
        let (id, certificate) =
            line.split_once('\t').ok_or_else(|| place.unexpected("an id, a tab, a proof", line))?;
        match mates.next() {
            Some(case) if case.id == id => Ok((id.to_owned(), (id.to_owned(), certificate.to_owned()))),
            Some(case) => Err(place.unexpected(format!("the proof of \"{}\"", case.id), id)),
            None => Err(place.unexpected("no more proofs than mates", id)),
        }
    })?;
    if let Some(case) = mates.next() {
        let line = text.lines().count() as u64;
        let expected = format!("a proof of \"{}\" after the last line", case.id);
        let fault = FormatFault::Unexpected { expected, got: String::new() };
        return Err(FormatError { file: file.to_owned(), line, fault });
    }
    Ok(proofs.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "8/8/8/8/8/1K6/2R5/1k6 w - - 0 1";

    fn parse(text: &str, proofs: &str) -> Result<MateSuite, FormatError> {
        MateSuite::parse("mates.epd", text, "mates.proofs", proofs)
    }

    #[test]
    fn cases_are_read() {
        let text = format!(
            "# cases: 2\n{FEN} dm 2; id \"table/01\";\n\n\
             {FEN} moves \"c2c1 b1c1\"; id \"too-late/02\"; nodm -4; c0 \"why\";\n"
        );
        let suite = parse(&text, "# cases: 1\ntable/01\tc1 (b1)\n").unwrap();
        let [mate, none] = &suite.cases[..] else { panic!("two cases") };
        assert_eq!((mate.id.as_str(), mate.class(), mate.claim), ("table/01", "table", MateClaim::Mate(2)));
        assert_eq!((none.fen.as_str(), none.class(), none.claim), (FEN, "too-late", MateClaim::NoMate(-4)));
        assert_eq!((mate.moves.len(), &none.moves[..]), (0, &["c2c1".to_owned(), "b1c1".to_owned()][..]));
        assert_eq!(suite.proofs["table/01"], "c1 (b1)");
    }

    #[test]
    fn errors_name_file_and_line() {
        for (body, expected) in [
            ("FEN dm 0; id \"a/1\";", "one dm N or nodm N with a number of moves"),
            ("FEN dm 1001; id \"a/1\";", "one dm N or nodm N with a number of moves"),
            ("FEN dm two; id \"a/1\";", "one dm N or nodm N with a number of moves"),
            ("FEN dm 2; nodm 1; id \"a/1\";", "one dm N or nodm N with a number of moves"),
            ("FEN id \"a/1\";", "one dm N or nodm N with a number of moves"),
            ("FEN bm Rc1+; id \"a/1\";", "the operations id, moves, dm, nodm, c0, each once"),
        ] {
            let text = format!("# cases: 1\n{}", body.replace("FEN", FEN));
            let error = cases("mates.epd", &text).unwrap_err().to_string();
            assert!(error.starts_with(&format!("mates.epd:2: expected {expected}, got")), "{error}");
        }
    }

    #[test]
    fn each_mate_has_a_proof() {
        let text = format!("# cases: 2\n{FEN} dm 2; id \"a/1\";\n{FEN} nodm 1; id \"a/2\";");
        let refused = |proofs: &str| parse(&text, proofs).unwrap_err().to_string();
        assert!(parse(&text, "# cases: 1\na/1\tx").is_ok());
        assert_eq!(
            refused("# cases: 0"),
            "mates.proofs:1: expected a proof of \"a/1\" after the last line, got \"\""
        );
        assert_eq!(
            refused("# cases: 1\na/2\tx"),
            "mates.proofs:2: expected the proof of \"a/1\", got \"a/2\""
        );
        assert_eq!(refused("# cases: 1\na/1"), "mates.proofs:2: expected an id, a tab, a proof, got \"a/1\"");
    }
}
