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
mod reader;
mod storage;
#[cfg(test)]
mod tests;

use std::io::SeekFrom;

use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};

use super::number_set::NumberSet;
use reader::Lines;

pub use error::JournalError;
pub use header::{EngineHeader, FORMAT, HeaderDifference, MatchHeader, OpeningsHeader, ScheduleHeader};
pub use reader::Reader;
pub use storage::Storage;

/// The longest line, in bytes, with its line feed. No game is longer: the fifty moves end each one, and what is
/// kept of a move is bounded.
pub const LONGEST_LINE: usize = 16 << 20;

/// A line that is written.
#[derive(Serialize)]
struct Written<'a, T> {
    game: u64,
    record: &'a T,
}

/// A journal to which games are added.
#[derive(Debug)]
pub struct Journal<S: Storage> {
    storage: S,
    /// The length of all whole lines, in bytes.
    whole: u64,
    /// Whether something may stand after the whole lines, or the next write would not be there.
    is_torn: bool,
    finished: NumberSet,
}

impl<S: Storage> Drop for Journal<S> {
    fn drop(&mut self) {
        self.storage.unlock();
    }
}

impl<S: Storage> Journal<S> {
    /// Opens the journal of a match, and locks it. An empty file becomes a journal without games; a torn last
    /// line is cut off.
    ///
    /// # Errors
    /// If the file is in use, no journal or that of another match, a whole line is damaged, or the system
    /// refuses. The file stays as it was then, unless the system refuses to write.
    pub fn open(mut storage: S, header: &MatchHeader) -> Result<Self, JournalError> {
        if !storage.lock()? {
            return Err(JournalError::InUse);
        }
        storage.seek(SeekFrom::Start(0))?;
        let mut lines = Lines::new(&mut storage);
        if let Some(found) = lines.header()? {
            if let Some(difference) = found.difference(header) {
                return Err(JournalError::OtherMatch(difference));
            }
            let mut games = Reader::after(lines, found);
            while games.next_game::<IgnoredAny>()?.is_some() {}
            let (finished, whole) = games.into_read();
            let mut journal = Self { storage, whole, is_torn: true, finished };
            journal.cut()?;
            return Ok(journal);
        }
        let line = header_line(header)?;
        if !line.starts_with(&lines.line) {
            return Err(JournalError::NoJournal);
        }
        let mut journal = Self { storage, whole: 0, is_torn: true, finished: NumberSet::default() };
        journal.write(&line)?;
        Ok(journal)
    }

    /// Hands each game that it has to `each`, in the order of the lines.
    ///
    /// # Errors
    /// If a line is damaged, or the system refuses.
    pub fn read<T: DeserializeOwned>(&mut self, mut each: impl FnMut(u64, T)) -> Result<(), JournalError> {
        self.is_torn = true;
        self.storage.seek(SeekFrom::Start(0))?;
        if let Some(mut games) = Reader::new(&mut self.storage)? {
            while let Some((game, record)) = games.next_game()? {
                each(game, record);
            }
        }
        self.cut()
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
        let line = game_line(game, record)?;
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
}

/// The first line of a journal.
///
/// # Errors
/// If the header is too long or not JSON.
pub fn header_line(header: &MatchHeader) -> Result<Vec<u8>, JournalError> {
    let line = line_of(header).map_err(JournalError::Header)?;
    if line.len() > LONGEST_LINE { Err(JournalError::LongHeader) } else { Ok(line) }
}

/// The line of a game.
///
/// # Errors
/// If the record is too long or not JSON.
pub fn game_line<T: Serialize>(game: u64, record: &T) -> Result<Vec<u8>, JournalError> {
    let line = line_of(&Written { game, record });
    let line = line.map_err(|reason| JournalError::Record { game, reason })?;
    if line.len() > LONGEST_LINE { Err(JournalError::LongRecord(game)) } else { Ok(line) }
}

fn line_of<T: Serialize>(value: &T) -> Result<Vec<u8>, serde_json::Error> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    Ok(line)
}
