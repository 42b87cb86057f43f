//! The lines of a file, none of which takes more memory than the longest allowed.

use std::io::{self, BufRead, Read};

/// KeptRowReader judged at a time, on all cores.
const BLOCK: usize = 16_384;
/// The longest line that is read, in bytes. A row with a FEN has about 60.
pub(super) const LONGEST_LINE: usize = 1_024;

/// One line of the file, without its end.
pub(super) struct Line {
    /// Counted from 1.
    pub(super) number: u64,
    pub(super) text: String,
    /// Whether it was longer than can be read.
    pub(super) cut: bool,
}

/// The lines of a file.
pub(super) struct Lines<R> {
    input: R,
    number: u64,
    /// A line that was looked at, and is still to be read.
    next: Option<Line>,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, number: 0, next: None }
    }

    /// Lines for one block, fewer at the end of the file. Empty lines count but say nothing.
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

    /// Gives a line back, to be the next.
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
