//! Thinkers that are kept to be looked at: searchers with known weaknesses, for checks that should find them.
//!
//! They choose legal moves, as every [`Thinker`] does. What their scores promise does not hold: a mate that a specimen
//! announces is what it believes. `micromax` and its kin are another searcher; those that forget are our own, with a prover
//! of mates that overlooks one rule ([`Oversight`]). Knows no settings and no protocol.

use crate::micromax::{MicroMax, Mode};
use crate::search::{Oversight, Searcher};
use crate::thinking::Thinker;

/// The names of all.
pub const NAMES: &[&str] = &[
    "micromax",
    "micromax-guarded",
    "micromax-threats",
    "forgets-repetition",
    "forgets-table-clock",
    "forgets-memory-clock",
];

/// A specimen by its name.
///
/// ```
/// use engine::specimen;
/// assert!(specimen::NAMES.iter().all(|name| specimen::by_name(name).is_some()));
/// assert!(specimen::by_name("minimax").is_none());
/// ```
pub fn by_name(name: &str) -> Option<Box<dyn Thinker>> {
    if let Some(mode) = Mode::ALL.into_iter().find(|mode| mode.name() == name) {
        return Some(Box::new(MicroMax::new(mode)));
    }
    let oversight = Oversight::ALL.into_iter().find(|oversight| oversight.name() == name)?;
    Some(Box::new(Searcher::overlooking(oversight)))
}
