//! The session: what each command does, and when its answer may be given.
//!
//! Reads no clock and opens no file: a [`Host`] does. It never waits for the thinking thread without having told it to
//! stop, so that any command is obeyed at once, whatever is under way.
//!
//! While something is under way: `isready`, `d`, `eval`, `uci` and `help` are answered; a second `go` or `bench` is
//! refused; `position`, `ucinewgame` and options that the thinker sees end it first, with its `bestmove`, unless they are
//! refused themselves: what is refused changes nothing. At `quit` and at the end of input the answer so far is given.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};

use super::go::{self, Go};
use super::host::Host;
use super::info::{self, Style};
use super::lines::{self, Line};
use super::options::{self, Choices, Effect};
use super::place;
use super::shelf::Shelf;
use super::verb::{self, Verb};
use super::words::{self, printable, quoted};
use super::work::{Done, Event, Job, Task};
use crate::eval::Evaluator;
use crate::thinking::{Control, Setting, Settings, Thinker};
use crate::{Game, Position, bench};

/// What is under way.
enum Work {
    /// Nothing.
    Idle,
    /// A job is being done.
    Busy {
        control: Arc<Control>,
        /// Its answer waits for `stop`.
        infinite: bool,
        /// Its answer waits for `ponderhit`.
        ponder: bool,
    },
    /// The job is done, but its answer may not be given yet.
    Held { answer: String, infinite: bool },
}

/// A session: what was chosen, what is on the board, what is under way.
pub(super) struct Session<H, W> {
    host: H,
    output: W,
    inbox: Receiver<Event>,
    tasks: Sender<Task>,
    /// Lines that came while the end of a job was awaited.
    backlog: VecDeque<Line>,
    /// At home while nothing is under way.
    thinker: Option<Box<dyn Thinker>>,
    name: String,
    uses: &'static [Setting],
    choices: Choices,
    shelf: Shelf,
    /// Whether the thinker has yet to learn of the choices.
    unconfigured: bool,
    game: Game,
    work: Work,
}

impl<H: Host, W: Write> Session<H, W> {
    /// With nothing said yet.
    pub(super) fn new(
        host: H,
        thinker: Box<dyn Thinker>,
        output: W,
        inbox: Receiver<Event>,
        tasks: Sender<Task>,
    ) -> Self {
        Self {
            host,
            output,
            inbox,
            tasks,
            backlog: VecDeque::new(),
            name: thinker.name(),
            uses: thinker.uses(),
            thinker: Some(thinker),
            choices: Choices::default(),
            shelf: Shelf::default(),
            unconfigured: true,
            game: Game::new(Position::starting()),
            work: Work::Idle,
        }
    }

    /// Obeys whatever comes until it is told to end.
    pub(super) fn obey_all(mut self) -> io::Result<()> {
        while let Some(event) = self.next_event() {
            if !self.take(event)? {
                break;
            }
        }
        self.finish()
    }

    fn next_event(&mut self) -> Option<Event> {
        let waiting = self.backlog.pop_front().map(Event::Read);
        waiting.or_else(|| self.inbox.recv().ok())
    }

    /// Whether to go on.
    fn take(&mut self, event: Event) -> io::Result<bool> {
        match event {
            Event::Said(line) => self.say(&line)?,
            Event::Done(done) => self.take_done(done)?,
            Event::Read(Line::End) => return Ok(false),
            Event::Read(Line::TooLong(bytes)) => {
                self.complain(&format!(
                    "line of {bytes} bytes ignored: at most {} are read",
                    lines::LONGEST
                ))?;
            }
            Event::Read(Line::Text(line)) => match verb::find(&line) {
                Some((Verb::Quit, _)) => return Ok(false),
                Some((verb, rest)) => self.obey(verb, rest)?,
                None if line.trim().is_empty() => {}
                None => self.complain(&format!("unknown command {}; try help", quoted(line.trim())))?,
            },
        }
        Ok(true)
    }

    fn say(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.output, "{line}")?;
        self.output.flush()
    }

    fn complain(&mut self, message: &str) -> io::Result<()> {
        self.say(&format!("info string {}", printable(message)))
    }

    fn obey(&mut self, verb: Verb, rest: &str) -> io::Result<()> {
        match verb {
            Verb::Uci => self.introduce(),
            Verb::IsReady => {
                self.prepare();
                self.say("readyok")
            }
            Verb::NewGame => {
                self.finish()?;
                self.prepare();
                self.forget();
                Ok(())
            }
            Verb::SetOption => self.set_option(rest),
            Verb::Position => match place::parse(rest, self.choices.mode) {
                Ok(game) => {
                    self.finish()?;
                    self.game = game;
                    Ok(())
                }
                Err(error) => self.complain(&format!("position: {error}")),
            },
            Verb::Go => self.go(rest),
            Verb::Stop => self.stop(),
            Verb::PonderHit => self.ponder_hit(),
            Verb::Display => self.say(&info::picture(self.game.position(), self.choices.mode)),
            Verb::Eval => self.evaluate(),
            Verb::Bench => self.bench(rest),
            Verb::Help => self.say(verb::help().trim_end()),
            // Both ask for nothing; `quit` is seen to before.
            Verb::Debug | Verb::Quit => Ok(()),
        }
    }

    fn introduce(&mut self) -> io::Result<()> {
        let (name, version) = (&self.name, env!("CARGO_PKG_VERSION"));
        let offer = options::offer(self.uses);
        let text = format!("id name {name} {version}\nid author the authors of Touchstone\n\n{offer}\nuciok");
        self.say(&text)
    }

    fn set_option(&mut self, rest: &str) -> io::Result<()> {
        let mut choices = self.choices.clone();
        let effect = match options::set(rest, self.uses, &mut choices) {
            Ok(effect) => effect,
            Err(error) => return self.complain(&format!("setoption: {error}")),
        };
        if effect != Effect::Nothing {
            self.finish()?;
        }
        if effect == Effect::LoadTables {
            match choices.table_path.as_deref().map(|folder| self.host.load_tables(folder)).transpose() {
                Ok(loaded) => self.shelf = Shelf::new(loaded.unwrap_or_default()),
                Err(error) => return self.complain(&format!("setoption: TablePath: {error}")),
            }
        }
        self.choices = choices;
        match effect {
            Effect::Forget => self.forget(),
            Effect::Nothing => {}
            Effect::Configure | Effect::LoadTables => self.unconfigured = true,
        }
        Ok(())
    }

    fn forget(&mut self) {
        if let Some(thinker) = &mut self.thinker {
            thinker.forget();
        }
    }

    /// Gives the thinker its settings, if it is at home and has yet to learn them.
    fn prepare(&mut self) {
        if self.thinker.is_none() || !std::mem::take(&mut self.unconfigured) {
            return;
        }
        let wanted = self.choices.tables && self.uses.contains(&Setting::Tables);
        let tables = wanted.then(|| self.shelf.tables());
        let settings = Settings { tables, ..self.choices.settings.clone() };
        if let Some(thinker) = &mut self.thinker {
            thinker.configure(&settings);
        }
    }

    fn style(&self) -> Style {
        Style { mode: self.choices.mode, show_wdl: self.choices.show_wdl }
    }

    fn go(&mut self, rest: &str) -> io::Result<()> {
        let control = Control::new(self.host.start_clock());
        if !matches!(self.work, Work::Idle) {
            return self.complain(&format!("go{}: ignored, one is under way", quoted_words(rest)));
        }
        let position = *self.game.position();
        let go = match go::parse(rest, &position, self.choices.mode) {
            Ok(go) => go,
            Err(error) => return self.complain(&format!("go: {error}")),
        };
        if let Some(clock) = go.missing_clock(&position) {
            self.complain(&format!("go: it is {}'s turn, but {clock} is missing", position.side_to_move()))?;
        }
        let limits = go.limits(&position, self.choices.overhead);
        for word in &go.unknown {
            self.complain(&format!("go: unknown word {} ignored", quoted(word)))?;
        }
        let Go { infinite, ponder, .. } = go;
        if let Some(depth) = go.perft {
            let job = Job::Perft { position, depth, mode: self.choices.mode };
            return self.begin(job, control, false, false);
        }
        if !position.has_legal_move() {
            self.say(&info::ended(&position, self.style()))?;
            return self.answer("bestmove (none)".to_owned(), infinite, ponder);
        }
        self.prepare();
        control.set_pondering(ponder);
        let job = Job::Think { game: self.game.clone(), limits, style: self.style() };
        self.begin(job, control, infinite, ponder)
    }

    fn begin(&mut self, job: Job, control: Control, infinite: bool, ponder: bool) -> io::Result<()> {
        let Some(thinker) = self.thinker.take() else { return Ok(()) };
        let control = Arc::new(control);
        self.work = Work::Busy { control: Arc::clone(&control), infinite, ponder };
        let task = Task { thinker, control, job };
        self.tasks.send(task).map_err(|_| io::Error::other("the thinking thread has ended"))
    }

    fn take_done(&mut self, done: Done) -> io::Result<()> {
        self.thinker = Some(done.thinker);
        if let Some(message) = done.panicked {
            self.complain(&format!("defect: the search failed with {message:?}"))?;
            self.unconfigured = true;
        }
        match std::mem::replace(&mut self.work, Work::Idle) {
            Work::Busy { infinite, ponder, .. } => self.answer(done.answer, infinite, ponder),
            Work::Idle | Work::Held { .. } => Ok(()),
        }
    }

    /// Gives an answer, or holds it back.
    fn answer(&mut self, answer: String, infinite: bool, ponder: bool) -> io::Result<()> {
        if infinite || ponder {
            self.work = Work::Held { answer, infinite };
            return Ok(());
        }
        self.say(&answer)
    }

    fn stop(&mut self) -> io::Result<()> {
        match std::mem::replace(&mut self.work, Work::Idle) {
            // A `stop` that comes too late is usual.
            Work::Idle => {}
            Work::Busy { control, .. } => {
                control.stop();
                self.work = Work::Busy { control, infinite: false, ponder: false };
            }
            Work::Held { answer, .. } => self.say(&answer)?,
        }
        Ok(())
    }

    fn ponder_hit(&mut self) -> io::Result<()> {
        match &mut self.work {
            Work::Busy { control, ponder, .. } if *ponder => {
                control.set_pondering(false);
                *ponder = false;
                Ok(())
            }
            Work::Held { infinite: false, .. } => self.stop(),
            _ => self.complain("ponderhit: nothing is pondered"),
        }
    }

    /// Ends what is under way and gives its answer. Commands that come meanwhile wait.
    fn finish(&mut self) -> io::Result<()> {
        self.stop()?;
        while matches!(self.work, Work::Busy { .. }) {
            match self.inbox.recv() {
                Ok(Event::Read(line)) => self.backlog.push_back(line),
                Ok(event) => drop(self.take(event)?),
                Err(_) => break,
            }
        }
        Ok(())
    }

    fn evaluate(&mut self) -> io::Result<()> {
        let breakdown = Evaluator::new(self.choices.settings.evaluation).explain(self.game.position());
        self.say(&breakdown.to_string())
    }

    fn bench(&mut self, rest: &str) -> io::Result<()> {
        if !matches!(self.work, Work::Idle) {
            return self.complain("bench: ignored, a search is under way");
        }
        let depth = match words::split(rest) {
            None => bench::DEPTH,
            Some((word, _)) => match words::number("bench", Some(word), 1..=u16::MAX) {
                Ok(depth) => depth,
                Err(error) => return self.complain(&format!("bench: {error}")),
            },
        };
        self.unconfigured = true;
        let control = Control::new(self.host.start_clock());
        self.begin(Job::Bench { depth }, control, false, false)
    }
}

/// The words after a command, to name it by.
fn quoted_words(rest: &str) -> String {
    let rest = rest.trim();
    if rest.is_empty() { String::new() } else { format!(" {}", quoted(rest)) }
}
