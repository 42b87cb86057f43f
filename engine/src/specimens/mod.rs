//! Thinkers that are kept to be looked at: searchers with known weaknesses, for checks that should find them.
//!
//! They choose legal moves, as every [`Searcher`] does. What their scores promise does not hold: a mate that a specimen
//! announces is what it believes. `micromax` and its kin are another searcher; those that forget are our own, with a prover
//! of mates that overlooks one rule ([`Mutation`]). Knows no settings and no protocol.

mod micromax;

use crate::search::{AlphaBeta, Mutation};
use crate::search_api::Searcher;
use micromax::{MicroMax, Mode};

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
/// use engine::specimens;
/// assert!(specimens::NAMES.iter().all(|name| specimens::by_name(name).is_some()));
/// assert!(specimens::by_name("minimax").is_none());
/// ```
pub fn by_name(name: &str) -> Option<Box<dyn Searcher>> {
    if let Some(mode) = Mode::ALL.into_iter().find(|mode| mode.name() == name) {
        return Some(Box::new(MicroMax::new(mode)));
    }
    let mutation = Mutation::ALL.into_iter().find(|mutation| mutation.name() == name)?;
    Some(Box::new(AlphaBeta::with_mutation(mutation)))
}
