//! Specimens: searches with known weaknesses, for checks that must find them.
//!
//! They choose legal moves, as every [`Searcher`] does, but their mate scores are not proven. `micromax` and
//! its variants are a separate search; the `forgets-*` specimens are the engine's own search with a fault in
//! its mate prover ([`Mutation`]). Knows no settings and no protocol.

mod micromax;

use crate::search::{AlphaBeta, Mutation};
use crate::search_api::Searcher;
use micromax::{MicroMax, Mode};

/// The names of all specimens.
pub const NAMES: &[&str] = &[
    "micromax",
    "micromax-guarded",
    "micromax-threats",
    "forgets-repetition",
    "forgets-table-clock",
    "forgets-memory-clock",
];

/// The specimen with this name.
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
