//! The processes of a check. One is started with the first line that is sent, and another one after a
//! failure.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use suites::{Cause, Played, Replay};
use uci::{
    Direction, Engine, Entry, Exit, Failure, Identity, LimitSupport, LineQuirks, Message, Program, Search,
    Timeouts, UciOption,
};

use super::Config;
use super::abort::Abort;
use super::exits::{BadExit, Exits};
use super::script::{Script, printable};
use crate::{Effort, by_effort};

/// The longest time for `readyok`, once the program is known to answer it.
const READY: Duration = Duration::from_secs(5);
/// The pause of a replay in place of waiting for an answer.
const REPLAYED: Duration = Duration::from_millis(500);

/// The number of processes in a row that may go on after `quit`. After these the others are killed. A single
/// process may be late on a busy machine.
const MOST_IGNORED: u32 = 3;
/// The number of lines of the transcript that a finding quotes.
const QUOTED: usize = 6;

/// The processes of one check.
pub(super) struct CheckSession<'a> {
    config: &'a Config<'a>,
    /// The program. Its transcripts have the name of the check.
    program: Program,
    /// Whether the program is known to answer `readyok`.
    is_ready: bool,
    engine: Option<Engine>,
    script: Script,
    /// The transcripts of processes that have ended.
    past: String,
    /// How many processes were started.
    started: u32,
    /// How its processes ended after `quit`.
    exits: Exits,
    /// How many processes of all checks in a row did not end after `quit`. After some the others are killed.
    ignores_quit: &'a AtomicU32,
    /// The cause of the finding of the current case, if the case knows it.
    cause: Option<Cause>,
}

/// A process that another one replaces for a while, and the lines that were sent to it.
pub(super) struct SuspendedProcess {
    engine: Option<Engine>,
    script: Script,
}

impl<'a> CheckSession<'a> {
    pub(super) fn new(
        config: &'a Config<'a>,
        name: &str,
        is_ready: bool,
        ignores_quit: &'a AtomicU32,
    ) -> Self {
        let program = config.program.for_session(name);
        Self {
            config,
            program,
            is_ready,
            engine: None,
            script: Script::default(),
            past: String::new(),
            started: 0,
            exits: Exits::default(),
            ignores_quit,
            cause: None,
        }
    }

    /// Ends the current process and starts another one. Nothing is sent to it.
    pub(super) fn launch(&mut self) -> Result<(), Abort> {
        self.end_process();
        self.script = Script::default();
        self.started += 1;
        self.engine = Some(Engine::launch(&self.program, self.timeouts())?);
        Ok(())
    }

    /// Ends the current process, starts another one, sets its options, and waits for `readyok`.
    ///
    /// # Errors
    /// [`Abort::NotReady`] for all failures. Other checks report them.
    pub(super) fn start(&mut self) -> Result<(), Abort> {
        if !self.is_ready {
            return Err(Abort::NotReady);
        }
        self.launch().and_then(|()| self.set_up()).map_err(|_| Abort::NotReady)
    }

    fn set_up(&mut self) -> Result<(), Abort> {
        let engine = self.engine.as_mut().ok_or(Abort::NotReady)?;
        engine.handshake()?;
        engine.set_up()?;
        let sent = engine.transcript().entries().filter(|entry| entry.direction == Direction::ToEngine);
        sent.for_each(|entry| self.script.send(format!("{}\n", entry.text).as_bytes()));
        Ok(())
    }

    /// Sends `uci` and waits for `uciok`.
    pub(super) fn handshake(&mut self) -> Result<Identity, Abort> {
        self.script.send(b"uci\n");
        let engine = self.engine.as_mut().ok_or(Abort::NotReady)?;
        Ok(engine.handshake()?.clone())
    }

    fn running(&mut self) -> Result<&mut Engine, Abort> {
        if self.engine.is_none() {
            self.start()?;
        }
        self.engine.as_mut().ok_or(Abort::NotReady)
    }

    /// Starts the program from now on without the lines that it needs before its first search, and without
    /// the options of the user. Returns whether there are any.
    pub(super) fn forget_set_up(&mut self) -> bool {
        self.program.first_lines.clear();
        self.program.options.clear();
        !self.config.program.first_lines.is_empty() || !self.config.program.options.is_empty()
    }

    /// What the program printed as text since the last `go`.
    pub(super) fn texts_since_go(&self) -> String {
        let engine = self.engine.as_ref();
        engine
            .map(|engine| engine.transcript().texts_since_go().collect::<Vec<_>>().join(" "))
            .unwrap_or_default()
    }

    /// The identity that the program printed before `uciok`.
    pub(super) fn identity(&mut self) -> Result<&Identity, Abort> {
        Ok(self.running()?.identity())
    }

    /// The option of this name.
    ///
    /// # Errors
    /// [`Abort::Unsupported`] if there is none.
    pub(super) fn option(&mut self, name: &str) -> Result<UciOption, Abort> {
        self.identity()?.option(name).cloned().ok_or(Abort::Unsupported)
    }

    /// Whether the deadline has passed.
    pub(super) fn is_out_of_time(&self) -> bool {
        self.config.until.is_some_and(|until| Instant::now() >= until)
    }

    /// The time limits of the steps of a session.
    pub(super) fn timeouts(&self) -> Timeouts {
        self.config.timeouts
    }

    /// How long to wait for a line that must not come.
    pub(super) fn quiet_time(&self) -> Duration {
        Duration::from_millis(by_effort(self.config.effort, [150, 300, 1000]))
    }

    /// Sends a line.
    pub(super) fn send(&mut self, line: &str) -> Result<(), Abort> {
        self.send_bytes(format!("{line}\n").as_bytes())
    }

    /// Sends bytes.
    pub(super) fn send_bytes(&mut self, bytes: &[u8]) -> Result<(), Abort> {
        self.running()?;
        self.script.send(bytes);
        self.running()?.send_bytes(bytes);
        Ok(())
    }

    /// Sends `setoption`.
    pub(super) fn set_option(&mut self, name: &str, value: &str) -> Result<(), Abort> {
        self.send(&format!("setoption name {name} value {value}"))
    }

    /// Sends `isready` and waits for `readyok`. Returns the messages before it.
    pub(super) fn ready(&mut self) -> Result<Vec<Message>, Abort> {
        // Once the first `readyok` has come, no other one takes long.
        let usual = if self.is_ready { self.timeouts().ready.min(READY) } else { self.timeouts().ready };
        let waited = usual + self.engine.as_ref().map_or(Duration::ZERO, Engine::time_to_clear);
        self.send("isready")?;
        let (before, came) = self.receive_until(&Message::ReadyOk, waited)?;
        if came {
            return Ok(before);
        }
        let (awaited, after) = ("readyok".to_owned(), "isready".to_owned());
        let panic = self.engine.as_ref().and_then(|engine| engine.transcript().panic());
        Err(Abort::Failed(Failure::Silent { awaited, waited, after, panic }))
    }

    /// Whether a message comes within a time. Others before it are ignored.
    pub(super) fn receives(&mut self, awaited: &Message, within: Duration) -> Result<bool, Abort> {
        Ok(self.receive_until(awaited, within)?.1)
    }

    /// The messages before this one, and whether it came within a time.
    pub(super) fn receive_until(
        &mut self,
        awaited: &Message,
        within: Duration,
    ) -> Result<(Vec<Message>, bool), Abort> {
        let until = Instant::now() + within;
        let mut before = Vec::new();
        while let Some(message) = self.running()?.receive(until)? {
            if message == *awaited {
                return Ok((before, true));
            }
            before.push(message);
        }
        Ok((before, false))
    }

    /// Waits for a time, and returns the messages that came.
    pub(super) fn pause(&mut self, time: Duration) -> Result<Vec<Message>, Abort> {
        let until = Instant::now() + time;
        self.running()?;
        self.script.wait(time);
        let mut messages = Vec::new();
        while let Some(message) = self.running()?.receive(until)? {
            messages.push(message);
        }
        Ok(messages)
    }

    /// Waits for `bestmove`. After `within`, `stop` is sent.
    pub(super) fn wait_for_bestmove(&mut self, within: Duration) -> Result<Search, Abort> {
        self.bestmove(within, REPLAYED)
    }

    /// As [`CheckSession::wait_for_bestmove`]. The replay pauses for `replayed` in place of waiting. For one
    /// of many searches the pause is short.
    pub(super) fn bestmove(&mut self, within: Duration, replayed: Duration) -> Result<Search, Abort> {
        let before = self.stops();
        let search = self.running()?.receive_search(within);
        let is_stopped = self.stops() > before;
        if is_stopped {
            self.script.wait(within);
            self.script.send(b"stop\n");
        }
        let took = search.as_ref().map_or(Duration::ZERO, |search| search.took);
        self.script.wait_after_search(took, is_stopped, [within, replayed]);
        Ok(search?)
    }

    /// The lines that were sent to this process, as far as its transcript goes back.
    pub(super) fn sent(&self) -> impl Iterator<Item = &str> {
        let entries = self.engine.iter().flat_map(|engine| engine.transcript().entries());
        entries.filter(|entry| entry.direction == Direction::ToEngine).map(|entry| entry.text.as_str())
    }

    /// Whether the program printed a depth since the last `go`.
    pub(super) fn has_told_depth(&self) -> bool {
        let entries = self.engine.iter().flat_map(|engine| engine.transcript().entries());
        let is_go = |entry: &Entry| entry.direction == Direction::ToEngine && entry.text.starts_with("go");
        let is_depth = |entry: &Entry| {
            entry.direction == Direction::FromEngine
                && matches!(Message::read(&entry.text), Message::Info(info) if info.depth.is_some())
        };
        entries.fold(false, |told, entry| !is_go(entry) && (told || is_depth(entry)))
    }

    fn stops(&self) -> usize {
        self.sent().filter(|line| *line == "stop").count()
    }

    /// A folder with the Syzygy tables of three men.
    pub(super) fn syzygy(&self) -> Option<String> {
        self.config.syzygy.map(|folder| folder.display().to_string())
    }

    /// The limits that the program keeps.
    pub(super) fn limits(&self) -> &LimitSupport {
        self.config.limits
    }

    /// Sends `quit` and waits for the end of the process.
    pub(super) fn quit(&mut self) -> Result<Exit, Abort> {
        self.send("quit")?;
        let exit = self.end_within(Duration::ZERO)?;
        match exit {
            Exit::Status(0) => self.exits.clean += 1,
            Exit::Killed => {}
            Exit::Status(_) | Exit::Signal(_) => self.exits.bad.push(BadExit {
                cause: self.cause_of(exit, "quit"),
                end: crate::answer::end(exit),
                last_lines: self.last_lines(),
                asked: self.asked(),
                limit: self.limit(),
                replay: self.replay(),
            }),
        }
        Ok(exit)
    }

    /// Closes the input of the process and waits for its end. A search may take `more` time than the end of
    /// an idle process.
    pub(super) fn close_input(&mut self, more: Duration) -> Result<Exit, Abort> {
        self.running()?.close_input();
        self.script.end_input();
        self.end_within(more)
    }

    /// Closes the input of the process during a search, and waits for `bestmove`: whether it comes before the
    /// output ends; `None` if neither comes in time.
    pub(super) fn answers_without_input(&mut self, within: Duration) -> Result<Option<bool>, Abort> {
        let until = Instant::now() + within;
        let engine = self.running()?;
        engine.close_input();
        let answers = loop {
            match engine.receive(until) {
                Ok(Some(Message::BestMove(_))) => break Some(true),
                Ok(Some(_)) => {}
                Ok(None) => break None,
                Err(_) => break Some(false),
            }
        };
        self.script.end_input();
        Ok(answers)
    }

    fn end_within(&mut self, more: Duration) -> Result<Exit, Abort> {
        let time = self.config.timeouts.quit + more;
        self.script.end();
        Ok(self.running()?.end_within(time))
    }

    /// The cause of a bad end: the message of a panic, or else the signal or status.
    pub(super) fn cause_of(&self, exit: Exit, after: &str) -> Cause {
        let panic = self.engine.as_ref().and_then(|engine| engine.transcript().panic());
        Cause::Message(panic.map_or_else(|| format!("{exit} after {after}"), |panic| printable(&panic)))
    }

    /// Sets the cause of the finding of the current case.
    pub(super) fn set_cause(&mut self, cause: impl Into<Cause>) {
        self.cause = Some(cause.into());
    }

    /// Forgets the cause of the case before.
    pub(super) fn clear_cause(&mut self) {
        self.cause = None;
    }

    /// The cause of the finding of the current case, if the case knows it.
    pub(super) fn cause(&self) -> Option<&Cause> {
        self.cause.as_ref()
    }

    /// Peculiarities of the lines of this process.
    pub(super) fn quirks(&mut self) -> Result<LineQuirks, Abort> {
        Ok(self.running()?.quirks())
    }

    /// The number of the current process, if one runs.
    pub(super) fn process(&self) -> Option<u32> {
        self.engine.as_ref().map(|_| self.started)
    }

    /// Takes the current process out, so that the next line starts another one.
    pub(super) fn suspend(&mut self) -> SuspendedProcess {
        SuspendedProcess { engine: self.engine.take(), script: std::mem::take(&mut self.script) }
    }

    /// Ends the current process, and continues with one that was suspended. Its transcript so far comes
    /// first.
    pub(super) fn resume(&mut self, suspended: SuspendedProcess) {
        if let Some(engine) = &suspended.engine {
            self.past.push_str(&engine.transcript().to_string());
        }
        self.kill_process();
        (self.engine, self.script) = (suspended.engine, suspended.script);
    }

    /// Ends the current process with `quit`, if one runs.
    fn end_process(&mut self) {
        let is_running = self.engine.as_ref().is_some_and(|engine| !engine.is_over());
        if is_running && self.ignores_quit.load(Ordering::Relaxed) < MOST_IGNORED {
            // Other checks report that it does not end.
            match self.quit() {
                Ok(Exit::Killed) => drop(self.ignores_quit.fetch_add(1, Ordering::Relaxed)),
                _ => self.ignores_quit.store(0, Ordering::Relaxed),
            }
        }
        self.kill_process();
    }

    /// Kills the current process, if one runs.
    pub(super) fn kill_process(&mut self) {
        if let Some(engine) = self.engine.take() {
            self.past.push_str(&engine.transcript().to_string());
        }
    }

    /// Ends the current process. Returns the transcript of all, and how they ended.
    pub(super) fn finish(mut self) -> (String, Exits) {
        self.end_process();
        (self.past, self.exits)
    }

    /// Whether the run is a quick one.
    pub(super) fn is_quick(&self) -> bool {
        self.config.effort == Effort::Quick
    }

    /// The lines that the process has printed so far.
    pub(super) fn printed(&self) -> impl Iterator<Item = &str> {
        let entries = self.engine.iter().flat_map(|engine| engine.transcript().entries());
        entries.filter(|entry| entry.direction == Direction::FromEngine).map(|entry| entry.text.as_str())
    }

    /// The last lines of the transcript, without the output of the program, which depends on time.
    pub(super) fn last_lines(&self) -> String {
        let entries = self.engine.iter().flat_map(|engine| engine.transcript().entries());
        let lines: Vec<String> = entries
            .filter(|entry| entry.direction != Direction::FromEngine)
            .map(|entry| {
                let mark = match entry.direction {
                    Direction::ToEngine => "> ",
                    Direction::Error => "! ",
                    Direction::FromEngine | Direction::Event => "",
                };
                format!("{mark}{}", entry.text.chars().take(120).collect::<String>())
            })
            .collect();
        printable(&lines[lines.len().saturating_sub(QUOTED)..].join(" | "))
    }

    /// The FEN of the last `position` command, which is empty after `startpos`, and the moves after it.
    pub(super) fn asked(&self) -> (String, Option<Played>) {
        self.script.asked()
    }

    /// The words after the last `go` since then.
    pub(super) fn limit(&self) -> Option<String> {
        self.script.limit()
    }

    /// The command that sends the same lines again.
    pub(super) fn replay(&self) -> Replay {
        Replay::shell(self.script.command(&self.program))
    }
}
