//! The session: executes commands, and decides when an answer is printed.
//!
//! Reads no clock and opens no file: a [`Host`] does.
//!
//! The session waits for the search thread only after telling it to stop, so every command is executed at
//! once. The searcher is configured on its own thread, between jobs: at the start and after each `setoption`,
//! so that it is ready when a clock starts. Only `readyok` waits for that. A `go` that arrives earlier is
//! queued; if `stop` comes first, or the answer becomes due, the session answers with any legal move. The
//! only slow command in the session itself is `setoption name TablePath`: the folder is read before anything
//! changes, so that a bad one can be rejected.
//!
//! During a job, `isready`, `d`, `eval`, `uci` and `help` are answered, and a second `go` or `bench` is
//! rejected. `position`, `ucinewgame` and options of the searcher first end the search, which prints its
//! `bestmove`. A rejected command changes nothing. A rejected `go` (a malformed number, an illegal move, a
//! second search) prints the reason and no `bestmove`.
//!
//! At `quit` a search is stopped and answers at once. At the end of input a job with a limit (a search,
//! perft, the bench) runs to its end, but for at most a minute; a job without one ends as at `quit`.

mod jobs;

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};

use super::command::{self, Command, ParsedCommand};
use super::host::Host;
use super::info::{self, Style};
use super::job::JobState;
use super::lazy_tables::LazyTables;
use super::lines::{self, InputLine};
use super::options::{self, Choices, Effect};
use super::position_command;
use super::search_thread::{Event, Task, Tasks};
use super::tokens::{printable, quoted};

use crate::eval::Evaluator;
use crate::search_api::{Searcher, Setting};
use crate::{Game, Position};

/// The searcher's name and the settings that it uses.
pub(super) struct SearcherInfo {
    name: String,
    uses: &'static [Setting],
}

impl SearcherInfo {
    /// Queries the searcher.
    pub(super) fn new(searcher: &dyn Searcher) -> Self {
        Self { name: searcher.name(), uses: searcher.settings_used() }
    }
}

/// A UCI session: options, game, and current job.
pub(super) struct Session<H, W> {
    host: H,
    searcher_info: SearcherInfo,
    output: W,
    inbox: Receiver<Event>,
    tasks: Tasks,
    /// Lines that arrived while the session waited for the end of a job.
    backlog: VecDeque<InputLine>,
    choices: Choices,
    tables: Arc<LazyTables>,
    /// Whether the searcher does not know the current options yet.
    unconfigured: bool,
    /// Pending [`Task::Configure`] and [`Task::Clear`]. A job waits for them.
    pending_setup: usize,
    /// Pending `readyok`. They wait for the configuration.
    pending_readyok: usize,
    /// Jobs that were answered without the searcher: their later output is dropped.
    abandoned: usize,
    game: Game,
    job: JobState,
}

impl<H: Host, W: Write> Session<H, W> {
    /// Starts a session.
    pub(super) fn new(
        host: H,
        searcher_info: SearcherInfo,
        output: W,
        inbox: Receiver<Event>,
        tasks: Tasks,
    ) -> Self {
        Self {
            host,
            searcher_info,
            output,
            inbox,
            tasks,
            backlog: VecDeque::new(),
            choices: Choices::default(),
            tables: Arc::default(),
            unconfigured: true,
            pending_setup: 0,
            pending_readyok: 0,
            abandoned: 0,
            game: Game::new(Position::starting()),
            job: JobState::Idle,
        }
    }

    /// Handles events until `quit` or the end of input.
    pub(super) fn run(mut self) -> io::Result<()> {
        self.configure_if_idle()?;
        while let Some(event) = self.next_event() {
            if !self.handle(event)? {
                break;
            }
        }
        self.finish()
    }

    /// Handles lines when tasks run in the same thread: each line is complete before the next. Returns
    /// whether to continue.
    pub(super) fn run_lines(&mut self, lines: impl Iterator<Item = InputLine>) -> io::Result<bool> {
        self.configure_if_idle()?;
        for line in lines {
            if !self.handle(Event::Read(line))? {
                return Ok(false);
            }
            while let Ok(event) = self.inbox.try_recv() {
                self.handle(event)?;
            }
        }
        Ok(true)
    }

    /// The output.
    pub(super) fn output(&mut self) -> &mut W {
        &mut self.output
    }

    fn next_event(&mut self) -> Option<Event> {
        if let Some(line) = self.backlog.pop_front() {
            return Some(Event::Read(line));
        }
        let Some(left) = self.time_left() else { return self.inbox.recv().ok() };
        match self.inbox.recv_timeout(left) {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout) => Some(Event::Due),
            Err(RecvTimeoutError::Disconnected) => None,
        }
    }

    /// Handles one event. Returns whether to continue.
    fn handle(&mut self, event: Event) -> io::Result<bool> {
        match event {
            Event::Output(line) if self.abandoned == 0 => self.print(&line)?,
            Event::Output(_) => {}
            Event::Configured(panicked) => self.on_prepared(panicked)?,
            Event::Done(done) => self.on_done(done)?,
            Event::Due => self.stop()?,
            Event::Read(InputLine::End) => {
                self.finish_limited_job()?;
                return Ok(false);
            }
            Event::Read(InputLine::TooLong(bytes)) => {
                self.print_info_string(&format!(
                    "line of {bytes} bytes ignored: at most {} are read",
                    lines::LONGEST
                ))?;
            }
            Event::Read(InputLine::Text(line)) => match command::find(&line) {
                Some(ParsedCommand { skipped, command, rest }) => {
                    if !skipped.is_empty() {
                        self.print_info_string(&format!("unknown word {}: ignored", quoted(skipped)))?;
                    }
                    if command == Command::Quit {
                        return Ok(false);
                    }
                    self.execute(command, rest)?;
                }
                None if line.trim().is_empty() => {}
                None => {
                    self.print_info_string(&format!("unknown command {}; try help", quoted(line.trim())))?;
                }
            },
        }
        Ok(true)
    }

    fn print(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.output, "{line}")?;
        self.output.flush()
    }

    fn print_info_string(&mut self, message: &str) -> io::Result<()> {
        self.print(&format!("info string {}", printable(message)))
    }

    fn execute(&mut self, command: Command, rest: &str) -> io::Result<()> {
        match command {
            Command::Uci => self.print_id(),
            Command::IsReady => {
                self.configure()?;
                self.pending_readyok += 1;
                self.print_readyok()
            }
            Command::NewGame => {
                self.finish()?;
                self.configure()?;
                self.send_task(Task::Clear)
            }
            Command::SetOption => self.set_option(rest),
            Command::Position => match position_command::parse(rest, self.choices.mode) {
                Ok(game) => {
                    self.finish()?;
                    self.game = game;
                    Ok(())
                }
                Err(error) => self.print_info_string(&format!("position: {error}")),
            },
            Command::Go => self.go(rest),
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            Command::Display => self.print(&info::diagram(self.game.position(), self.choices.mode)),
            Command::Eval => self.evaluate(),
            Command::Bench => self.bench(rest),
            Command::Help => self.print(command::help().trim_end()),
            // Neither does anything here; `quit` is handled above.
            Command::Debug | Command::Quit => Ok(()),
        }
    }

    fn print_id(&mut self) -> io::Result<()> {
        let (name, version) = (&self.searcher_info.name, env!("CARGO_PKG_VERSION"));
        let offer = options::offer(self.searcher_info.uses);
        let text = format!("id name {name} {version}\nid author the authors of Touchstone\n\n{offer}\nuciok");
        self.print(&text)
    }

    fn set_option(&mut self, rest: &str) -> io::Result<()> {
        let mut choices = self.choices.clone();
        let effect = match options::set(rest, self.searcher_info.uses, &mut choices) {
            Ok(effect) => effect,
            Err(error) => return self.print_info_string(&format!("setoption: {error}")),
        };
        let folder = choices.table_path.as_deref().filter(|_| effect == Effect::LoadTables);
        let loaded = match folder.map(|folder| self.host.load_tables(folder, choices.table_cache)).transpose()
        {
            Ok(loaded) => loaded,
            Err(error) => return self.print_info_string(&format!("setoption: TablePath: {error}")),
        };
        if effect != Effect::Nothing {
            self.finish()?;
        }
        self.choices = choices;
        match effect {
            Effect::Nothing => return Ok(()),
            Effect::Clear => return self.send_task(Task::Clear),
            Effect::LoadTables => self.tables = Arc::new(LazyTables::new(loaded.unwrap_or_default())),
            Effect::Configure => {}
        }
        self.unconfigured = true;
        self.configure_if_idle()
    }

    /// Sends a task to be done before the next job.
    fn send_task(&mut self, task: Task) -> io::Result<()> {
        self.pending_setup += 1;
        (self.tasks)(task)
    }

    /// Configures the searcher, if the options changed and no job is running.
    fn configure(&mut self) -> io::Result<()> {
        if matches!(self.job, JobState::Busy { .. }) || !std::mem::take(&mut self.unconfigured) {
            return Ok(());
        }
        let wanted = self.choices.tables && self.searcher_info.uses.contains(&Setting::Tables);
        let tables = wanted.then(|| Arc::clone(&self.tables));
        self.send_task(Task::Configure(self.choices.settings.clone(), tables))
    }

    /// The same ahead of time: several options in a row are applied together.
    fn configure_if_idle(&mut self) -> io::Result<()> {
        if self.pending_setup == 0 { self.configure() } else { Ok(()) }
    }

    fn on_prepared(&mut self, panicked: Option<String>) -> io::Result<()> {
        self.pending_setup -= 1;
        if let Some(message) = panicked {
            self.print_info_string(&format!("defect: setting up the search failed with {message:?}"))?;
        }
        self.configure_if_idle()?;
        self.print_readyok()
    }

    fn print_readyok(&mut self) -> io::Result<()> {
        while self.pending_setup == 0 && self.pending_readyok > 0 {
            self.pending_readyok -= 1;
            self.print("readyok")?;
        }
        Ok(())
    }

    fn style(&self) -> Style {
        Style { mode: self.choices.mode, show_wdl: self.choices.show_wdl }
    }

    fn evaluate(&mut self) -> io::Result<()> {
        let breakdown = Evaluator::new(self.choices.settings.evaluation).explain(self.game.position());
        self.print(&breakdown.to_string())
    }
}
