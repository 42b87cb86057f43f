//! How long the threads of a process wait for a processor, by `/proc/PID/task/TID/schedstat` of Linux.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The most threads that are read.
const MOST_THREADS: usize = 1024;

/// How long the threads of a process have waited for a processor since this was made. A thread that sleeps or
/// waits for input does not wait for a processor.
#[derive(Debug)]
pub struct RunQueue {
    folder: PathBuf,
    threads: BTreeMap<OsString, Waited>,
}

/// The nanoseconds that a thread has waited.
#[derive(Debug, Clone, Copy)]
struct Waited {
    before: u64,
    now: u64,
}

impl RunQueue {
    pub(crate) fn of(process: u32) -> Self {
        let mut queue = Self { folder: format!("/proc/{process}/task").into(), threads: BTreeMap::new() };
        queue.note();
        queue.threads.values_mut().for_each(|thread| thread.before = thread.now);
        queue
    }

    /// One thread that has waited so long, and of which the system tells no more.
    #[cfg(test)]
    pub(crate) fn of_waits(waited: Duration) -> Self {
        let now = u64::try_from(waited.as_nanos()).unwrap_or(u64::MAX);
        Self { folder: PathBuf::new(), threads: BTreeMap::from([("1".into(), Waited { before: 0, now })]) }
    }

    /// Reads how long the threads have waited. The system forgets a thread that ends: what it waited after the
    /// last call is lost.
    pub fn note(&mut self) {
        let Ok(threads) = fs::read_dir(&self.folder) else { return };
        for thread in threads.flatten().take(MOST_THREADS) {
            if let Some(now) = read(&thread.path()) {
                self.threads.entry(thread.file_name()).or_insert(Waited { before: 0, now }).now = now;
            }
        }
    }

    /// The sum over all threads, at the time of the last call of [`RunQueue::note`]. `None` where the system does
    /// not report it.
    pub fn waited(&self) -> Option<Duration> {
        let waited = self.threads.values().map(|thread| thread.now.saturating_sub(thread.before));
        (!self.threads.is_empty()).then(|| Duration::from_nanos(waited.sum()))
    }

    /// The longest time of a thread, at the time of the last call of [`RunQueue::note`]; 0 where the system does not
    /// report it.
    pub(crate) fn longest(&self) -> Duration {
        let waited = self.threads.values().map(|thread| thread.now.saturating_sub(thread.before));
        Duration::from_nanos(waited.max().unwrap_or_default())
    }
}

fn read(thread: &Path) -> Option<u64> {
    waited_of(&fs::read_to_string(thread.join("schedstat")).ok()?)
}

/// The second of three numbers: nanoseconds on a processor, nanoseconds of waiting for one, and time slices.
fn waited_of(text: &str) -> Option<u64> {
    text.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_number_is_the_time_of_waiting() {
        assert_eq!(waited_of("252817149 1706738580 84\n"), Some(1_706_738_580));
        for text in ["", "0", "0 x 1"] {
            assert_eq!(waited_of(text), None, "{text}");
        }
    }

    #[test]
    fn threads_that_began_or_ended_meanwhile_count() {
        let waited = |before, now| Waited { before, now };
        let threads = [waited(5, 25), waited(0, 7), waited(9, 3)];
        let named = (1..).map(|id| OsString::from(format!("{id}"))).zip(threads);
        let queue = RunQueue { folder: PathBuf::new(), threads: named.collect() };
        assert_eq!(queue.waited(), Some(Duration::from_nanos(27)));
        assert_eq!(RunQueue { threads: BTreeMap::new(), ..queue }.waited(), None);
    }

    /// More processes than processors, none of which sleeps.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_waits_for_a_processor() {
        use std::process::{Child, Command};
        use std::thread;
        use std::time::Instant;

        let processors = thread::available_parallelism().map_or(1, usize::from);
        let busy = || Command::new("sh").args(["-c", "while :; do :; done"]).spawn();
        let mut children: Vec<Child> = (0..=2 * processors).map(|_| busy().unwrap()).collect();
        let mut queue = RunQueue::of(children[0].id());
        let is_reported = queue.waited().is_some();
        let until = Instant::now() + Duration::from_mins(1);
        let enough = Duration::from_millis(20);
        while is_reported && queue.waited() < Some(enough) && Instant::now() < until {
            thread::sleep(Duration::from_millis(10));
            queue.note();
        }
        let waited = queue.waited();
        for child in &mut children {
            child.kill().unwrap();
            child.wait().unwrap();
        }
        // A system without these figures has none for this process either.
        assert_eq!(is_reported, Path::new("/proc/self/schedstat").exists());
        assert!(!is_reported || waited >= Some(enough), "{waited:?}");
    }
}
