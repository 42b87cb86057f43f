//! The lines of a file. Lines that are too long are cut.

use std::io::{self, BufRead, Read};

/// Lines in a block, which is judged on all cores.
const BLOCK: usize = 16_384;
/// The longest line that is read, in bytes. A row with a FEN has about 60.
pub(super) const LONGEST_LINE: usize = 1_024;

/// A line without its end.
pub(super) struct Line {
    /// Its number, from 1.
    pub(super) number: u64,
    pub(super) text: String,
    /// Whether it was cut.
    pub(super) cut: bool,
}

/// The lines of a file.
pub(super) struct Lines<R> {
    input: R,
    number: u64,
    /// A line that was read and put back.
    next: Option<Line>,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, number: 0, next: None }
    }

    /// The lines of one block, fewer at the end of the file. Empty lines are counted and skipped.
    pub(super) fn block(&mut self) -> io::Result<Vec<Line>> {
        let mut block = Vec::with_capacity(BLOCK);
        while block.len() < BLOCK {
            match self.next_line()? {
                Some(line) if line.text.trim().is_empty() => {}
                Some(line) => block.push(line),
                None => break,
            }
        }
        Ok(block)
    }

    /// Puts a line back, to be read next.
    pub(super) fn put_back(&mut self, line: Line) {
        self.next = Some(line);
    }

    pub(super) fn next_line(&mut self) -> io::Result<Option<Line>> {
        if let Some(line) = self.next.take() {
            return Ok(Some(line));
        }
        let mut bytes = Vec::new();
        self.input.by_ref().take(LONGEST_LINE as u64).read_until(b'\n', &mut bytes)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        self.number += 1;
        let cut = bytes.len() == LONGEST_LINE && bytes.last() != Some(&b'\n');
        if cut {
            self.input.skip_until(b'\n')?;
        }
        let text = String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_owned();
        let text = if self.number == 1 { text.trim_start_matches('\u{feff}').to_owned() } else { text };
        Ok(Some(Line { number: self.number, text, cut }))
    }
}
