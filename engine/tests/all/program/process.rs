//! A running `engine` process with pipes.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The deadline of a wait, generous because machines may be busy.
const DEADLINE: Duration = Duration::from_mins(1);

/// The process, its input, and a channel of its output lines.
pub(crate) struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
}

/// A newly started process.
pub(crate) fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_engine"))
}

impl Engine {
    pub(crate) fn start() -> Self {
        let mut child = program().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (lines, output) = channel();
        let from = BufReader::new(child.stdout.take().unwrap());
        thread::spawn(move || from.lines().map_while(Result::ok).try_for_each(|line| lines.send(line)));
        Self { input: child.stdin.take(), child, output }
    }

    /// Writes lines. The process may have ended.
    pub(crate) fn say(&mut self, lines: &str) {
        self.send(lines.as_bytes());
        self.send(b"\n");
    }

    pub(crate) fn send(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        drop(input.write_all(bytes).and_then(|()| input.flush()));
    }

    /// The lines up to and including the first with this prefix.
    pub(crate) fn until(&self, start: &str) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        loop {
            let line = self.output.recv_timeout(DEADLINE);
            lines.push(line.unwrap_or_else(|error| panic!("{error}: no \"{start}\" after {lines:?}")));
            if lines[lines.len() - 1].starts_with(start) {
                return lines;
            }
        }
    }

    /// Writes lines, and returns all output before the next `readyok`.
    pub(crate) fn answers(&mut self, lines: &str) -> Vec<String> {
        self.say(lines);
        self.say("isready");
        let mut answers = self.until("readyok");
        answers.pop();
        answers
    }

    /// Waits for a successful end of the process, and returns the remaining output.
    pub(crate) fn until_closed(mut self) -> Vec<String> {
        let mut said = Vec::new();
        loop {
            match self.output.recv_timeout(DEADLINE) {
                Ok(line) => said.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("still talking at the deadline: {said:?}"),
            }
        }
        assert!(wait(&mut self.child).success());
        said
    }

    /// Closes the input, waits for the end, and returns the remaining output.
    pub(crate) fn end(mut self) -> Vec<String> {
        drop(self.input.take());
        self.until_closed()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // The process has usually ended already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Waits for the end of a process.
pub(crate) fn wait(child: &mut Child) -> ExitStatus {
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if started.elapsed() > DEADLINE {
            drop(child.kill());
            panic!("still running at the deadline");
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// Runs the program with arguments and empty input. Returns its status, output and error output.
pub(crate) fn run(arguments: &[&str]) -> (ExitStatus, String, String) {
    let mut child = program()
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut output, mut messages) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let reader = thread::spawn(move || {
        let mut text = String::new();
        output.read_to_string(&mut text).unwrap();
        text
    });
    let status = wait(&mut child);
    let mut said = String::new();
    messages.read_to_string(&mut said).unwrap();
    (status, reader.join().unwrap(), said)
}
