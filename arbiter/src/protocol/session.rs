//! A program as a check speaks with it: started when it is first spoken to, and again after it broke.

use std::time::{Duration, Instant};

use super::Config;
use super::abort::Abort;
use super::abort::Fault;
use super::rules;
use super::script::Script;
use crate::Effort;
use suites::Replay;
use uci::{
    Direction, Engine, Exit, Failure, Identity, LineQuirks, Message, Program, Search, Timeouts, UciOption,
};

/// How long a search lasts at most that is there only to see whether a move comes; then it is told to stop.
const GLANCE: Duration = Duration::from_secs(1);
/// How long a program that is known to become ready may take for it.
const READY: Duration = Duration::from_secs(5);
/// A pause of a replayed session where this one waits for an answer.
const REPLAYED: Duration = Duration::from_millis(500);

/// The processes of one check.
pub(super) struct Session<'a> {
    config: &'a Config<'a>,
    /// What is started, for sessions with the name of the check.
    program: Program,
    /// Whether the program is known to become ready.
    speaks: bool,
    engine: Option<Engine>,
    script: Script,
    past: String,
    /// How many processes were started.
    started: u32,
}

/// A process that was set aside, and what was said to it.
pub(super) struct Aside {
    engine: Option<Engine>,
    script: Script,
}

impl<'a> Session<'a> {
    pub(super) fn new(config: &'a Config<'a>, name: &str, speaks: bool) -> Self {
        let program = config.program.for_session(name);
        Self {
            config,
            program,
            speaks,
            engine: None,
            script: Script::default(),
            past: String::new(),
            started: 0,
        }
    }

    /// Starts a process in place of the one that runs, and says nothing to it.
    pub(super) fn launch(&mut self) -> Result<(), Abort> {
        self.retire();
        self.script = Script::default();
        self.started += 1;
        self.engine = Some(Engine::launch(&self.program, self.timeouts())?);
        Ok(())
    }

    /// Starts a process in place of the one that runs, sets its options, and waits until it is ready.
    ///
    /// # Errors
    /// [`Abort::NotReady`], however it fails: there are checks of that.
    pub(super) fn start(&mut self) -> Result<(), Abort> {
        if !self.speaks {
            return Err(Abort::NotReady);
        }
        self.launch().and_then(|()| self.set_up()).map_err(|_| Abort::NotReady)
    }

    fn set_up(&mut self) -> Result<(), Abort> {
        let engine = self.engine.as_mut().ok_or(Abort::NotReady)?;
        engine.handshake()?;
        engine.set_up()?;
        let said = engine.transcript().entries().filter(|entry| entry.direction == Direction::ToEngine);
        said.for_each(|entry| self.script.say(format!("{}\n", entry.text).as_bytes()));
        Ok(())
    }

    /// Says `uci` and listens until `uciok`.
    pub(super) fn handshake(&mut self) -> Result<Identity, Abort> {
        self.script.say(b"uci\n");
        let engine = self.engine.as_mut().ok_or(Abort::NotReady)?;
        Ok(engine.handshake()?.clone())
    }

    fn running(&mut self) -> Result<&mut Engine, Abort> {
        if self.engine.is_none() {
            self.start()?;
        }
        self.engine.as_mut().ok_or(Abort::NotReady)
    }

    /// What it said of itself.
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

    /// Whether nothing more is to be begun.
    pub(super) fn is_out_of_time(&self) -> bool {
        self.config.is_over()
    }

    /// How long it may take for each step.
    pub(super) fn timeouts(&self) -> Timeouts {
        self.config.timeouts
    }

    /// How long to wait for what must not come.
    pub(super) fn awhile(&self) -> Duration {
        Duration::from_millis(match self.config.effort {
            Effort::Quick => 150,
            Effort::Plain => 300,
            Effort::Thorough => 1000,
        })
    }

    /// Says a line.
    pub(super) fn say(&mut self, line: &str) -> Result<(), Abort> {
        self.say_bytes(format!("{line}\n").as_bytes())
    }

    /// Says bytes as they are.
    pub(super) fn say_bytes(&mut self, bytes: &[u8]) -> Result<(), Abort> {
        self.running()?;
        self.script.say(bytes);
        self.running()?.send_bytes(bytes);
        Ok(())
    }

    /// Says `setoption`.
    pub(super) fn set_option(&mut self, name: &str, value: &str) -> Result<(), Abort> {
        self.say(&format!("setoption name {name} value {value}"))
    }

    /// Says `isready` and listens until `readyok`. Returns what came before it.
    pub(super) fn ready(&mut self) -> Result<Vec<Message>, Abort> {
        // What it has to set up at its start is done.
        let waited = if self.speaks { self.timeouts().ready.min(READY) } else { self.timeouts().ready };
        self.say("isready")?;
        let until = Instant::now() + waited;
        let mut before = Vec::new();
        while let Some(said) = self.running()?.receive(until)? {
            if said == Message::ReadyOk {
                return Ok(before);
            }
            before.push(said);
        }
        let (awaited, after) = ("readyok".to_owned(), "isready".to_owned());
        Err(Abort::Broken(Failure::Silent { awaited, waited, after }))
    }

    /// Whether it says this within a time, whatever comes before.
    pub(super) fn comes(&mut self, awaited: &Message, within: Duration) -> Result<bool, Abort> {
        let until = Instant::now() + within;
        while let Some(said) = self.running()?.receive(until)? {
            if said == *awaited {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Listens for so long, and returns all that was said.
    pub(super) fn pause(&mut self, time: Duration) -> Result<Vec<Message>, Abort> {
        let until = Instant::now() + time;
        self.running()?;
        self.script.wait(time);
        let mut said = Vec::new();
        while let Some(heard) = self.running()?.receive(until)? {
            said.push(heard);
        }
        Ok(said)
    }

    /// Listens until `bestmove`. After `within` it is told to stop.
    pub(super) fn hear(&mut self, within: Duration) -> Result<Search, Abort> {
        let search = self.running()?.receive_search(within)?;
        if search.stopped {
            self.script.wait(within);
            self.script.say(b"stop\n");
        }
        self.script.wait(REPLAYED);
        Ok(search)
    }

    /// Says `position` and `go` with what follows these words, and listens until `bestmove`. After `within` it is told to
    /// stop.
    pub(super) fn go(&mut self, position: &str, limit: &str, within: Duration) -> Result<Search, Abort> {
        self.say(&format!("position {position}"))?;
        self.say(&format!("go {limit}"))?;
        self.hear(within)
    }

    /// Says `stop` and listens until `bestmove`.
    pub(super) fn stop(&mut self) -> Result<Search, Abort> {
        self.say("stop")?;
        self.hear(self.config.timeouts.stop)
    }

    /// What is wrong with the move that a short search gives, whatever limits the program keeps.
    pub(super) fn glance(&mut self, position: &str) -> Result<Fault, Abort> {
        let search = self.go(position, "depth 2", GLANCE)?;
        Ok(rules::fault(position, &search.best))
    }

    /// Whether all is well with the session: it becomes ready, and searches another position.
    pub(super) fn goes_on(&mut self) -> Result<Fault, Abort> {
        self.ready()?;
        self.glance("startpos moves e2e4")
    }

    /// Says `quit` and waits for the end.
    pub(super) fn quit(&mut self) -> Result<Exit, Abort> {
        self.say("quit")?;
        self.end()
    }

    /// Ends its input and waits for the end.
    pub(super) fn close_input(&mut self) -> Result<Exit, Abort> {
        self.running()?.close_input();
        self.end()
    }

    fn end(&mut self) -> Result<Exit, Abort> {
        let time = self.config.timeouts.quit;
        Ok(self.running()?.end_within(time))
    }

    /// What was odd about the lines of this process.
    pub(super) fn quirks(&mut self) -> Result<LineQuirks, Abort> {
        Ok(self.running()?.quirks())
    }

    /// The number of the process that runs.
    pub(super) fn process(&self) -> Option<u32> {
        self.engine.as_ref().map(|_| self.started)
    }

    /// Lets another process take the place of the one that runs.
    pub(super) fn set_aside(&mut self) -> Aside {
        Aside { engine: self.engine.take(), script: std::mem::take(&mut self.script) }
    }

    /// Ends the process that runs, and goes on with one that was set aside. What was said to that until then is told before.
    pub(super) fn take_up(&mut self, aside: Aside) {
        if let Some(engine) = &aside.engine {
            self.past.push_str(&engine.transcript().to_string());
        }
        self.retire();
        (self.engine, self.script) = (aside.engine, aside.script);
    }

    /// Ends the process that runs, if one does.
    pub(super) fn retire(&mut self) {
        if let Some(engine) = self.engine.take() {
            self.past.push_str(&engine.transcript().to_string());
        }
    }

    /// Ends the process that runs; what went over all pipes.
    pub(super) fn finish(mut self) -> String {
        self.retire();
        self.past
    }

    /// The last lines but those of its output, which tell of times.
    pub(super) fn last_lines(&self, count: usize) -> String {
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
        lines[lines.len().saturating_sub(count)..].join(" | ")
    }

    /// The position that was set up last; empty if none was by a FEN.
    pub(super) fn fen(&self) -> String {
        self.script.fen().to_owned()
    }

    /// The command that says the same to it again.
    pub(super) fn replay(&self) -> Replay {
        Replay::shell(self.script.command(&self.program))
    }
}
