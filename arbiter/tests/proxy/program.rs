//! A proxy for tests: `proxy [--rule RULE]... [--when WHEN] [--once FILE] ENGINE [ARGUMENT]...`.
//!
//! It starts a UCI engine, hands it what it hears, and prints what the engine prints; of lines of `info` it alters the score.
//!
//! | rule | what it alters |
//! |---|---|
//! | `win-1`, `win+1` | `mate N` for the side to move is one move shorter (of two and more), or longer |
//! | `loss-1`, `loss+1` | `mate -N` is one move sooner (of two and more), or later |
//! | `score=WORDS` | each score is these words, such as `mate 2` or `cp 0` |
//!
//! | when | in which searches |
//! |---|---|
//! | `always` | all |
//! | `nodes` | those with a limit of nodes |
//! | `later` | all but the first of a process |
//! | `every=N` | each Nth of a process |
//! | `last` | all, but only in the last line before `bestmove` |
//! | `once` | one after `ucinewgame`: that of the process that makes the file of `--once` |

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{ChildStdin, Command, ExitCode, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// What is altered in a score.
#[derive(Debug, Clone)]
enum Rule {
    Win(i64),
    Loss(i64),
    Score(String),
}

/// In which searches.
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

/// What follows its name on the command line.
#[derive(Debug, Default)]
struct Arguments {
    rules: Vec<Rule>,
    when: When,
    once: Option<PathBuf>,
    engine: Vec<String>,
}

/// What is known of the session.
#[derive(Debug, Default)]
struct Session {
    searches: u32,
    in_game: bool,
    /// Whether the search that goes on is altered.
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
    let heard = (Arc::clone(&arguments), Arc::clone(&session));
    thread::spawn(move || input.map(|input| hear(&heard.0, &heard.1, input)));
    if let Some(output) = output {
        say(&arguments, &session, BufReader::new(output))?;
    }
    let status = engine.wait()?;
    Ok(status.code().and_then(|code| u8::try_from(code).ok()).map_or(ExitCode::FAILURE, ExitCode::from))
}

/// Hands the engine what is heard, until it is over.
fn hear(arguments: &Arguments, session: &Mutex<Session>, mut engine: ChildStdin) -> io::Result<()> {
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
fn say(arguments: &Arguments, session: &Mutex<Session>, engine: impl BufRead) -> io::Result<()> {
    // The last line is known when another one follows.
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

/// A line as these rules have it.
fn altered(rules: &[Rule], line: &str) -> String {
    rules.iter().fold(line.to_owned(), |line, rule| rule.alter(&line).unwrap_or(line))
}

impl Rule {
    /// A line of `info` with another score; `None` if it stays.
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
