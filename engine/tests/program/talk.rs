//! A running program that is talked to.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// What a test waits for at most: generous, since machines may be busy.
const DEADLINE: Duration = Duration::from_mins(1);

/// The program, its input, and its lines as they come.
pub(crate) struct Talk {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
}

/// The program with nothing said to it yet.
pub(crate) fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_engine"))
}

impl Talk {
    pub(crate) fn start() -> Self {
        let mut child = program().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (lines, output) = channel();
        let from = BufReader::new(child.stdout.take().unwrap());
        thread::spawn(move || from.lines().map_while(Result::ok).try_for_each(|line| lines.send(line)));
        Self { input: child.stdin.take(), child, output }
    }

    /// Says lines. The program may have ended: then nobody hears.
    pub(crate) fn say(&mut self, lines: &str) {
        self.send(lines.as_bytes());
        self.send(b"\n");
    }

    pub(crate) fn send(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        drop(input.write_all(bytes).and_then(|()| input.flush()));
    }

    /// The lines up to one that begins so, which is the last.
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

    /// All answers to some lines that come before `readyok`.
    pub(crate) fn answers(&mut self, lines: &str) -> Vec<String> {
        self.say(lines);
        self.say("isready");
        let mut answers = self.until("readyok");
        answers.pop();
        answers
    }

    /// What is said until the program ends, which it does well.
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

    /// Ends the input, and has what is still said.
    pub(crate) fn end(mut self) -> Vec<String> {
        drop(self.input.take());
        self.until_closed()
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        // Already ended, if all went well.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Waits for the end of a program.
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

/// Runs the program with arguments and an input that ends at once: how it ended, what it printed, and its messages.
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
