//! Specimens: searchers that are wrong on purpose. None is here yet.

use crate::thinking::Thinker;

/// Their names.
pub const NAMES: &[&str] = &[];

/// The specimen of a name.
pub fn by_name(_name: &str) -> Option<Box<dyn Thinker>> {
    None
}
