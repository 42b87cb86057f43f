//! Mates are announced only when they are sure: what the search believes is proven first.

use super::deepen::unconfirmed;
use super::root::RootMove;
use super::worker::Worker;
use crate::{Game, Move, Score};

/// The mates that were proven in this search, by first move.
#[derive(Default)]
pub(super) struct Confirmed {
    proven: Vec<(Score, Vec<Move>)>,
}

impl Worker<'_> {
    /// What is said of a line: its score, unless that is a mate that cannot be proven.
    pub(super) fn announced(
        &mut self,
        _game: &Game,
        root: &RootMove,
        confirmed: &mut Confirmed,
    ) -> (Score, Vec<Move>) {
        if !root.score.is_mate() {
            return (root.score, root.line.clone());
        }
        let known = confirmed.proven.iter().find(|(_, line)| line.first() == Some(&root.mv));
        known.cloned().unwrap_or_else(|| (unconfirmed(root.score), root.line.clone()))
    }
}
