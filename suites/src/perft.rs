//! Perft suites: positions with the number of move sequences of each length.
//!
//! A file in the field's usual format, one case a line, each for itself:
//!
//! ```text
//! # cases: 1
//! rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;id "start" ;D1 20 ;D2 400
//! ```
//!
//! A FEN of six fields, then the operations in any order: `id`, in quotes and unique, and `Dn` with the number
//! of nodes at depth n, depths rising. This module does not know whether a FEN is a position.

use crate::format::{FormatError, Reader, is_comment};

/// How the castling field of a suite's FENs, and castling in its moves, are to be read.
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
    /// The position, as it stands in the file.
    pub fen: String,
    /// The figures, depths rising.
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
    /// The figures up to the depth where one exceeds `max_nodes`.
    pub fn counts_within(&self, max_nodes: u64) -> impl Iterator<Item = NodeCount> + '_ {
        self.counts.iter().copied().take_while(move |count| count.nodes <= max_nodes)
    }
}

impl PerftSuite {
    /// The suites that the program carries in itself: `perft` and `chess960`.
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
    /// A line that is no case, a repeated id, or another number of cases than declared.
    pub fn parse(name: &str, castling: Castling, file: &str, text: &str) -> Result<Self, FormatError> {
        let mut reader = Reader::new(file, text)?;
        let mut cases = Vec::new();
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !is_comment(line)) {
            let case = parse_case(&reader, number, line)?;
            reader.count(number, &case.id)?;
            cases.push(case);
        }
        reader.finish()?;
        Ok(Self { name: name.to_owned(), castling, cases })
    }
}

fn parse_case(reader: &Reader<'_>, number: u64, line: &str) -> Result<PerftCase, FormatError> {
    let mut parts = line.split(';').map(str::trim);
    let fen = parts.next().unwrap_or_default();
    if fen.split_whitespace().count() != 6 {
        return Err(reader.unexpected(number, "a FEN of six fields", fen));
    }
    let mut id = None;
    let mut counts: Vec<NodeCount> = Vec::new();
    for operation in parts {
        match operation.split_once(' ') {
            Some(("id", name)) if id.is_none() => id = Some(parse_id(reader, number, name.trim())?),
            Some((depth, nodes)) if depth.starts_with('D') => {
                let count = NodeCount {
                    depth: reader.number(number, "a depth such as D4", &depth[1..])?,
                    nodes: reader.number(number, "a number of nodes", nodes.trim())?,
                };
                if count.depth <= counts.last().map_or(0, |last| last.depth) {
                    return Err(reader.unexpected(number, "rising depths from D1", operation));
                }
                counts.push(count);
            }
            _ => return Err(reader.unexpected(number, "one id \"name\" and counts Dn NODES", operation)),
        }
    }
    match id {
        Some(id) if !counts.is_empty() => Ok(PerftCase { id, fen: fen.to_owned(), counts }),
        _ => Err(reader.unexpected(number, "an id and at least one depth", line)),
    }
}

fn parse_id(reader: &Reader<'_>, number: u64, text: &str) -> Result<String, FormatError> {
    let name = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    match name {
        Some(name) if !name.is_empty() && !name.contains('"') => Ok(name.to_owned()),
        _ => Err(reader.unexpected(number, "an id in quotes", text)),
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
    fn faults_are_named_with_file_and_line() {
        check("", "test.epd:1: expected a line \"# cases: N\" before the first case");
        check(
            "FEN ;id \"a\" ;D1 5\n# cases: 1",
            "test.epd:1: expected a line \"# cases: N\" before the first case",
        );
        check("# cases: many", "test.epd:1: expected a number of cases, got \"many\"");
        check("#\n# cases: 2\nFEN ;id \"a\" ;D1 5", "test.epd:2: 2 cases declared, 1 found");
        check("# cases: 0\nFEN ;id \"a\" ;D1 5", "test.epd:1: 0 cases declared, 1 found");
        check("# cases: 1\n8/8 w ;id \"a\" ;D1 5", "test.epd:2: expected a FEN of six fields, got \"8/8 w\"");
        check("# cases: 1\nFEN ;id a ;D1 5", "test.epd:2: expected an id in quotes, got \"a\"");
        check("# cases: 1\nFEN ;id \"\" ;D1 5", "test.epd:2: expected an id in quotes, got \"\"\"\"");
        check("# cases: 1\nFEN ;id \"a\" ;D1 five", "test.epd:2: expected a number of nodes, got \"five\"");
        check("# cases: 1\nFEN ;id \"a\" ;D1 -5", "test.epd:2: expected a number of nodes, got \"-5\"");
        check("# cases: 1\nFEN ;id \"a\" ;Dx 5", "test.epd:2: expected a depth such as D4, got \"x\"");
        check(
            "# cases: 1\nFEN ;id \"a\" ;D2 5 ;D1 5",
            "test.epd:2: expected rising depths from D1, got \"D1 5\"",
        );
        check("# cases: 1\nFEN ;id \"a\" ;D0 1", "test.epd:2: expected rising depths from D1, got \"D0 1\"");
        check(
            "# cases: 1\nFEN ;id \"a\" ;bm Kc3",
            "test.epd:2: expected one id \"name\" and counts Dn NODES, got \"bm Kc3\"",
        );
        check(
            "# cases: 2\nFEN ;id \"a\" ;D1 5\n\nFEN ;id \"a\" ;D1 5",
            "test.epd:4: \"a\" stands in line 2 already",
        );
        check(
            "# cases: 1\n8/8/8/3k4/8/3K4/8/8 w - - 0 1 ;D1 5",
            "test.epd:2: expected an id and at least one depth, got \"8/8/8/3k4/8/3K4/8/8 w - - 0 1 ;D1 5\"",
        );
    }

    #[test]
    fn a_case_is_read_whatever_the_order_of_its_operations() {
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
    fn a_lost_line_is_noticed() {
        let text = include_str!("../data/perft.epd");
        let last = text.trim_end().rfind('\n').unwrap();
        let error = parse(&text[..last]).unwrap_err();
        assert!(matches!(error.fault, crate::format::Fault::Count { .. }), "{error}");
    }
}
