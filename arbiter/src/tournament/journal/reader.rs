//! Reads the whole lines of a journal. Another program may be writing to it.

use std::io::{BufRead, BufReader, Read};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::error::JournalError;
use super::header::{FORMAT, MatchHeader};
use super::{LONGEST_LINE, NumberSet};

/// A line that is read.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Finished<T> {
    game: u64,
    record: T,
}

/// A journal that is read, a game after the other.
pub struct Reader<R> {
    lines: Lines<R>,
    header: MatchHeader,
    finished: NumberSet,
}

impl<R: Read> Reader<R> {
    /// Reads the header. `None` means that not even that is whole.
    ///
    /// # Errors
    /// If this is no journal, the header is damaged, or the system refuses.
    pub fn new(reader: R) -> Result<Option<Self>, JournalError> {
        let mut lines = Lines::new(reader);
        let header = lines.header()?;
        Ok(header.map(|header| Self::after(lines, header)))
    }

    pub(super) fn after(lines: Lines<R>, header: MatchHeader) -> Self {
        Self { lines, header, finished: NumberSet::default() }
    }

    /// The match.
    pub fn header(&self) -> &MatchHeader {
        &self.header
    }

    /// The next game with its number, in the order of the lines. `None` at the end, and at a line that is torn
    /// or being written.
    ///
    /// # Errors
    /// If a whole line is damaged, a game is there twice, or the system refuses.
    pub fn next_game<T: DeserializeOwned>(&mut self) -> Result<Option<(u64, T)>, JournalError> {
        let Some(line) = self.lines.next()? else { return Ok(None) };
        let read = serde_json::from_slice(line);
        let line = self.lines.number;
        let Finished { game, record } = read.map_err(|reason| JournalError::Damaged { line, reason })?;
        if !self.finished.insert(game) {
            return Err(JournalError::Twice { line, game });
        }
        Ok(Some((game, record)))
    }

    /// The numbers of the games that were read, and the length of all lines so far, in bytes.
    pub(super) fn into_read(self) -> (NumberSet, u64) {
        (self.finished, self.lines.whole)
    }
}

/// The whole lines of a file.
pub(super) struct Lines<R> {
    reader: BufReader<R>,
    /// The last line, which may be torn.
    pub(super) line: Vec<u8>,
    /// The number of the line, from 1.
    number: u64,
    /// The length of all whole lines so far, in bytes.
    whole: u64,
}

impl<R: Read> Lines<R> {
    pub(super) fn new(reader: R) -> Self {
        Self { reader: BufReader::new(reader), line: Vec::new(), number: 0, whole: 0 }
    }

    /// The first line, if it is whole.
    pub(super) fn header(&mut self) -> Result<Option<MatchHeader>, JournalError> {
        let line = match self.next() {
            Ok(Some(line)) => line,
            Ok(None) => return Ok(None),
            Err(JournalError::Long(_)) => return Err(JournalError::NoJournal),
            Err(error) => return Err(error),
        };
        let value: Value = serde_json::from_slice(line).map_err(|_| JournalError::NoJournal)?;
        let format = value.get("format").and_then(Value::as_u64).ok_or(JournalError::NoJournal)?;
        if format != u64::from(FORMAT) {
            return Err(JournalError::Format(format));
        }
        serde_json::from_value(value).map(Some).map_err(JournalError::DamagedHeader)
    }

    /// The next line without its line feed, if it is whole.
    fn next(&mut self) -> Result<Option<&[u8]>, JournalError> {
        self.line.clear();
        let mut bounded = (&mut self.reader).take(LONGEST_LINE as u64);
        let bytes = bounded.read_until(b'\n', &mut self.line)?;
        if self.line.last() != Some(&b'\n') {
            return if bytes == LONGEST_LINE { Err(JournalError::Long(self.number + 1)) } else { Ok(None) };
        }
        self.number += 1;
        self.whole += bytes as u64;
        Ok(Some(&self.line[..bytes - 1]))
    }
}
