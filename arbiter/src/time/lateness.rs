//! How late a sleeping thread wakes on this machine. A busy machine delays the program as much as this
//! process.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The length of one sleep.
const NAP: Duration = Duration::from_millis(2);

/// A thread that sleeps again and again and records how late it wakes.
pub(super) struct Lateness {
    /// In microseconds.
    worst: Arc<AtomicU64>,
    ends: Arc<AtomicBool>,
}

impl Lateness {
    pub(super) fn start() -> Self {
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

    /// The longest delay since the last call.
    pub(super) fn take_worst(&self) -> Duration {
        Duration::from_micros(self.worst.swap(0, Ordering::Relaxed))
    }
}

impl Drop for Lateness {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::Relaxed);
    }
}
