//! Files of others, as people have them: positions of many kinds, one a line, each line for the suite that reads it.
//!
//! | a line says | suite |
//! |---|---|
//! | `dm N`, `bm #N`, or nothing that another suite reads | `mates` |
//! | `bm MOVE`, `am MOVE` | `bestmove` |
//! | `D1 20`, or a block of `id`, `epd` and `perft 1 20` | `perft` |
//!
//! A line that says several of these is for several suites. What is no such file at all, a game or a table, is refused as a
//! whole (`kind`). A line that cannot be read is kept with the reason, and the next one is read. Knows no board: whether a
//! FEN is a position, and a text a move in it, is asked later.

mod counts;
mod kind;

pub use counts::{CountCase, CountSuite};
pub use kind::Refused;

use crate::bestmove::{self, BestMoveSuite};
use crate::epd::Epd;
use crate::format::is_comment;
use crate::mates::{self, OutsideSuite};
use counts::Blocks;

/// Most cases that are taken from a file.
pub const MOST_CASES: usize = 1_000_000;
/// Most bytes of a file.
pub const MOST_BYTES: u64 = 1 << 28;

/// A file of others, by the suites that read it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OutsideFile {
    /// Mates that it speaks of, and positions of which it says nothing.
    pub mates: OutsideSuite,
    /// Best moves, and moves to avoid.
    pub best_moves: BestMoveSuite,
    /// Counts of move sequences.
    pub counts: CountSuite,
}

/// Lines that cannot be read, counted from 1, and why.
pub type Malformed = Vec<(u64, String)>;

impl OutsideFile {
    /// Reads a file; `name` is what it is called in reports and errors.
    ///
    /// # Errors
    /// If it is a file of another kind, holds no position, no line that can be read, or more than [`MOST_CASES`].
    pub fn parse(name: &str, bytes: &[u8]) -> Result<Self, Refused> {
        kind::recognise(name, bytes)?;
        // What is no UTF-8 spoils its line and no other.
        let text = String::from_utf8_lossy(bytes);
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let mut file = Self {
            mates: OutsideSuite { name: name.to_owned(), ..OutsideSuite::default() },
            best_moves: BestMoveSuite { name: name.to_owned(), ..BestMoveSuite::default() },
            counts: CountSuite { name: name.to_owned(), ..CountSuite::default() },
        };
        let mut blocks = Blocks::default();
        let mut unread = Malformed::new();
        for (line, text) in (1..).zip(text.lines()).filter(|(_, line)| !is_comment(line)) {
            if file.length() + unread.len() == MOST_CASES {
                return Err(Refused::too_many(name, line));
            }
            if blocks.take(line, text, &mut file.counts) {
                continue;
            }
            match Epd::parse(text) {
                Ok(epd) => file.take(line, &epd),
                Err(error) => unread.push((line, error.to_string())),
            }
        }
        blocks.end(&mut file.counts);
        file.count_unread(unread);
        file.refuse_unreadable(name)?;
        Ok(file)
    }

    /// How many cases and lines that are none it has so far.
    fn length(&self) -> usize {
        self.cases() + self.malformed().map(Vec::len).iter().sum::<usize>()
    }

    fn cases(&self) -> usize {
        self.mates.cases.len() + self.best_moves.cases.len() + self.counts.cases.len()
    }

    fn malformed(&self) -> [&Malformed; 3] {
        [&self.mates.malformed, &self.best_moves.malformed, &self.counts.malformed]
    }

    /// Takes a line to the suites that read it.
    fn take(&mut self, line: u64, epd: &Epd) {
        let (best, counts) = (bestmove::reads(epd), counts::reads(epd));
        if mates::speaks(epd) || !best && !counts {
            sort(mates::outside(line, epd), line, &mut self.mates.cases, &mut self.mates.malformed);
        }
        if best {
            let (cases, malformed) = (&mut self.best_moves.cases, &mut self.best_moves.malformed);
            sort(bestmove::case(line, epd), line, cases, malformed);
        }
        if counts {
            let (cases, malformed) = (&mut self.counts.cases, &mut self.counts.malformed);
            sort(counts::case(line, epd), line, cases, malformed);
        }
    }

    /// Counts lines of which not even the suite is known for the suite that most lines are for.
    fn count_unread(&mut self, unread: Malformed) {
        let lengths = [self.counts.cases.len(), self.best_moves.cases.len(), self.mates.cases.len()];
        let most = (0..lengths.len()).max_by_key(|&suite| lengths[suite]).unwrap_or_default();
        let malformed =
            [&mut self.counts.malformed, &mut self.best_moves.malformed, &mut self.mates.malformed]
                .into_iter()
                .nth(most);
        if let Some(malformed) = malformed {
            malformed.extend(unread);
            malformed.sort_unstable();
        }
    }

    fn refuse_unreadable(&self, name: &str) -> Result<(), Refused> {
        if self.cases() > 0 {
            return Ok(());
        }
        let malformed = self.malformed();
        let lines = malformed.map(Vec::len).iter().sum();
        let first = malformed.into_iter().flatten().min();
        Err(first
            .map_or_else(|| Refused::empty(name), |(line, why)| Refused::unreadable(name, *line, why, lines)))
    }
}

/// Puts what was read of a line where it belongs.
fn sort<C>(read: Result<C, String>, line: u64, cases: &mut Vec<C>, malformed: &mut Malformed) {
    match read {
        Ok(case) => cases.push(case),
        Err(why) => malformed.push((line, why)),
    }
}

/// The start of a text, for messages.
pub(crate) fn shown(text: &str) -> String {
    text.chars().take(20).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "8/8/8/8/8/1K6/2R5/1k6 w - - 0 1";

    fn parse(text: &str) -> OutsideFile {
        OutsideFile::parse("their.epd", text.as_bytes()).unwrap()
    }

    fn faults(malformed: &Malformed) -> Vec<(u64, &str)> {
        malformed.iter().map(|(line, fault)| (*line, fault.as_str())).collect()
    }

    #[test]
    fn mates_are_read_as_they_are() {
        let text = "# comment\n8/8/8/8/8/1K6/2R5/1k6 w - - bm #2;\n\
                    8/8/8/8/8/1K6/2R5/1k6 w - - 99 120 dm -3; acd 12; id \"x\";\n\
                    8/8/8/8/8/1K6/2R5/1k6 w - - 0 1\n\
                    8/8/8/8/8/1K6/2R5/1k6 w - - c0 \"Kc3\"; acd 4\n\
                    8/8 w\n\
                    8/8/8/8/8/1K6/2R5/1k6 w - - bm #many;\n\
                    8/8/8/8/8/1K6/2R5/1k6 w - - bm #2; dm 3;\n\
                    8/8/8/8/8/1K6/2R5/1k6 w - - bm #-2; dm -2;\n";
        let suite = parse(text).mates;
        let found: Vec<_> = suite.cases.iter().map(|case| (case.line, case.mate)).collect();
        assert_eq!(found, [(2, Some(2)), (3, Some(-3)), (4, None), (5, None), (9, Some(-2))]);
        assert_eq!(suite.cases[1].fen, "8/8/8/8/8/1K6/2R5/1k6 w - - 99 120");
        let expected = [
            (6, "expected the first four fields of a FEN, got 2"),
            (7, "expected bm # and a number of moves, got \"many\""),
            (8, "it says two things: dm 3 and bm #2"),
        ];
        assert_eq!(faults(&suite.malformed), expected);
    }

    #[test]
    fn each_line_goes_to_the_suites_that_read_it() {
        let lines = [
            "FEN dm 2;",
            "FEN bm Rc1+;",
            "FEN am Rd2; dm 2;",
            "FEN ;D1 20 ;D2 400",
            "FEN",
            "FEN id \"x\"; acd 3; pv Rc1+;",
            "FEN bm #2 Rc1+; D1 3;",
        ];
        let file = parse(&lines.join("\n").replace("FEN", FEN));
        let of_mates: Vec<u64> = file.mates.cases.iter().map(|case| case.line).collect();
        let of_moves: Vec<u64> = file.best_moves.cases.iter().map(|case| case.line).collect();
        let of_counts: Vec<u64> = file.counts.cases.iter().map(|case| case.line).collect();
        assert_eq!((of_mates, of_moves, of_counts), (vec![1, 3, 5, 6, 7], vec![2, 3, 7], vec![4, 7]));
    }

    #[test]
    fn lines_that_say_nothing_count_for_the_suite_that_most_are_for() {
        let check = |most: &str, expected: [usize; 3]| {
            let line = format!("{FEN} {most}\n");
            let file = parse(&format!("{line}{line}{FEN} dm 1\n8/8 w\n"));
            assert_eq!(file.malformed().map(Vec::len), expected, "{most}");
        };
        check("dm 2", [1, 0, 0]);
        check("bm Rc1", [0, 1, 0]);
        check(";D1 3", [0, 0, 1]);
    }

    #[test]
    fn a_file_without_a_line_that_can_be_read_is_refused() {
        let check = |text: &str, expected: &str| {
            let error = OutsideFile::parse("their.epd", text.as_bytes()).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        };
        check("", "their.epd: it holds no position; --epd reads one position a line: EPD ");
        check("# nothing\n\n", "their.epd: it holds no position");
        check(
            "8/8 w\nx\n",
            "their.epd:1: expected the first four fields of a FEN, got 2 (none of its 2 lines can be read)",
        );
        check(
            &format!("{FEN} dm x"),
            "their.epd:1: expected dm and a number of moves, got \"x\" (it is the only line)",
        );
    }

    #[test]
    fn files_are_bounded() {
        let text = format!("{FEN}\n").repeat(MOST_CASES + 1);
        let error = OutsideFile::parse("their.epd", text.as_bytes()).unwrap_err();
        assert_eq!(error.to_string(), "their.epd:1000001: more than 1000000 positions; split the file");
    }
}
