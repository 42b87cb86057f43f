//! The journal of a match: a header, then a line of JSON for each finished game. Each line is on the disk
//! before the game counts as finished, so that a match can be killed at any moment and resumed.
//!
//! ```text
//! {"format":1,"engines":[...],"schedule":{...},"openings":{...},"seed":7,"settings":{...}}
//! {"game":2,"record":{...}}
//! {"game":1,"record":{...}}
//! ```
//!
//! A last line without its line feed was torn when the program was killed: its game is played again. The
//! record of a game is of any type; this module knows its number alone.

mod error;
mod header;
mod storage;
#[cfg(test)]
mod tests;

use std::io::{BufRead, BufReader, Read, SeekFrom};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::number_set::NumberSet;

pub use error::JournalError;
pub use header::{EngineHeader, FORMAT, HeaderDifference, MatchHeader, OpeningsHeader, ScheduleHeader};
pub use storage::Storage;

/// The longest line, in bytes, with its line feed.
pub const LONGEST_LINE: usize = 1 << 20;

/// A line that is written.
#[derive(Serialize)]
struct Written<'a, T> {
    game: u64,
    record: &'a T,
}

/// A line that is read.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Finished<T> {
    game: u64,
    record: T,
}

/// What a journal holds, apart from the records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contents {
    /// The match.
    pub header: MatchHeader,
    /// The numbers of the finished games.
    pub finished: NumberSet,
    /// The length of all whole lines, in bytes.
    whole: u64,
}

/// Reads a journal, and hands each game with its number to `each`. `None` means that not even the header is
/// whole. Another program may be writing to it.
///
/// # Errors
/// If a whole line is damaged, or a game is there twice.
pub fn read<T: DeserializeOwned>(
    reader: impl Read,
    each: impl FnMut(u64, T),
) -> Result<Option<Contents>, JournalError> {
    let mut lines = Lines::new(reader);
    let Some(header) = read_header(&mut lines)? else { return Ok(None) };
    read_games(&mut lines, header, each).map(Some)
}

fn read_header<R: Read>(lines: &mut Lines<R>) -> Result<Option<MatchHeader>, JournalError> {
    let line = match lines.next() {
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

fn read_games<T: DeserializeOwned, R: Read>(
    lines: &mut Lines<R>,
    header: MatchHeader,
    mut each: impl FnMut(u64, T),
) -> Result<Contents, JournalError> {
    let mut finished = NumberSet::default();
    while let Some(line) = lines.next()? {
        let read = serde_json::from_slice(line);
        let line = lines.number;
        let Finished { game, record } = read.map_err(|reason| JournalError::Damaged { line, reason })?;
        if !finished.insert(game) {
            return Err(JournalError::Twice { line, game });
        }
        each(game, record);
    }
    Ok(Contents { header, finished, whole: lines.whole })
}

/// The whole lines of a file.
struct Lines<R> {
    reader: BufReader<R>,
    line: Vec<u8>,
    /// The number of the line, from 1.
    number: u64,
    /// The length of all whole lines so far, in bytes.
    whole: u64,
}

impl<R: Read> Lines<R> {
    fn new(reader: R) -> Self {
        Self { reader: BufReader::new(reader), line: Vec::new(), number: 0, whole: 0 }
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

/// A journal to which games are added.
#[derive(Debug)]
pub struct Journal<S> {
    storage: S,
    /// The length of all whole lines, in bytes.
    whole: u64,
    /// Whether something may stand after the whole lines.
    is_torn: bool,
    finished: NumberSet,
}

impl<S: Storage> Journal<S> {
    /// Opens the journal of a match, and hands each game that it has to `each`. An empty file becomes a
    /// journal without games; a torn last line is cut off.
    ///
    /// # Errors
    /// If the file is in use, no journal or that of another match, a whole line is damaged, or the system
    /// refuses. The file stays as it was then, unless the system refuses to write.
    pub fn open<T: DeserializeOwned>(
        mut storage: S,
        header: &MatchHeader,
        each: impl FnMut(u64, T),
    ) -> Result<Self, JournalError> {
        if !storage.lock()? {
            return Err(JournalError::InUse);
        }
        storage.seek(SeekFrom::Start(0))?;
        let mut lines = Lines::new(&mut storage);
        if let Some(found) = read_header(&mut lines)? {
            if let Some(difference) = found.difference(header) {
                return Err(JournalError::OtherMatch(difference));
            }
            let Contents { finished, whole, .. } = read_games(&mut lines, found, each)?;
            let mut journal = Self { storage, whole, is_torn: true, finished };
            journal.cut()?;
            return Ok(journal);
        }
        let line = line_of(header).map_err(JournalError::Header)?;
        if line.len() > LONGEST_LINE {
            return Err(JournalError::LongHeader);
        }
        if !line.starts_with(&lines.line) {
            return Err(JournalError::NoJournal);
        }
        let mut journal = Self { storage, whole: 0, is_torn: true, finished: NumberSet::default() };
        journal.write(&line)?;
        Ok(journal)
    }

    /// Adds a finished game, and waits until it is on the disk. After an error the journal does not have the
    /// game, and more can be added.
    ///
    /// # Errors
    /// If it has the game already, the record is too long or not JSON, or the system refuses.
    pub fn append<T: Serialize>(&mut self, game: u64, record: &T) -> Result<(), JournalError> {
        if self.finished.contains(game) {
            return Err(JournalError::Known(game));
        }
        let line = line_of(&Written { game, record });
        let line = line.map_err(|reason| JournalError::Record { game, reason })?;
        if line.len() > LONGEST_LINE {
            return Err(JournalError::LongRecord(game));
        }
        self.write(&line)?;
        self.finished.insert(game);
        Ok(())
    }

    fn write(&mut self, line: &[u8]) -> Result<(), JournalError> {
        self.cut()?;
        self.is_torn = true;
        self.storage.write_all(line)?;
        self.storage.sync()?;
        self.is_torn = false;
        self.whole += line.len() as u64;
        Ok(())
    }

    /// Cuts off what stands after the whole lines, and goes to their end.
    fn cut(&mut self) -> Result<(), JournalError> {
        if self.is_torn {
            self.storage.truncate(self.whole)?;
            self.storage.seek(SeekFrom::Start(self.whole))?;
            self.storage.sync()?;
            self.is_torn = false;
        }
        Ok(())
    }

    /// The numbers of the games that the journal has.
    pub fn finished(&self) -> &NumberSet {
        &self.finished
    }

    /// Where the journal is stored.
    pub fn into_storage(self) -> S {
        self.storage
    }
}

fn line_of<T: Serialize>(value: &T) -> Result<Vec<u8>, serde_json::Error> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    Ok(line)
}
