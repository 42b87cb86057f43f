//! A proxy for tests: `proxy [--rule RULE]... [--when WHEN] [--once FILE] ENGINE [ARGUMENT]...`.
//!
//! It starts a UCI engine, forwards the input, and prints what the engine prints, with the scores, lines and moves
//! that the rules of [`rule`] alter.
//!
//! | when | in which searches |
//! |---|---|
//! | `always` | all |
//! | `nodes` | those with a limit of nodes |
//! | `later` | all but the first of a process |
//! | `every=N` | each Nth of a process |
//! | `last` | all, but only in the last score before `bestmove`, and in `bestmove` |
//! | `once` | one after `ucinewgame`, in the process that creates the file of `--once` |

mod rule;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{ChildStdin, Command, ExitCode, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use rule::Rule;
use shakmaty::Chess;

/// The searches that are altered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
enum When {
    #[default]
    Always,
    Nodes,
    Later,
    Every(u32),
    Last,
    Once,
}

/// The arguments of the command line.
#[derive(Debug, Default)]
struct Arguments {
    rules: Vec<Rule>,
    when: When,
    once: Option<PathBuf>,
    engine: Vec<String>,
}

/// The state of the session.
#[derive(Debug, Default)]
struct Session {
    searches: u32,
    in_game: bool,
    /// The position of the last search.
    position: Chess,
    /// Whether the current search is altered.
    lies: bool,
}

fn main() -> ExitCode {
    match read(std::env::args().skip(1))
        .and_then(|arguments| run(arguments).map_err(|error| error.to_string()))
    {
        Ok(code) => code,
        Err(wrong) => {
            let _ = writeln!(io::stderr(), "{wrong}");
            ExitCode::from(2)
        }
    }
}

fn read(mut words: impl Iterator<Item = String>) -> Result<Arguments, String> {
    let mut read = Arguments::default();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("nothing follows {word}"));
        match word.as_str() {
            "--rule" => read.rules.push(Rule::read(&value()?)?),
            "--when" => read.when = when(&value()?)?,
            "--once" => read.once = Some(value()?.into()),
            _ => read.engine = [word].into_iter().chain(words.by_ref()).collect(),
        }
    }
    if read.engine.is_empty() { Err("no engine is named".to_owned()) } else { Ok(read) }
}

fn when(text: &str) -> Result<When, String> {
    Ok(match text {
        "always" => When::Always,
        "nodes" => When::Nodes,
        "later" => When::Later,
        "last" => When::Last,
        "once" => When::Once,
        _ => {
            let every = text.strip_prefix("every=").and_then(|count| count.parse().ok());
            When::Every(every.filter(|count| *count > 0).ok_or_else(|| format!("{text} is no time"))?)
        }
    })
}

fn run(arguments: Arguments) -> io::Result<ExitCode> {
    let arguments = Arc::new(arguments);
    let (path, rest) = arguments.engine.split_first().expect("an engine is named");
    let mut engine = Command::new(path).args(rest).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let (input, output) = (engine.stdin.take(), engine.stdout.take());
    let session = Arc::new(Mutex::new(Session::default()));
    let shared = (Arc::clone(&arguments), Arc::clone(&session));
    thread::spawn(move || input.map(|input| forward(&shared.0, &shared.1, input)));
    if let Some(output) = output {
        print_altered(&arguments, &session, BufReader::new(output))?;
    }
    let status = engine.wait()?;
    Ok(status.code().and_then(|code| u8::try_from(code).ok()).map_or(ExitCode::FAILURE, ExitCode::from))
}

/// Forwards the input to the engine.
fn forward(arguments: &Arguments, session: &Mutex<Session>, mut engine: ChildStdin) -> io::Result<()> {
    for line in io::stdin().lock().lines() {
        let line = line?;
        let mut words = line.split_whitespace();
        let first = words.next();
        let mut session = session.lock().unwrap_or_else(PoisonError::into_inner);
        session.in_game |= first == Some("ucinewgame");
        if first == Some("position") {
            let position = rule::position(words.clone());
            session.position = position.ok_or_else(|| io::Error::other(format!("no position: {line}")))?;
        }
        if first == Some("go") {
            session.searches += 1;
            let first_once = || {
                let file = arguments.once.as_ref().filter(|_| session.in_game);
                file.is_some_and(|path| File::create_new(path).is_ok())
            };
            session.lies = match arguments.when {
                When::Always | When::Last => true,
                When::Nodes => words.any(|word| word == "nodes"),
                When::Later => session.searches > 1,
                When::Every(count) => session.searches.is_multiple_of(count),
                When::Once => first_once(),
            };
        }
        drop(session);
        engine.write_all(format!("{line}\n").as_bytes())?;
        engine.flush()?;
    }
    Ok(())
}

/// Prints what the engine prints, altered.
fn print_altered(arguments: &Arguments, session: &Mutex<Session>, engine: impl BufRead) -> io::Result<()> {
    // Whether a line is the last one is known when the next one comes.
    let mut kept: Option<String> = None;
    let print = |line: &str| {
        let mut output = io::stdout().lock();
        output.write_all(format!("{line}\n").as_bytes()).and_then(|()| output.flush())
    };
    for line in engine.lines() {
        let line = line?;
        let (lies, position) = {
            let session = session.lock().unwrap_or_else(PoisonError::into_inner);
            (session.lies, session.position.clone())
        };
        let altered = |line: &str| {
            let alter = |line: String, rule: &Rule| rule.alter(&line, &position).unwrap_or(line);
            arguments.rules.iter().fold(line.to_owned(), alter)
        };
        let is_best = line.starts_with("bestmove");
        if let Some(last) = kept.take() {
            print(&if is_best { altered(&last) } else { last })?;
        }
        let is_score = line.starts_with("info ") && line.contains(" score ");
        match arguments.when {
            _ if !lies || !is_score && !is_best => print(&line)?,
            When::Last if is_score => kept = Some(line),
            _ => print(&altered(&line))?,
        }
    }
    Ok(())
}
