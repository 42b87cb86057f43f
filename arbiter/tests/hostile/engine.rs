//! An engine for tests: `hostile [--fault NAME]... [--said RULE]... [--heard RULE]... [--once FILE] [--pids FILE]`.
//!
//! Without faults it is a minimal engine that does all that UCI asks of it: it plays a move that mates, or the first legal
//! one, and scores nothing but mates in one. Each fault, by its name in [`fault::NAMES`], breaks one thing, and so
//! does each rule of [`rule`]. What a fault does once, the process does that makes the file of `--once`. With `--pids`
//! its process id is appended to a file, and those of its children. It never lives longer than two minutes.

mod board;
mod fault;
mod mouth;
mod moves;
mod rule;
mod search;
mod session;

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::process::Stdio;
use std::process::{Command, ExitCode};
use std::thread;
use std::time::Duration;

use fault::Faults;
use rule::Rule;

/// How long it lives at most, whatever its faults and whoever started it.
const LIFE: Duration = Duration::from_mins(2);
/// How long a child lives that nobody can kill with its parent.
const CHILDHOOD: Duration = Duration::from_secs(2);

/// What follows its name on the command line.
#[derive(Default)]
struct Arguments {
    faults: Faults,
    pids: Option<PathBuf>,
    /// It does nothing for so long: a child of one with the fault for it.
    asleep: Option<Duration>,
}

fn main() -> ExitCode {
    let arguments = match read(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(wrong) => {
            let _ = writeln!(io::stderr(), "{wrong}");
            return ExitCode::from(2);
        }
    };
    thread::spawn(|| {
        thread::sleep(LIFE);
        std::process::exit(3)
    });
    if let Some(path) = &arguments.pids
        && let Err(error) = note_pid(path, std::process::id())
    {
        let _ = writeln!(io::stderr(), "{}: {error}", path.display());
        return ExitCode::from(2);
    }
    if let Some(time) = arguments.asleep {
        thread::sleep(time);
        return ExitCode::SUCCESS;
    }
    if let Err(error) = begin(&arguments) {
        let _ = writeln!(io::stderr(), "{error}");
        return ExitCode::from(2);
    }
    session::run(&arguments.faults)
}

fn read(mut words: impl Iterator<Item = String>) -> Result<Arguments, String> {
    let mut read = Arguments::default();
    while let Some(word) = words.next() {
        let value = words.next().ok_or_else(|| format!("nothing follows {word}"))?;
        match word.as_str() {
            "--fault" => read.faults.add(&value)?,
            "--said" => read.faults.said.push(Rule::read(&value)?),
            "--heard" => read.faults.heard.push(Rule::read(&value)?),
            "--once" => read.faults.once = Some(value.into()),
            "--pids" => read.pids = Some(value.into()),
            "--asleep" => {
                let seconds = value.parse().map_err(|_| format!("{value} is no number of seconds"))?;
                read.asleep = Some(Duration::from_secs(seconds));
            }
            _ => return Err(format!("{word} is unknown")),
        }
    }
    Ok(read)
}

fn note_pid(path: &Path, pid: u32) -> io::Result<()> {
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    file.write_all(format!("{pid}\n").as_bytes())
}

/// The faults that show before anything is said.
fn begin(arguments: &Arguments) -> io::Result<()> {
    let faults = &arguments.faults;
    if faults.has("crash-at-start") {
        std::process::abort();
    }
    if faults.has("child") {
        start_child(arguments, LIFE, false)?;
    }
    if faults.has("escaped-child") {
        start_child(arguments, CHILDHOOD, true)?;
    }
    #[cfg(unix)]
    if faults.has("orphan") {
        use std::os::unix::process::CommandExt;
        // The same process goes on, with its output closed.
        return Err(asleep(LIFE).stdout(Stdio::null()).exec());
    }
    Ok(())
}

/// Starts a child that holds all pipes of this process.
fn start_child(arguments: &Arguments, time: Duration, escapes: bool) -> io::Result<()> {
    let mut command = asleep(time);
    #[cfg(unix)]
    if escapes {
        use std::os::unix::process::CommandExt;
        command.process_group(0);
    }
    let _ = escapes;
    let child = command.spawn()?;
    arguments.pids.as_deref().map_or(Ok(()), |path| note_pid(path, child.id()))
}

fn asleep(time: Duration) -> Command {
    let this = std::env::current_exe().unwrap_or_default();
    let mut command = Command::new(this);
    command.arg("--asleep").arg(time.as_secs().to_string());
    command
}
