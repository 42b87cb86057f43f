//! Tests of the session in this process: a scripted searcher, lines through channels, no real clock.
//!
//! Every wait has a deadline, so that a hang fails. No time is measured.

mod commands;
mod dialogue;
mod search;

use std::io::{self, BufReader, Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::{Host, run};
use crate::search_api::{
    Bound, Clock, Control, Limits, SearchInfo, SearchResult, Searcher, Setting, Settings,
};
use crate::tables::{TableSet, builders};
use crate::{Game, Score};

/// The deadline of a wait.
const DEADLINE: Duration = Duration::from_mins(1);

/// When a scripted searcher answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Script {
    AtOnce,
    WhenStopped,
    WhenHit,
    /// After a while: the last move; if stopped, the first.
    Late,
    Never,
    /// Its configuration never ends.
    Unready,
}

/// The requests that a scripted searcher received.
#[derive(Debug, Default)]
struct Seen {
    settings: Vec<Settings>,
    limits: Vec<Limits>,
    games: Vec<Game>,
    forgotten: usize,
}

/// Answers the last legal move, or the first of `searchmoves`.
struct Scripted {
    script: Script,
    uses: &'static [Setting],
    seen: Arc<Mutex<Seen>>,
}

impl Scripted {
    fn see(&self, what: impl FnOnce(&mut Seen)) {
        what(&mut self.seen.lock().unwrap());
    }
}

impl Searcher for Scripted {
    fn name(&self) -> String {
        "Scripted".to_owned()
    }

    fn configure(&mut self, settings: &Settings) {
        self.see(|seen| seen.settings.push(settings.clone()));
        if self.script == Script::Unready {
            loop {
                thread::park();
            }
        }
    }

    fn settings_used(&self) -> &'static [Setting] {
        self.uses
    }

    fn new_game(&mut self) {
        self.see(|seen| seen.forgotten += 1);
    }

    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        listener: &mut dyn FnMut(&SearchInfo),
    ) -> SearchResult {
        self.see(|seen| {
            seen.limits.push(limits.clone());
            seen.games.push(game.clone());
        });
        let best = limits.moves.first().or(game.position().legal_moves().last()).copied();
        listener(&SearchInfo {
            depth: 1,
            selective_depth: 1,
            rank: 1,
            score: Score::DRAW,
            bound: Bound::Exact,
            nodes: 1,
            hash_full: 0,
            table_hits: 0,
            line: best.into_iter().collect(),
        });
        assert!(self.script != Script::Never, "scripted defect");
        for _ in 0..if self.script == Script::Late { 300 } else { 0 } {
            if control.is_stopped() {
                let best = game.position().legal_moves().first().copied();
                return SearchResult { best, ponder: None, score: Score::DRAW, nodes: 1 };
            }
            thread::sleep(Duration::from_millis(1));
        }
        while !match self.script {
            Script::AtOnce | Script::Never | Script::Late | Script::Unready => true,
            Script::WhenStopped => control.is_stopped(),
            Script::WhenHit => control.is_stopped() || !control.is_pondering(),
        } {
            thread::sleep(Duration::from_micros(200));
        }
        SearchResult { best, ponder: None, score: Score::DRAW, nodes: 1 }
    }
}

/// A host with one folder of tables, named `good`, and clocks that stand still.
struct World(Duration);

struct Still(Duration);

impl Clock for Still {
    fn elapsed(&self) -> Duration {
        self.0
    }
}

impl Host for World {
    type Clock = Still;

    fn start_clock(&self) -> Still {
        Still(self.0)
    }

    fn load_tables(&self, folder: &str, _cache: usize) -> Result<TableSet, String> {
        match folder {
            "good" => Ok(builders::production(&["KBvK".parse().unwrap()]).unwrap()),
            other => Err(format!("{other}: not there")),
        }
    }
}

/// Bytes through a channel, as a stream to read.
struct Incoming(Receiver<Vec<u8>>, Vec<u8>);

impl Read for Incoming {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.1.is_empty() {
            match self.0.recv() {
                Ok(bytes) => self.1 = bytes,
                Err(_) => return Ok(0),
            }
        }
        let count = into.len().min(self.1.len());
        into[..count].copy_from_slice(&self.1[..count]);
        self.1.drain(..count);
        Ok(count)
    }
}

/// An output stream that sends lines through a channel. A dropped receiver is a broken pipe.
struct Outgoing(Sender<String>, Vec<u8>);

impl Write for Outgoing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.1.extend(bytes);
        while let Some(end) = self.1.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.1.drain(..=end).collect();
            let line = String::from_utf8(line).unwrap().trim_end().to_owned();
            self.0.send(line).map_err(|_| io::ErrorKind::BrokenPipe)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A session under test.
struct Talk {
    input: Sender<Vec<u8>>,
    output: Receiver<String>,
    session: JoinHandle<io::Result<()>>,
    seen: Arc<Mutex<Seen>>,
}

impl Talk {
    fn with(script: Script) -> Self {
        Self::using(script, Setting::ALL)
    }

    fn using(script: Script, uses: &'static [Setting]) -> Self {
        Self::at(Duration::ZERO, script, uses)
    }

    /// All clocks show this time.
    fn at(elapsed: Duration, script: Script, uses: &'static [Setting]) -> Self {
        let ((input, incoming), (outgoing, output)) = (channel(), channel());
        let seen = Arc::new(Mutex::new(Seen::default()));
        let searcher = Box::new(Scripted { script, uses, seen: Arc::clone(&seen) });
        let session = thread::spawn(move || {
            let input = BufReader::new(Incoming(incoming, Vec::new()));
            run(World(elapsed), searcher, input, Outgoing(outgoing, Vec::new()))
        });
        Self { input, output, session, seen }
    }

    fn say(&self, lines: &str) {
        self.input.send(format!("{lines}\n").into_bytes()).unwrap();
    }

    fn next(&self) -> String {
        self.output.recv_timeout(DEADLINE).expect("an answer before the deadline")
    }

    /// The lines up to and including the first with this prefix.
    fn until(&self, start: &str) -> Vec<String> {
        let mut lines = vec![self.next()];
        while !lines[lines.len() - 1].starts_with(start) {
            lines.push(self.next());
        }
        lines
    }

    /// Sends lines, and returns all output before the next `readyok`, except `info` reports.
    fn answers(&self, lines: &str) -> Vec<String> {
        self.say(&format!("{lines}\nisready"));
        let mut answers = self.until("readyok");
        answers.pop();
        answers.retain(|line| !line.starts_with("info depth 1 "));
        answers
    }

    /// Waits until the searcher has received this many requests.
    fn asked(&self, times: usize) {
        for _ in 0..DEADLINE.as_millis() {
            if self.seen.lock().unwrap().limits.len() >= times {
                return;
            }
            thread::sleep(Duration::from_millis(1));
        }
        panic!("not asked {times} times");
    }

    fn nothing_is_answered(&self) {
        for _ in 0..200 {
            assert_eq!(self.answers(""), [""; 0]);
        }
    }

    fn check(&self, lines: &str, expected: &[&str]) {
        assert_eq!(self.answers(lines), expected, "{lines}");
    }

    fn fen(&self) -> String {
        let answers = self.answers("d");
        let fen = answers.iter().find_map(|line| line.strip_prefix("Fen: "));
        fen.expect("a FEN").to_owned()
    }

    /// Ends the input, and returns the remaining output.
    fn end(self) -> (io::Result<()>, Vec<String>) {
        drop(self.input);
        let mut said = Vec::new();
        while let Ok(line) = self.output.recv_timeout(DEADLINE) {
            said.push(line);
        }
        (self.session.join().unwrap(), said)
    }
}

/// The move that a script answers in the starting position.
const LAST: &str = "bestmove h2h4";
