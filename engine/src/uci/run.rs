//! The entry points: a session with threads, and the bench.
//!
//! Three threads: one reads lines, one searches, and the caller of [`run`] executes commands and writes.
//! Reads no clock and opens no file: a [`Host`] does.

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use super::host::Host;
use super::lines::{self, InputLine};
use super::search_thread::{self, Event};
use super::session::{SearcherInfo, Session};
use crate::search_api::{Control, Searcher};

/// Executes the commands of `input` until `quit` or the end of input.
///
/// # Errors
/// The output cannot be written to, or no thread can be started.
pub fn run<H: Host>(
    host: H,
    searcher: Box<dyn Searcher>,
    input: impl BufRead + Send + 'static,
    output: impl Write,
) -> io::Result<()> {
    // The queue is short: a sender that is faster than the session has to wait.
    let (events, inbox) = sync_channel(16);
    let searcher_info = SearcherInfo::new(&*searcher);
    let tasks = search_thread::start(searcher, events.clone())?;
    thread::Builder::new().name("reading".into()).spawn(move || read(input, &events))?;
    Session::new(host, searcher_info, output, inbox, tasks).run()
}

/// Runs the bench and prints its output.
///
/// # Errors
/// The output cannot be written to.
pub fn run_bench<H: Host>(
    host: &H,
    searcher: &mut dyn Searcher,
    depth: u16,
    mut output: impl Write,
) -> io::Result<()> {
    let control = Control::new(host.start_clock());
    let mut written = Ok(());
    let last = search_thread::bench(searcher, depth, &control, &mut |line| {
        if written.is_ok() {
            written = writeln!(output, "{line}").and_then(|()| output.flush());
        }
        if written.is_err() {
            control.stop();
        }
    });
    written.and_then(|()| writeln!(output, "{last}"))
}

fn read(mut input: impl BufRead, events: &SyncSender<Event>) {
    loop {
        // Unreadable input counts as ended.
        let line = lines::read(&mut input).unwrap_or(InputLine::End);
        let ended = line == InputLine::End;
        if events.send(Event::Read(line)).is_err() || ended {
            break;
        }
    }
}
