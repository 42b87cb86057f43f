//! Lines with perft counts, in the two forms that are in use.
//!
//! ```text
//! rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400
//!
//! id start
//! epd rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -
//! perft 1 20
//! perft 2 400
//! ```
//!
//! The second is the form of shakmaty's tests. Counts after a position that cannot be read are dropped; they
//! do not count for the position before it. Knows no board, and does not know how castling is written.

use super::suite::{FileSuite, shown};
use crate::epd::{Epd, Operation};
use crate::perft::NodeCount;

/// The greatest depth that a file may count, in plies.
const DEEPEST: u32 = 100;

/// The counts of a user's file.
pub type CountSuite = FileSuite<CountCase>;

/// A position with its counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountCase {
    /// Line of the position in the file, counted from 1.
    pub line: u64,
    /// The position, a FEN of six fields.
    pub fen: String,
    /// The counts, depths rising, at least one.
    pub counts: Vec<NodeCount>,
}

/// Whether a line has counts, well-formed or not.
pub(super) fn reads(epd: &Epd) -> bool {
    epd.operations.iter().any(is_count)
}

fn is_count(operation: &Operation) -> bool {
    operation.opcode.strip_prefix('D').is_some_and(|depth| depth.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The case of a line.
pub(super) fn case(line: u64, epd: &Epd) -> Result<CountCase, String> {
    let counts = epd.operations.iter().filter(|operation| is_count(operation)).map(|operation| {
        let Operation { opcode, operands } = operation;
        match &operands[..] {
            [nodes] => count(&opcode[1..], nodes),
            _ => Err(format!(
                "expected a number of nodes after {opcode}, got \"{}\"",
                shown(&operands.join(" "))
            )),
        }
    });
    rising(counts.collect::<Result<_, _>>()?).map(|counts| CountCase { line, fen: epd.fen.clone(), counts })
}

fn count(depth: &str, nodes: &str) -> Result<NodeCount, String> {
    let known = depth.parse().ok().filter(|depth| *depth <= DEEPEST);
    let depth =
        known.ok_or_else(|| format!("expected a depth of at most {DEEPEST}, got \"{}\"", shown(depth)))?;
    let nodes = nodes
        .parse()
        .map_err(|_| format!("expected a number of nodes at depth {depth}, got \"{}\"", shown(nodes)))?;
    Ok(NodeCount { depth, nodes })
}

/// Sorts counts by depth, and refuses two different counts for one depth.
fn rising(mut counts: Vec<NodeCount>) -> Result<Vec<NodeCount>, String> {
    counts.sort_by_key(|count| (count.depth, count.nodes));
    counts.dedup();
    match counts.windows(2).find(|pair| pair[0].depth == pair[1].depth) {
        Some(pair) => Err(format!(
            "two counts for depth {}: {} and {} nodes",
            pair[0].depth, pair[0].nodes, pair[1].nodes
        )),
        None => Ok(counts),
    }
}

/// Reads the blocks of a file, line by line.
#[derive(Debug, Default)]
pub(super) struct Blocks(Option<Block>);

/// The block that is being read.
#[derive(Debug)]
struct Block {
    line: u64,
    /// `None` if the position cannot be read; the counts of the block are then dropped.
    fen: Option<String>,
    counts: Vec<NodeCount>,
}

impl Blocks {
    /// Reads a line; false if it does not belong to a block.
    pub(super) fn take(&mut self, line: u64, text: &str, suite: &mut CountSuite) -> bool {
        let text = text.trim();
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        match word {
            "id" => self.end(suite),
            "epd" => self.begin(line, rest, suite),
            "perft" => self.count(line, rest, suite),
            _ => {
                self.end(suite);
                return false;
            }
        }
        true
    }

    fn begin(&mut self, line: u64, text: &str, suite: &mut CountSuite) {
        self.end(suite);
        let fen = match Epd::parse(text) {
            Ok(epd) => Some(epd.fen),
            Err(error) => {
                suite.add(line, Err(format!("{error}; the counts after it are not read")));
                None
            }
        };
        self.0 = Some(Block { line, fen, counts: Vec::new() });
    }

    fn count(&mut self, line: u64, text: &str, suite: &mut CountSuite) {
        let words: Vec<&str> = text.split_whitespace().collect();
        let read = match (&self.0, &words[..]) {
            (None, _) => Err("the count has no position: expected a line epd and a FEN before it".to_owned()),
            (_, [depth, nodes]) => count(depth, nodes),
            _ => Err(format!("expected perft, a depth and a number of nodes, got \"{}\"", shown(text))),
        };
        match (read, &mut self.0) {
            (Ok(count), Some(block)) => block.counts.push(count),
            (Err(why), _) => suite.add(line, Err(why)),
            (Ok(_), None) => {}
        }
    }

    /// Ends the block, if there is one.
    pub(super) fn end(&mut self, suite: &mut CountSuite) {
        let Some(Block { line, fen: Some(fen), counts }) = self.0.take() else { return };
        let case = rising(counts).and_then(|counts| match &counts[..] {
            [] => Err("no count follows: expected perft, a depth and a number of nodes".to_owned()),
            _ => Ok(CountCase { line, fen, counts }),
        });
        suite.add(line, case);
    }
}

#[cfg(test)]
mod tests {
    use super::super::EpdFile;

    const FEN: &str = "8/8/8/3k4/8/3K4/8/8 w - -";

    /// The lines, depths and figures of a file; and the lines that cannot be read.
    #[track_caller]
    fn check(text: &str, cases: &[(u64, &[(u32, u64)])], malformed: &[(u64, &str)]) {
        let text = text.replace("FEN", FEN);
        // One line that can be read, so that the file is.
        let suite = EpdFile::parse("x.perft", format!("{text}\n{FEN} ;D1 5").as_bytes()).unwrap().counts;
        let [found @ .., _] = &suite.cases[..] else { panic!("one case") };
        let counts = |place: usize| -> Vec<(u32, u64)> {
            found[place].counts.iter().map(|count| (count.depth, count.nodes)).collect()
        };
        let found: Vec<_> = (0..found.len()).map(|place| (found[place].line, counts(place))).collect();
        let cases: Vec<_> = cases.iter().map(|(line, counts)| (*line, counts.to_vec())).collect();
        assert_eq!(found, cases);
        let faults: Vec<_> = suite.malformed.iter().map(|(line, fault)| (*line, fault.as_str())).collect();
        assert_eq!(faults, malformed);
    }

    #[test]
    fn counts_beside_a_position() {
        check("FEN 0 1 ;D1 20 ;D2 400 ;D3 8902", &[(1, &[(1, 20), (2, 400), (3, 8902)])], &[]);
        check("FEN 0 1;D1 20;D2 400", &[(1, &[(1, 20), (2, 400)])], &[]);
        check("FEN ; D2 400 ; D1 20;", &[(1, &[(1, 20), (2, 400)])], &[]);
        check("FEN id \"x\"; D1 20; D1 20;", &[(1, &[(1, 20)])], &[]);
        check("FEN D32 1; Depth 3;", &[(1, &[(32, 1)])], &[]);
        check("FEN ;D0 1", &[(1, &[(0, 1)])], &[]);
        check("FEN ;D1 20 ;D1 21", &[], &[(1, "two counts for depth 1: 20 and 21 nodes")]);
        check("FEN ;D1 five", &[], &[(1, "expected a number of nodes at depth 1, got \"five\"")]);
        check("FEN ;D1 -5", &[], &[(1, "expected a number of nodes at depth 1, got \"-5\"")]);
        check("FEN ;D1 2 0", &[], &[(1, "expected a number of nodes after D1, got \"2 0\"")]);
        check("FEN ;D1", &[], &[(1, "expected a number of nodes after D1, got \"\"")]);
        check("FEN ;D101 5", &[], &[(1, "expected a depth of at most 100, got \"101\"")]);
        check("FEN ;D 5", &[], &[(1, "expected a depth of at most 100, got \"\"")]);
        check(
            "FEN ;D1 99999999999999999999",
            &[],
            &[(1, "expected a number of nodes at depth 1, got \"99999999999999999999\"")],
        );
    }

    #[test]
    fn blocks_of_lines() {
        check(
            "id a\nepd FEN\nperft 1 5\nperft 2\t25\n\n# b\nid b\nepd FEN\nperft 1 5\n",
            &[(2, &[(1, 5), (2, 25)]), (8, &[(1, 5)])],
            &[],
        );
        check("epd FEN 0 1\nperft 1 5\nepd FEN\nperft 2 25", &[(1, &[(1, 5)]), (3, &[(2, 25)])], &[]);
        check("perft 1 5", &[], &[(1, "the count has no position: expected a line epd and a FEN before it")]);
        check(
            "id a\nperft 1 5",
            &[],
            &[(2, "the count has no position: expected a line epd and a FEN before it")],
        );
        check(
            "epd FEN\nperft 1 5\nid b\nepd 8/8 w\nperft 1 6\nperft 2 7",
            &[(1, &[(1, 5)])],
            &[(4, "expected the first four fields of a FEN, got 2; the counts after it are not read")],
        );
        check(
            "id a\nepd FEN\nid b",
            &[],
            &[(2, "no count follows: expected perft, a depth and a number of nodes")],
        );
        check(
            "epd FEN\nperft 1 5\nperft one 5\nperft 2",
            &[(1, &[(1, 5)])],
            &[
                (3, "expected a depth of at most 100, got \"one\""),
                (4, "expected perft, a depth and a number of nodes, got \"2\""),
            ],
        );
    }
}
