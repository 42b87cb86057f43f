//! A proxy for tests: `proxy [--rule RULE]... [--when WHEN] [--once FILE] ENGINE [ARGUMENT]...`.
//!
//! It starts a UCI engine, forwards the input, and prints what the engine prints. In `info` lines it alters
//! the score.
//!
//! | rule | alteration |
//! |---|---|
//! | `win-1`, `win+1` | `mate N` for the side to move is one move shorter (of two and more), or longer |
//! | `loss-1`, `loss+1` | `mate -N` is one move sooner (of two and more), or later |
//! | `score=WORDS` | each score is replaced, for instance by `mate 2` or `cp 0` |
//!
//! | when | in which searches |
//! |---|---|
//! | `always` | all |
//! | `nodes` | those with a limit of nodes |
//! | `later` | all but the first of a process |
//! | `every=N` | each Nth of a process |
//! | `last` | all, but only in the last line before `bestmove` |
//! | `once` | one after `ucinewgame`, in the process that creates the file of `--once` |

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{ChildStdin, Command, ExitCode, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// An alteration of scores.
#[derive(Debug, Clone)]
enum Rule {
    Win(i64),
    Loss(i64),
    Score(String),
}

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
            "--rule" => read.rules.push(rule(&value()?)?),
            "--when" => read.when = when(&value()?)?,
            "--once" => read.once = Some(value()?.into()),
            _ => read.engine = [word].into_iter().chain(words.by_ref()).collect(),
        }
    }
    if read.engine.is_empty() { Err("no engine is named".to_owned()) } else { Ok(read) }
}

fn rule(text: &str) -> Result<Rule, String> {
    Ok(match text {
        "win-1" => Rule::Win(-1),
        "win+1" => Rule::Win(1),
        "loss-1" => Rule::Loss(-1),
        "loss+1" => Rule::Loss(1),
        _ => Rule::Score(text.strip_prefix("score=").ok_or_else(|| format!("{text} is no rule"))?.to_owned()),
    })
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
        let lies = session.lock().unwrap_or_else(PoisonError::into_inner).lies;
        let is_best = line.starts_with("bestmove");
        if let Some(last) = kept.take() {
            print(&if is_best { altered(&arguments.rules, &last) } else { last })?;
        }
        if !lies || !line.starts_with("info ") {
            print(&line)?;
        } else if arguments.when == When::Last && line.contains(" score ") {
            kept = Some(line);
        } else if arguments.when == When::Last {
            print(&line)?;
        } else {
            print(&altered(&arguments.rules, &line))?;
        }
    }
    Ok(())
}

/// A line with all rules applied.
fn altered(rules: &[Rule], line: &str) -> String {
    rules.iter().fold(line.to_owned(), |line, rule| rule.alter(&line).unwrap_or(line))
}

impl Rule {
    /// The line with an altered score. `None` if the rule does not apply.
    fn alter(&self, line: &str) -> Option<String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let place = words.iter().position(|&word| word == "score")?;
        let [kind, number] = words.get(place + 1..place + 3)? else { return None };
        let mate = (*kind == "mate").then(|| number.parse::<i64>().ok()).flatten();
        let score = match (self, mate) {
            (Self::Score(score), _) => score.clone(),
            (Self::Win(more), Some(moves)) if moves > 0 && moves + more > 0 => {
                format!("mate {}", moves + more)
            }
            (Self::Loss(more), Some(moves)) if moves < 0 && moves - more < 0 => {
                format!("mate {}", moves - more)
            }
            _ => return None,
        };
        let [before, after] = [&words[..=place], &words[place + 3..]].map(|words| words.join(" "));
        Some(format!("{before} {score} {after}"))
    }
}
