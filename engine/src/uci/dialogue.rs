//! A UCI session without threads: output is complete when the call returns.
//!
//! It accepts and prints the same as [`run`](super::run()), but handles no input during a search.

use std::io;
use std::sync::mpsc::channel;

use super::host::Host;
use super::lines::{self, InputLine};
use super::search_thread;
use super::session::{SearcherInfo, Session};
use crate::search_api::Searcher;

/// A UCI session that runs in the thread of its caller.
pub struct Dialogue<H> {
    session: Session<H, Vec<u8>>,
}

impl<H: Host> Dialogue<H> {
    /// Starts a session.
    pub fn new(host: H, searcher: Box<dyn Searcher>) -> Self {
        let (events, inbox) = channel();
        let searcher_info = SearcherInfo::new(&*searcher);
        let tasks = search_thread::in_place(searcher, events);
        Self { session: Session::new(host, searcher_info, Vec::new(), inbox, tasks) }
    }

    /// Executes these lines in order and returns the output. A search must have a limit: a `stop` is read
    /// only after it. Lines after `quit` are ignored.
    ///
    /// # Errors
    ///
    /// None: writing to memory does not fail.
    pub fn say(&mut self, lines: &str) -> io::Result<String> {
        let mut input = lines.as_bytes();
        let read = std::iter::from_fn(|| lines::read(&mut input).ok().filter(|line| *line != InputLine::End));
        self.session.run_lines(read)?;
        let printed = std::mem::take(self.session.output());
        Ok(String::from_utf8_lossy(&printed).into_owned())
    }
}
