//! A process and all processes that it starts. They are killed together, at the latest when the [`Group`] is
//! dropped.
//!
//! On Unix it is a process group, on Windows a job. A child that leaves its group on purpose is not killed.
//! It can hold a pipe of ours open, but nothing here waits for it.

use std::collections::BTreeMap;
use std::io;
use std::process::{Command, ExitStatus};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use process_wrap::std::{ChildWrapper, CommandWrap};

use crate::own_folder;
use crate::run_queue::RunQueue;

/// How long to wait for the end of a killed process. It ends at once, unless a system call of it is not
/// finished.
const KILL_TIMEOUT: Duration = Duration::from_secs(2);

/// All running groups.
static RUNNING: Mutex<Running> = Mutex::new(Running { groups: BTreeMap::new(), next: 0, closed: false });

/// The lock is held only while a process starts or a signal is sent.
type Child = Arc<Mutex<Box<dyn ChildWrapper>>>;

struct Running {
    groups: BTreeMap<u64, Child>,
    next: u64,
    /// Whether no more programs may be started.
    closed: bool,
}

/// Kills all running programs with all processes that they started, and prevents further starts. Call this
/// before this process exits, from any thread. Threads that wait for the end of a program still see it.
pub fn kill_all() {
    let mut running = locked(&RUNNING);
    running.closed = true;
    for child in running.groups.values() {
        // The kill fails if the process has already ended.
        let _ = locked(child).start_kill();
    }
    own_folder::remove_all();
}

/// Whether [`kill_all`] was called. If a program ends, this tells whether it ended by itself.
pub fn all_are_ended() -> bool {
    locked(&RUNNING).closed
}

/// A process group that runs, or has ended.
pub(crate) struct Group {
    number: u64,
    child: Child,
    /// The process.
    id: u32,
    /// The clock of its processor time.
    #[cfg(target_os = "linux")]
    clock: Option<nix::time::ClockId>,
    status: Option<ExitStatus>,
    /// Whether it was killed before it ended.
    killed: bool,
    /// Whether `kill` has been called.
    over: bool,
}

/// How long a start waits for files that other programs give back.
const FOR_FILES: Duration = Duration::from_secs(5);

/// Whether this process, or the machine, may open no more files.
#[cfg(unix)]
fn has_too_many_files(error: &io::Error) -> bool {
    error.raw_os_error().is_some_and(|code| [nix::libc::EMFILE, nix::libc::ENFILE].contains(&code))
}

#[cfg(not(unix))]
fn has_too_many_files(_: &io::Error) -> bool {
    false
}

impl Group {
    /// Starts a command whose standard streams are pipes.
    pub(crate) fn start(command: Command) -> io::Result<(Self, Pipes)> {
        let group = Self::spawn(command)?;
        let mut child = locked(&group.child);
        let pipes = (child.stdin().take(), child.stdout().take(), child.stderr().take());
        drop(child);
        match pipes {
            (Some(input), Some(output), Some(error)) => Ok((group, Pipes { input, output, error })),
            _ => Err(io::Error::other("it has no pipes")),
        }
    }

    /// Starts a command.
    pub(crate) fn spawn(command: Command) -> io::Result<Self> {
        let mut command = CommandWrap::from(command);
        #[cfg(unix)]
        command.wrap(process_wrap::std::ProcessGroup::leader());
        #[cfg(windows)]
        command.wrap(process_wrap::std::JobObject);
        let until = Instant::now() + FOR_FILES;
        let (mut running, child) = loop {
            // Under the lock, so that `kill_all` misses no program.
            let running = locked(&RUNNING);
            if running.closed {
                return Err(io::Error::new(io::ErrorKind::Interrupted, "all programs were ended"));
            }
            match command.spawn() {
                // Others end, and give their files back.
                Err(error) if has_too_many_files(&error) && Instant::now() < until => {
                    drop(running);
                    std::thread::sleep(Duration::from_millis(20));
                }
                spawned => break (running, spawned?),
            }
        };
        let id = child.id();
        let child = Arc::new(Mutex::new(child));
        let number = running.next;
        running.next += 1;
        running.groups.insert(number, Arc::clone(&child));
        drop(running);
        Ok(Self {
            number,
            child,
            id,
            #[cfg(target_os = "linux")]
            clock: clock_of(id),
            status: None,
            killed: false,
            over: false,
        })
    }

    /// The number of the process.
    pub(crate) fn id(&self) -> u32 {
        self.id
    }

    /// How it ended, if it has.
    pub(crate) fn status(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() {
            let mut child = locked(&self.child);
            self.status = child.try_wait().ok().flatten();
            if self.status.is_none() {
                // A process that has left its group is polled by itself.
                self.status = child.inner_mut().try_wait().ok().flatten();
            }
        }
        self.status
    }

    /// The processor time of the process and all its threads so far, without that of other processes of the
    /// group. `None` where the system does not report it.
    pub(crate) fn processor_time(&self) -> Option<Duration> {
        cfg_select! {
            target_os = "linux" => { Some(self.clock?.now().ok()?.into()) }
            _ => {
                let _ = self;
                None
            }
        }
    }

    /// How long the threads of the process wait for a processor from now on, without those of other processes of
    /// the group.
    pub(crate) fn run_queue(&self) -> RunQueue {
        RunQueue::of(self.id)
    }

    /// How it ended, if it ends before the deadline.
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

    /// Kills the process and all that it started, even if the process itself has ended.
    pub(crate) fn kill(&mut self) {
        // Only once: its process id may be reused.
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
        self.ended(Instant::now() + KILL_TIMEOUT);
        locked(&RUNNING).groups.remove(&self.number);
    }

    /// Whether `kill` has been called.
    pub(crate) fn is_over(&self) -> bool {
        self.over
    }

    /// Whether it was killed before it ended.
    pub(crate) fn was_killed(&self) -> bool {
        self.killed
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}

#[cfg(target_os = "linux")]
fn clock_of(process: u32) -> Option<nix::time::ClockId> {
    nix::time::clock_getcpuclockid(nix::unistd::Pid::from_raw(i32::try_from(process).ok()?)).ok()
}

/// Our ends of the pipes.
pub(crate) struct Pipes {
    pub(crate) input: std::process::ChildStdin,
    pub(crate) output: std::process::ChildStdout,
    pub(crate) error: std::process::ChildStderr,
}

/// Takes a lock, also after a panic: its content is always consistent.
fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use nix::libc::{EACCES, EMFILE, ENFILE, ENOENT};

    use super::*;

    #[test]
    fn a_start_waits_for_files_alone() {
        let is_waited_for = |code| has_too_many_files(&io::Error::from_raw_os_error(code));
        assert_eq!([EMFILE, ENFILE, ENOENT, EACCES].map(is_waited_for), [true, true, false, false]);
        assert!(!has_too_many_files(&io::ErrorKind::NotFound.into()));
    }
}
