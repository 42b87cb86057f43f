//! How late this machine lets a thread that sleeps go on: what it does to us it does to the program too.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How long the thread sleeps each time.
const NAP: Duration = Duration::from_millis(2);

/// A thread that sleeps again and again, and notes by how much it wakes too late.
pub(super) struct Lateness {
    /// In microseconds.
    worst: Arc<AtomicU64>,
    ends: Arc<AtomicBool>,
}

impl Lateness {
    pub(super) fn progress() -> Self {
        let lateness = Self { worst: Arc::default(), ends: Arc::default() };
        let (worst, ends) = (Arc::clone(&lateness.worst), Arc::clone(&lateness.ends));
        thread::spawn(move || {
            while !ends.load(Ordering::Relaxed) {
                let asleep = Instant::now();
                thread::sleep(NAP);
                let late = asleep.elapsed().saturating_sub(NAP).as_micros();
                worst.fetch_max(u64::try_from(late).unwrap_or(u64::MAX), Ordering::Relaxed);
            }
        });
        lateness
    }

    /// The worst since it was asked last.
    pub(super) fn worst(&self) -> Duration {
        Duration::from_micros(self.worst.swap(0, Ordering::Relaxed))
    }
}

impl Drop for Lateness {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::Relaxed);
    }
}
