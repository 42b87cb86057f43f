//! A process and its pipes: nothing here blocks on it, and nothing of it stays.
//!
//! One thread reads each of its outputs and one writes its input, so that no pipe that is full stops us. It is the first
//! of a group of its own (a job on Windows), which is killed with it.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use process_wrap::std::{ChildWrapper, CommandWrap};

use super::failure::Failure;
use super::program::Program;
use super::transcript::Direction;

/// The longest line that is taken whole; of a longer one the rest is passed over.
pub(super) const LONGEST_LINE: usize = 1 << 20;
/// Bytes that are read ahead of whoever listens; a program that writes more is a flood.
const MOST_UNHEARD: u64 = 16 << 20;

/// A line of an output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Output {
    pub(super) direction: Direction,
    pub(super) at: Instant,
    pub(super) text: String,
    pub(super) oddities: Oddities,
}

/// What is odd about the bytes of a line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Oddities {
    /// It is longer than a line may be, and cut.
    pub too_long: bool,
    /// It holds bytes that are no UTF-8, or control characters.
    pub not_text: bool,
    /// It ends with CR LF.
    pub crlf: bool,
    /// The output ended within it.
    pub unfinished: bool,
}

impl Oddities {
    /// What is odd about either.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            too_long: self.too_long | other.too_long,
            not_text: self.not_text | other.not_text,
            crlf: self.crlf | other.crlf,
            unfinished: self.unfinished | other.unfinished,
        }
    }
}

/// What is heard of a process.
pub(super) enum Heard {
    Line(Output),
    /// Standard output is over.
    End,
    /// Nothing came in time.
    Nothing,
    /// More came than is read.
    Flood(u64),
}

/// A running process.
pub(super) struct Process {
    child: Box<dyn ChildWrapper>,
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<Option<Output>>,
    unheard: Arc<AtomicU64>,
}

impl Process {
    pub(super) fn start(program: &Program) -> Result<Self, Failure> {
        let mut command = Command::new(&program.path);
        command.args(&program.arguments).envs(program.environment.iter().cloned());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(directory) = &program.directory {
            command.current_dir(directory);
        }
        let mut command = CommandWrap::from(command);
        #[cfg(unix)]
        command.wrap(process_wrap::std::ProcessGroup::leader());
        #[cfg(windows)]
        command.wrap(process_wrap::std::JobObject);
        let not_started =
            |error: &std::io::Error| Failure::NotStarted(format!("{}: {error}", program.path.display()));
        let mut child = command.spawn().map_err(|error| not_started(&error))?;
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (child.stdin().take(), child.stdout().take(), child.stderr().take())
        else {
            return Err(Failure::NotStarted("it has no pipes".to_owned()));
        };
        let (send_output, output) = mpsc::channel();
        let unheard = Arc::new(AtomicU64::new(0));
        let reader = |direction, pipe: Box<dyn Read + Send>| {
            let (send, unheard) = (send_output.clone(), Arc::clone(&unheard));
            thread::Builder::new().spawn(move || read(pipe, direction, &send, &unheard))
        };
        reader(Direction::FromEngine, Box::new(stdout)).map_err(|error| not_started(&error))?;
        reader(Direction::Error, Box::new(stderr)).map_err(|error| not_started(&error))?;
        let (input, lines) = mpsc::channel();
        thread::Builder::new().spawn(move || write(stdin, &lines)).map_err(|error| not_started(&error))?;
        Ok(Self { child, input: Some(input), output, unheard })
    }

    /// Sends bytes as they are. What cannot be written any more is lost: its end is heard on its output.
    pub(super) fn send(&self, bytes: Vec<u8>) {
        if let Some(input) = &self.input {
            let _ = input.send(bytes);
        }
    }

    /// Closes its input.
    pub(super) fn close_input(&mut self) {
        self.input = None;
    }

    /// What is heard next, until then at most.
    pub(super) fn hear(&self, until: Instant) -> Heard {
        let unheard = self.unheard.load(Ordering::Relaxed);
        if unheard > MOST_UNHEARD {
            return Heard::Flood(unheard);
        }
        match self.output.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(Some(line)) => {
                self.unheard.fetch_sub(weight(&line.text), Ordering::Relaxed);
                Heard::Line(line)
            }
            Ok(None) | Err(RecvTimeoutError::Disconnected) => Heard::End,
            Err(RecvTimeoutError::Timeout) => Heard::Nothing,
        }
    }

    /// How it ended, if it does within this time.
    pub(super) fn ended(&mut self, within: Duration) -> Option<std::process::ExitStatus> {
        let until = Instant::now() + within;
        let mut pause = Duration::from_micros(100);
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            if Instant::now() >= until {
                return None;
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(10));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.start_kill();
        let _ = self.child.wait();
    }
}

/// What a line counts for: an empty one is no less than its end.
fn weight(text: &str) -> u64 {
    text.len() as u64 + 1
}

fn write(mut pipe: impl Write, lines: &Receiver<Vec<u8>>) {
    for line in lines {
        if pipe.write_all(&line).and_then(|()| pipe.flush()).is_err() {
            return;
        }
    }
}

/// Reads lines until the output is over, or nobody listens, or there is too much to be heard.
fn read(
    pipe: Box<dyn Read + Send>,
    direction: Direction,
    send: &Sender<Option<Output>>,
    unheard: &AtomicU64,
) {
    let mut pipe = BufReader::with_capacity(64 << 10, pipe);
    let mut bytes = Vec::new();
    while let Some(oddities) = read_line(&mut pipe, &mut bytes) {
        let output =
            Output { direction, at: Instant::now(), text: text(&bytes), oddities: odd(oddities, &bytes) };
        let ahead = unheard.fetch_add(weight(&output.text), Ordering::Relaxed);
        if send.send(Some(output)).is_err() || ahead > MOST_UNHEARD {
            return;
        }
    }
    if direction == Direction::FromEngine {
        let _ = send.send(None);
    }
}

/// Reads a line without its end; `None` if the output is over.
fn read_line(pipe: &mut impl BufRead, bytes: &mut Vec<u8>) -> Option<Oddities> {
    bytes.clear();
    let mut oddities = Oddities::default();
    loop {
        let available = pipe.fill_buf().unwrap_or_default();
        if available.is_empty() {
            oddities.unfinished = true;
            return (!bytes.is_empty()).then_some(oddities);
        }
        let end = available.iter().position(|&byte| byte == b'\n');
        let part = &available[..end.unwrap_or(available.len())];
        let room = LONGEST_LINE - bytes.len();
        oddities.too_long |= part.len() > room;
        bytes.extend_from_slice(&part[..part.len().min(room)]);
        let used = part.len() + usize::from(end.is_some());
        pipe.consume(used);
        if end.is_some() {
            oddities.crlf = bytes.last() == Some(&b'\r');
            if oddities.crlf {
                bytes.pop();
            }
            return Some(oddities);
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn odd(oddities: Oddities, bytes: &[u8]) -> Oddities {
    let is_control = |&byte: &u8| byte < b' ' && byte != b'\t' || byte == 0x7f;
    Oddities { not_text: std::str::from_utf8(bytes).is_err() || bytes.iter().any(is_control), ..oddities }
}
