//! A session without threads: who says something has what is printed when the call returns.
//!
//! It is the session of [`run`](super::run()) in all that it takes and prints; alone, nothing is heard while it thinks.

use std::io;
use std::sync::mpsc::channel;

use super::host::Host;
use super::lines::{self, InputLine};
use super::search_thread;
use super::session::{About, Session};
use crate::search_api::Searcher;

/// A session that obeys in the thread of its caller.
pub struct Dialogue<H> {
    session: Session<H, Vec<u8>>,
}

impl<H: Host> Dialogue<H> {
    /// With nothing said yet.
    pub fn new(host: H, searcher: Box<dyn Searcher>) -> Self {
        let (events, inbox) = channel();
        let about = About::of(&*searcher);
        let tasks = search_thread::in_place(searcher, events);
        Self { session: Session::new(host, about, Vec::new(), inbox, tasks) }
    }

    /// Obeys these lines, each to its end, and returns what is printed. A search must have an end of its own: a `stop` is not
    /// heard before it. After `quit` the rest of the lines is passed over.
    ///
    /// # Errors
    /// None is known: memory can always be written to.
    pub fn say(&mut self, lines: &str) -> io::Result<String> {
        let mut input = lines.as_bytes();
        let read = std::iter::from_fn(|| lines::read(&mut input).ok().filter(|line| *line != InputLine::End));
        self.session.obey_in_place(read)?;
        let printed = std::mem::take(self.session.output());
        Ok(String::from_utf8_lossy(&printed).into_owned())
    }
}
