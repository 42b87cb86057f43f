//! Idle processes of one player or program.

use std::sync::Mutex;

use crate::sync::locked;

/// Idle processes, each with the set-up that it was started with. There are at most as many as threads that
/// ask.
pub(crate) struct Pool<K, T>(Mutex<Vec<(K, T)>>);

impl<K, T> Default for Pool<K, T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: PartialEq, T> Pool<K, T> {
    /// Takes out the process with this set-up that was returned last.
    pub(crate) fn take(&self, setup: &K) -> Option<T> {
        let mut idle = locked(&self.0);
        let index = idle.iter().rposition(|(has, _)| has == setup)?;
        Some(idle.swap_remove(index).1)
    }

    /// Returns a process.
    pub(crate) fn put_back(&self, setup: K, process: T) {
        locked(&self.0).push((setup, process));
    }

    /// How many are idle.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        locked(&self.0).len()
    }
}
