//! What went over the pipes, with times: the last of it, or all.

use std::collections::VecDeque;
use std::fmt;
use std::time::Duration;

/// Bytes of text that are kept.
const KEPT: usize = 64 << 10;
/// Bytes of one line that are kept.
const KEPT_OF_LINE: usize = 4 << 10;

/// Whose line it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// We said it.
    ToEngine,
    /// It came over standard output.
    FromEngine,
    /// It came over standard error.
    Error,
    /// Neither said it: what happened to the process.
    Event,
}

/// One line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Since the start of the process.
    pub at: Duration,
    /// Whose.
    pub direction: Direction,
    /// The text, cut if it is long.
    pub text: String,
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = match self.direction {
            Direction::ToEngine => ">",
            Direction::FromEngine => "<",
            Direction::Error => "!",
            Direction::Event => "#",
        };
        write!(f, "{:>12.6} {mark} {}", self.at.as_secs_f64(), self.text)
    }
}

/// The last lines of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Transcript {
    entries: VecDeque<Entry>,
    kept: usize,
    dropped: u64,
}

impl Transcript {
    /// Adds a line; the first ones go if there are too many.
    pub fn add(&mut self, at: Duration, direction: Direction, text: &str) {
        let end = (0..=text.len().min(KEPT_OF_LINE)).rev().find(|&end| text.is_char_boundary(end));
        let text = text[..end.unwrap_or_default()].to_owned();
        self.kept += text.len();
        self.entries.push_back(Entry { at, direction, text });
        while self.kept > KEPT {
            let Some(first) = self.entries.pop_front() else { break };
            self.kept -= first.text.len();
            self.dropped += 1;
        }
    }

    /// The lines, the oldest first.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter()
    }
}

impl fmt::Display for Transcript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.dropped > 0 {
            writeln!(f, "({} earlier lines are not kept)", self.dropped)?;
        }
        self.entries.iter().try_for_each(|entry| writeln!(f, "{entry}"))
    }
}
