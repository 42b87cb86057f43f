//! Perft suites: positions with the number of move sequences of each length.
//!
//! One case a line, in the usual format:
//!
//! ```text
//! # cases: 1
//! rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;id "start" ;D1 20 ;D2 400
//! ```
//!
//! A FEN of six fields, then the operations in any order: `id`, in quotes and unique, and `Dn` with the
//! number of nodes at depth n, depths rising. This module does not check that a FEN is a legal position.

use crate::FormatError;
use crate::reader::{EpdCase, EpdLine, epd};

/// How a suite writes castling rights in its FENs, and castling moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Castling {
    /// Kings on the e-file, rooks on a and h; `e1g1`.
    Standard,
    /// X-FEN or Shredder-FEN; `e1h1`, king takes own rook.
    Chess960,
}

/// A set of cases read from one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PerftSuite {
    /// Name of the suite in reports.
    pub name: String,
    /// How castling is written in it.
    pub castling: Castling,
    /// The cases, in the order of the file.
    pub cases: Vec<PerftCase>,
}

/// A position with its node counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PerftCase {
    /// Unique within its suite.
    pub id: String,
    /// The position: a FEN of six fields.
    pub fen: String,
    /// The counts, depths rising.
    pub counts: Vec<NodeCount>,
}

/// How many move sequences of `depth` plies there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodeCount {
    /// Length of the sequences in plies.
    pub depth: u32,
    /// Their number.
    pub nodes: u64,
}

impl PerftCase {
    /// The counts before the first one above `max_nodes`.
    pub fn counts_within(&self, max_nodes: u64) -> impl Iterator<Item = NodeCount> + '_ {
        self.counts.iter().copied().take_while(move |count| count.nodes <= max_nodes)
    }
}

impl PerftSuite {
    /// The suites that are compiled in: `perft` and `chess960`.
    ///
    /// # Errors
    /// As [`PerftSuite::parse`].
    pub fn embedded() -> Result<[Self; 2], FormatError> {
        Ok([
            Self::parse("perft", Castling::Standard, "perft.epd", include_str!("../data/perft.epd"))?,
            Self::parse(
                "chess960",
                Castling::Chess960,
                "chess960.epd",
                include_str!("../data/chess960.epd"),
            )?,
        ])
    }

    /// Reads a suite; `file` names it in errors.
    ///
    /// # Errors
    /// A malformed line, a repeated id, or another number of cases than declared.
    pub fn parse(name: &str, castling: Castling, file: &str, text: &str) -> Result<Self, FormatError> {
        Ok(Self { name: name.to_owned(), castling, cases: epd(file, text)? })
    }
}

impl EpdCase for PerftCase {
    const OPERATIONS: &'static [&'static str] = &["id", "Dn"];

    fn is_operation(opcode: &str) -> bool {
        opcode == "id" || opcode.starts_with('D')
    }

    fn from_epd(line: &EpdLine<'_>) -> Result<Self, FormatError> {
        let fen = line.whole_fen()?;
        let id = line.operand("id", "one id in quotes")?.to_owned();
        let mut counts: Vec<NodeCount> = Vec::new();
        for operation in &line.epd().operations {
            let Some(depth) = operation.opcode.strip_prefix('D') else { continue };
            let count = NodeCount {
                depth: line.place().number("a depth such as D4", depth)?,
                nodes: line.place().number("a number of nodes", &operation.operands.join(" "))?,
            };
            if count.depth <= counts.last().map_or(0, |last| last.depth) {
                return Err(line.place().unexpected("rising depths from D1", &operation.opcode));
            }
            counts.push(count);
        }
        if counts.is_empty() {
            return Err(line.unexpected("at least one depth"));
        }
        Ok(Self { id, fen, counts })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "8/8/8/3k4/8/3K4/8/8 w - - 0 1";

    fn parse(text: &str) -> Result<PerftSuite, FormatError> {
        PerftSuite::parse("test", Castling::Standard, "test.epd", text)
    }

    #[track_caller]
    fn check(body: &str, expected: &str) {
        let text = body.replace("FEN", FEN);
        assert_eq!(parse(&text).unwrap_err().to_string(), expected);
    }

    #[test]
    fn errors_name_file_and_line() {
        check(
            "# cases: 1\n8/8 w ;id \"a\" ;D1 5",
            "test.epd:2: expected the first four fields of a FEN, got 2: \"8/8 w ;id \"a\" ;D1 5\"",
        );
        check("# cases: 1\nFEN ;id \"a\" ;D1 five", "test.epd:2: expected a number of nodes, got \"five\"");
        check("# cases: 1\nFEN ;id \"a\" ;D1 -5", "test.epd:2: expected a number of nodes, got \"-5\"");
        check("# cases: 1\nFEN ;id \"a\" ;Dx 5", "test.epd:2: expected a depth such as D4, got \"x\"");
        check(
            "# cases: 1\nFEN ;id \"a\" ;D2 5 ;D1 5",
            "test.epd:2: expected rising depths from D1, got \"D1\"",
        );
        check("# cases: 1\nFEN ;id \"a\" ;D0 1", "test.epd:2: expected rising depths from D1, got \"D0\"");
        check(
            "# cases: 1\nFEN ;id \"a\" ;bm Kc3",
            "test.epd:2: expected the operations id, Dn, each once, got \"bm\"",
        );
        check(
            "# cases: 1\nFEN ;D1 5",
            "test.epd:2: expected one id in quotes, got \"8/8/8/3k4/8/3K4/8/8 w - - 0 1 ;D1 5\"",
        );
        check(
            "# cases: 1\nFEN ;id \"a\"",
            "test.epd:2: expected at least one depth, got \"8/8/8/3k4/8/3K4/8/8 w - - 0 1 ;id \"a\"\"",
        );
    }

    #[test]
    fn operations_may_come_in_any_order() {
        let suite = parse(&format!("# cases: 1\n{FEN} ;D1 5 ;D3 257 ;id \"two-kings\"\n")).unwrap();
        let [case] = &suite.cases[..] else { panic!("one case") };
        assert_eq!((case.id.as_str(), case.fen.as_str()), ("two-kings", FEN));
        assert_eq!(case.counts, [NodeCount { depth: 1, nodes: 5 }, NodeCount { depth: 3, nodes: 257 }]);
        assert_eq!(case.counts_within(256).count(), 1);
        assert_eq!(case.counts_within(257).count(), 2);
    }

    #[test]
    fn the_embedded_suites_are_large_enough() {
        let [standard, chess960] = PerftSuite::embedded().unwrap();
        assert!(standard.cases.len() >= 40, "{} cases", standard.cases.len());
        assert!(chess960.cases.len() >= 8, "{} cases", chess960.cases.len());
    }

    #[test]
    fn a_suite_without_its_last_line_is_refused() {
        let text = include_str!("../data/perft.epd");
        let last = text.trim_end().rfind('\n').unwrap();
        let error = parse(&text[..last]).unwrap_err();
        assert!(matches!(error.fault, crate::FormatFault::Count { .. }), "{error}");
    }
}
