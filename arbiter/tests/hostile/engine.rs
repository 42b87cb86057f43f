//! An engine for tests: `hostile [--fault NAME]... [--said RULE]... [--heard RULE]... [--once FILE] [--pids
//! FILE]`.
//!
//! Without faults it is a minimal engine that does all that UCI demands: it plays a mating move, or else the
//! first legal one, and scores only mates in one. Each fault of [`fault::NAMES`] and each rule of [`rule`]
//! breaks one thing. A fault that shows once shows in the process that creates the file of `--once`. With
//! `--pids` the ids of the process and of its children are appended to a file. It never runs longer than two
//! minutes.

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

/// The longest time that it runs, with any fault.
const LIFE: Duration = Duration::from_mins(2);
/// How long a child runs that is not killed with its parent.
const ESCAPED_LIFE: Duration = Duration::from_secs(1);

/// The arguments of the command line.
#[derive(Default)]
struct Arguments {
    faults: Faults,
    pids: Option<PathBuf>,
    /// It only sleeps, as the child of an engine with that fault.
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

/// The faults that show before the first line.
fn begin(arguments: &Arguments) -> io::Result<()> {
    let faults = &arguments.faults;
    if faults.has("crash-at-start") {
        std::process::abort();
    }
    if faults.has("child") {
        start_child(arguments, LIFE, false)?;
    }
    if faults.has("escaped-child") {
        start_child(arguments, ESCAPED_LIFE, true)?;
    }
    #[cfg(unix)]
    if faults.has("orphan") {
        use std::os::unix::process::CommandExt;
        // The process continues with its output closed.
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
