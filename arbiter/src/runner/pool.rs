//! Copies of one player or program that run and wait to be asked.

use std::sync::Mutex;

use crate::sync::locked;

/// Idle copies, each with the set-up that it was started with. No more of them run than ask at once.
pub(crate) struct Pool<K, T>(Mutex<Vec<(K, T)>>);

impl<K, T> Default for Pool<K, T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: PartialEq, T> Pool<K, T> {
    /// Takes out the copy with this set-up that was returned last.
    pub(crate) fn take(&self, setup: &K) -> Option<T> {
        let mut idle = locked(&self.0);
        let place = idle.iter().rposition(|(has, _)| has == setup)?;
        Some(idle.swap_remove(place).1)
    }

    /// Returns a copy.
    pub(crate) fn put_back(&self, setup: K, copy: T) {
        locked(&self.0).push((setup, copy));
    }

    /// How many wait.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        locked(&self.0).len()
    }
}
