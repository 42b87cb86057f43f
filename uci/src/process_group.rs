//! A process with all that it starts: they are killed together, and at the latest when nobody holds them any more.
//!
//! On Unix it is a process group, on Windows a job. A child that leaves its group on purpose lives on; it can hold a pipe
//! of ours, but nothing here waits for it.

use std::collections::BTreeMap;
use std::io;
use std::process::{Command, ExitStatus};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use process_wrap::std::{ChildWrapper, CommandWrap};

/// How long a killed process is awaited. It ends at once, unless the system is not done with something it asked for.
const DEATH: Duration = Duration::from_secs(2);

/// All groups that run.
static RUNNING: Mutex<Running> = Mutex::new(Running { groups: BTreeMap::new(), next: 0, closed: false });

/// Its lock is held for no longer than a process takes to start or a signal to be sent.
type Child = Arc<Mutex<Box<dyn ChildWrapper>>>;

struct Running {
    groups: BTreeMap<u64, Child>,
    next: u64,
    /// None is started any more.
    closed: bool,
}

/// Kills all programs that run, with all that they started, and lets none be started any more: for whoever is about to end
/// this process, from any thread. Ends that are awaited elsewhere are still told there.
pub fn kill_all() {
    let mut running = locked(&RUNNING);
    running.closed = true;
    for child in running.groups.values() {
        // One that has ended by itself cannot be killed, which is as well.
        let _ = locked(child).start_kill();
    }
}

/// One that runs, or has ended.
pub(crate) struct Group {
    number: u64,
    child: Child,
    status: Option<ExitStatus>,
    /// We killed it before it had ended.
    killed: bool,
    /// Nothing of it is left.
    over: bool,
}

impl Group {
    /// Starts a command whose pipes are set up.
    pub(crate) fn start(command: Command) -> io::Result<(Self, Pipes)> {
        let mut command = CommandWrap::from(command);
        #[cfg(unix)]
        command.wrap(process_wrap::std::ProcessGroup::leader());
        #[cfg(windows)]
        command.wrap(process_wrap::std::JobObject);
        // Under the lock, so that no program escapes who kills all of them.
        let mut running = locked(&RUNNING);
        if running.closed {
            return Err(io::Error::new(io::ErrorKind::Interrupted, "all programs were ended"));
        }
        let mut child = command.spawn()?;
        let pipes = (child.stdin().take(), child.stdout().take(), child.stderr().take());
        let number = running.next;
        running.next += 1;
        let child = Arc::new(Mutex::new(child));
        running.groups.insert(number, Arc::clone(&child));
        drop(running);
        let group = Self { number, child, status: None, killed: false, over: false };
        match pipes {
            (Some(input), Some(output), Some(error)) => Ok((group, Pipes { input, output, error })),
            _ => Err(io::Error::other("it has no pipes")),
        }
    }

    /// How it ended, if it has.
    pub(crate) fn status(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() {
            let mut child = locked(&self.child);
            self.status = child.try_wait().ok().flatten();
            if self.status.is_none() {
                // One that has left its group is asked for alone.
                self.status = child.inner_mut().try_wait().ok().flatten();
            }
        }
        self.status
    }

    /// How it ended, if it does until then.
    pub(crate) fn ended(&mut self, until: Instant) -> Option<ExitStatus> {
        let mut pause = Duration::from_micros(100);
        loop {
            let status = self.status();
            if status.is_some() || Instant::now() >= until {
                return status;
            }
            thread::sleep(pause.min(until.saturating_duration_since(Instant::now())));
            pause = (pause * 2).min(Duration::from_millis(10));
        }
    }

    /// Kills it and what it started; what it started also if it has ended.
    pub(crate) fn kill(&mut self) {
        // Its number may soon be that of another.
        if std::mem::replace(&mut self.over, true) {
            return;
        }
        self.killed = self.status().is_none();
        let mut child = locked(&self.child);
        let _ = child.start_kill();
        if self.killed {
            let _ = child.inner_mut().start_kill();
        }
        drop(child);
        self.ended(Instant::now() + DEATH);
        locked(&RUNNING).groups.remove(&self.number);
    }

    /// Whether it had to be killed.
    pub(crate) fn was_killed(&self) -> bool {
        self.killed
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The ends of the pipes that are ours.
pub(crate) struct Pipes {
    pub(crate) input: std::process::ChildStdin,
    pub(crate) output: std::process::ChildStdout,
    pub(crate) error: std::process::ChildStderr,
}

/// What a lock holds, also after a panic: every state of it is sound.
fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}
