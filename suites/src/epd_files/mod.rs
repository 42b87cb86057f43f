//! EPD and perft files of users (`--epd FILE`): one position a line, each line for the suites that read it.
//!
//! | a line has | suite |
//! |---|---|
//! | `dm N`, `bm #N`, or nothing that another suite reads | `mates` |
//! | `bm MOVE`, `am MOVE` | `bestmove` |
//! | `D1 20`, or a block of `id`, `epd` and `perft 1 20` | `perft` |
//!
//! A line that has several of these is read by several suites. A file of another kind, such as PGN, is
//! refused as a whole (`kind`). A line that cannot be read is kept with the reason, and reading goes on.
//! Knows no board: whether a FEN is a legal position, and a move legal in it, is checked later.

mod best_moves;
mod counts;
mod kind;
mod mates;
mod suite;

pub use best_moves::{BestMoveCase, BestMoveSuite, MOST_POINTS};
pub use counts::{CountCase, CountSuite};
pub use kind::RefusedFile;
pub use mates::{FileMateCase, FileMateSuite};
pub use suite::{FileSuite, Malformed};

use crate::epd::Epd;
use crate::reader::is_comment;
use counts::Blocks;

/// Most cases of a file.
pub const MOST_CASES: usize = 1_000_000;
/// Most bytes of a file.
pub const MOST_BYTES: u64 = 1 << 28;

/// A user's file, by the suites that read it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EpdFile {
    /// Positions with a claimed mate, and positions without any claim.
    pub mates: FileMateSuite,
    /// Positions with best moves or moves to avoid.
    pub best_moves: BestMoveSuite,
    /// Positions with perft counts.
    pub counts: CountSuite,
}

impl EpdFile {
    /// Reads a file; `name` is its name in reports and errors.
    ///
    /// # Errors
    /// If the file is of another kind, has no position, no line that can be read, or more than [`MOST_CASES`]
    /// cases.
    pub fn parse(name: &str, bytes: &[u8]) -> Result<Self, RefusedFile> {
        kind::recognise(name, bytes)?;
        // Bytes that are not UTF-8 spoil only their own line.
        let text = String::from_utf8_lossy(bytes);
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let mut file = Self {
            mates: FileSuite::new(name),
            best_moves: FileSuite::new(name),
            counts: FileSuite::new(name),
        };
        let mut blocks = Blocks::default();
        let mut unread = Malformed::new();
        for (line, text) in (1..).zip(text.lines()).filter(|(_, line)| !is_comment(line)) {
            if file.length() + unread.len() == MOST_CASES {
                return Err(RefusedFile::too_many(name, line));
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

    /// How many cases and malformed lines it has so far.
    fn length(&self) -> usize {
        self.cases() + self.malformed().map(Vec::len).iter().sum::<usize>()
    }

    fn cases(&self) -> usize {
        self.mates.cases.len() + self.best_moves.cases.len() + self.counts.cases.len()
    }

    fn malformed(&self) -> [&Malformed; 3] {
        [&self.mates.malformed, &self.best_moves.malformed, &self.counts.malformed]
    }

    /// Adds a line to the suites that read it.
    fn take(&mut self, line: u64, epd: &Epd) {
        let (has_moves, has_counts) = (best_moves::reads(epd), counts::reads(epd));
        if mates::reads(epd) || !has_moves && !has_counts {
            self.mates.add(line, mates::case(line, epd));
        }
        if has_moves {
            self.best_moves.add(line, best_moves::case(line, epd));
        }
        if has_counts {
            self.counts.add(line, counts::case(line, epd));
        }
    }

    /// Adds the lines that are not EPD to the suite with the most cases.
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

    fn refuse_unreadable(&self, name: &str) -> Result<(), RefusedFile> {
        if self.cases() > 0 {
            return Ok(());
        }
        let malformed = self.malformed();
        let lines = malformed.map(Vec::len).iter().sum();
        let first = malformed.into_iter().flatten().min();
        Err(first.map_or_else(
            || RefusedFile::empty(name),
            |(line, why)| RefusedFile::unreadable(name, *line, why, lines),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "8/8/8/8/8/1K6/2R5/1k6 w - - 0 1";

    fn parse(text: &str) -> EpdFile {
        EpdFile::parse("their.epd", text.as_bytes()).unwrap()
    }

    fn faults(malformed: &Malformed) -> Vec<(u64, &str)> {
        malformed.iter().map(|(line, fault)| (*line, fault.as_str())).collect()
    }

    #[test]
    fn mates_are_read_in_the_forms_that_files_use() {
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
            (8, "the line contradicts itself: dm 3 and bm #2"),
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
    fn unreadable_lines_count_for_the_suite_with_the_most_cases() {
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
            let error = EpdFile::parse("their.epd", text.as_bytes()).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        };
        check("", "their.epd: it has no position; --epd reads one position a line: EPD ");
        check("# nothing\n\n", "their.epd: it has no position");
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
        let error = EpdFile::parse("their.epd", text.as_bytes()).unwrap_err();
        assert_eq!(error.to_string(), "their.epd:1000001: more than 1000000 positions; split the file");
    }
}
