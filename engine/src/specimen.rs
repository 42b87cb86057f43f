//! Thinkers that are kept to be looked at: searchers with known weaknesses, for checks that should find them.
//!
//! They choose legal moves, as every [`Thinker`] does. What their scores promise does not hold: a mate that a specimen
//! announces is what it believes. Knows no settings and no protocol.

use crate::micromax::{MicroMax, Mode};
use crate::thinking::Thinker;

/// The names of all.
pub const NAMES: &[&str] = &["micromax", "micromax-guarded", "micromax-threats"];

/// A specimen by its name.
///
/// ```
/// use engine::specimen;
/// assert!(specimen::NAMES.iter().all(|name| specimen::by_name(name).is_some()));
/// assert!(specimen::by_name("minimax").is_none());
/// ```
pub fn by_name(name: &str) -> Option<Box<dyn Thinker>> {
    let mode = Mode::ALL.into_iter().find(|mode| mode.name() == name)?;
    Some(Box::new(MicroMax::new(mode)))
}
