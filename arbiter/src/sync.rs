//! Locks whose content stays usable after a panic.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The content of a lock, also after a thread panicked while it held it.
pub(crate) fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}
